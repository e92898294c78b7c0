#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <random>

#include "core/scalar.h"
#include "tests/support/random.h"
#include "tests/unit/core/simd_kernels.h"

namespace tessera::tests {
namespace {
using scalar::bits_of;
using scalar::float_of;

// Zeros, ones, limits of every conversion, denormals, infinities, NaNs of both signs, and their neighbours.
Words special_words() {
  Words words;
  for (const uint32_t magnitude :
       {0u,          1u,          2u,          0x007fffffu, 0x00800000u, 0x00800001u, 0x33000000u, 0x33800000u,
        0x387fe000u, 0x38800000u, 0x3e800000u, 0x3effffffu, 0x3f000000u, 0x3f000001u, 0x3f7fffffu, 0x3f800000u,
        0x3f800001u, 0x3fc00000u, 0x40200000u, 0x40490fdbu, 0x42fe0000u, 0x43000000u, 0x43160000u, 0x477fdfffu,
        0x477fe000u, 0x477ff000u, 0x47800000u, 0x4b000000u, 0x4b7fffffu, 0x4effffffu, 0x4f000000u, 0x4f000001u,
        0x4f7fffffu, 0x4f800000u, 0x7f7fffffu, 0x7f800000u, 0x7f800001u, 0x7fbfffffu, 0x7fc00000u, 0x7fffffffu})
    words.insert(words.end(), {magnitude, magnitude | 0x80000000u});
  return words;
}

// All pairs of special words, then random bits, then random values of similar size.
struct Operands { Words a, b, c; };
Operands operands() {
  Operands in;
  const auto add = [&in](uint32_t a, uint32_t b, uint32_t c) {
    in.a.push_back(a), in.b.push_back(b), in.c.push_back(c);
  };
  const Words special = special_words();
  std::mt19937 random(seed());
  for (const uint32_t a : special)
    for (const uint32_t b : special) add(a, b, special[random() % special.size()]);
  for (uint32_t i = 0; i < rounds(100000); ++i)
    add(static_cast<uint32_t>(random()), static_cast<uint32_t>(random()), static_cast<uint32_t>(random()));
  std::uniform_real_distribution<float> value(-4.0f, 4.0f);
  for (uint32_t i = 0; i < rounds(100000); ++i)
    add(bits_of(value(random)), bits_of(value(random)), bits_of(value(random)));
  return in;
}

// The first place where `got` is not oracle(a, b, c), or -1. Two NaNs are equal where `any_nan` says so.
template <class Oracle>
int64_t first_difference(const Operands& in, const Words& got, bool any_nan, Oracle oracle) {
  for (size_t i = 0; i < got.size(); ++i) {
    const uint32_t expected = oracle(in.a[i], in.b[i], in.c[i]);
    if (got[i] == expected) continue;
    if (any_nan && scalar::is_nan(float_of(got[i])) && scalar::is_nan(float_of(expected))) continue;
    return static_cast<int64_t>(i);
  }
  return -1;
}

enum class Nan { Exact, Any };

// The operation on every target against the oracle.
template <class Oracle>
void check_kernel(Kernel SimdKernels::*kernel, Nan nan, Oracle oracle) {
  const Operands in = operands();
  for (const SimdTarget target : available_simd_targets()) {
    const Words got = run(simd_kernels(target).*kernel, in.a, in.b, in.c);
    const int64_t at = first_difference(in, got, nan == Nan::Any, oracle);
    CAPTURE(simd_target_name(target), seed(), at);
    if (at < 0) continue;
    const auto i = static_cast<size_t>(at);
    CAPTURE(in.a[i], in.b[i], in.c[i], got[i], oracle(in.a[i], in.b[i], in.c[i]));
    CHECK(at < 0);
  }
}

uint32_t all_or_none(bool b) { return b ? ~0u : 0u; }

// The value of a half by its definition.
double value_of_half(uint32_t half) {
  const uint32_t exponent = half >> 10 & 31, mantissa = half & 1023;
  const double magnitude =
      exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, static_cast<int>(exponent) - 25);
  return half & 0x8000 ? -magnitude : magnitude;
}

// The nearest half by search; the value halfway beyond the largest is where infinity begins.
uint32_t nearest_half(float x) {
  const double magnitude = std::fabs(static_cast<double>(x));
  const uint32_t sign = bits_of(x) >> 16 & 0x8000;
  if (magnitude >= 65520.0) return sign | 0x7c00;
  uint32_t below = 0, above = 0x7bff;
  while (above - below > 1) {
    const uint32_t middle = (below + above) / 2;
    (value_of_half(middle) <= magnitude ? below : above) = middle;
  }
  const double down = magnitude - value_of_half(below), up = value_of_half(above) - magnitude;
  return sign | (down < up || (down == up && below % 2 == 0) ? below : above);
}
}  // namespace

