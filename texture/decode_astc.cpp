// ASTC, the profile of low dynamic range: linear texels as half floats, sRGB ones as bytes. What is illegal, or of high
// dynamic range, is opaque magenta.
#include <bit>

#include "texture/astc_block.h"
#include "texture/astc_endpoints.h"
#include "texture/block_codec.h"

namespace tessera::texture {
namespace {

using astc::Block;
using astc::Endpoints;

// ---- texels -----------------------------------------------------------------------------------------------------

struct Unorm16Texel { uint16_t channel[4]; };
constexpr Unorm16Texel kErrorColor = {{0xffff, 0, 0xffff, 0xffff}};

// The half float next below c / 65536; 65535 is 1.
uint16_t half_of(uint16_t c) {
  if (c == 65535) return 0x3c00;
  if (c < 4) return static_cast<uint16_t>(c << 8);   // denormal, in units of 2^-24
  const uint32_t width = static_cast<uint32_t>(std::bit_width(c));
  const uint32_t mantissa =
      width > 11 ? static_cast<uint32_t>(c) >> (width - 11) : static_cast<uint32_t>(c) << (11 - width);
  return static_cast<uint16_t>((width - 2) << 10 | (mantissa & 0x3ff));
}

void store(const Unorm16Texel& texel, bool is_srgb, size_t index, std::byte* texels) {
  const uint16_t* c = texel.channel;
  if (is_srgb) {
    const auto high = [](uint16_t x) { return static_cast<uint8_t>(x >> 8); };
    store_texel(texels, index, Rgba8{high(c[0]), high(c[1]), high(c[2]), high(c[3])});
  } else {
    const uint16_t halves[4] = {half_of(c[0]), half_of(c[1]), half_of(c[2]), half_of(c[3])};
    store_texel(texels, index, halves);
  }
}

void fill(const FormatInfo& format, const Unorm16Texel& texel, bool is_srgb, std::byte* texels) {
  for (size_t i = 0; i < size_t{format.block_width} * format.block_height; ++i) store(texel, is_srgb, i, texels);
}

// Blocks of one colour. Their extent is only checked.
Unorm16Texel void_extent_color(const BlockBits& bits) {
  const uint32_t s0 = bits.get(12, 13), s1 = bits.get(25, 13), t0 = bits.get(38, 13), t1 = bits.get(51, 13);
  const bool is_unbounded = (s0 & s1 & t0 & t1) == 0x1fff;
  const bool is_hdr = bits.get(9, 1) != 0, is_reserved = bits.get(10, 2) != 3;
  if (is_hdr || is_reserved || (!is_unbounded && (s0 >= s1 || t0 >= t1))) return kErrorColor;
  Unorm16Texel texel;
  for (uint32_t c = 0; c < 4; ++c) texel.channel[c] = static_cast<uint16_t>(bits.get(64 + 16 * c, 16));
  return texel;
}

// ---- weights ----------------------------------------------------------------------------------------------------

BlockBits reversed(const BlockBits& bits) {
  const auto reverse = [](uint64_t x) {
    uint64_t r = 0;
    for (uint32_t i = 0; i < 64; ++i) r |= (x >> i & 1) << (63 - i);
    return r;
  };
  return {reverse(bits.high), reverse(bits.low)};
}

// The grid of weights of each plane. Texels on the far edge reach beyond it, with weight 0.
struct Weights {
  uint8_t plane[2][64 + 13] = {};
};

Weights read_weights(const BlockBits& bits, const Block& block) {
  uint8_t integers[64];
  astc::read_sequence(reversed(bits), 0, astc::kWeightRanges[block.weight_range], block.weights(), integers);
  Weights weights;
  const uint32_t planes = block.has_two_planes ? 2 : 1;
  for (uint32_t i = 0; i < block.weights(); ++i)
    weights.plane[i % planes][i / planes] = astc::unquantize_weight(block.weight_range, integers[i]);
  return weights;
}

// Where a texel lies in the grid: the weight above and to the left, and 16 times the shares of four.
struct GridPlace { uint32_t first, share[4]; };

GridPlace place_of(const Block& block, uint32_t x, uint32_t y, uint32_t width, uint32_t height) {
  const auto scaled = [](uint32_t at, uint32_t size, uint32_t grid) {
    const uint32_t factor = (1024 + size / 2) / (size - 1);
    return (factor * at * (grid - 1) + 32) >> 6;   // in sixteenths
  };
  const uint32_t s = scaled(x, width, block.grid_width), t = scaled(y, height, block.grid_height);
  const uint32_t fs = s & 15, ft = t & 15, both = (fs * ft + 8) >> 4;
  return {(s >> 4) + (t >> 4) * block.grid_width, {16 - fs - ft + both, fs - both, ft - both, both}};
}

uint32_t weight_at(const uint8_t* grid, const GridPlace& place, uint32_t grid_width) {
  const uint8_t* w = grid + place.first;
  return (w[0] * place.share[0] + w[1] * place.share[1] + w[grid_width] * place.share[2] +
          w[grid_width + 1] * place.share[3] + 8) >>
         4;
}

// ---- partitions -------------------------------------------------------------------------------------------------

uint32_t hash52(uint32_t p) {
  p ^= p >> 15, p -= p << 17, p += p << 7, p += p << 4, p ^= p >> 5;
  p += p << 16, p ^= p >> 7, p ^= p >> 3, p ^= p << 6, p ^= p >> 17;
  return p;
}

// For each partition a plane over the block; a texel belongs to the one that is highest there.
class PartitionPattern {
 public:
  PartitionPattern(const Block& block, uint32_t texels) : count_(block.partitions), scale_(texels < 31 ? 2 : 1) {
    if (count_ == 1) return;
    const uint32_t seed = block.partition_seed + (count_ - 1) * 1024, random = hash52(seed);
    const uint32_t by_seed = seed & 2 ? 4 : 5, by_count = count_ == 3 ? 6 : 5;
    const uint32_t shift_x = seed & 1 ? by_seed : by_count, shift_y = seed & 1 ? by_count : by_seed;
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t x = random >> 8 * i & 15, y = random >> (8 * i + 4) & 15;
      slope_x_[i] = x * x >> shift_x;
      slope_y_[i] = y * y >> shift_y;
      offset_[i] = random >> (14 - 4 * i);
    }
  }

