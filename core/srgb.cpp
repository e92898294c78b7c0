#include "core/srgb.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace tessera {
namespace {

// The fifth root of a in (0, 1], by Newton's steps from above: they fall monotonically until rounding stops them.
constexpr double fifth_root(double a) {
  double root = 1.0;
  for (int step = 0; step < 100; ++step) {
    const double square = root * root;
    const double next = root - (root * square * square - a) / (5.0 * square * square);
    if (!(next < root)) break;
    root = next;
  }
  return root;
}

// ((s + 0.055) / 1.055) ^ 2.4, where x^2.4 = (x^12)^(1/5) = x^2 * (x^2)^(1/5); linear at the dark end.
constexpr double linear_from_srgb(double s) {
  if (s <= 0.04045) return s / 12.92;
  const double x = (s + 0.055) / 1.055;
  return x * x * fifth_root(x * x);
}

constexpr std::array<float, 256> make_decode() {
  std::array<float, 256> table{};
  for (size_t code = 0; code < 256; ++code)
    table[code] = static_cast<float>(linear_from_srgb(static_cast<double>(code) / 255.0));
  return table;
}

constexpr std::array<float, 256> make_thresholds() {
  std::array<float, 256> table{};
  for (size_t code = 0; code < 255; ++code) {
    const double edge = linear_from_srgb((static_cast<double>(code) + 0.5) / 255.0);
    const float nearest = static_cast<float>(edge);
    table[code] = nearest >= edge ? nearest : std::bit_cast<float>(std::bit_cast<uint32_t>(nearest) + 1);
  }
  table[255] = std::numeric_limits<float>::quiet_NaN();   // no x reaches it, infinity neither
  return table;
}

constexpr auto kThresholds = make_thresholds();

constexpr std::array<uint8_t, kSrgbBuckets> make_buckets() {
  std::array<uint8_t, kSrgbBuckets> table{};
  uint32_t code = 0;
  for (uint32_t bucket = 0; bucket < kSrgbBuckets; ++bucket) {
    const float first = std::bit_cast<float>(kSrgbFirstBits + (bucket << 15));
    while (first >= kThresholds[code]) ++code;
    table[bucket] = static_cast<uint8_t>(code);
  }
  return table;
}

}  // namespace

constinit const std::array<float, 256> kLinearFromSrgb8 = make_decode();
constinit const std::array<float, 256> kSrgb8Threshold = kThresholds;
constinit const std::array<uint8_t, kSrgbBuckets> kSrgb8OfBucket = make_buckets();

uint8_t srgb8_from_linear(float x) {
  if (!(x > 0.0f)) return 0;
  const uint32_t bits = std::clamp(std::bit_cast<uint32_t>(x), kSrgbFirstBits, kSrgbLastBits);
  const uint32_t code = kSrgb8OfBucket[(bits - kSrgbFirstBits) >> 15];
  return static_cast<uint8_t>(code + (x >= kSrgb8Threshold[code] ? 1 : 0));
}

}  // namespace tessera