TEST_CASE("the baseline target is always there and the best one is available", "[simd]") {
  const auto targets = available_simd_targets();
  REQUIRE_FALSE(targets.empty());
  CHECK(best_simd_target() == targets.back());
  for (const SimdTarget target : targets) {
    CHECK(simd_target_from_name(simd_target_name(target)) == target);
    CHECK((simd_kernels(target).lanes == 4 || simd_kernels(target).lanes == 8));
  }
  CHECK_FALSE(simd_target_from_name("avx999"));
}

TEST_CASE("fma rounds once on every target", "[simd]") {
  check_kernel(&SimdKernels::fma, Nan::Any, [](uint32_t a, uint32_t b, uint32_t c) {
    return bits_of(std::fma(float_of(a), float_of(b), float_of(c)));
  });
  check_kernel(&SimdKernels::fnma, Nan::Any, [](uint32_t a, uint32_t b, uint32_t c) {
    return bits_of(std::fma(-float_of(a), float_of(b), float_of(c)));
  });
}

TEST_CASE("fma is right where a sum in double and then in float is not", "[simd]") {
  // The double sum lands on a tie between floats, or just beside one, or in the denormal range.
  Operands in;
  const auto add = [&in](float a, float b, float c) {
    in.a.push_back(bits_of(a)), in.b.push_back(bits_of(b)), in.c.push_back(bits_of(c));
  };
  add(8 + 0x1p-13f, 8 - 0x1p-13f, 0x1p30f + 128);
  add(8 + 0x1p-13f, 8 - 0x1p-13f, -(0x1p30f + 128));
  add(0x1p-75f, 0x1.000002p-75f, 0x1p-126f);
  add(0x1.fffffep-64f, 0x1.fffffep-64f, -0x1p-126f);
  std::mt19937 random(seed());
  for (uint32_t i = 0; i < rounds(200000); ++i) {
    // c, plus half a unit of c made by a product, plus a product's last bits.
    const float c =
        std::ldexp(static_cast<float>(0x800000 + random() % 0x800000), static_cast<int>(random() % 200) - 140);
    const float half_unit = std::ldexp(1.0f, std::ilogb(c) - 24);
    const float tiny = std::ldexp(1.0f, -static_cast<int>(random() % 24));
    add(half_unit * (1 + tiny), 1 - tiny, random() % 2 ? c : -c);
    add(half_unit * (1 - tiny), -(1 + tiny * 0.5f), random() % 2 ? c : -c);
  }
  for (const SimdTarget target : available_simd_targets()) {
    const Words got = run(simd_kernels(target).fma, in.a, in.b, in.c);
    CAPTURE(simd_target_name(target), seed());
    CHECK(first_difference(in, got, false, [](uint32_t a, uint32_t b, uint32_t c) {
            return bits_of(std::fma(float_of(a), float_of(b), float_of(c)));
          }) == -1);
  }
}

