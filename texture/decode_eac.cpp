// EAC: the alpha of ETC2, and one or two channels of 11 bits, whose values are the floats nearest to n / 2047 and n /
// 1023.
#include <algorithm>

#include "texture/block_codec.h"

namespace tessera::texture {
namespace {

constexpr int32_t kModifiers[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8}};

struct EacBlock {
  uint64_t word;
  int32_t multiplier;
  const int32_t* modifiers;

  explicit EacBlock(const uint8_t* block)
      : word(big_endian_64(block)),
        multiplier(static_cast<int32_t>(word >> 52 & 15)),
        modifiers(kModifiers[word >> 48 & 15]) {}
  uint32_t base() const { return static_cast<uint32_t>(word >> 56); }
  // Of texel (x, y); texels are stored down the columns, the first highest.
  int32_t modifier(uint32_t x, uint32_t y) const { return modifiers[word >> (45 - 3 * (4 * x + y)) & 7]; }
};

void decode_channel(const uint8_t* bytes, bool is_signed, uint32_t channel, uint32_t channels, std::byte* texels) {
  const EacBlock block(bytes);
  const int32_t base =
      is_signed ? 8 * std::max(sign_extend(block.base(), 8), -127) : 8 * static_cast<int32_t>(block.base()) + 4;
  const int32_t scale = block.multiplier == 0 ? 1 : 8 * block.multiplier;
  const int32_t least = is_signed ? -1023 : 0, most = is_signed ? 1023 : 2047;
  for (uint32_t i = 0; i < 16; ++i) {
    const int32_t code = std::clamp(base + block.modifier(i % 4, i / 4) * scale, least, most);
    store_texel(texels, i * channels + channel, static_cast<float>(code) / static_cast<float>(most));
  }
}

void decode_two_channels(const uint8_t* block, bool is_signed, std::byte* texels) {
  decode_channel(block, is_signed, 0, 2, texels);
  decode_channel(block + 8, is_signed, 1, 2, texels);
}

}  // namespace

void decode_eac_alpha(const uint8_t* bytes, uint8_t alpha[16]) {
  const EacBlock block(bytes);
  for (uint32_t i = 0; i < 16; ++i)
    alpha[i] = clamp_to_byte(static_cast<int32_t>(block.base()) + block.modifier(i % 4, i / 4) * block.multiplier);
}

void decode_eac_r(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  decode_channel(block, false, 0, 1, texels);
}
void decode_eac_r_signed(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  decode_channel(block, true, 0, 1, texels);
}
void decode_eac_rg(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  decode_two_channels(block, false, texels);
}
void decode_eac_rg_signed(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  decode_two_channels(block, true, texels);
}

}  // namespace tessera::texture
