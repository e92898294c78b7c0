// BC1 to BC3. The specification's colours are exact quotients; here they are rounded to the nearest 8-bit value, ties
// to even, which is at most half a step away and lets 8-bit filters sample them.
#include "texture/block_codec.h"

namespace tessera::texture {
namespace {

// The 8-bit value nearest to numerator / denominator, which is at most 1; ties to even.
constexpr uint8_t nearest_unorm8(uint32_t numerator, uint32_t denominator) {
  const uint32_t doubled = 2 * 255 * numerator, whole = doubled / (2 * denominator), rest = doubled % (2 * denominator);
  const bool up = rest > denominator || (rest == denominator && whole % 2 == 1);
  return static_cast<uint8_t>(whole + (up ? 1 : 0));
}

struct Rgb565 { uint32_t r, g, b; };
Rgb565 unpack_565(uint32_t color) { return {color >> 11, color >> 5 & 63, color & 31}; }

// (wa * a + wb * b) / (wa + wb) a channel.
Rgba8 mix(const Rgb565& a, uint32_t wa, const Rgb565& b, uint32_t wb) {
  const uint32_t sum = wa + wb;
  return {nearest_unorm8(wa * a.r + wb * b.r, sum * 31), nearest_unorm8(wa * a.g + wb * b.g, sum * 63),
          nearest_unorm8(wa * a.b + wb * b.b, sum * 31), 255};
}

enum class Black : uint8_t { Never, Opaque, Transparent };

// The colour half of a block. `black`: what code 3 means where colour 0 is not greater than colour 1.
void decode_colors(const uint8_t* block, Black black, Rgba8 texel[16]) {
  const uint64_t bits = little_endian_64(block);
  const uint32_t code0 = bits & 0xffff, code1 = bits >> 16 & 0xffff;
  const Rgb565 color0 = unpack_565(code0), color1 = unpack_565(code1);
  Rgba8 palette[4] = {mix(color0, 1, color1, 0), mix(color0, 0, color1, 1)};
  if (code0 > code1 || black == Black::Never) {
    palette[2] = mix(color0, 2, color1, 1);
    palette[3] = mix(color0, 1, color1, 2);
  } else {
    palette[2] = mix(color0, 1, color1, 1);
    palette[3] = {0, 0, 0, static_cast<uint8_t>(black == Black::Opaque ? 255 : 0)};
  }
  for (uint32_t i = 0; i < 16; ++i) texel[i] = palette[bits >> (32 + 2 * i) & 3];
}

void store_block(const Rgba8 texel[16], std::byte* texels) { std::memcpy(texels, texel, 16 * sizeof(Rgba8)); }

}  // namespace

void decode_alpha_ramp(const uint8_t* block, uint8_t alpha[16]) {
  const uint64_t bits = little_endian_64(block);
  const uint32_t first = block[0], second = block[1];
  uint8_t ramp[8] = {block[0], block[1], 0, 0, 0, 0, 0, 255};
  const uint32_t steps = first > second ? 7 : 5;
  for (uint32_t i = 1; i < steps; ++i)
    ramp[i + 1] = nearest_unorm8((steps - i) * first + i * second, steps * 255);
  for (uint32_t i = 0; i < 16; ++i) alpha[i] = ramp[bits >> (16 + 3 * i) & 7];
}

void decode_bc1(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  Rgba8 texel[16];
  decode_colors(block, Black::Transparent, texel);
  store_block(texel, texels);
}

void decode_bc1_opaque(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  Rgba8 texel[16];
  decode_colors(block, Black::Opaque, texel);
  store_block(texel, texels);
}

void decode_bc2(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  Rgba8 texel[16];
  decode_colors(block + 8, Black::Never, texel);
  const uint64_t alpha = little_endian_64(block);
  for (uint32_t i = 0; i < 16; ++i) texel[i].a = static_cast<uint8_t>((alpha >> 4 * i & 15) * 17);
  store_block(texel, texels);
}

void decode_bc3(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  Rgba8 texel[16];
  uint8_t alpha[16];
  decode_colors(block + 8, Black::Never, texel);
  decode_alpha_ramp(block, alpha);
  for (uint32_t i = 0; i < 16; ++i) texel[i].a = alpha[i];
  store_block(texel, texels);
}

}  // namespace tessera::texture
