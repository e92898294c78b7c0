// shader/interp_lanes-inl.h: the formula of every operation that works on lanes (or quads) alone: interp_NAME of
// opcodes.def on one vector. Included once for each SIMD target.
#if defined(TESSERA_SHADER_INTERP_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SHADER_INTERP_LANES_INL_H_
#undef TESSERA_SHADER_INTERP_LANES_INL_H_
#else
#define TESSERA_SHADER_INTERP_LANES_INL_H_
#endif

#include "core/math-inl.h"
#include "core/simd.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace interp {

// ---- float ----------------------------------------------------------------------------------------------------------

HWY_INLINE F32x interp_FAdd(F32x a, F32x b) { return a + b; }
HWY_INLINE F32x interp_FSub(F32x a, F32x b) { return a - b; }
HWY_INLINE F32x interp_FMul(F32x a, F32x b) { return a * b; }
HWY_INLINE F32x interp_FDiv(F32x a, F32x b) { return a / b; }
HWY_INLINE F32x interp_FFma(F32x a, F32x b, F32x c) { return fma(a, b, c); }
HWY_INLINE F32x interp_FFms(F32x a, F32x b, F32x c) { return fma(a, b, neg(c)); }
HWY_INLINE F32x interp_FFnma(F32x a, F32x b, F32x c) { return fnma(a, b, c); }
// Zero wins: a factor that is 0 makes the product 0 whatever the other is.
HWY_INLINE Maskx loses_to_zero(F32x result, F32x a, F32x b) {
  return hn::And(is_nan(result), hn::Or(equal(a, hn::Zero(f32)), equal(b, hn::Zero(f32))));
}
HWY_INLINE F32x mul_zero_wins(F32x a, F32x b) { return hn::IfThenZeroElse(loses_to_zero(a * b, a, b), a * b); }
HWY_INLINE F32x fma_zero_wins(F32x a, F32x b, F32x c) {
  const F32x sum = fma(a, b, c);
  return select(loses_to_zero(sum, a, b), c, sum);
}
HWY_INLINE F32x interp_FMin(F32x a, F32x b) { return min(a, b); }
HWY_INLINE F32x interp_FMax(F32x a, F32x b) { return max(a, b); }
HWY_INLINE F32x interp_FNeg(F32x a) { return neg(a); }
HWY_INLINE F32x interp_FAbs(F32x a) { return abs(a); }
HWY_INLINE F32x interp_FSat(F32x a) { return saturate(a); }
HWY_INLINE F32x interp_FCanon(F32x a) { return canonical(a); }
HWY_INLINE F32x interp_FFloor(F32x a) { return floor(a); }
HWY_INLINE F32x interp_FCeil(F32x a) { return ceil(a); }
HWY_INLINE F32x interp_FTrunc(F32x a) { return trunc(a); }
HWY_INLINE F32x interp_FRound(F32x a) { return round_even(a); }
HWY_INLINE F32x interp_FFract(F32x a) { return a - floor(a); }
HWY_INLINE F32x interp_FSign(F32x a) {
  const F32x one = hn::IfThenElseZero(greater(a, hn::Zero(f32)), splat(1.0f));
  return select(less(a, hn::Zero(f32)), splat(-1.0f), one);
}
HWY_INLINE F32x interp_FRcp(F32x a) { return rcp(a); }
HWY_INLINE F32x interp_FSqrt(F32x a) { return sqrt(a); }
HWY_INLINE F32x interp_FRsq(F32x a) { return rsq(a); }
HWY_INLINE F32x interp_FEx2(F32x a) { return ex2(a); }
HWY_INLINE F32x interp_FLg2(F32x a) { return lg2(a); }
HWY_INLINE F32x interp_FSin(F32x a) { return sin(a); }
HWY_INLINE F32x interp_FCos(F32x a) { return cos(a); }

// a * 2^b for half a vector, exact in double: |b| <= 300 is enough to leave the range of float at either end.
using HalfF32x = hn::Vec<hn::Half<F32Tag>>;
using HalfI32x = hn::Vec<hn::Half<I32Tag>>;
HWY_INLINE F64x scale_in_double(HalfF32x a, HalfI32x b) {
  const hn::RebindToSigned<F64Tag> i64;
  const auto exponent = hn::PromoteTo(i64, b) + hn::Set(i64, 1023);
  return hn::PromoteTo(f64, a) * hn::BitCast(f64, hn::ShiftLeft<52>(exponent));
}
HWY_INLINE F32x interp_FLdexp(F32x a, I32x b) {
  const hn::Half<F32Tag> half_f32;
  const hn::Half<I32Tag> half_i32;
  const I32x exponent = hn::Min(hn::Max(b, splat(-300)), splat(300));
  return to_f32(scale_in_double(hn::LowerHalf(a), hn::LowerHalf(exponent)),
                scale_in_double(hn::UpperHalf(half_f32, a), hn::UpperHalf(half_i32, exponent)));
}

