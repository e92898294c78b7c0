// BC4 and BC5 (RGTC, LATC): the float nearest to each exact quotient. The order of the two ends is that of their codes,
// also where the specification leaves it open (-127 and -128).
#include <algorithm>

#include "texture/block_codec.h"

namespace tessera::texture {
namespace {

// One channel of a block into component `channel` of texels of `channels` floats.
void decode_channel(const uint8_t* block, bool is_signed, uint32_t channel, uint32_t channels, std::byte* texels) {
  const int32_t code0 = is_signed ? static_cast<int8_t>(block[0]) : block[0];
  const int32_t code1 = is_signed ? static_cast<int8_t>(block[1]) : block[1];
  const int32_t one = is_signed ? 127 : 255;
  const int32_t first = std::max(code0, -127), second = std::max(code1, -127);
  const int32_t steps = code0 > code1 ? 7 : 5;
  // Numerators and denominators are exact floats, so each quotient is rounded once.
  const auto quotient = [](int32_t a, int32_t b) { return static_cast<float>(a) / static_cast<float>(b); };
  float ramp[8] = {quotient(first, one), quotient(second, one), 0, 0, 0, 0, is_signed ? -1.0f : 0.0f, 1.0f};
  for (int32_t i = 1; i < steps; ++i) ramp[i + 1] = quotient((steps - i) * first + i * second, steps * one);
  const uint64_t bits = little_endian_64(block);
  for (uint32_t i = 0; i < 16; ++i) store_texel(texels, i * channels + channel, ramp[bits >> (16 + 3 * i) & 7]);
}

void decode_two_channels(const uint8_t* block, bool is_signed, std::byte* texels) {
  decode_channel(block, is_signed, 0, 2, texels);
  decode_channel(block + 8, is_signed, 1, 2, texels);
}

}  // namespace

void decode_bc4_unorm(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  decode_channel(block, false, 0, 1, texels);
}
void decode_bc4_snorm(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  decode_channel(block, true, 0, 1, texels);
}
void decode_bc5_unorm(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  decode_two_channels(block, false, texels);
}
void decode_bc5_snorm(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  decode_two_channels(block, true, texels);
}

}  // namespace tessera::texture
