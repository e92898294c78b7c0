#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include "core/math.h"
#include "core/scalar.h"
#include "tests/support/random.h"
#include "tests/unit/core/simd_kernels.h"

// The oracles are libm's functions in higher precision: double for floats, long double for doubles.
namespace tessera::tests {
namespace {
using scalar::bits_of;
using scalar::float_of;

// Distance from the exact value in units of the float's last place (of denormals: 2^-149).
double error_ulp(float got, double exact) {
  if (std::isnan(exact)) return std::isnan(got) ? 0 : INFINITY;
  if (got == static_cast<float>(exact)) return 0;
  if (std::isinf(got)) return INFINITY;
  const int exponent = std::max(std::ilogb(exact), -126);
  return std::fabs(got - exact) / std::ldexp(1.0, exponent - 23);
}
double error_ulp(double got, long double exact) {
  if (got == static_cast<double>(exact)) return 0;
  const int exponent = std::max(std::ilogb(static_cast<double>(exact)), -1022);
  return static_cast<double>(std::fabs(got - exact) / std::ldexp(1.0L, exponent - 52));
}

// Floats of every size and sign, then values as shaders use them.
Words arguments(uint32_t count) {
  Words words;
  std::mt19937 random(seed());
  for (uint32_t i = 0; i < count; ++i) words.push_back(static_cast<uint32_t>(random()));
  for (uint32_t i = 0; i < count; ++i)
    words.push_back(bits_of(static_cast<float>(i) * (256.0f / static_cast<float>(count)) - 128.0f));
  for (uint32_t i = 0; i < count; ++i)
    words.push_back(bits_of(0.5f + static_cast<float>(i) / static_cast<float>(count)));
  for (const uint32_t special :
       {0u, 1u, 0x7fffffu, 0x800000u, 0x3f800000u, 0x7f7fffffu, 0x7f800000u, 0x7fc00000u, 0x7f800001u})
    words.insert(words.end(), {special, special | 0x80000000u});
  return words;
}

using Function = double (*)(double);

// The largest error of a kernel over `in`, and that every target and the scalar front give the same bits.
double worst_error(Kernel SimdKernels::*kernel, float (*front)(float), Function exact, const Words& in) {
  const auto targets = available_simd_targets();
  const Words got = run(simd_kernels(targets.front()).*kernel, in);
  for (const SimdTarget target : targets) CHECK(run(simd_kernels(target).*kernel, in) == got);
  double worst = 0;
  size_t front_differs = 0;
  for (size_t i = 0; i < in.size(); ++i) {
    worst = std::max(worst, error_ulp(float_of(got[i]), exact(float_of(in[i]))));
    if (i % 16 == 0) front_differs += bits_of(scalar::canonical(front(float_of(in[i])))) != got[i];
  }
  CHECK(front_differs == 0);
  return worst;
}
}  // namespace

TEST_CASE("ex2, lg2, sin and cos stay within their bounds and give the same bits on every target", "[math]") {
  CAPTURE(seed());
  const Words in = arguments(rounds(60000));
  CHECK(worst_error(&SimdKernels::ex2, math::ex2, [](double x) { return std::exp2(x); }, in) < 1.0);
  CHECK(worst_error(&SimdKernels::lg2, math::lg2, [](double x) { return std::log2(x); }, in) < 1.0);
  CHECK(worst_error(&SimdKernels::sin, math::sin, [](double x) { return std::sin(x); }, in) < 1.6);
  CHECK(worst_error(&SimdKernels::cos, math::cos, [](double x) { return std::cos(x); }, in) < 1.6);
}

TEST_CASE("sin and cos stay within their bounds next to multiples of pi/2", "[math]") {
  Words in;
  for (double k = 1; k < 1e6; k += 97) {
    const uint32_t nearest = bits_of(static_cast<float>(k * 1.57079632679489661923));
    in.insert(in.end(), {nearest - 1, nearest, nearest + 1});
  }
  // The float that comes closest to one of all: 16367173 * 2^72 is within 2^-29 of a multiple of pi/2.
  in.push_back(bits_of(std::ldexp(16367173.0f, 72)));
  CHECK(worst_error(&SimdKernels::sin, math::sin, [](double x) { return std::sin(x); }, in) < 1.6);
  CHECK(worst_error(&SimdKernels::cos, math::cos, [](double x) { return std::cos(x); }, in) < 1.6);
}

TEST_CASE("ex2 of an integer is exact, denormal or not", "[math]") {
  for (int n = -149; n <= 127; ++n) CHECK(math::ex2(static_cast<float>(n)) == std::ldexp(1.0f, n));
  CHECK(math::ex2(128.0f) == INFINITY);
  CHECK(math::ex2(INFINITY) == INFINITY);
  CHECK(math::ex2(-151.0f) == 0.0f);
  CHECK(math::ex2(-INFINITY) == 0.0f);
  CHECK(bits_of(math::ex2(float_of(0xffc12345u))) == scalar::kCanonicalNan);
}

TEST_CASE("lg2 of a power of two is exact, denormal or not", "[math]") {
  for (int n = -149; n <= 127; ++n) CHECK(math::lg2(std::ldexp(1.0f, n)) == static_cast<float>(n));
  CHECK(bits_of(math::lg2(1.0f)) == 0);
  CHECK(math::lg2(0.0f) == -INFINITY);
  CHECK(math::lg2(-0.0f) == -INFINITY);
  CHECK(math::lg2(INFINITY) == INFINITY);
  CHECK(bits_of(math::lg2(-1.0f)) == scalar::kCanonicalNan);
  CHECK(bits_of(math::lg2(-INFINITY)) == scalar::kCanonicalNan);
  CHECK(bits_of(math::lg2(float_of(0xffc12345u))) == scalar::kCanonicalNan);
}

TEST_CASE("pow is ex2(y * lg2(x)) within 1 + 2 |y log2 x| ulp", "[math]") {
  Words x, y;
  std::mt19937 random(seed());
  std::uniform_real_distribution<float> exponent(-20.0f, 20.0f), base(0.0f, 4.0f);
  for (uint32_t i = 0; i < rounds(100000); ++i) {
    x.push_back(bits_of(i % 2 ? base(random) : float_of(random() & 0x7fffffffu)));
    y.push_back(bits_of(exponent(random)));
  }
  const auto targets = available_simd_targets();
  const Words got = run(simd_kernels(targets.front()).pow, x, y);
  for (const SimdTarget target : targets) CHECK(run(simd_kernels(target).pow, x, y) == got);
  double worst = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    const double a = float_of(x[i]), b = float_of(y[i]), power = b * std::log2(a);
    if (std::isnan(a) || power > 127.99 || power < -126) continue;
    worst = std::max(worst, error_ulp(float_of(got[i]), std::pow(a, b)) / (1 + 2 * std::fabs(power)));
  }
  CAPTURE(seed(), worst);
  CHECK(worst < 1.0);
}

