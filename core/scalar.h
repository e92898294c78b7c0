// core/scalar.h: the operations of core/simd.h on one float: the same bits, in plain C++. For constant folding,
// set-up code, formats and test oracles.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace tessera::scalar {

inline constexpr uint32_t kCanonicalNan = 0x7fc00000u;

inline uint32_t bits_of(float x) { return std::bit_cast<uint32_t>(x); }
inline float float_of(uint32_t bits) { return std::bit_cast<float>(bits); }
inline bool is_nan(float x) { return x != x; }

// The value where its bits become visible: every NaN is the one canonical NaN.
inline float canonical(float x) { return is_nan(x) ? float_of(kCanonicalNan) : x; }

inline float fma(float a, float b, float c) { return std::fma(a, b, c); }
inline double fma(double a, double b, double c) { return std::fma(a, b, c); }

// With one NaN the other operand, with two zeros the second.
inline float min(float a, float b) { return a < b || is_nan(b) ? a : b; }
inline float max(float a, float b) { return a > b || is_nan(b) ? a : b; }
// NaN gives 0; -0 gives +0.
inline float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }

inline float rcp(float x) { return 1.0f / x; }
inline float rsq(float x) { return 1.0f / std::sqrt(x); }
inline float round_even(float x) { return std::rint(x); }
inline double round_even(double x) { return std::rint(x); }

// Truncate, saturate; NaN gives 0.
inline int32_t to_int(float x) {
  if (is_nan(x)) return 0;
  if (x >= 2147483648.0f) return INT32_MAX;
  return x < -2147483648.0f ? INT32_MIN : static_cast<int32_t>(x);
}
inline uint32_t to_uint(float x) {
  if (!(x > 0.0f)) return 0;
  return x >= 4294967296.0f ? UINT32_MAX : static_cast<uint32_t>(x);
}

// Half precision: round to nearest even, denormals kept, overflow to infinity, NaN made quiet with the upper payload.
inline uint16_t half_from_float(float x) {
  const uint32_t sign = bits_of(x) >> 16 & 0x8000u, magnitude = bits_of(x) & 0x7fffffffu;
  if (magnitude > 0x7f800000u) return static_cast<uint16_t>(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu));
  if (magnitude >= 0x47800000u) return static_cast<uint16_t>(sign | 0x7c00u);
  // Below 2^-14 the unit is 2^-24, that of floats in [0.5, 1): the addition rounds there.
  if (magnitude < 0x38800000u)
    return static_cast<uint16_t>(sign | (bits_of(float_of(magnitude) + 0.5f) - bits_of(0.5f)));
  return static_cast<uint16_t>(sign | ((magnitude + 0xfffu + (magnitude >> 13 & 1u) - (112u << 23)) >> 13));
}
inline float float_from_half(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16, exponent = half >> 10 & 31u, mantissa = half & 0x3ffu;
  if (exponent == 31) return float_of(sign | 0x7f800000u | mantissa << 13 | (mantissa ? 0x400000u : 0u));
  if (exponent == 0) return float_of(sign | bits_of(static_cast<float>(mantissa) * 0x1p-24f));
  return float_of(sign | ((exponent + 112u) << 23 | mantissa << 13));
}

}  // namespace tessera::scalar
