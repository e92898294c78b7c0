// core/math-inl.h: the transcendental functions of shaders, written once over core/simd.h. Include like core/simd.h.
// Error bounds and special values: core/math.h. Each is a polynomial (minimax, coefficients in float) on a reduced
// argument; all steps are correctly rounded operations in a fixed order, so all targets give the same bits.
#if defined(TESSERA_CORE_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_CORE_MATH_INL_H_
#undef TESSERA_CORE_MATH_INL_H_
#else
#define TESSERA_CORE_MATH_INL_H_
#endif

#include "core/math.h"
#include "core/simd.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

HWY_INLINE F32x canonical_nan() { return as_f32(splat(0x7fc00000u)); }
HWY_INLINE F32x infinity() { return as_f32(splat(0x7f800000u)); }

// 2^n for -126 <= n <= 127.
HWY_INLINE F32x power_of_two(I32x n) { return as_f32(hn::ShiftLeft<23>(n + splat(127))); }

// 2^x = 2^n * 2^f with n the nearest integer; 2^f = 1 + f * P(f).
HWY_INLINE F32x ex2(F32x x) {
  // Beyond these limits nothing changes any more: 0 and infinity. Results that vanish are not computed: an underflow
  // takes some CPUs ten times as long as the whole function, and highlights (x^n) are mostly that.
  const Maskx vanishes = less_equal(x, splat(-150.0f));
  const F32x limited = hn::IfThenZeroElse(vanishes, hn::Min(x, splat(129.0f)));
  const F32x n = round_even(limited), f = limited - n;
  F32x p = splat(0x1.41ed2ep-13f);
  p = fma(p, f, splat(0x1.5f36ecp-10f));
  p = fma(p, f, splat(0x1.3b2d58p-7f));
  p = fma(p, f, splat(0x1.c6aefcp-5f));
  p = fma(p, f, splat(0x1.ebfbdcp-3f));
  p = fma(p, f, splat(0x1.62e430p-1f));
  p = fma(p, f, splat(1.0f));
  // In two steps: the first is exact, the second rounds once where the result is denormal.
  const I32x whole = to_int_nearest(n), half = hn::ShiftRight<1>(whole);
  const F32x result = p * power_of_two(half) * power_of_two(whole - half);
  return select(is_nan(x), canonical_nan(), hn::IfThenZeroElse(vanishes, result));
}

// log2(x) = e + log2(m) with m in [sqrt(1/2), sqrt(2)), f = m - 1.
// log2(1 + f) = f * c + f^2 * Q(f) with c = log2(e) in two parts.
HWY_INLINE F32x lg2(F32x x) {
  const Maskx denormal = less(x, splat(0x1p-126f));
  const F32x normal = select(denormal, x * splat(0x1p23f), x);
  const I32x root_half = splat(0x3f3504f3);
  const I32x e = hn::ShiftRight<23>(as_i32(normal) - root_half);
  const F32x f = as_f32(as_i32(normal) - hn::ShiftLeft<23>(e)) - splat(1.0f);
  F32x q = splat(-0x1.d04022p-4f);
  q = fma(q, f, splat(0x1.7f706ep-3f));
  q = fma(q, f, splat(-0x1.857282p-3f));
  q = fma(q, f, splat(0x1.a29536p-3f));
  q = fma(q, f, splat(-0x1.eaec54p-3f));
  q = fma(q, f, splat(0x1.2781bap-2f));
  q = fma(q, f, splat(-0x1.71596ep-2f));
  q = fma(q, f, splat(0x1.ec7086p-2f));
  q = fma(q, f, splat(-0x1.715472p-1f));
  const F32x small = fma(f * f, q, f * splat(0x1.4ae0c0p-26f));
  const F32x exponent = from_int(e) - hn::IfThenElseZero(denormal, splat(23.0f));
  F32x result = fma(f, splat(0x1.715476p+0f), small) + exponent;
  result = select(equal(x, infinity()), x, result);
  result = select(equal(x, hn::Zero(f32)), neg(infinity()), result);
  return select(greater_equal(x, hn::Zero(f32)), result, canonical_nan());
}