TEST_CASE("fma of doubles rounds once on every target", "[simd]") {
  std::mt19937_64 random(seed());
  std::vector<double> a(4096), b(4096), c(4096), got(4096);
  for (size_t i = 0; i < a.size(); ++i) {
    a[i] = std::ldexp(static_cast<double>(random()), -60);
    b[i] = std::ldexp(static_cast<double>(random()), -60);
    c[i] = i % 2 ? -a[i] * b[i] : std::ldexp(static_cast<double>(random()), -static_cast<int>(random() % 120));
  }
  for (const SimdTarget target : available_simd_targets()) {
    simd_kernels(target).fma_double(a.data(), b.data(), c.data(), got.data(), a.size());
    size_t wrong = 0;
    for (size_t i = 0; i < a.size(); ++i) wrong += got[i] != std::fma(a[i], b[i], c[i]);
    CAPTURE(simd_target_name(target), seed());
    CHECK(wrong == 0);
  }
}

TEST_CASE("min and max take the other operand of a NaN and the second of two zeros", "[simd]") {
  check_kernel(&SimdKernels::min, Nan::Exact, [](uint32_t a, uint32_t b, uint32_t) {
    return float_of(a) < float_of(b) ? a : (std::isnan(float_of(b)) ? a : b);
  });
  check_kernel(&SimdKernels::max, Nan::Exact, [](uint32_t a, uint32_t b, uint32_t) {
    return float_of(a) > float_of(b) ? a : (std::isnan(float_of(b)) ? a : b);
  });
  CHECK(bits_of(scalar::min(0.0f, -0.0f)) == 0x80000000u);
  CHECK(bits_of(scalar::max(-0.0f, 0.0f)) == 0);
  CHECK(scalar::min(NAN, 1.0f) == 1.0f);
  CHECK(scalar::max(1.0f, NAN) == 1.0f);
}

TEST_CASE("saturate clamps, NaN and -0 give +0", "[simd]") {
  const auto oracle = [](uint32_t a, uint32_t, uint32_t) {
    const float x = float_of(a);
    return x >= 1 ? 0x3f800000u : (x > 0 ? a : 0u);
  };
  check_kernel(&SimdKernels::saturate, Nan::Exact, oracle);
  for (const uint32_t word : special_words()) CHECK(bits_of(scalar::saturate(float_of(word))) == oracle(word, 0, 0));
}

TEST_CASE("signs, NaNs and roundings to whole numbers are the same everywhere", "[simd]") {
  const auto unary = [](float (*f)(float)) {
    return [f](uint32_t a, uint32_t, uint32_t) { return bits_of(f(float_of(a))); };
  };
  check_kernel(&SimdKernels::canonical, Nan::Exact,
               [](uint32_t a, uint32_t, uint32_t) { return (a & 0x7fffffff) > 0x7f800000 ? 0x7fc00000u : a; });
  check_kernel(&SimdKernels::abs, Nan::Exact, [](uint32_t a, uint32_t, uint32_t) { return a & 0x7fffffff; });
  check_kernel(&SimdKernels::neg, Nan::Exact, [](uint32_t a, uint32_t, uint32_t) { return a ^ 0x80000000; });
  check_kernel(&SimdKernels::floor, Nan::Any, unary([](float x) { return std::floor(x); }));
  check_kernel(&SimdKernels::ceil, Nan::Any, unary([](float x) { return std::ceil(x); }));
  check_kernel(&SimdKernels::trunc, Nan::Any, unary([](float x) { return std::trunc(x); }));
  check_kernel(&SimdKernels::round_even, Nan::Any, unary([](float x) { return std::nearbyint(x); }));
  check_kernel(&SimdKernels::rcp, Nan::Any, unary([](float x) { return 1.0f / x; }));
  check_kernel(&SimdKernels::sqrt, Nan::Any, unary([](float x) { return std::sqrt(x); }));
  check_kernel(&SimdKernels::rsq, Nan::Any, unary([](float x) { return 1.0f / std::sqrt(x); }));
  check_kernel(&SimdKernels::through_double, Nan::Any, unary([](float x) { return x; }));
}

