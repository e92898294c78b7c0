#include "spec_blocks.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "spec_bc6h.h"
#include "texture/bptc_tables.h"

namespace tessera::tests {
namespace {

using Real = long double;
using BlockFn = SpecTexel (*)(const uint8_t* block, uint32_t x, uint32_t y);

// Bits a..b, a >= b, of a number of `count` bytes; the first byte is the lowest.
uint64_t little(const uint8_t* bytes, uint32_t a, uint32_t b) {
  uint64_t value = 0;
  for (uint32_t i = b; i <= a; ++i) value |= uint64_t{bytes[i / 8] >> i % 8 & 1u} << (i - b);
  return value;
}

// The same where the first of eight bytes is the highest.
uint64_t big(const uint8_t* bytes, uint32_t a, uint32_t b) {
  uint64_t value = 0;
  for (uint32_t i = b; i <= a; ++i) value |= uint64_t{bytes[7 - i / 8] >> i % 8 & 1u} << (i - b);
  return value;
}

int32_t two_complement(uint64_t value, uint32_t bits) {
  return static_cast<int32_t>(value) - (value >> (bits - 1) ? 1 << bits : 0);
}

// ---- S3TC -------------------------------------------------------------------------------------------------------

SpecTexel color_of(const uint8_t* block, uint32_t x, uint32_t y, bool always_four, Real alpha_of_black) {
  const auto color0 = little(block, 15, 0), color1 = little(block, 31, 16);
  const auto code = little(block, 32 + 2 * (4 * y + x) + 1, 32 + 2 * (4 * y + x));
  const SpecTexel rgb0 = {little(block, 15, 11) / 31.0L, little(block, 10, 5) / 63.0L, little(block, 4, 0) / 31.0L, 1};
  const SpecTexel rgb1 = {little(block, 31, 27) / 31.0L, little(block, 26, 21) / 63.0L, little(block, 20, 16) / 31.0L,
                          1};
  SpecTexel result;
  for (uint32_t c = 0; c < 4; ++c) {
    if (code == 0) result[c] = rgb0[c];
    else if (code == 1) result[c] = rgb1[c];
    else if (always_four || color0 > color1)
      result[c] = code == 2 ? (2 * rgb0[c] + rgb1[c]) / 3 : (rgb0[c] + 2 * rgb1[c]) / 3;
    else if (code == 2) result[c] = (rgb0[c] + rgb1[c]) / 2;
    else result[c] = c < 3 ? 0 : alpha_of_black;
  }
  return result;
}

// One of eight values between two, of BC3's alpha and of RGTC.
Real ramp_value(const uint8_t* block, uint32_t x, uint32_t y, bool is_signed) {
  const int32_t e0 = is_signed ? two_complement(block[0], 8) : block[0],
                e1 = is_signed ? two_complement(block[1], 8) : block[1];
  // In units of 1 / 127 or 1 / 255; whole numbers, so that sums are exact.
  const Real one = is_signed ? 127 : 255, v0 = std::max(e0, -127), v1 = std::max(e1, -127);
  const auto code = little(block, 16 + 3 * (4 * y + x) + 2, 16 + 3 * (4 * y + x));
  if (code == 0) return v0 / one;
  if (code == 1) return v1 / one;
  const Real n = static_cast<Real>(code);
  if (e0 > e1) return ((8 - n) * v0 + (n - 1) * v1) / (7 * one);
  if (code < 6) return ((6 - n) * v0 + (n - 1) * v1) / (5 * one);
  return code == 7 ? 1 : is_signed ? -1 : 0;
}

SpecTexel bc1(const uint8_t* b, uint32_t x, uint32_t y) { return color_of(b, x, y, false, 0); }
SpecTexel bc1_opaque(const uint8_t* b, uint32_t x, uint32_t y) { return color_of(b, x, y, false, 1); }
SpecTexel bc2(const uint8_t* b, uint32_t x, uint32_t y) {
  SpecTexel texel = color_of(b + 8, x, y, true, 1);
  texel[3] = little(b, 4 * (4 * y + x) + 3, 4 * (4 * y + x)) / 15.0L;
  return texel;
}
SpecTexel bc3(const uint8_t* b, uint32_t x, uint32_t y) {
  SpecTexel texel = color_of(b + 8, x, y, true, 1);
  texel[3] = ramp_value(b, x, y, false);
  return texel;
}

// ---- RGTC, LATC -------------------------------------------------------------------------------------------------

template <bool kSigned>
SpecTexel bc4(const uint8_t* b, uint32_t x, uint32_t y) { return {ramp_value(b, x, y, kSigned), 0, 0, 1}; }
template <bool kSigned>
SpecTexel bc5(const uint8_t* b, uint32_t x, uint32_t y) {
  return {ramp_value(b, x, y, kSigned), ramp_value(b + 8, x, y, kSigned), 0, 1};
}

// ---- BC7: every field by its place in the block ------------------------------------------------------------------

struct Bc7Mode { uint32_t ns, pb, rb, isb, cb, ab, epb, spb, ib, ib2; };
constexpr Bc7Mode kBc7Modes[] = {{3, 4, 0, 0, 4, 0, 1, 0, 3, 0}, {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
                                 {3, 6, 0, 0, 5, 0, 0, 0, 2, 0}, {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
                                 {1, 0, 2, 1, 5, 6, 0, 0, 2, 3}, {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
                                 {1, 0, 0, 0, 7, 7, 1, 0, 4, 0}, {2, 6, 0, 0, 5, 5, 1, 0, 2, 0}};

uint64_t field(const uint8_t* block, uint32_t first, uint32_t count) {
  return count ? little(block, first + count - 1, first) : 0;
}

// The note's formula for the place of a texel's index; anchors have a bit less.
uint64_t bc7_index(const uint8_t* block, uint32_t begin, const Bc7Mode& m, uint32_t bits, uint64_t part,
                   uint32_t texel) {
  std::vector<uint32_t> anchors = {0};
  if (m.ns == 2) anchors.push_back(texture::kSecondAnchorOf2[part]);
  if (m.ns == 3) anchors.insert(anchors.end(), {texture::kSecondAnchorOf3[part], texture::kThirdAnchorOf3[part]});
  uint32_t offset = bits * texel, own = bits;
  for (uint32_t anchor : anchors) {
    if (anchor < texel) --offset;
    if (anchor == texel) --own;
  }
  return field(block, begin + offset, own);
}

Real bc7_weight(uint64_t index, uint32_t bits) {
  static constexpr uint32_t k2[] = {0, 21, 43, 64}, k3[] = {0, 9, 18, 27, 37, 46, 55, 64};
  static constexpr uint32_t k4[] = {0, 4, 9, 13, 17, 21, 26, 30, 34, 38, 43, 47, 51, 55, 60, 64};
  return bits == 2 ? k2[index] : bits == 3 ? k3[index] : k4[index];
}

SpecTexel bc7(const uint8_t* block, uint32_t x, uint32_t y) {
  uint32_t number = 0;
  while (number < 8 && !(block[0] >> number & 1)) ++number;
  if (number == 8) return {0, 0, 0, 0};
  const Bc7Mode& m = kBc7Modes[number];
  const uint32_t texel = 4 * y + x, partition_at = number + 1, rotation_at = partition_at + m.pb;
  const uint32_t color_at = rotation_at + m.rb + m.isb, alpha_at = color_at + 6 * m.ns * m.cb;
  const uint32_t p_at = alpha_at + 2 * m.ns * m.ab, index_at = p_at + 2 * m.ns * m.epb + m.ns * m.spb;
  const uint32_t index2_at = index_at + 16 * m.ib - m.ns;
  const uint64_t part = field(block, partition_at, m.pb), rotation = field(block, rotation_at, m.rb);
  const bool selects = field(block, rotation_at + m.rb, m.isb) != 0;
  const uint32_t subset =
      m.ns == 1
          ? 0
          : static_cast<uint32_t>((m.ns == 2 ? texture::kPartitionsOf2 : texture::kPartitionsOf3)[part][texel] - '0');

  const auto endpoint = [&](uint32_t c, uint32_t e) -> Real {
    const uint32_t bits = c < 3 ? m.cb : m.ab;
    if (bits == 0) return 255;
    const uint32_t at = c < 3 ? color_at + (c * 2 * m.ns + e) * bits : alpha_at + e * bits;
    std::string digits;   // most significant first
    for (uint32_t i = bits; i-- > 0;) digits += field(block, at + i, 1) ? '1' : '0';
    if (m.epb) digits += field(block, p_at + e, 1) ? '1' : '0';
    if (m.spb) digits += field(block, p_at + e / 2, 1) ? '1' : '0';
    const std::string once = digits;
    while (digits.size() < 8) digits += once;
    return static_cast<Real>(std::stoul(digits.substr(0, 8), nullptr, 2));
  };
  const uint64_t primary = bc7_index(block, index_at, m, m.ib, part, texel);
  const uint64_t secondary = m.ib2 ? bc7_index(block, index2_at, m, m.ib2, part, texel) : 0;
  const Real first = bc7_weight(primary, m.ib), second = m.ib2 ? bc7_weight(secondary, m.ib2) : first;
  const Real color_weight = selects ? second : first, alpha_weight = selects ? first : second;
  SpecTexel result;
  for (uint32_t c = 0; c < 4; ++c) {
    const Real w = c < 3 ? color_weight : alpha_weight, e0 = endpoint(c, 2 * subset), e1 = endpoint(c, 2 * subset + 1);
    result[c] = static_cast<uint32_t>(((64 - w) * e0 + w * e1 + 32) / 64) / 255.0L;
  }
  if (rotation) std::swap(result[3], result[rotation - 1]);
  return result;
}

// ---- ETC2, EAC: pixels a..p go down the columns ------------------------------------------------------------------

SpecTexel bytes_of(Real r, Real g, Real b) {
  const auto clamped = [](Real v) { return std::clamp(v, 0.0L, 255.0L) / 255; };
  return {clamped(r), clamped(g), clamped(b), 1};
}

SpecTexel planar(const uint8_t* q, uint32_t x, uint32_t y) {
  const auto six = [](uint64_t v) { return static_cast<Real>(v * 4 + v / 16); };
  const auto seven = [](uint64_t v) { return static_cast<Real>(v * 2 + v / 64); };
  const auto at = [&](Real o, Real h, Real v) {
    const Real exact = x * (h - o) / 4 + y * (v - o) / 4 + o;
    return std::floor(exact + 0.5L);   // a tie goes up
  };
  const Real r = six(big(q, 62, 57)), g = seven(big(q, 56, 56) * 64 + big(q, 54, 49));
  const Real b = six(big(q, 48, 48) * 32 + big(q, 44, 43) * 8 + big(q, 41, 39));
  const Real rh = six(big(q, 38, 34) * 2 + big(q, 32, 32)), gh = seven(big(q, 31, 25)), bh = six(big(q, 24, 19));
  const Real rv = six(big(q, 18, 13)), gv = seven(big(q, 12, 6)), bv = six(big(q, 5, 0));
  return bytes_of(at(r, rh, rv), at(g, gh, gv), at(b, bh, bv));
}

SpecTexel etc2_color(const uint8_t* q, uint32_t x, uint32_t y, bool punch_through) {
  static constexpr int kTable[8][4] = {{-8, -2, 2, 8},       {-17, -5, 5, 17},    {-29, -9, 9, 29},
                                       {-42, -13, 13, 42},   {-60, -18, 18, 60},  {-80, -24, 24, 80},
                                       {-106, -33, 33, 106}, {-183, -47, 47, 183}};
  static constexpr int kDistance[8] = {3, 6, 11, 16, 23, 32, 41, 64};
  const uint32_t letter = 4 * x + y;
  const auto msb = big(q, 16 + letter, 16 + letter), lsb = big(q, letter, letter);
  const bool opaque = !punch_through || big(q, 33, 33), differential = punch_through || big(q, 33, 33);
  const int32_t r = static_cast<int32_t>(big(q, 63, 59)), g = static_cast<int32_t>(big(q, 55, 51)),
                b = static_cast<int32_t>(big(q, 47, 43));
  const int32_t r2 = r + two_complement(big(q, 58, 56), 3), g2 = g + two_complement(big(q, 50, 48), 3),
                b2 = b + two_complement(big(q, 42, 40), 3);
  const auto outside = [](int32_t v) { return v < 0 || v > 31; };
  const bool is_t = differential && outside(r2), is_h = differential && !is_t && outside(g2);
  if (differential && !is_t && !is_h && outside(b2)) return planar(q, x, y);
  if (!opaque && msb == 1 && lsb == 0) return {0, 0, 0, 0};

  if (is_t || is_h) {
    Real one[3], two[3];
    int32_t d;
    if (is_t) {
      const uint64_t first[3] = {big(q, 60, 59) * 4 + big(q, 57, 56), big(q, 55, 52), big(q, 51, 48)};
      const uint64_t second[3] = {big(q, 47, 44), big(q, 43, 40), big(q, 39, 36)};
      for (int c = 0; c < 3; ++c) one[c] = static_cast<Real>(first[c] * 17), two[c] = static_cast<Real>(second[c] * 17);
      d = kDistance[big(q, 35, 34) * 2 + big(q, 32, 32)];
    } else {
      const uint64_t first[3] = {big(q, 62, 59), big(q, 58, 56) * 2 + big(q, 52, 52),
                                 big(q, 51, 51) * 8 + big(q, 49, 47)};
      const uint64_t second[3] = {big(q, 46, 43), big(q, 42, 39), big(q, 38, 35)};
      for (int c = 0; c < 3; ++c) one[c] = static_cast<Real>(first[c] * 17), two[c] = static_cast<Real>(second[c] * 17);
      const auto value = [](const Real* v) { return v[0] * 65536 + v[1] * 256 + v[2]; };
      d = kDistance[big(q, 34, 34) * 4 + big(q, 32, 32) * 2 + (value(one) >= value(two) ? 1 : 0)];
    }
    const auto index = msb * 2 + lsb;
    const Real* base = is_t ? (index == 0 ? one : two) : (index < 2 ? one : two);
    const Real sign = is_t ? (index == 1 ? 1 : index == 3 ? -1 : 0) : (index % 2 ? -1 : 1);
    return bytes_of(base[0] + sign * d, base[1] + sign * d, base[2] + sign * d);
  }

  const bool second = big(q, 32, 32) ? y >= 2 : x >= 2;
  const auto table = second ? big(q, 36, 34) : big(q, 39, 37);
  Real modifier = kTable[table][msb ? (lsb ? 0 : 1) : (lsb ? 3 : 2)];
  if (!opaque && !lsb) modifier = 0;
  Real base[3];
  if (differential) {
    const int32_t five[3] = {second ? r2 : r, second ? g2 : g, second ? b2 : b};
    for (int c = 0; c < 3; ++c) base[c] = five[c] * 8 + five[c] / 4;
  } else {
    for (uint32_t c = 0; c < 3; ++c)
      base[c] = static_cast<Real>(17 * (second ? big(q, 59 - 8 * c, 56 - 8 * c) : big(q, 63 - 8 * c, 60 - 8 * c)));
  }
  return bytes_of(base[0] + modifier, base[1] + modifier, base[2] + modifier);
}

constexpr int kEacTable[16][8] = {
    {-3, -6, -9, -15, 2, 5, 8, 14}, {-3, -7, -10, -13, 2, 6, 9, 12}, {-2, -5, -8, -13, 1, 4, 7, 12},
    {-2, -4, -6, -13, 1, 3, 5, 12}, {-3, -6, -8, -12, 2, 5, 7, 11},  {-3, -7, -9, -11, 2, 6, 8, 10},
    {-4, -7, -8, -11, 3, 6, 7, 10}, {-3, -5, -8, -11, 2, 4, 7, 10},  {-2, -6, -8, -10, 1, 5, 7, 9},
    {-2, -5, -8, -10, 1, 4, 7, 9},  {-2, -4, -8, -10, 1, 3, 7, 9},   {-2, -5, -7, -10, 1, 4, 6, 9},
    {-3, -4, -7, -10, 2, 3, 6, 9},  {-1, -2, -3, -10, 0, 1, 2, 9},   {-4, -6, -8, -9, 3, 5, 7, 8},
    {-3, -5, -7, -9, 2, 4, 6, 8}};

Real eac_modifier(const uint8_t* q, uint32_t x, uint32_t y) {
  const uint32_t letter = 4 * x + y;
  return kEacTable[big(q, 51, 48)][big(q, 47 - 3 * letter, 45 - 3 * letter)];
}

Real eac(const uint8_t* q, uint32_t x, uint32_t y, bool is_signed) {
  const Real multiplier = big(q, 55, 52) == 0 ? 1 / 8.0L : static_cast<Real>(big(q, 55, 52));
  const Real modifier = eac_modifier(q, x, y) * multiplier;
  if (!is_signed) return std::clamp((static_cast<Real>(big(q, 63, 56)) + 0.5L + modifier) / 255.875L, 0.0L, 1.0L);
  const Real base = std::max(two_complement(big(q, 63, 56), 8), -127);
  return std::clamp((base + modifier) / 127.875L, -1.0L, 1.0L);
}

SpecTexel etc2(const uint8_t* b, uint32_t x, uint32_t y) { return etc2_color(b, x, y, false); }
SpecTexel etc2_punch(const uint8_t* b, uint32_t x, uint32_t y) { return etc2_color(b, x, y, true); }
SpecTexel etc2_alpha(const uint8_t* b, uint32_t x, uint32_t y) {
  SpecTexel texel = etc2_color(b + 8, x, y, false);
  const Real alpha = static_cast<Real>(big(b, 63, 56)) + eac_modifier(b, x, y) * static_cast<Real>(big(b, 55, 52));
  texel[3] = std::clamp(alpha, 0.0L, 255.0L) / 255;
  return texel;
}
template <bool kSigned>
SpecTexel eac_r(const uint8_t* b, uint32_t x, uint32_t y) { return {eac(b, x, y, kSigned), 0, 0, 1}; }
template <bool kSigned>
SpecTexel eac_rg(const uint8_t* b, uint32_t x, uint32_t y) {
  return {eac(b, x, y, kSigned), eac(b + 8, x, y, kSigned), 0, 1};
}

template <bool kSigned>
SpecTexel bc6h(const uint8_t* b, uint32_t x, uint32_t y) { return bc6h_texel(b, kSigned, x, y); }

struct Oracle { Format format; BlockFn texel; };
constexpr Oracle kOracles[] = {{Format::DXT1_RGB, bc1_opaque},
                               {Format::DXT1_RGBA, bc1},
                               {Format::DXT3_RGBA, bc2},
                               {Format::DXT5_RGBA, bc3},
                               {Format::DXT1_SRGB, bc1_opaque},
                               {Format::DXT1_SRGBA, bc1},
                               {Format::DXT3_SRGBA, bc2},
                               {Format::DXT5_SRGBA, bc3},
                               {Format::RGTC1_UNORM, bc4<false>},
                               {Format::RGTC1_SNORM, bc4<true>},
                               {Format::RGTC2_UNORM, bc5<false>},
                               {Format::RGTC2_SNORM, bc5<true>},
                               {Format::BPTC_RGB_UFLOAT, bc6h<false>},
                               {Format::BPTC_RGB_FLOAT, bc6h<true>},
                               {Format::BPTC_RGBA_UNORM, bc7},
                               {Format::BPTC_SRGBA, bc7},
                               {Format::ETC1_RGB8, etc2},
                               {Format::ETC2_RGB8, etc2},
                               {Format::ETC2_SRGB8, etc2},
                               {Format::ETC2_RGB8A1, etc2_punch},
                               {Format::ETC2_SRGB8A1, etc2_punch},
                               {Format::ETC2_RGBA8, etc2_alpha},
                               {Format::ETC2_SRGBA8, etc2_alpha},
                               {Format::ETC2_R11_UNORM, eac_r<false>},
                               {Format::ETC2_R11_SNORM, eac_r<true>},
                               {Format::ETC2_RG11_UNORM, eac_rg<false>},
                               {Format::ETC2_RG11_SNORM, eac_rg<true>}};

const Oracle* find_oracle(Format format) {
  const auto* at =
      std::find_if(std::begin(kOracles), std::end(kOracles), [&](const Oracle& o) { return o.format == format; });
  return at == std::end(kOracles) ? nullptr : at;
}

}  // namespace

bool has_spec_texel(Format format) { return find_oracle(format) != nullptr; }
SpecTexel spec_texel(Format format, const uint8_t* block, uint32_t x, uint32_t y) {
  return find_oracle(format)->texel(block, x, y);
}

}  // namespace tessera::tests
