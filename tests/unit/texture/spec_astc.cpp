#include "spec_astc.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace tessera::tests {
namespace {

using Values = std::vector<int>;
using Color = std::array<int, 4>;
struct Illegal {};

// A stream of bits, the first first.
using Stream = std::string;
Stream stream_of(const uint8_t* block) {
  Stream s;
  for (uint32_t i = 0; i < 128; ++i) s += block[i / 8] >> i % 8 & 1 ? '1' : '0';
  return s;
}
// Bits high..low of a stream, as a number; beyond its end zeros.
int bits(const Stream& s, int high, int low) {
  int value = 0;
  for (int i = high; i >= low; --i)
    value = value * 2 + (i < static_cast<int>(s.size()) && s[static_cast<size_t>(i)] == '1');
  return value;
}

struct Range { int trits, quints, bits; };
int size_of(const Range& r) { return (r.trits ? 3 : r.quints ? 5 : 1) << r.bits; }
int stream_bits(const Range& r, int count) {
  return (count * 8 * r.trits + 4) / 5 + (count * 7 * r.quints + 2) / 3 + count * r.bits;   // each quotient rounded up
}

// ---- Integer Sequence Encoding ------------------------------------------------------------------------------------

std::array<int, 5> trits(int number) {
  const Stream T = [&] { Stream s; for (int i = 0; i < 8; ++i) s += number >> i & 1 ? '1' : '0'; return s; }();
  std::array<int, 5> t{};
  int C;
  if (bits(T, 4, 2) == 7) {
    C = bits(T, 7, 5) * 4 + bits(T, 1, 0);
    t[4] = t[3] = 2;
  } else {
    C = bits(T, 4, 0);
    if (bits(T, 6, 5) == 3) t[4] = 2, t[3] = bits(T, 7, 7);
    else t[4] = bits(T, 7, 7), t[3] = bits(T, 6, 5);
  }
  const auto c = [&](int i) { return C >> i & 1; };
  if (C % 4 == 3) t[2] = 2, t[1] = c(4), t[0] = c(3) * 2 + (c(2) && !c(3));
  else if (C / 4 % 4 == 3) t[2] = 2, t[1] = 2, t[0] = C % 4;
  else t[2] = c(4), t[1] = C / 4 % 4, t[0] = c(1) * 2 + (c(0) && !c(1));
  return t;
}

std::array<int, 5> quints(int Q) {
  const auto q = [&](int i) { return Q >> i & 1; };
  const int q21 = Q / 2 % 4, q65 = Q / 32 % 4;
  if (q21 == 3 && q65 == 0) return {4, 4, q(0) * 4 + (q(4) && !q(0)) * 2 + (q(3) && !q(0)), 0, 0};
  const int last = q21 == 3 ? 4 : q65;
  const int C = q21 == 3 ? Q / 8 % 4 * 8 + (3 - q65) * 2 + q(0) : Q % 32;
  if (C % 8 == 5) return {C / 8, 4, last, 0, 0};
  return {C % 8, C / 8, last, 0, 0};
}

Values decode_sequence(const Stream& whole, const Range& r, int count) {
  const Stream s = whole.substr(0, static_cast<size_t>(stream_bits(r, count)));   // beyond: zeros
  Values values;
  int at = 0;
  const auto take = [&](int n) { at += n; return bits(s, at - 1, at - n); };
  while (static_cast<int>(values.size()) < count) {
    if (!r.trits && !r.quints) {
      values.push_back(take(r.bits));
      continue;
    }
    // Between the plain bits of the values stand the bits of the packed number, in runs.
    const std::vector<int> runs = r.trits ? std::vector<int>{2, 2, 1, 2, 1} : std::vector<int>{3, 2, 2};
    std::vector<int> m;
    int packed = 0, place = 0;
    for (int run : runs) {
      m.push_back(take(r.bits));
      packed += take(run) << place;
      place += run;
    }
    const std::array<int, 5> digit = r.trits ? trits(packed) : quints(packed);
    for (size_t i = 0; i < runs.size() && static_cast<int>(values.size()) < count; ++i)
      values.push_back((digit[i] << r.bits) + m[i]);
  }
  return values;
}

// ---- unquantization -------------------------------------------------------------------------------------------------

// `pattern` names the bits of the value from 'a', the lowest, on.
int scrambled(int value, const Range& r, const char* pattern, int c, int kept) {
  int B = 0, width = 0;
  for (const char* p = pattern; *p; ++p, ++width) B = B * 2 + (*p == '0' ? 0 : value >> (*p - 'a') & 1);
  const int A = value % 2 ? (1 << width) - 1 : 0, D = value >> r.bits;
  const int unq = (D * c + B) ^ A;
  return (A & kept) | unq >> 2;
}

int replicated(int value, int n, int width) {
  std::string digits;
  for (int i = n - 1; i >= 0; --i) digits += value >> i & 1 ? '1' : '0';
  std::string all;
  while (static_cast<int>(all.size()) < width) all += digits;
  return std::stoi(all.substr(0, static_cast<size_t>(width)), nullptr, 2);
}

int color_value(int v, const Range& r) {
  if (!r.trits && !r.quints) return replicated(v, r.bits, 8);
  static constexpr const char* kTritB[] = {"",          "000000000", "b000b0bb0", "cb000cbcb",
                                           "dcb000dcb", "edcb000ed", "fedcb000f"};
  static constexpr const char* kQuintB[] = {"", "000000000", "b0000bb00", "cb0000cbc", "dcb0000dc", "edcb0000e"};
  static constexpr int kTritC[] = {0, 204, 93, 44, 22, 11, 5}, kQuintC[] = {0, 113, 54, 26, 13, 6};
  return r.trits ? scrambled(v, r, kTritB[r.bits], kTritC[r.bits], 0x80)
                 : scrambled(v, r, kQuintB[r.bits], kQuintC[r.bits], 0x80);
}

int weight_value(int v, const Range& r) {
  static constexpr int kThree[] = {0, 32, 63}, kFive[] = {0, 16, 32, 47, 63};
  static constexpr const char* kTritB[] = {"", "0000000", "b000b0b", "cb000cb"};
  static constexpr const char* kQuintB[] = {"", "0000000", "b0000b0"};
  static constexpr int kTritC[] = {0, 50, 23, 11}, kQuintC[] = {0, 28, 13};
  int unq;
  if (!r.trits && !r.quints) unq = replicated(v, r.bits, 6);
  else if (r.bits == 0) unq = r.trits ? kThree[v] : kFive[v];
  else
    unq = r.trits ? scrambled(v, r, kTritB[r.bits], kTritC[r.bits], 0x20)
                  : scrambled(v, r, kQuintB[r.bits], kQuintC[r.bits], 0x20);
  return unq > 32 ? unq + 1 : unq;
}

// ---- block mode -----------------------------------------------------------------------------------------------------

struct Mode { int width, height; bool dual; Range range; };

Mode block_mode(const Stream& s) {
  const auto b = [&](int i) { return bits(s, i, i); };
  int R, w, h;
  bool dual = b(10), high = b(9);
  if (b(0) || b(1)) {
    R = b(1) * 4 + b(0) * 2 + b(4);
    const int A = bits(s, 6, 5), B = bits(s, 8, 7);
    switch (bits(s, 3, 2)) {
      case 0: w = B + 4, h = A + 2; break;
      case 1: w = B + 8, h = A + 2; break;
      case 2: w = A + 2, h = B + 8; break;
      default: b(8) ? (w = b(7) + 2, h = A + 2) : (w = A + 2, h = b(7) + 6);
    }
  } else {
    if (bits(s, 3, 2) == 0) throw Illegal();
    R = b(3) * 4 + b(2) * 2 + b(4);
    const int A = bits(s, 6, 5);
    if (bits(s, 8, 7) == 0) w = 12, h = A + 2;
    else if (bits(s, 8, 7) == 1) w = A + 2, h = 12;
    else if (bits(s, 8, 5) == 12) w = 6, h = 10;
    else if (bits(s, 8, 5) == 13) w = 10, h = 6;
    else if (bits(s, 8, 7) == 2) w = A + 6, h = bits(s, 10, 9) + 6, dual = high = false;
    else throw Illegal();
  }
  static constexpr Range kLow[] = {{0, 0, 1}, {1, 0, 0}, {0, 0, 2}, {0, 1, 0}, {1, 0, 1}, {0, 0, 3}};
  static constexpr Range kHigh[] = {{0, 1, 1}, {1, 0, 2}, {0, 0, 4}, {0, 1, 2}, {1, 0, 3}, {0, 0, 5}};
  if (R < 2) throw Illegal();
  return {w, h, dual, high ? kHigh[R - 2] : kLow[R - 2]};
}

// ---- endpoints ------------------------------------------------------------------------------------------------------

void bit_transfer_signed(int& a, int& b) {
  b >>= 1;
  b |= a & 0x80;
  a >>= 1;
  a &= 0x3f;
  if (a & 0x20) a -= 0x40;
}
Color blue_contract(int r, int g, int b, int a) { return {(r + b) >> 1, (g + b) >> 1, b, a}; }
Color clamp_unorm8(Color c) {
  for (int& v : c) v = std::clamp(v, 0, 255);
  return c;
}

// Nothing for the modes of high dynamic range.
std::optional<std::array<Color, 2>> endpoints(int cem, Values v) {
  using Pair = std::array<Color, 2>;
  const int a0 = cem >= 12 ? v[6] : 255, a1 = cem >= 12 ? v[7] : 255;
  switch (cem) {
    case 0: return Pair{Color{v[0], v[0], v[0], 255}, Color{v[1], v[1], v[1], 255}};
    case 1: {
      const int l0 = v[0] >> 2 | (v[1] & 0xc0), l1 = std::min(l0 + (v[1] & 0x3f), 255);
      return Pair{Color{l0, l0, l0, 255}, Color{l1, l1, l1, 255}};
    }
    case 4: return Pair{Color{v[0], v[0], v[0], v[2]}, Color{v[1], v[1], v[1], v[3]}};
    case 5: {
      bit_transfer_signed(v[1], v[0]), bit_transfer_signed(v[3], v[2]);
      const int l = v[0] + v[1];
      return Pair{clamp_unorm8({v[0], v[0], v[0], v[2]}), clamp_unorm8({l, l, l, v[2] + v[3]})};
    }
    case 6: return Pair{Color{v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, 255}, Color{v[0], v[1], v[2], 255}};
    case 10:
      return Pair{Color{v[0] * v[3] >> 8, v[1] * v[3] >> 8, v[2] * v[3] >> 8, v[4]}, Color{v[0], v[1], v[2], v[5]}};
    case 8:
    case 12:
      if (v[1] + v[3] + v[5] >= v[0] + v[2] + v[4])
        return Pair{Color{v[0], v[2], v[4], a0}, Color{v[1], v[3], v[5], a1}};
      return Pair{blue_contract(v[1], v[3], v[5], a1), blue_contract(v[0], v[2], v[4], a0)};
    case 9:
    case 13: {
      bit_transfer_signed(v[1], v[0]), bit_transfer_signed(v[3], v[2]), bit_transfer_signed(v[5], v[4]);
      int alpha = 255, offset = 0;
      if (cem == 13) alpha = v[6], offset = v[7], bit_transfer_signed(offset, alpha);
      if (v[1] + v[3] + v[5] >= 0)
        return Pair{clamp_unorm8({v[0], v[2], v[4], alpha}),
                    clamp_unorm8({v[0] + v[1], v[2] + v[3], v[4] + v[5], alpha + offset})};
      return Pair{clamp_unorm8(blue_contract(v[0] + v[1], v[2] + v[3], v[4] + v[5], alpha + offset)),
                  clamp_unorm8(blue_contract(v[0], v[2], v[4], alpha))};
    }
    default: return std::nullopt;
  }
}

// ---- partitions: the specification's function, for z = 0 ----

uint32_t hash52(uint32_t p) {
  p ^= p >> 15; p -= p << 17; p += p << 7; p += p << 4;
  p ^= p >> 5; p += p << 16; p ^= p >> 7; p ^= p >> 3;
  p ^= p << 6; p ^= p >> 17;
  return p;
}

int select_partition(int seed, int x, int y, int count, bool small_block) {
  if (small_block) x *= 2, y *= 2;
  seed += (count - 1) * 1024;
  const uint32_t rnum = hash52(static_cast<uint32_t>(seed));
  int s[8];
  for (int i = 0; i < 8; ++i) s[i] = static_cast<int>(rnum >> 4 * i & 15), s[i] *= s[i];
  int sh1, sh2;
  if (seed & 1) sh1 = seed & 2 ? 4 : 5, sh2 = count == 3 ? 6 : 5;
  else sh1 = count == 3 ? 6 : 5, sh2 = seed & 2 ? 4 : 5;
  for (int i = 0; i < 8; ++i) s[i] >>= i % 2 ? sh2 : sh1;
  int a = static_cast<int>((static_cast<uint32_t>(s[0] * x + s[1] * y) + (rnum >> 14)) & 63);
  int b = static_cast<int>((static_cast<uint32_t>(s[2] * x + s[3] * y) + (rnum >> 10)) & 63);
  int c = static_cast<int>((static_cast<uint32_t>(s[4] * x + s[5] * y) + (rnum >> 6)) & 63);
  int d = static_cast<int>((static_cast<uint32_t>(s[6] * x + s[7] * y) + (rnum >> 2)) & 63);
  if (count < 4) d = 0;
  if (count < 3) c = 0;
  if (a >= b && a >= c && a >= d) return 0;
  if (b >= c && b >= d) return 1;
  return c >= d ? 2 : 3;
}

// ---- a texel ----

int infilled(const Values& grid, const Mode& mode, int plane, int planes, uint32_t width, uint32_t height, uint32_t x,
             uint32_t y) {
  const auto scaled = [](uint32_t at, uint32_t block, int weights) {
    const int D = static_cast<int>((1024 + block / 2) / (block - 1));
    return (D * static_cast<int>(at) * (weights - 1) + 32) >> 6;
  };
  const int gs = scaled(x, width, mode.width), gt = scaled(y, height, mode.height);
  const int js = gs >> 4, fs = gs & 15, jt = gt >> 4, ft = gt & 15;
  const auto p = [&](int n) {
    const int i = n * planes + plane;
    return i < static_cast<int>(grid.size()) ? weight_value(grid[static_cast<size_t>(i)], mode.range) : 0;
  };
  const int v0 = js + jt * mode.width, w11 = (fs * ft + 8) >> 4, w10 = ft - w11, w01 = fs - w11,
            w00 = 16 - fs - ft + w11;
  return (p(v0) * w00 + p(v0 + 1) * w01 + p(v0 + mode.width) * w10 + p(v0 + mode.width + 1) * w11 + 8) >> 4;
}

using Result = std::array<uint32_t, 4>;
constexpr Result kMagenta = {65535, 0, 65535, 65535};

Result void_extent(const Stream& s) {
  const int s0 = bits(s, 24, 12), s1 = bits(s, 37, 25), t0 = bits(s, 50, 38), t1 = bits(s, 63, 51);
  const bool all_ones = s0 == 8191 && s1 == 8191 && t0 == 8191 && t1 == 8191;
  if (bits(s, 9, 9) || bits(s, 11, 10) != 3 || (!all_ones && (s0 >= s1 || t0 >= t1))) return kMagenta;
  Result r;
  for (int c = 0; c < 4; ++c) r[static_cast<size_t>(c)] = static_cast<uint32_t>(bits(s, 79 + 16 * c, 64 + 16 * c));
  return r;
}

Result texel_of(const Stream& s, uint32_t width, uint32_t height, bool srgb, uint32_t x, uint32_t y) {
  if (bits(s, 8, 0) == 0x1fc) return void_extent(s);
  const Mode mode = block_mode(s);
  const int planes = mode.dual ? 2 : 1, weights = mode.width * mode.height * planes,
            weight_bits = stream_bits(mode.range, weights);
  if (mode.width > static_cast<int>(width) || mode.height > static_cast<int>(height) || weights > 64 ||
      weight_bits > 96 || weight_bits < 24)
    throw Illegal();
  const int partitions = bits(s, 12, 11) + 1;
  if (partitions == 4 && mode.dual) throw Illegal();

  int cem[4], extra = 0;
  if (partitions == 1) {
    cem[0] = bits(s, 16, 13);
  } else if (bits(s, 24, 23) == 0) {
    for (int& c : cem) c = bits(s, 28, 25);
  } else {
    // Class bits and mode bits, from bit 25 to 28 and on just below the weights.
    extra = 3 * partitions - 4;
    const Stream fields =
        s.substr(25, 4) + s.substr(static_cast<size_t>(128 - weight_bits - extra), static_cast<size_t>(extra));
    for (int i = 0; i < partitions; ++i)
      cem[i] =
          4 * (bits(s, 24, 23) - 1 + bits(fields, i, i)) + bits(fields, partitions + 2 * i + 1, partitions + 2 * i);
  }
  int integers = 0;
  for (int i = 0; i < partitions; ++i) integers += 2 * (cem[i] / 4 + 1);
  const int config_bits = partitions == 1 ? 17 : 29 + extra;
  const int remaining = 128 - config_bits - (mode.dual ? 2 : 0) - weight_bits;
  if (integers > 18 || remaining < (13 * integers + 4) / 5) throw Illegal();

  static constexpr Range kRanges[] = {{0, 0, 8}, {1, 0, 6}, {0, 1, 5}, {0, 0, 7}, {1, 0, 5}, {0, 1, 4},
                                      {0, 0, 6}, {1, 0, 4}, {0, 1, 3}, {0, 0, 5}, {1, 0, 3}, {0, 1, 2},
                                      {0, 0, 4}, {1, 0, 2}, {0, 1, 1}, {0, 0, 3}, {1, 0, 1}};
  const Range* range = std::max_element(std::begin(kRanges), std::end(kRanges), [&](const Range& a, const Range& b) {
    const bool a_fits = stream_bits(a, integers) <= remaining, b_fits = stream_bits(b, integers) <= remaining;
    return a_fits != b_fits ? b_fits : size_of(a) < size_of(b);
  });
  const Values stored = decode_sequence(s.substr(partitions == 1 ? 17 : 29), *range, integers);

  const int own = partitions == 1 ? 0
                                  : select_partition(bits(s, 22, 13), static_cast<int>(x), static_cast<int>(y),
                                                     partitions, width * height < 31);
  int before = 0;
  for (int i = 0; i < own; ++i) before += 2 * (cem[i] / 4 + 1);
  Values v;
  for (int i = 0; i < 8; ++i)
    v.push_back(before + i < integers ? color_value(stored[static_cast<size_t>(before + i)], *range) : 0);
  const auto ends = endpoints(cem[own], v);
  if (!ends) return kMagenta;

  Stream reversed(s.rbegin(), s.rend());
  const Values grid = decode_sequence(reversed, mode.range, weights);
  const int selector = mode.dual ? bits(s, 127 - weight_bits - extra, 126 - weight_bits - extra) : -1;
  Result result;
  for (int c = 0; c < 4; ++c) {
    const int i = infilled(grid, mode, c == selector ? 1 : 0, planes, width, height, x, y);
    const auto expand = [&](int e) { return e * 256 + (srgb && c < 3 ? 128 : e); };
    const int C0 = expand((*ends)[0][static_cast<size_t>(c)]), C1 = expand((*ends)[1][static_cast<size_t>(c)]);
    result[static_cast<size_t>(c)] = static_cast<uint32_t>((C0 * (64 - i) + C1 * i + 32) / 64);
  }
  return result;
}

}  // namespace

std::array<uint32_t, 4> spec_astc_texel(const uint8_t* block, uint32_t width, uint32_t height, bool srgb, uint32_t x,
                                        uint32_t y) {
  try {
    return texel_of(stream_of(block), width, height, srgb, x, y);
  } catch (const Illegal&) {
    return kMagenta;
  }
}

}  // namespace tessera::tests