TEST_CASE("floats become integers by truncation and saturation, NaN gives 0", "[simd]") {
  const auto to_int = [](uint32_t a, uint32_t, uint32_t) {
    const double x = float_of(a);
    if (std::isnan(x)) return 0u;
    return static_cast<uint32_t>(static_cast<int32_t>(std::trunc(std::clamp(x, -2147483648.0, 2147483647.0))));
  };
  const auto to_uint = [](uint32_t a, uint32_t, uint32_t) {
    const double x = float_of(a);
    return std::isnan(x) ? 0u : static_cast<uint32_t>(std::trunc(std::clamp(x, 0.0, 4294967295.0)));
  };
  check_kernel(&SimdKernels::to_int, Nan::Exact, to_int);
  check_kernel(&SimdKernels::to_uint, Nan::Exact, to_uint);
  for (const uint32_t word : special_words()) {
    CHECK(static_cast<uint32_t>(scalar::to_int(float_of(word))) == to_int(word, 0, 0));
    CHECK(scalar::to_uint(float_of(word)) == to_uint(word, 0, 0));
  }
}

TEST_CASE("integers become floats rounded to nearest even", "[simd]") {
  check_kernel(&SimdKernels::from_int, Nan::Exact,
               [](uint32_t a, uint32_t, uint32_t) { return bits_of(static_cast<float>(static_cast<int32_t>(a))); });
  check_kernel(&SimdKernels::from_uint, Nan::Exact,
               [](uint32_t a, uint32_t, uint32_t) { return bits_of(static_cast<float>(a)); });
}

TEST_CASE("comparisons with a NaN are false, but for not-equal", "[simd]") {
  const auto compare = [](bool (*f)(float, float)) {
    return [f](uint32_t a, uint32_t b, uint32_t) { return all_or_none(f(float_of(a), float_of(b))); };
  };
  check_kernel(&SimdKernels::less, Nan::Exact, compare([](float a, float b) { return a < b; }));
  check_kernel(&SimdKernels::less_equal, Nan::Exact, compare([](float a, float b) { return a <= b; }));
  check_kernel(&SimdKernels::greater, Nan::Exact, compare([](float a, float b) { return a > b; }));
  check_kernel(&SimdKernels::greater_equal, Nan::Exact, compare([](float a, float b) { return a >= b; }));
  check_kernel(&SimdKernels::equal, Nan::Exact, compare([](float a, float b) { return a == b; }));
  check_kernel(&SimdKernels::not_equal, Nan::Exact, compare([](float a, float b) { return a != b; }));
  check_kernel(&SimdKernels::is_nan, Nan::Exact, compare([](float a, float) { return std::isnan(a); }));
}

TEST_CASE("words compare as signed and as unsigned integers, and select by any bit", "[simd]") {
  check_kernel(&SimdKernels::int_less, Nan::Exact, [](uint32_t a, uint32_t b, uint32_t) {
    return all_or_none(static_cast<int32_t>(a) < static_cast<int32_t>(b));
  });
  check_kernel(&SimdKernels::int_greater_equal, Nan::Exact, [](uint32_t a, uint32_t b, uint32_t) {
    return all_or_none(static_cast<int32_t>(a) >= static_cast<int32_t>(b));
  });
  check_kernel(&SimdKernels::uint_less, Nan::Exact,
               [](uint32_t a, uint32_t b, uint32_t) { return all_or_none(a < b); });
  check_kernel(&SimdKernels::uint_greater_equal, Nan::Exact,
               [](uint32_t a, uint32_t b, uint32_t) { return all_or_none(a >= b); });
  check_kernel(&SimdKernels::word_equal, Nan::Exact,
               [](uint32_t a, uint32_t b, uint32_t) { return all_or_none(a == b); });
  check_kernel(&SimdKernels::word_not_equal, Nan::Exact,
               [](uint32_t a, uint32_t b, uint32_t) { return all_or_none(a != b); });
  check_kernel(&SimdKernels::select, Nan::Exact, [](uint32_t a, uint32_t b, uint32_t c) { return a ? b : c; });
}

