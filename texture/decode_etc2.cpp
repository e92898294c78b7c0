// ETC1 and ETC2: RGB, with one bit of alpha, with EAC alpha. A block of ETC1 whose second base colour is out of range,
// which ETC1 leaves open, is what ETC2 makes of it.
#include "texture/block_codec.h"

namespace tessera::texture {
namespace {

constexpr int32_t kModifiers[8][2] = {{2, 8}, {5, 17}, {9, 29}, {13, 42}, {18, 60}, {24, 80}, {33, 106}, {47, 183}};
constexpr int32_t kDistances[8] = {3, 6, 11, 16, 23, 32, 41, 64};

struct Color { int32_t r, g, b; };

constexpr int32_t extend4(uint32_t x) { return static_cast<int32_t>(x * 17); }
constexpr int32_t extend5(uint32_t x) { return static_cast<int32_t>(x << 3 | x >> 2); }
constexpr int32_t extend6(uint32_t x) { return static_cast<int32_t>(x << 2 | x >> 4); }
constexpr int32_t extend7(uint32_t x) { return static_cast<int32_t>(x << 1 | x >> 6); }

Rgba8 plus(const Color& c, int32_t d) {
  return {clamp_to_byte(c.r + d), clamp_to_byte(c.g + d), clamp_to_byte(c.b + d), 255};
}

// Block bits are numbered as in the specification: 63 is the highest of the first byte.
class Etc2Block {
 public:
  // `has_punch_through`: the bit that else tells the individual mode tells whether the block is opaque.
  Etc2Block(const uint8_t* block, bool has_punch_through)
      : word_(big_endian_64(block)), has_punch_through_(has_punch_through), bit33_(bits(33, 33) != 0) {}

  void decode(Rgba8 texel[16]) const {
    if (!has_punch_through_ && !bit33_) {
      const Color first{extend4(bits(63, 60)), extend4(bits(55, 52)), extend4(bits(47, 44))};
      const Color second{extend4(bits(59, 56)), extend4(bits(51, 48)), extend4(bits(43, 40))};
      return decode_halves(first, second, texel);
    }
    const uint32_t base[3] = {bits(63, 59), bits(55, 51), bits(47, 43)};
    uint32_t sum[3];   // wraps below zero: then it is above 31 as well
    for (uint32_t c = 0; c < 3; ++c)
      sum[c] = base[c] + static_cast<uint32_t>(sign_extend(bits(58 - 8 * c, 56 - 8 * c), 3));
    if (sum[0] > 31) return decode_t(texel);
    if (sum[1] > 31) return decode_h(texel);
    if (sum[2] > 31) return decode_planar(texel);
    decode_halves({extend5(base[0]), extend5(base[1]), extend5(base[2])},
                  {extend5(sum[0]), extend5(sum[1]), extend5(sum[2])}, texel);
  }

 private:
  uint32_t bits(uint32_t high, uint32_t low) const {
    return static_cast<uint32_t>(word_ >> low & ((uint64_t{2} << (high - low)) - 1));
  }
  bool is_transparent_where_2() const { return has_punch_through_ && !bit33_; }

  // Texels are numbered down the columns; store them in rows.
  template <class Paint>
  void paint(Rgba8 texel[16], Paint paint_of) const {
    for (uint32_t i = 0; i < 16; ++i) {
      const uint32_t x = i / 4, y = i % 4,
                     index = static_cast<uint32_t>(word_ >> (16 + i) & 1) * 2 + static_cast<uint32_t>(word_ >> i & 1);
      texel[4 * y + x] = index == 2 && is_transparent_where_2() ? Rgba8{0, 0, 0, 0} : paint_of(x, y, index);
    }
  }