HWY_INLINE U32x interp_FLt(F32x a, F32x b) { return words_of(less(a, b)); }
HWY_INLINE U32x interp_FGe(F32x a, F32x b) { return words_of(greater_equal(a, b)); }
HWY_INLINE U32x interp_FEq(F32x a, F32x b) { return words_of(equal(a, b)); }
HWY_INLINE U32x interp_FNe(F32x a, F32x b) { return words_of(not_equal(a, b)); }

// ---- words ----------------------------------------------------------------------------------------------------------

HWY_INLINE U32x interp_Select(U32x a, U32x b, U32x c) { return select(is_true(a), b, c); }
HWY_INLINE U32x interp_And(U32x a, U32x b) { return a & b; }
HWY_INLINE U32x interp_Or(U32x a, U32x b) { return a | b; }
HWY_INLINE U32x interp_Xor(U32x a, U32x b) { return a ^ b; }
HWY_INLINE U32x interp_Not(U32x a) { return hn::Not(a); }
HWY_INLINE U32x interp_Shl(U32x a, U32x b) { return a << (b & splat(31u)); }
HWY_INLINE U32x interp_UShr(U32x a, U32x b) { return a >> (b & splat(31u)); }
HWY_INLINE I32x interp_IShr(I32x a, I32x b) { return a >> (b & splat(31)); }

template <int kShift>
HWY_INLINE U32x swap_fields(U32x x, uint32_t lower) {
  return (hn::ShiftRight<kShift>(x) & splat(lower)) | hn::ShiftLeft<kShift>(x & splat(lower));
}
HWY_INLINE U32x interp_BitReverse(U32x a) {
  a = swap_fields<4>(swap_fields<2>(swap_fields<1>(a, 0x55555555u), 0x33333333u), 0x0f0f0f0fu);
  return swap_fields<16>(swap_fields<8>(a, 0x00ff00ffu), 0x0000ffffu);
}
HWY_INLINE U32x interp_PopCount(U32x a) { return hn::PopulationCount(a); }
// The bits below the lowest one, counted; -1 where there is none.
HWY_INLINE U32x interp_LowBit(U32x a) {
  const U32x below = hn::AndNot(a, a - splat(1u));
  return hn::PopulationCount(below) | words_of(equal(a, hn::Zero(u32)));
}
// The highest bit and all below it, counted, less 1.
HWY_INLINE U32x interp_UHighBit(U32x a) {
  a = a | hn::ShiftRight<1>(a);
  a = a | hn::ShiftRight<2>(a);
  a = a | hn::ShiftRight<4>(a);
  a = a | hn::ShiftRight<8>(a);
  a = a | hn::ShiftRight<16>(a);
  return hn::PopulationCount(a) - splat(1u);
}
HWY_INLINE U32x interp_IHighBit(I32x a) { return interp_UHighBit(as_u32(a ^ hn::ShiftRight<31>(a))); }

// Offset and width of a bit field as Extract and Insert clamp them, and the width's complement as a shift.
struct Field {
  U32x offset, unused_bits;   // unused_bits: 32 - width, in 0 ... 31; for width 0 see is_empty
  Maskx is_empty;
};
HWY_INLINE Field field(U32x offset, U32x width) {
  offset = offset & splat(31u);
  width = hn::Min(width, splat(32u) - offset);
  return {offset, (splat(32u) - width) & splat(31u), equal(width, hn::Zero(u32))};
}
HWY_INLINE U32x interp_UExtract(U32x a, U32x b, U32x c) {
  const Field f = field(b, c);
  return select(f.is_empty, hn::Zero(u32), ((a >> f.offset) << f.unused_bits) >> f.unused_bits);
}
HWY_INLINE I32x interp_IExtract(U32x a, U32x b, U32x c) {
  const Field f = field(b, c);
  return select(f.is_empty, hn::Zero(i32), as_i32((a >> f.offset) << f.unused_bits) >> as_i32(f.unused_bits));
}
HWY_INLINE U32x interp_Insert(U32x a, U32x b, U32x c, U32x d) {
  const Field f = field(c, d);
  const U32x mask = select(f.is_empty, hn::Zero(u32), (splat(~0u) >> f.unused_bits) << f.offset);
  return hn::AndNot(mask, a) | ((b << f.offset) & mask);
}