  uint32_t at(uint32_t x, uint32_t y) const {
    uint32_t best = 0, highest = 0;
    for (uint32_t i = 0; i < count_ && count_ > 1; ++i) {
      const uint32_t value = (slope_x_[i] * x * scale_ + slope_y_[i] * y * scale_ + offset_[i]) & 63;
      if (i == 0 || value > highest) best = i, highest = value;
    }
    return best;
  }

 private:
  uint32_t count_, scale_;
  uint32_t slope_x_[4] = {}, slope_y_[4] = {}, offset_[4] = {};
};

// ---- blocks -----------------------------------------------------------------------------------------------------

struct PartitionColors { Endpoints endpoints; bool is_legal; };

void read_colors(const BlockBits& bits, const Block& block, PartitionColors colors[4]) {
  uint8_t values[astc::kMaxColorIntegers];
  astc::read_sequence(bits, block.color_first_bit, astc::kColorRanges[block.color_range], block.color_integers, values);
  for (uint32_t i = 0; i < block.color_integers; ++i) values[i] = astc::unquantize_color(block.color_range, values[i]);
  const uint8_t* next = values;
  for (uint32_t p = 0; p < block.partitions; ++p) {
    colors[p].is_legal = astc::decode_endpoints(block.endpoint_mode[p], next, colors[p].endpoints);
    next += 2 * (block.endpoint_mode[p] / 4 + 1);
  }
}

uint16_t interpolate(uint32_t a, uint32_t b, uint32_t weight, bool is_srgb_color) {
  const uint32_t a16 = a << 8 | (is_srgb_color ? 0x80 : a), b16 = b << 8 | (is_srgb_color ? 0x80 : b);
  return static_cast<uint16_t>((a16 * (64 - weight) + b16 * weight + 32) >> 6);
}

void decode_texels(const BlockBits& bits, const Block& block, const FormatInfo& format, bool is_srgb,
                   std::byte* texels) {
  PartitionColors colors[4];
  read_colors(bits, block, colors);
  const Weights weights = read_weights(bits, block);
  const uint32_t width = format.block_width, height = format.block_height;
  const PartitionPattern pattern(block, width * height);
  for (uint32_t y = 0; y < height; ++y)
    for (uint32_t x = 0; x < width; ++x) {
      const PartitionColors& own = colors[pattern.at(x, y)];
      Unorm16Texel texel = kErrorColor;
      if (own.is_legal) {
        const GridPlace place = place_of(block, x, y, width, height);
        uint32_t weight[2] = {weight_at(weights.plane[0], place, block.grid_width), 0};
        if (block.has_two_planes) weight[1] = weight_at(weights.plane[1], place, block.grid_width);
        for (uint32_t c = 0; c < 4; ++c) {
          const bool is_second = block.has_two_planes && c == block.second_plane_channel;
          texel.channel[c] =
              interpolate(own.endpoints.first[c], own.endpoints.second[c], weight[is_second ? 1 : 0], is_srgb && c < 3);
        }
      }
      store(texel, is_srgb, size_t{y} * width + x, texels);
    }
}

void decode_astc(const FormatInfo& format, const uint8_t* block, bool is_srgb, std::byte* texels) {
  const BlockBits bits = BlockBits::of(block);
  if (astc::is_void_extent(bits)) return fill(format, void_extent_color(bits), is_srgb, texels);
  const auto parsed = astc::parse_block(bits, format.block_width, format.block_height);
  if (!parsed) return fill(format, kErrorColor, is_srgb, texels);
  decode_texels(bits, *parsed, format, is_srgb, texels);
}

}  // namespace

void decode_astc_linear(const FormatInfo& format, const uint8_t* block, std::byte* texels) {
  decode_astc(format, block, false, texels);
}
void decode_astc_srgb(const FormatInfo& format, const uint8_t* block, std::byte* texels) {
  decode_astc(format, block, true, texels);
}

}  // namespace tessera::texture