// What 2 is raised to: y * log2(x), but 0 for 0^0.
HWY_INLINE F32x pow_exponent(F32x x, F32x y) {
  const F32x zero = hn::Zero(f32);
  return hn::IfThenZeroElse(hn::And(equal(x, zero), equal(y, zero)), y * lg2(x));
}
HWY_INLINE F32x pow(F32x x, F32x y) { return ex2(pow_exponent(x, y)); }

// |x| = quadrant * pi/2 + r with |r| <= pi/4 (a little more by rounding).
struct ReducedAngle {
  F32x r;
  U32x quadrant;   // the low two bits count
};

// For up to 2^20: k = nearest(|x| * 2/pi), r = (|x| - k * a) - k * b with pi/2 = a + b. k has 20 bits and a has 33, so
// the first product and difference are exact in double.
HWY_INLINE F64x reduce_angle_in_double(F64x x, F64x* k_biased) {
  const F64x magic = splat(0x1.8p52);   // adding it leaves the nearest integer in the low bits
  *k_biased = x * splat(0x1.45f306dc9c883p-1) + magic;
  const F64x k = *k_biased - magic;
  return (x - k * splat(0x1.921fb544p+0)) - k * splat(0x1.0b4611a626331p-34);
}

// Lanes beyond 2^20, one by one.
HWY_NOINLINE inline void reduce_large_angles(F32x magnitude, ReducedAngle* angle) {
  alignas(32) float x[kLanes], r[kLanes];
  alignas(32) uint32_t quadrant[kLanes];
  store(magnitude, x);
  store(angle->r, r);
  store(angle->quadrant, quadrant);
  for (size_t i = 0; i < kLanes; ++i)
    if (x[i] > math::kLargeAngle) r[i] = math::reduce_large_angle(x[i], &quadrant[i]);
  *angle = {load(r), load(quadrant)};
}

HWY_INLINE ReducedAngle reduce_angle(F32x magnitude) {
  F64x k_lower, k_upper;
  const F64x lower = reduce_angle_in_double(to_f64_lower(magnitude), &k_lower);
  const F64x upper = reduce_angle_in_double(to_f64_upper(magnitude), &k_upper);
  ReducedAngle angle{to_f32(lower, upper), hn::ConcatEven(u32, hn::BitCast(u32, k_upper), hn::BitCast(u32, k_lower))};
  if (HWY_UNLIKELY(any(greater(magnitude, splat(math::kLargeAngle))))) reduce_large_angles(magnitude, &angle);
  return angle;
}

// sin(r + quadrant * pi/2), its sign flipped by the top bit of `sign`.
HWY_INLINE F32x sine_of(F32x r, U32x quadrant, U32x sign) {
  const F32x s = r * r;
  F32x p = splat(-0x1.9956b6p-13f);
  p = fma(p, s, splat(0x1.11077ep-7f));
  p = fma(p, s, splat(-0x1.555546p-3f));
  const F32x sine = fma(p, s * r, r);
  F32x q = splat(0x1.99e0eep-16f);
  q = fma(q, s, splat(-0x1.6c0c1ap-10f));
  q = fma(q, s, splat(0x1.55554ap-5f));
  const F32x cosine = fma(q, s * s, fma(s, splat(-0.5f), splat(1.0f)));
  const Maskx odd = is_true(quadrant & splat(1u));
  const U32x flip = hn::ShiftLeft<30>(quadrant & splat(2u)) ^ sign;
  return as_f32(as_u32(select(odd, cosine, sine)) ^ flip);
}

HWY_INLINE F32x sin(F32x x) {
  const U32x sign = as_u32(x) & splat(0x80000000u);
  const ReducedAngle angle = reduce_angle(abs(x));
  return select(less(abs(x), infinity()), sine_of(angle.r, angle.quadrant, sign), canonical_nan());
}

HWY_INLINE F32x cos(F32x x) {
  const ReducedAngle angle = reduce_angle(abs(x));
  return select(less(abs(x), infinity()), sine_of(angle.r, angle.quadrant + splat(1u), hn::Zero(u32)), canonical_nan());
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
