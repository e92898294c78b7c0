#include <catch2/catch.hpp>

#include <cmath>
#include <random>

#include "core/scalar.h"
#include "core/srgb.h"
#include "tests/support/random.h"

namespace tessera::tests {
namespace {
// The definition, in long double.
long double linear_of(long double s) { return s <= 0.04045L ? s / 12.92L : std::pow((s + 0.055L) / 1.055L, 2.4L); }
long double encoded(long double x) { return x <= 0.0031308L ? 12.92L * x : 1.055L * std::pow(x, 1 / 2.4L) - 0.055L; }
}  // namespace

TEST_CASE("every sRGB code decodes to the nearest float", "[srgb]") {
  for (uint32_t code = 0; code < 256; ++code)
    CHECK(kLinearFromSrgb8[code] == static_cast<float>(linear_of(code / 255.0L)));
}

TEST_CASE("every sRGB code comes back", "[srgb]") {
  for (uint32_t code = 0; code < 256; ++code) CHECK(srgb8_from_linear(kLinearFromSrgb8[code]) == code);
}

TEST_CASE("linear values become the nearest sRGB code", "[srgb]") {
  std::mt19937 random(seed());
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < rounds(100000); ++i) {
    const float x =
        i % 2 ? static_cast<float>(random()) * 0x1p-32f
              : std::ldexp(1.0f + static_cast<float>(random()) * 0x1p-33f, -static_cast<int>(random() % 20) - 1);
    wrong += srgb8_from_linear(x) != static_cast<uint32_t>(std::floor(encoded(std::min(x, 1.0f)) * 255 + 0.5L));
  }
  CAPTURE(seed());
  CHECK(wrong == 0);
}

TEST_CASE("a threshold is the least float of the next code", "[srgb]") {
  for (uint32_t code = 0; code < 255; ++code) {
    CHECK(srgb8_from_linear(kSrgb8Threshold[code]) == code + 1);
    CHECK(srgb8_from_linear(scalar::float_of(scalar::bits_of(kSrgb8Threshold[code]) - 1)) == code);
    CHECK(static_cast<long double>(kSrgb8Threshold[code]) >= linear_of((code + 0.5L) / 255));
  }
}

TEST_CASE("no bucket of the encoding meets two thresholds", "[srgb]") {
  for (uint32_t bucket = 0; bucket + 1 < kSrgbBuckets; ++bucket)
    CHECK(kSrgb8OfBucket[bucket + 1] - kSrgb8OfBucket[bucket] <= 1);
  CHECK(kSrgb8OfBucket[kSrgbBuckets - 1] >= 254);
}

TEST_CASE("sRGB encoding clamps, NaN gives 0", "[srgb]") {
  CHECK(srgb8_from_linear(-1.0f) == 0);
  CHECK(srgb8_from_linear(-INFINITY) == 0);
  CHECK(srgb8_from_linear(NAN) == 0);
  CHECK(srgb8_from_linear(1.0f) == 255);
  CHECK(srgb8_from_linear(7.0f) == 255);
  CHECK(srgb8_from_linear(INFINITY) == 255);
  CHECK(srgb8_from_linear(0x1p-149f) == 0);
}

}  // namespace tessera::tests
