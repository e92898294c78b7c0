// core/fixed.h: fixed point with 8 fraction bits (fx8): window coordinates snap to 1/256 pixel.
// Rounding is to nearest, halves to even; values outside saturate; NaN gives 0.
#pragma once

#include <cmath>
#include <cstdint>

namespace tessera {

inline constexpr int32_t kOne_fx8 = 256, kHalf_fx8 = 128;

inline int32_t snap_fx8(double x) {
  const double scaled = std::rint(x * 256.0);   // exact product: only rint rounds
  if (scaled != scaled) return 0;
  if (scaled >= 2147483647.0) return INT32_MAX;
  return scaled <= -2147483648.0 ? INT32_MIN : static_cast<int32_t>(scaled);
}
inline int32_t snap_fx8(float x) { return snap_fx8(static_cast<double>(x)); }

constexpr int32_t floor_fx8(int32_t x_fx8) { return x_fx8 >> 8; }  // the pixel below or at x
constexpr int32_t ceil_fx8(int32_t x_fx8) { return static_cast<int32_t>((int64_t{x_fx8} + 255) >> 8); }
constexpr int32_t to_fx8(int32_t whole) { return whole * kOne_fx8; }  // |whole| < 2^23
constexpr double from_fx8(int32_t x_fx8) { return x_fx8 / 256.0; }

}  // namespace tessera
