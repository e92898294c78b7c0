#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "core/scalar.h"
#include "raster/blend.h"
#include "tests/support/random.h"
#include "tests/unit/raster/slow_advanced.h"

using namespace tessera;
using namespace tessera::raster;
using tessera::raster::tests::advanced_in_double;
using tessera::raster::tests::blend_advanced_slowly;
using tessera::raster::tests::Rgb64;
using tessera::tests::rounds;
using tessera::tests::seed;

namespace {

constexpr AdvancedEquation kEquations[] = {
    AdvancedEquation::Multiply,      AdvancedEquation::Screen,    AdvancedEquation::Overlay,
    AdvancedEquation::Darken,        AdvancedEquation::Lighten,   AdvancedEquation::ColorDodge,
    AdvancedEquation::ColorBurn,     AdvancedEquation::HardLight, AdvancedEquation::SoftLight,
    AdvancedEquation::Difference,    AdvancedEquation::Exclusion, AdvancedEquation::HslHue,
    AdvancedEquation::HslSaturation, AdvancedEquation::HslColor,  AdvancedEquation::HslLuminosity};

// A block of colours in a target of four floats.
struct Block {
  alignas(64) float source[4][64], stored[64][4], result[64][4];
};

void blend(AdvancedEquation equation, SimdTarget simd, Block& b) {
  BlendState state;
  state.advanced = equation;
  state.target[0].enabled = true;
  ColorWrite w;
  for (int c = 0; c < 4; ++c) w.source[c] = b.source[c];
  const float constant[4] = {};
  choose_color_write(state, 0, Format::R32G32B32A32_FLOAT, constant, false, simd, w);
  std::memcpy(b.result, b.stored, sizeof b.stored);
  w.write(w, ~uint64_t{0}, reinterpret_cast<std::byte*>(b.result));
}

class Colors {
 public:
  explicit Colors(uint32_t seed) : engine_(seed) {}
  // In [0, 1]: the ends, the thresholds of the equations and their neighbours, any.
  float unit() {
    const float special[] = {
        0,       1, 0.5f, 0.25f, std::nextafter(0.5f, 1.0f), std::nextafter(0.25f, 1.0f), std::nextafter(1.0f, 0.0f),
        0x1p-20f};
    return engine_() % 3 == 0 ? special[engine_() % 8] : std::uniform_real_distribution<float>(0, 1)(engine_);
  }
  void premultiplied(float color[4]) {
    color[3] = unit();
    const bool gray = engine_() % 8 == 0;
    const float c = unit();
    for (int i = 0; i < 3; ++i) color[i] = (gray ? c : unit()) * color[3];
  }
  // Anything at all.
  float any() {
    switch (engine_() % 8) {
      case 0:
        return scalar::float_of(0x7fc00001u);
      case 1:
        return engine_() % 2 ? HUGE_VALF : -HUGE_VALF;
      case 2:
        return -unit();
      case 3:
        return 1 + unit();
      default:
        return unit();
    }
  }

 private:
  std::mt19937 engine_;
};

// The divided colour is an operation of its own, rounded to a float; all after it is judged against the formulas.
Rgb64 divided(const float color[4]) {
  double c[3];
  for (int i = 0; i < 3; ++i) c[i] = color[3] > 0 ? static_cast<double>(std::min(1.0f, color[i] / color[3])) : 0.0;
  return {c[0], c[1], c[2]};
}

}  // namespace

