// Blending against exact arithmetic: every factor with every equation in every format that can be drawn to. Colours are
// multiples of 1/64 and stored values k / (2^n - 1), so that every result is a fraction of whole numbers; a code may
// differ from the nearest one only where the fraction is as near to the middle of two codes as single precision can
// tell.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>

#include "core/scalar.h"
#include "raster/blend.h"
#include "tests/support/random.h"

using namespace tessera;
using namespace tessera::raster;
using tessera::tests::rounds;
using tessera::tests::seed;

namespace {

__extension__ typedef __int128 Int;

constexpr int kFactors = 19, kEquations = 5;
constexpr Int kUnit = 64;  // colours are multiples of 1 / kUnit

struct Fraction {
  Int num, den;
};  // den > 0
Fraction one_less(Fraction f) { return {f.den - f.num, f.den}; }
bool is_less(Fraction a, Fraction b) { return a.num * b.den < b.num * a.den; }

bool can_be_drawn_to(const FormatInfo& info) {
  return info.block_bytes != 0 && !info.is_compressed && !info.is_depth_or_stencil() &&
         info.field[0].kind != FieldKind::SharedExp;
}

// The code in a texel's field, as a signed number where the field is signed.
int64_t code_of(const FormatField& field, const std::byte* texel) {
  uint64_t word = 0;
  for (uint32_t bit = 0; bit < field.bits; ++bit)
    word |= uint64_t{static_cast<uint8_t>(texel[(field.shift + bit) / 8]) >> (field.shift + bit) % 8 & 1u} << bit;
  if (field.kind == FieldKind::Snorm && word >> (field.bits - 1))
    return static_cast<int64_t>(word) - (int64_t{1} << field.bits);
  return static_cast<int64_t>(word);
}

struct Colors {  // of one lane
  Fraction s[4], s1[4], d[4], constant[4];
};

Fraction factor_of(BlendFactor factor, int c, const Colors& in) {
  switch (factor) {
    case BlendFactor::Zero:
      return {0, 1};
    case BlendFactor::One:
      return {1, 1};
    case BlendFactor::SrcColor:
      return in.s[c];
    case BlendFactor::InvSrcColor:
      return one_less(in.s[c]);
    case BlendFactor::SrcAlpha:
      return in.s[3];
    case BlendFactor::InvSrcAlpha:
      return one_less(in.s[3]);
    case BlendFactor::DstColor:
      return in.d[c];
    case BlendFactor::InvDstColor:
      return one_less(in.d[c]);
    case BlendFactor::DstAlpha:
      return in.d[3];
    case BlendFactor::InvDstAlpha:
      return one_less(in.d[3]);
    case BlendFactor::ConstColor:
      return in.constant[c];
    case BlendFactor::InvConstColor:
      return one_less(in.constant[c]);
    case BlendFactor::ConstAlpha:
      return in.constant[3];
    case BlendFactor::InvConstAlpha:
      return one_less(in.constant[3]);
    case BlendFactor::SrcAlphaSaturate:
      if (c == 3) return {1, 1};
      return is_less(in.s[3], one_less(in.d[3])) ? in.s[3] : one_less(in.d[3]);
    case BlendFactor::Src1Color:
      return in.s1[c];
    case BlendFactor::InvSrc1Color:
      return one_less(in.s1[c]);
    case BlendFactor::Src1Alpha:
      return in.s1[3];
    case BlendFactor::InvSrc1Alpha:
      return one_less(in.s1[3]);
  }
  return {0, 1};
}

Fraction blended(const TargetBlend& b, int c, const Colors& in) {
  const Fraction s = in.s[c], d = in.d[c];
  const Fraction sf = factor_of(c < 3 ? b.rgb_src : b.alpha_src, c, in),
                 df = factor_of(c < 3 ? b.rgb_dst : b.alpha_dst, c, in);
  // Over a common denominator; that of d stands alone, so that a code is small whole numbers.
  const Int source = s.num * sf.num * df.den, stored = d.num * df.num * sf.den, source_den = s.den * sf.den * df.den;
  const auto sum = [&](Int sign_s, Int sign_d) {
    return Fraction{sign_s * source * d.den + sign_d * stored * s.den, source_den * d.den};
  };
  switch (c < 3 ? b.rgb_equation : b.alpha_equation) {
    case BlendEquation::Add:
      return sum(1, 1);
    case BlendEquation::Subtract:
      return sum(1, -1);
    case BlendEquation::ReverseSubtract:
      return sum(-1, 1);
    case BlendEquation::Min:
      return is_less(s, d) ? s : d;
    case BlendEquation::Max:
      return is_less(d, s) ? s : d;
  }
  return {0, 1};
}

struct Block {
  const FormatInfo& info;
  Format format;
  alignas(64) float source[4][64], source1[4][64];
  alignas(64) std::byte before[64 * kMaxTexelBytes], after[64 * kMaxTexelBytes];
};

int range_low(const FormatInfo& info) {
  const FieldKind kind = info.field[0].kind;
  const bool is_signed = kind == FieldKind::Snorm || (kind == FieldKind::Float && info.field[0].bits != 11);
  return is_signed ? -1 : 0;
}

// Random colours, and stored values that are exact: any code of a normalised field, else multiples of 1/16 (whole
// numbers in scaled formats).
void fill(Block& block, std::mt19937& random) {
  const FieldKind kind = block.info.field[0].kind;
  const bool whole = kind == FieldKind::Uscaled || kind == FieldKind::Sscaled;
  const int low = range_low(block.info) * static_cast<int>(kUnit);
  for (auto* planes : {&block.source, &block.source1})
    for (auto& plane : *planes)
      for (float& v : plane)
        v = static_cast<float>(low + static_cast<int>(random() % static_cast<uint32_t>(kUnit + 1 - low))) / 64;
  for (size_t lane = 0; lane < 64; ++lane) {
    std::byte* texel = block.before + lane * block.info.block_bytes;
    if ((kind == FieldKind::Unorm || kind == FieldKind::Snorm) && block.info.space == ColorSpace::Linear) {
      for (size_t i = 0; i < block.info.block_bytes; ++i) texel[i] = static_cast<std::byte>(random());
      continue;
    }
    Texel t;
    for (uint32_t& word : t.word) {
      const float steps = static_cast<float>(random() % 17);
      word = scalar::bits_of(whole ? std::floor(steps / 8) : (range_low(block.info) ? steps - 8 : steps) / 16);
    }
    pack_texel(block.format, t, texel);
  }
}

// k / most of a normalised field; the exact value else.
Fraction stored_value(const FormatInfo& info, int c, const std::byte* texel, float unpacked) {
  const auto from = static_cast<size_t>(info.swizzle[c]);
  if (from >= 4) return {from == static_cast<size_t>(Swizzle::One) ? 1 : 0, 1};
  const FormatField& field = info.field[from];
  if (info.space == ColorSpace::Linear && field.kind == FieldKind::Unorm)
    return {code_of(field, texel), (Int{1} << field.bits) - 1};
  if (field.kind == FieldKind::Snorm) {
    const Int most = (Int{1} << (field.bits - 1)) - 1, code = code_of(field, texel);
    return {code < -most ? -most : code, most};
  }
  return {static_cast<Int>(std::ldexp(static_cast<double>(unpacked), 32)), Int{1} << 32};
}

double to_double(Fraction f) {
  return static_cast<double>(static_cast<long double>(f.num) / static_cast<long double>(f.den));
}

// |result| stays below 4, each of at most three roundings is within 2^-24 of that; the conversion rounds once more.
constexpr double kRoundings = 0x1p-21;

bool is_normalised_right(const FormatField& field, Fraction exact, const std::byte* texel) {
  const bool is_signed = field.kind == FieldKind::Snorm;
  const double most = std::ldexp(1.0, field.bits - (is_signed ? 1 : 0)) - 1;
  const double value = std::min(1.0, std::max(is_signed ? -1.0 : 0.0, to_double(exact))) * most;
  const double code = static_cast<double>(code_of(field, texel));
  return std::fabs(code - value) <= 0.5 + most * kRoundings;
}

bool is_right(const Block& block, size_t lane, const TargetBlend& blend, const Colors& in) {
  const FormatInfo& info = block.info;
  const std::byte* texel = block.after + lane * info.block_bytes;
  Texel low, high;
  Fraction exact[4];
  for (int c = 0; c < 4; ++c) {
    exact[c] = blended(blend, c, in);
    // sRGB: the curve is steep near 0, and the code is one of those around.
    const double error = info.space == ColorSpace::Srgb ? kRoundings : 0;
    low.word[c] = scalar::bits_of(static_cast<float>(to_double(exact[c]) - error));
    high.word[c] = scalar::bits_of(static_cast<float>(to_double(exact[c]) + error));
  }
  std::byte least[kMaxTexelBytes] = {}, greatest[kMaxTexelBytes] = {};
  pack_texel(block.format, low, least);
  pack_texel(block.format, high, greatest);
  for (uint32_t f = 0; f < 4; ++f) {
    int c = 0;
    while (c < 4 && static_cast<uint32_t>(info.swizzle[c]) != f) ++c;
    if (c == 4) continue;
    const FormatField& field = info.field[f];
    const bool is_normalised =
        info.space == ColorSpace::Linear && (field.kind == FieldKind::Unorm || field.kind == FieldKind::Snorm);
    if (is_normalised) {
      if (!is_normalised_right(field, exact[c], texel)) return false;
    } else if (exact[c].num == 0 && field.kind == FieldKind::Float) {  // of either sign
      if (scalar::float_of(unpack_texel(block.format, texel).word[c]) != 0.0f) return false;
    } else {
      const int64_t code = code_of(field, texel), a = code_of(field, least), b = code_of(field, greatest);
      if (code < std::min(a, b) || code > std::max(a, b)) return false;
    }
  }
  return true;
}

Colors colors_of(const Block& block, size_t lane, const Fraction constant[4]) {
  Colors in;
  const std::byte* texel = block.before + lane * block.info.block_bytes;
  const Texel old = unpack_texel(block.format, texel);
  for (int c = 0; c < 4; ++c) {
    in.s[c] = {static_cast<Int>(block.source[c][lane] * 64), kUnit};
    in.s1[c] = {static_cast<Int>(block.source1[c][lane] * 64), kUnit};
    in.d[c] = stored_value(block.info, c, texel, scalar::float_of(old.word[c]));
    in.constant[c] = constant[c];
  }
  return in;
}

void check_format(Format format, std::mt19937& random) {
  const auto checked = std::make_unique<Block>(Block{format_info(format), format, {}, {}, {}, {}});
  Block& b = *checked;
  const Fraction constant[4] = {{16, kUnit}, {0, kUnit}, {40, kUnit}, {56, kUnit}};
  const float constant_floats[4] = {0.25f, 0, 0.625f, 0.875f};
  for (int equation = 0; equation < kEquations; ++equation) {
    fill(b, random);
    for (int pair = 0; pair < kFactors * kFactors; ++pair) {
      BlendState state;
      TargetBlend& t = state.target[0];
      t.enabled = true;
      t.rgb_equation = static_cast<BlendEquation>(equation);
      t.alpha_equation = static_cast<BlendEquation>((equation + pair) % kEquations);
      t.rgb_src = static_cast<BlendFactor>(pair / kFactors);
      t.rgb_dst = static_cast<BlendFactor>(pair % kFactors);
      t.alpha_src = static_cast<BlendFactor>((pair + 7) % kFactors);
      t.alpha_dst = static_cast<BlendFactor>(pair / kFactors);
      ColorWrite w;
      for (int c = 0; c < 4; ++c) w.source[c] = b.source[c], w.source1[c] = b.source1[c];
      choose_color_write(state, 0, format, constant_floats, false, best_simd_target(), w);
      std::memcpy(b.after, b.before, sizeof b.before);
      w.write(w, ~uint64_t{0}, b.after);
      for (int i = 0; i < 2; ++i) {
        const size_t lane = random() % 64;
        if (is_right(b, lane, t, colors_of(b, lane, constant))) continue;
        CAPTURE(b.info.name, equation, pair, lane);
        FAIL("the texel is not the exact result, rounded");
      }
    }
  }
}

}  // namespace

