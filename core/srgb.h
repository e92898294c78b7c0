// core/srgb.h: 8-bit sRGB codes and linear values, both directions exact.
// Decoding gives the float nearest to the true value; encoding gives the code whose true value is nearest in sRGB space
// (the exact encoding times 255, rounded to nearest).
// Source: IEC 61966-2-1; OpenGL 4.6, 8.24 and 17.3.7.
#pragma once

#include <array>
#include <cstdint>

namespace tessera {

extern const std::array<float, 256> kLinearFromSrgb8;

// Encoding by tables, for kernels that gather: with bits = x's bits clamped to [kSrgbFirstBits, kSrgbLastBits],
// bucket = (bits - kSrgbFirstBits) >> 15 and code = kSrgb8OfBucket[bucket], the result is
// code + (x >= kSrgb8Threshold[code]). Every bucket meets at most one threshold.
inline constexpr uint32_t kSrgbFirstBits = 0x39000000u;   // 2^-13: below it every x is code 0
inline constexpr uint32_t kSrgbLastBits = 0x3f7fffffu;    // just below 1
inline constexpr uint32_t kSrgbBuckets = ((kSrgbLastBits - kSrgbFirstBits) >> 15) + 1;
extern const std::array<float, 256> kSrgb8Threshold;      // [k]: the least float that is code k + 1 or more; last: NaN
extern const std::array<uint8_t, kSrgbBuckets> kSrgb8OfBucket;

// NaN gives 0; values outside [0, 1] are clamped.
uint8_t srgb8_from_linear(float x);

}  // namespace tessera
