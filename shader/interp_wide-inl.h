// shader/interp_wide-inl.h: the formula of every operation on 64-bit values: interp_NAME of opcodes.def on one lane. The
// compiler makes what vectors it can of them. Included once for each SIMD target; only exact functions of libm.
#if defined(TESSERA_SHADER_INTERP_WIDE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SHADER_INTERP_WIDE_INL_H_
#undef TESSERA_SHADER_INTERP_WIDE_INL_H_
#else
#define TESSERA_SHADER_INTERP_WIDE_INL_H_
#endif

#include <cmath>
#include <cstdint>

#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace interp {

// ---- double ---------------------------------------------------------------------------------------------------------

HWY_INLINE double canonical_nan(double x) { return x == x ? x : __builtin_nan(""); }
HWY_INLINE uint32_t all_ones_if(bool condition) { return condition ? ~0u : 0u; }

HWY_INLINE double interp_DAdd(double a, double b) { return canonical_nan(a + b); }
HWY_INLINE double interp_DMul(double a, double b) { return canonical_nan(a * b); }
HWY_INLINE double interp_DDiv(double a, double b) { return canonical_nan(a / b); }
HWY_INLINE double interp_DFma(double a, double b, double c) { return canonical_nan(__builtin_fma(a, b, c)); }
HWY_INLINE double interp_DSign(double a) { return a > 0 ? 1.0 : a < 0 ? -1.0 : 0.0; }
HWY_INLINE double interp_DFloor(double a) { return canonical_nan(__builtin_floor(a)); }
HWY_INLINE double interp_DCeil(double a) { return canonical_nan(__builtin_ceil(a)); }
HWY_INLINE double interp_DTrunc(double a) { return canonical_nan(__builtin_trunc(a)); }
HWY_INLINE double interp_DRound(double a) { return canonical_nan(__builtin_nearbyint(a)); }
HWY_INLINE double interp_DFract(double a) { return canonical_nan(a - __builtin_floor(a)); }
HWY_INLINE double interp_DRcp(double a) { return canonical_nan(1.0 / a); }
HWY_INLINE double interp_DSqrt(double a) { return canonical_nan(__builtin_sqrt(a)); }
HWY_INLINE double interp_DRsq(double a) { return canonical_nan(1.0 / __builtin_sqrt(a)); }
HWY_INLINE double interp_DLdexp(double a, int32_t b) { return canonical_nan(__builtin_ldexp(a, b)); }

// Operations that copy work on bits, so that no move through a register can touch a NaN.
HWY_INLINE bool is_nan_bits(uint64_t a) { return (a & ~(1ull << 63)) > 0x7ff0000000000000u; }
HWY_INLINE double double_of(uint64_t bits) {
  double x;
  __builtin_memcpy(&x, &bits, sizeof x);
  return x;
}
HWY_INLINE uint64_t interp_DMin(uint64_t a, uint64_t b) { return double_of(a) < double_of(b) || is_nan_bits(b) ? a : b; }
HWY_INLINE uint64_t interp_DMax(uint64_t a, uint64_t b) { return double_of(a) > double_of(b) || is_nan_bits(b) ? a : b; }
HWY_INLINE uint64_t interp_DNeg(uint64_t a) { return a ^ 1ull << 63; }
HWY_INLINE uint64_t interp_DAbs(uint64_t a) { return a & ~(1ull << 63); }

// a = m * 2^e; a denormal is scaled to a normal number first.
struct Parts {
  double m;
  int32_t e;
};
HWY_INLINE Parts parts_of(double a) {
  if (a == 0 || a - a != 0) return {canonical_nan(a), 0};
  int e = 0;
  const double m = __builtin_frexp(a, &e);
  return {m, e};
}
HWY_INLINE double interp_DMantissa(double a) { return parts_of(a).m; }
HWY_INLINE int32_t interp_DExponent(double a) { return parts_of(a).e; }

HWY_INLINE uint32_t interp_DLt(double a, double b) { return all_ones_if(a < b); }
HWY_INLINE uint32_t interp_DGe(double a, double b) { return all_ones_if(a >= b); }
HWY_INLINE uint32_t interp_DEq(double a, double b) { return all_ones_if(a == b); }
HWY_INLINE uint32_t interp_DNe(double a, double b) { return all_ones_if(a != b); }

// ---- 64-bit integers --------------------------------------------------------------------------------------------------

