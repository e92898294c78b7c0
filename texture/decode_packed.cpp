// Formats that are not compressed, but whose texels do not stand alone: pairs that share two of their colours, eight
// texels a byte, a blue that follows from red and green.
// Source: the format descriptions of Direct3D 9; for YUV, the integer form of ITU-R BT.601 in Microsoft's "Recommended
// 8-Bit YUV Formats for Video Rendering".
#include <algorithm>
#include <cmath>

#include "core/check.h"
#include "texture/block_codec.h"

namespace tessera::texture {
namespace {

// Where a pair's bytes are: the two own values of its texels, and the two shared ones.
struct PairLayout {
  uint8_t own[2], shared[2];
  enum : uint8_t { GreenIsOwn, RedIsOwn, LumaIsOwn } meaning;
};
constexpr PairLayout kPairs[] = {   // from BlockCodec::PairRgbg on; shared: red (or green) and blue, or U and V
    {{1, 3}, {0, 2}, PairLayout::GreenIsOwn}, {{0, 2}, {1, 3}, PairLayout::GreenIsOwn},
    {{0, 2}, {1, 3}, PairLayout::RedIsOwn},   {{1, 3}, {0, 2}, PairLayout::RedIsOwn},
    {{1, 3}, {0, 2}, PairLayout::LumaIsOwn},  {{0, 2}, {1, 3}, PairLayout::LumaIsOwn},
    {{1, 3}, {2, 0}, PairLayout::LumaIsOwn},  {{0, 2}, {3, 1}, PairLayout::LumaIsOwn}};

Rgba8 rgb_of_yuv(int32_t y, int32_t u, int32_t v) {
  const int32_t c = 298 * (y - 16) + 128, d = u - 128, e = v - 128;
  return {clamp_to_byte((c + 409 * e) >> 8), clamp_to_byte((c - 100 * d - 208 * e) >> 8),
          clamp_to_byte((c + 516 * d) >> 8), 255};
}

Rgba8 texel_of_pair(const PairLayout& layout, uint8_t own, uint8_t first, uint8_t second) {
  switch (layout.meaning) {
    case PairLayout::GreenIsOwn: return {first, own, second, 255};
    case PairLayout::RedIsOwn: return {own, first, second, 255};
    case PairLayout::LumaIsOwn: break;
  }
  return rgb_of_yuv(own, first, second);
}

}  // namespace

void decode_pair(const FormatInfo& format, const uint8_t* block, std::byte* texels) {
  const PairLayout& layout = kPairs[static_cast<size_t>(format.codec) - static_cast<size_t>(BlockCodec::PairRgbg)];
  for (uint32_t i = 0; i < 2; ++i)
    store_texel(texels, i,
                texel_of_pair(layout, block[layout.own[i]], block[layout.shared[0]], block[layout.shared[1]]));
}

// The first texel is the highest bit, as in one-bit pictures of Windows.
void decode_bits(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  for (uint32_t i = 0; i < 8; ++i) store_texel(texels, i, static_cast<uint8_t>(block[0] >> (7 - i) & 1 ? 255 : 0));
}

// A normal of unit length: blue = sqrt(1 - red^2 - green^2), 0 where that is negative.
void decode_derived_blue(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  const auto snorm = [](uint8_t code) {
    return static_cast<float>(std::max<int32_t>(static_cast<int8_t>(code), -127)) / 127.0f;
  };
  const float red = snorm(block[0]), green = snorm(block[1]);
  const float rest = 1.0f - red * red - green * green;
  const float texel[4] = {red, green, rest > 0 ? std::sqrt(rest) : 0.0f, 0.0f};
  store_texel(texels, 0, texel);
}

}  // namespace tessera::texture