TEST_CASE("pow has its special values", "[math]") {
  CHECK(math::pow(0.0f, 0.0f) == 1.0f);
  CHECK(math::pow(-0.0f, 0.0f) == 1.0f);
  CHECK(math::pow(3.0f, 0.0f) == 1.0f);
  CHECK(math::pow(0.0f, 2.0f) == 0.0f);
  CHECK(math::pow(0.0f, -2.0f) == INFINITY);
  CHECK(math::pow(2.0f, 10.0f) == 1024.0f);
  CHECK(math::pow(INFINITY, -1.0f) == 0.0f);
  CHECK(std::isnan(math::pow(-2.0f, 2.0f)));
}

TEST_CASE("sin and cos keep the sign of zero and give NaN for infinities", "[math]") {
  CHECK(bits_of(math::sin(0.0f)) == 0);
  CHECK(bits_of(math::sin(-0.0f)) == 0x80000000u);
  CHECK(math::cos(-0.0f) == 1.0f);
  CHECK(math::sin(0x1p-149f) == 0x1p-149f);
  for (const float infinite : {INFINITY, -INFINITY}) {
    CHECK(bits_of(math::sin(infinite)) == scalar::kCanonicalNan);
    CHECK(bits_of(math::cos(infinite)) == scalar::kCanonicalNan);
  }
}

TEST_CASE("the double functions stay within their bounds", "[math]") {
  std::mt19937_64 random(seed());
  double sine = 0, cosine = 0, tangent = 0;
  for (uint32_t i = 0; i < rounds(50000); ++i) {
    const double x =
        std::ldexp(static_cast<double>(static_cast<int64_t>(random())), -43 - static_cast<int>(random() % 40));
    sine = std::max(sine, error_ulp(math::sin(x), std::sin(static_cast<long double>(x))));
    cosine = std::max(cosine, error_ulp(math::cos(x), std::cos(static_cast<long double>(x))));
    tangent = std::max(tangent, error_ulp(math::tan(x), std::tan(static_cast<long double>(x))));
  }
  CAPTURE(seed());
  CHECK(sine < 1.0);
  CHECK(cosine < 1.0);
  CHECK(tangent < 2.0);
  CHECK(math::sin(0.0) == 0.0);
  CHECK(math::cos(0.0) == 1.0);
  CHECK(math::sin(math::radians(30.0)) == Approx(0.5));
  CHECK(std::isnan(math::sin(HUGE_VAL)));
  CHECK(std::isnan(math::tan(-HUGE_VAL)));
}

}  // namespace tessera::tests