  void decode_halves(const Color& first, const Color& second, Rgba8 texel[16]) const {
    const uint32_t table[2] = {bits(39, 37), bits(36, 34)};
    const bool is_flipped = bits(32, 32) != 0;   // one above the other
    paint(texel, [&](uint32_t x, uint32_t y, uint32_t index) {
      const uint32_t half = is_flipped ? y / 2 : x / 2;
      const bool is_large = index & 1, is_zero = !is_large && is_transparent_where_2();
      const int32_t size = is_zero ? 0 : kModifiers[table[half]][is_large ? 1 : 0];
      return plus(half ? second : first, index & 2 ? -size : size);
    });
  }

  void paint_four(const Rgba8 (&colors)[4], Rgba8 texel[16]) const {
    paint(texel, [&](uint32_t, uint32_t, uint32_t index) { return colors[index]; });
  }

  void decode_t(Rgba8 texel[16]) const {
    const Color first{extend4(bits(60, 59) << 2 | bits(57, 56)), extend4(bits(55, 52)), extend4(bits(51, 48))};
    const Color second{extend4(bits(47, 44)), extend4(bits(43, 40)), extend4(bits(39, 36))};
    const int32_t d = kDistances[bits(35, 34) << 1 | bits(32, 32)];
    paint_four({plus(first, 0), plus(second, d), plus(second, 0), plus(second, -d)}, texel);
  }

  void decode_h(Rgba8 texel[16]) const {
    const Color first{extend4(bits(62, 59)), extend4(bits(58, 56) << 1 | bits(52, 52)),
                      extend4(bits(51, 51) << 3 | bits(49, 47))};
    const Color second{extend4(bits(46, 43)), extend4(bits(42, 39)), extend4(bits(38, 35))};
    const auto order = [](const Color& c) { return c.r << 16 | c.g << 8 | c.b; };
    const uint32_t lowest = order(first) >= order(second) ? 1 : 0;
    const int32_t d = kDistances[bits(34, 34) << 2 | bits(32, 32) << 1 | lowest];
    paint_four({plus(first, d), plus(first, -d), plus(second, d), plus(second, -d)}, texel);
  }

  // A plane through three colours: at the origin, four texels to the right of it and four below. Always opaque.
  void decode_planar(Rgba8 texel[16]) const {
    const Color origin{extend6(bits(62, 57)), extend7(bits(56, 56) << 6 | bits(54, 49)),
                       extend6(bits(48, 48) << 5 | bits(44, 43) << 3 | bits(41, 39))};
    const Color right{extend6(bits(38, 34) << 1 | bits(32, 32)), extend7(bits(31, 25)), extend6(bits(24, 19))};
    const Color below{extend6(bits(18, 13)), extend7(bits(12, 6)), extend6(bits(5, 0))};
    for (int32_t i = 0; i < 16; ++i) {
      const int32_t x = i % 4, y = i / 4;
      const auto at = [x, y](int32_t o, int32_t h, int32_t v) {
        return clamp_to_byte((x * (h - o) + y * (v - o) + 4 * o + 2) >> 2);
      };
      texel[i] = {at(origin.r, right.r, below.r), at(origin.g, right.g, below.g), at(origin.b, right.b, below.b), 255};
    }
  }

  uint64_t word_;
  bool has_punch_through_, bit33_;
};

void decode_into(const uint8_t* block, bool has_punch_through, std::byte* texels) {
  Rgba8 texel[16];
  Etc2Block(block, has_punch_through).decode(texel);
  std::memcpy(texels, texel, sizeof texel);
}

}  // namespace

void decode_etc2(const FormatInfo&, const uint8_t* block, std::byte* texels) { decode_into(block, false, texels); }
void decode_etc2_punch(const FormatInfo&, const uint8_t* block, std::byte* texels) { decode_into(block, true, texels); }

void decode_etc2_alpha(const FormatInfo&, const uint8_t* block, std::byte* texels) {
  Rgba8 texel[16];
  uint8_t alpha[16];
  Etc2Block(block + 8, false).decode(texel);
  decode_eac_alpha(block, alpha);
  for (uint32_t i = 0; i < 16; ++i) texel[i].a = alpha[i];
  std::memcpy(texels, texel, sizeof texel);
}

}  // namespace tessera::texture