TEST_CASE("every half becomes its float", "[simd]") {
  Words halves(65536);
  for (uint32_t i = 0; i < halves.size(); ++i) halves[i] = i;
  const auto oracle = [](uint32_t half) {
    const uint32_t sign = (half & 0x8000) << 16;
    if ((half & 0x7fff) == 0x7c00) return sign | 0x7f800000u;
    if ((half & 0x7fff) > 0x7c00) return sign | 0x7fc00000u | (half & 0x3ff) << 13;   // quiet, payload kept
    return bits_of(static_cast<float>(value_of_half(half)));
  };
  size_t wrong = 0;
  for (const uint32_t half : halves)
    wrong += bits_of(scalar::float_from_half(static_cast<uint16_t>(half))) != oracle(half);
  CHECK(wrong == 0);
  for (const SimdTarget target : available_simd_targets()) {
    const Words got = run(simd_kernels(target).float_from_half, halves);
    wrong = 0;
    for (uint32_t i = 0; i < got.size(); ++i) wrong += got[i] != oracle(i);
    CAPTURE(simd_target_name(target));
    CHECK(wrong == 0);
  }
}

TEST_CASE("floats become the nearest half, ties to even, on every target", "[simd]") {
  Words floats = special_words();
  for (uint32_t half = 0; half < 0x7c00; ++half) {   // each half, the tie above it, and the ties' neighbours
    const auto middle =
        static_cast<float>((value_of_half(half) + (half == 0x7bff ? 65536.0 : value_of_half(half + 1))) / 2);
    for (const uint32_t word :
         {bits_of(static_cast<float>(value_of_half(half))), bits_of(middle), bits_of(middle) - 1, bits_of(middle) + 1})
      floats.insert(floats.end(), {word, word | 0x80000000u});
  }
  std::mt19937 random(seed());
  for (uint32_t i = 0; i < rounds(50000); ++i) floats.push_back(static_cast<uint32_t>(random()));
  const auto oracle = [](uint32_t word) {
    if ((word & 0x7fffffff) > 0x7f800000) return (word >> 16 & 0x8000) | 0x7e00u | (word >> 13 & 0x3ff);
    return nearest_half(float_of(word));
  };
  Words expected;
  for (const uint32_t word : floats) expected.push_back(oracle(word));
  size_t wrong = 0;
  for (size_t i = 0; i < floats.size(); ++i) wrong += scalar::half_from_float(float_of(floats[i])) != expected[i];
  CHECK(wrong == 0);
  for (const SimdTarget target : available_simd_targets()) {
    const Words got = run(simd_kernels(target).half_from_float, floats);
    wrong = 0;
    for (size_t i = 0; i < got.size(); ++i) wrong += got[i] != expected[i];
    CAPTURE(simd_target_name(target), seed());
    CHECK(wrong == 0);
  }
}

TEST_CASE("a block's mask spreads over vectors and comes back", "[simd]") {
  std::mt19937_64 random(seed());
  for (const SimdTarget target : available_simd_targets())
    for (uint32_t i = 0; i < 1000; ++i) {
      const uint64_t mask = i < 64 ? uint64_t{1} << i : random();
      if (simd_kernels(target).block_mask_there_and_back(mask) != mask) {
        CAPTURE(simd_target_name(target), mask);
        CHECK(simd_kernels(target).block_mask_there_and_back(mask) == mask);
      }
    }
}

TEST_CASE("gathers read words at indices and at unaligned byte offsets", "[simd]") {
  uint32_t table[32];
  for (uint32_t i = 0; i < 32; ++i) table[i] = i * 0x01030507u;
  const uint32_t indices[8] = {31, 0, 7, 7, 15, 2, 30, 1}, offsets[8] = {0, 1, 2, 3, 5, 77, 100, 124};
  for (const SimdTarget target : available_simd_targets()) {
    uint32_t words[8], bytes[8];
    simd_kernels(target).gather_words(table, indices, words);
    simd_kernels(target).gather_bytes(table, offsets, bytes);
    for (uint32_t i = 0; i < 8; ++i) {
      uint32_t expected;
      std::memcpy(&expected, reinterpret_cast<const char*>(table) + offsets[i], 4);
      CHECK(words[i] == table[indices[i]]);
      CHECK(bytes[i] == expected);
    }
  }
}

}  // namespace tessera::tests