// ---- integers -------------------------------------------------------------------------------------------------------

HWY_INLINE U32x interp_IAdd(U32x a, U32x b) { return a + b; }
HWY_INLINE U32x interp_ISub(U32x a, U32x b) { return a - b; }
HWY_INLINE U32x interp_INeg(U32x a) { return hn::Zero(u32) - a; }
HWY_INLINE I32x interp_IAbs(I32x a) { return hn::Abs(a); }
HWY_INLINE I32x interp_ISign(I32x a) {
  return hn::ShiftRight<31>(a) | (as_i32(words_of(less(hn::Zero(i32), a))) & splat(1));
}
HWY_INLINE U32x interp_IMul(U32x a, U32x b) { return a * b; }
HWY_INLINE U32x interp_UMulHi(U32x a, U32x b) {
  const hn::Repartition<uint64_t, U32Tag> u64;
  const auto even = hn::MulEven(a, b);
  const auto odd = hn::MulEven(hn::BitCast(u32, hn::ShiftRight<32>(hn::BitCast(u64, a))),
                               hn::BitCast(u32, hn::ShiftRight<32>(hn::BitCast(u64, b))));
  return hn::BitCast(u32, hn::ShiftRight<32>(even) | (odd & hn::Set(u64, 0xffffffff00000000u)));
}
HWY_INLINE I32x interp_IMulHi(I32x a, I32x b) {
  const hn::Repartition<uint64_t, I32Tag> u64;
  const auto upper = [&](I32x x) { return hn::BitCast(i32, hn::ShiftRight<32>(hn::BitCast(u64, x))); };
  const auto even = hn::BitCast(u64, hn::MulEven(a, b)), odd = hn::BitCast(u64, hn::MulEven(upper(a), upper(b)));
  return hn::BitCast(i32, hn::ShiftRight<32>(even) | (odd & hn::Set(u64, 0xffffffff00000000u)));
}

// Quotients of 32-bit numbers are exact in double once truncated: no quotient that is not whole comes within 2^-32 of
// a whole number, relative to a size that leaves 21 bits to spare.
HWY_INLINE F64x double_of_unsigned(HalfI32x bits) {
  const hn::Half<I32Tag> half;
  return hn::PromoteTo(f64, bits ^ hn::Set(half, INT32_MIN)) + splat(2147483648.0);
}
HWY_INLINE HalfI32x quotient_in_double(HalfI32x a, HalfI32x b) {
  const hn::Half<I32Tag> half;
  const F64x quotient = hn::Trunc(double_of_unsigned(a) / double_of_unsigned(b));
  return hn::DemoteTo(half, quotient - splat(2147483648.0)) ^ hn::Set(half, INT32_MIN);
}
HWY_INLINE U32x quotient_nonzero(U32x a, U32x b) {
  const hn::Half<I32Tag> half;
  const I32x x = as_i32(a), y = as_i32(b);
  return as_u32(hn::Combine(i32, quotient_in_double(hn::UpperHalf(half, x), hn::UpperHalf(half, y)),
                            quotient_in_double(hn::LowerHalf(x), hn::LowerHalf(y))));
}
HWY_INLINE U32x interp_UDiv(U32x a, U32x b) {
  const U32x is_zero = words_of(equal(b, hn::Zero(u32)));
  return quotient_nonzero(a, b | is_zero) | is_zero;
}
HWY_INLINE U32x interp_UMod(U32x a, U32x b) {
  const U32x is_zero = words_of(equal(b, hn::Zero(u32)));
  return (a - b * quotient_nonzero(a, b | is_zero)) | is_zero;
}
HWY_INLINE U32x signed_quotient(I32x a, I32x b) {
  const U32x sign = as_u32(hn::ShiftRight<31>(a ^ b));
  const U32x quotient = quotient_nonzero(as_u32(hn::Abs(a)), as_u32(hn::Abs(b)));
  return (quotient ^ sign) - sign;
}
HWY_INLINE U32x interp_IDiv(I32x a, I32x b) {
  const U32x is_zero = words_of(equal(b, hn::Zero(i32)));
  return hn::AndNot(is_zero, signed_quotient(a, b | as_i32(is_zero)));
}
HWY_INLINE U32x interp_IMod(I32x a, I32x b) {
  const U32x is_zero = words_of(equal(b, hn::Zero(i32)));
  return (as_u32(a) - as_u32(b) * signed_quotient(a, b | as_i32(is_zero))) | is_zero;
}