TEST_CASE("every factor and equation in every format is the exact result, rounded as far as floats can tell",
          "[raster][blend]") {
  std::mt19937 random(seed(11));
  CAPTURE(seed(11));
  uint32_t formats = 0;
  for (size_t f = 0; f < all_formats().size(); ++f) {
    const FormatInfo& info = all_formats()[f];
    if (!can_be_drawn_to(info) || info.is_pure_integer()) continue;
    check_format(static_cast<Format>(f), random);
    ++formats;
  }
  CHECK(formats > 100);
}

TEST_CASE("integer targets take the colour's words as they are, saturated, whatever the blend state",
          "[raster][blend]") {
  std::mt19937 random(seed(12));
  CAPTURE(seed(12));
  for (size_t f = 0; f < all_formats().size(); ++f) {
    const FormatInfo& info = all_formats()[f];
    if (!can_be_drawn_to(info) || !info.is_pure_integer()) continue;
    CAPTURE(info.name);
    struct Lanes {
      alignas(64) float v[4][64];
    } source;
    for (auto& plane : source.v)
      for (float& v : plane) v = scalar::float_of(static_cast<uint32_t>(random()) >> random() % 32);
    BlendState state;
    state.target[0].enabled = true;
    state.target[0].rgb_dst = BlendFactor::One;
    state.dither = true;
    ColorWrite w;
    for (int c = 0; c < 4; ++c) w.source[c] = source.v[c];
    const float constant[4] = {};
    choose_color_write(state, 0, static_cast<Format>(f), constant, true, best_simd_target(), w);
    alignas(64) std::byte texels[64 * kMaxTexelBytes] = {};
    w.write(w, ~uint64_t{0}, texels);
    for (size_t lane = 0; lane < 64; ++lane)
      for (uint32_t k = 0; k < 4; ++k) {
        int c = 0;
        while (c < 4 && static_cast<uint32_t>(info.swizzle[c]) != k) ++c;
        if (c == 4 || info.field[k].kind == FieldKind::None) continue;
        const FormatField& field = info.field[k];
        const uint32_t word = scalar::bits_of(source.v[c][lane]);
        const int64_t least = field.kind == FieldKind::Sint ? -(int64_t{1} << (field.bits - 1)) : 0,
                      most = (int64_t{1} << (field.bits - (field.kind == FieldKind::Sint ? 1 : 0))) - 1,
                      value = field.kind == FieldKind::Sint ? int64_t{static_cast<int32_t>(word)} : int64_t{word};
        const int64_t expected = std::min(most, std::max(least, value)) & ((int64_t{1} << field.bits) - 1);
        REQUIRE(code_of(field, texels + lane * info.block_bytes) == expected);
      }
  }
}