TEST_CASE("the advanced equations are the extension's formulas to within 2^-21, those of whole colours to 2^-20",
          "[raster][blend]") {
  // Every intermediate value lies in [-1, 2], so that each rounding adds 2^-24 at most. A channel has five of them in f
  // and three in the sum; a colour of hue, saturation or luminosity has sixteen, three from the weights of the
  // luminosity. Divisions are by the range that their numerator lies in.
  Colors colors(seed(21));
  CAPTURE(seed(21));
  double worst = 0;
  for (const AdvancedEquation equation : kEquations)
    for (uint32_t round = 0; round < rounds(200); ++round) {
      Block b;
      for (size_t lane = 0; lane < 64; ++lane) {
        float s[4];
        colors.premultiplied(s);
        colors.premultiplied(b.stored[lane]);
        for (int c = 0; c < 4; ++c) b.source[c][lane] = s[c];
      }
      blend(equation, best_simd_target(), b);
      for (size_t lane = 0; lane < 64; ++lane) {
        const float s[4] = {b.source[0][lane], b.source[1][lane], b.source[2][lane], b.source[3][lane]};
        const float* d = b.stored[lane];
        const Rgb64 cs = divided(s), cd = divided(d), f = advanced_in_double(equation, cs, cd);
        const double as = static_cast<double>(s[3]), ad = static_cast<double>(d[3]);
        const double p0 = as * ad, p1 = as * (1 - ad), p2 = ad * (1 - as);
        const double exact[4] = {f.r * p0 + cs.r * p1 + cd.r * p2, f.g * p0 + cs.g * p1 + cd.g * p2,
                                 f.b * p0 + cs.b * p1 + cd.b * p2, p0 + p1 + p2};
        for (int c = 0; c < 4; ++c) {
          const double error = std::fabs(static_cast<double>(b.result[lane][c]) - exact[c]);
          worst = std::max(worst, error);
          if (error <= (equation < AdvancedEquation::HslHue ? 0x1p-21 : 0x1p-20)) continue;
          CAPTURE(static_cast<int>(equation), lane, c, s[0], s[1], s[2], s[3], d[0], d[1], d[2], d[3], exact[c]);
          FAIL("got " << b.result[lane][c]);
        }
      }
    }
  INFO("worst error " << worst);
  CHECK(worst > 0);
}

TEST_CASE("the advanced equations have the same bits on every instruction set, for numbers out of range too",
          "[raster][blend]") {
  Colors colors(seed(22));
  CAPTURE(seed(22));
  for (const AdvancedEquation equation : kEquations)
    for (uint32_t round = 0; round < rounds(40); ++round) {
      Block b;
      for (size_t lane = 0; lane < 64; ++lane)
        for (int c = 0; c < 4; ++c) b.source[c][lane] = colors.any(), b.stored[lane][c] = colors.any();
      for (const SimdTarget simd : available_simd_targets()) {
        blend(equation, simd, b);
        for (size_t lane = 0; lane < 64; ++lane) {
          const float s[4] = {b.source[0][lane], b.source[1][lane], b.source[2][lane], b.source[3][lane]};
          float expected[4];
          blend_advanced_slowly(equation, s, b.stored[lane], expected);
          for (int c = 0; c < 4; ++c) {
            const float got = b.result[lane][c];
            const bool is_in_range = got >= -0x1p-21f && got <= 1 + 0x1p-21f;
            if (is_in_range && scalar::bits_of(got) == scalar::bits_of(expected[c])) continue;
            CAPTURE(simd_target_name(simd), static_cast<int>(equation), lane, c);
            FAIL("expected " << expected[c] << ", got " << got);
          }
        }
      }
    }
}

TEST_CASE("advanced equations of opaque colours are the textbook's values", "[raster][blend]") {
  // Source 0.75, stored 0.5, both opaque; worked by hand from the extension's table.
  struct Case {
    AdvancedEquation equation;
    float expected;
  };
  const Case cases[] = {{AdvancedEquation::Multiply, 0.375f},     {AdvancedEquation::Screen, 0.875f},
                        {AdvancedEquation::Overlay, 0.75f},       {AdvancedEquation::Darken, 0.5f},
                        {AdvancedEquation::Lighten, 0.75f},       {AdvancedEquation::ColorDodge, 1.0f},
                        {AdvancedEquation::ColorBurn, 1.0f / 3},  {AdvancedEquation::HardLight, 0.75f},
                        {AdvancedEquation::SoftLight, 0.603553f}, {AdvancedEquation::Difference, 0.25f},
                        {AdvancedEquation::Exclusion, 0.5f},      {AdvancedEquation::HslHue, 0.5f},
                        {AdvancedEquation::HslSaturation, 0.5f},  {AdvancedEquation::HslColor, 0.5f},
                        {AdvancedEquation::HslLuminosity, 0.75f}};
  for (const Case& c : cases) {
    Block b;
    for (size_t lane = 0; lane < 64; ++lane)
      for (int k = 0; k < 4; ++k) b.source[k][lane] = k == 3 ? 1 : 0.75f, b.stored[lane][k] = k == 3 ? 1 : 0.5f;
    blend(c.equation, best_simd_target(), b);
    CAPTURE(static_cast<int>(c.equation));
    CHECK(b.result[0][0] == Approx(c.expected));
    CHECK(b.result[0][3] == 1.0f);
  }
}