HWY_INLINE uint64_t interp_I64Add(uint64_t a, uint64_t b) { return a + b; }
HWY_INLINE uint64_t interp_I64Mul(uint64_t a, uint64_t b) { return a * b; }
HWY_INLINE uint64_t interp_I64Neg(uint64_t a) { return 0 - a; }
HWY_INLINE uint64_t interp_I64Abs(uint64_t a) { return static_cast<int64_t>(a) < 0 ? 0 - a : a; }
HWY_INLINE int64_t interp_I64Sign(int64_t a) { return (a > 0) - (a < 0); }
HWY_INLINE int64_t interp_I64Min(int64_t a, int64_t b) { return a < b ? a : b; }
HWY_INLINE int64_t interp_I64Max(int64_t a, int64_t b) { return a > b ? a : b; }
HWY_INLINE uint64_t interp_U64Min(uint64_t a, uint64_t b) { return a < b ? a : b; }
HWY_INLINE uint64_t interp_U64Max(uint64_t a, uint64_t b) { return a > b ? a : b; }
HWY_INLINE uint64_t interp_I64Div(int64_t a, int64_t b) {
  if (b == -1) return 0 - static_cast<uint64_t>(a);   // the least integer would trap
  return b == 0 ? 0 : static_cast<uint64_t>(a / b);
}
HWY_INLINE uint64_t interp_U64Div(uint64_t a, uint64_t b) { return b == 0 ? ~0ull : a / b; }
HWY_INLINE int64_t interp_I64Mod(int64_t a, int64_t b) { return b == 0 ? -1 : b == -1 ? 0 : a % b; }
HWY_INLINE uint64_t interp_U64Mod(uint64_t a, uint64_t b) { return b == 0 ? ~0ull : a % b; }
HWY_INLINE uint64_t interp_I64Shl(uint64_t a, uint32_t b) { return a << (b & 63); }
HWY_INLINE int64_t interp_I64Shr(int64_t a, uint32_t b) { return a >> (b & 63); }
HWY_INLINE uint64_t interp_U64Shr(uint64_t a, uint32_t b) { return a >> (b & 63); }
HWY_INLINE uint32_t interp_I64Lt(int64_t a, int64_t b) { return all_ones_if(a < b); }
HWY_INLINE uint32_t interp_I64Ge(int64_t a, int64_t b) { return all_ones_if(a >= b); }
HWY_INLINE uint32_t interp_U64Lt(uint64_t a, uint64_t b) { return all_ones_if(a < b); }
HWY_INLINE uint32_t interp_U64Ge(uint64_t a, uint64_t b) { return all_ones_if(a >= b); }
HWY_INLINE uint32_t interp_I64Eq(uint64_t a, uint64_t b) { return all_ones_if(a == b); }
HWY_INLINE uint32_t interp_I64Ne(uint64_t a, uint64_t b) { return all_ones_if(a != b); }

// ---- conversions ------------------------------------------------------------------------------------------------------

HWY_INLINE double interp_FToD(float a) { return canonical_nan(static_cast<double>(a)); }
HWY_INLINE double interp_IToD(int32_t a) { return a; }
HWY_INLINE double interp_UToD(uint32_t a) { return a; }
HWY_INLINE double interp_I64ToD(int64_t a) { return static_cast<double>(a); }
HWY_INLINE double interp_U64ToD(uint64_t a) { return static_cast<double>(a); }
HWY_INLINE float interp_DToF(double a) { return static_cast<float>(a); }
HWY_INLINE float interp_I64ToF(int64_t a) { return static_cast<float>(a); }
HWY_INLINE float interp_U64ToF(uint64_t a) { return static_cast<float>(a); }
HWY_INLINE int32_t interp_DToI(double a) {
  if (a >= 2147483647.0) return INT32_MAX;
  if (a <= -2147483648.0) return INT32_MIN;
  return a == a ? static_cast<int32_t>(a) : 0;
}
HWY_INLINE uint32_t interp_DToU(double a) {
  if (a >= 4294967295.0) return UINT32_MAX;
  return a > 0 ? static_cast<uint32_t>(static_cast<int64_t>(a)) : 0;
}
HWY_INLINE int64_t interp_DToI64(double a) {
  if (a >= 9223372036854775808.0) return INT64_MAX;
  if (a <= -9223372036854775808.0) return INT64_MIN;
  return a == a ? static_cast<int64_t>(a) : 0;
}
HWY_INLINE uint64_t interp_DToU64(double a) {
  if (a >= 18446744073709551616.0) return UINT64_MAX;
  return a > 0 ? static_cast<uint64_t>(a) : 0;
}
HWY_INLINE int64_t interp_FToI64(float a) { return interp_DToI64(a); }
HWY_INLINE uint64_t interp_FToU64(float a) { return interp_DToU64(a); }

}  // namespace interp
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