HWY_INLINE I32x interp_IMin(I32x a, I32x b) { return hn::Min(a, b); }
HWY_INLINE I32x interp_IMax(I32x a, I32x b) { return hn::Max(a, b); }
HWY_INLINE U32x interp_UMin(U32x a, U32x b) { return hn::Min(a, b); }
HWY_INLINE U32x interp_UMax(U32x a, U32x b) { return hn::Max(a, b); }
HWY_INLINE U32x interp_ILt(I32x a, I32x b) { return words_of(less(a, b)); }
HWY_INLINE U32x interp_IGe(I32x a, I32x b) { return words_of(greater_equal(a, b)); }
HWY_INLINE U32x interp_ULt(U32x a, U32x b) { return words_of(less(a, b)); }
HWY_INLINE U32x interp_UGe(U32x a, U32x b) { return words_of(greater_equal(a, b)); }
HWY_INLINE U32x interp_IEq(U32x a, U32x b) { return words_of(equal(a, b)); }
HWY_INLINE U32x interp_INe(U32x a, U32x b) { return words_of(not_equal(a, b)); }

// ---- conversions and packing ----------------------------------------------------------------------------------------

HWY_INLINE I32x interp_FToI(F32x a) { return to_int(a); }
HWY_INLINE U32x interp_FToU(F32x a) { return to_uint(a); }
HWY_INLINE F32x interp_IToF(I32x a) { return from_int(a); }
HWY_INLINE F32x interp_UToF(U32x a) { return from_uint(a); }

HWY_INLINE U32x interp_PackHalf(F32x a, F32x b) {
  return half_from_float(canonical(a)) | hn::ShiftLeft<16>(half_from_float(canonical(b)));
}
HWY_INLINE U32x to_unorm(F32x x, float largest) { return as_u32(to_int_nearest(saturate(x) * splat(largest))); }
HWY_INLINE U32x to_snorm8(F32x x) {
  const F32x clamped = hn::IfThenZeroElse(is_nan(x), min(max(x, splat(-1.0f)), splat(1.0f)));
  return as_u32(to_int_nearest(clamped * splat(127.0f))) & splat(0xffu);
}
HWY_INLINE U32x interp_PackUnorm16(F32x a, F32x b) {
  return to_unorm(a, 65535.0f) | hn::ShiftLeft<16>(to_unorm(b, 65535.0f));
}
HWY_INLINE U32x bytes(U32x a, U32x b, U32x c, U32x d) {
  return a | hn::ShiftLeft<8>(b) | hn::ShiftLeft<16>(c) | hn::ShiftLeft<24>(d);
}
HWY_INLINE U32x interp_PackUnorm8(F32x a, F32x b, F32x c, F32x d) {
  return bytes(to_unorm(a, 255.0f), to_unorm(b, 255.0f), to_unorm(c, 255.0f), to_unorm(d, 255.0f));
}
HWY_INLINE U32x interp_PackSnorm8(F32x a, F32x b, F32x c, F32x d) {
  return bytes(to_snorm8(a), to_snorm8(b), to_snorm8(c), to_snorm8(d));
}
HWY_INLINE F32x interp_UnpackHalf(U32x a) { return float_from_half(a); }
HWY_INLINE F32x interp_UnpackUnorm16(U32x a) { return from_int(as_i32(a & splat(0xffffu))) / splat(65535.0f); }
HWY_INLINE F32x interp_UnpackUnorm8(U32x a) { return from_int(as_i32(a & splat(0xffu))) / splat(255.0f); }
HWY_INLINE F32x interp_UnpackSnorm8(U32x a) {
  const I32x byte = hn::ShiftRight<24>(as_i32(hn::ShiftLeft<24>(a)));
  return max(from_int(byte) / splat(127.0f), splat(-1.0f));
}

// ---- quads: each vector holds whole ones -----------------------------------------------------------------------------

HWY_INLINE F32x interp_Ddx(F32x a) { return hn::DupOdd(a) - hn::DupEven(a); }
HWY_INLINE F32x interp_Ddy(F32x a) {
  const F64x rows = hn::BitCast(f64, a);   // a row of a quad is two lanes: one double
  const F32x lower = hn::BitCast(f32, hn::InterleaveUpper(f64, rows, rows)),
             upper = hn::BitCast(f32, hn::InterleaveLower(f64, rows, rows));
  return lower - upper;
}

}  // namespace interp
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
