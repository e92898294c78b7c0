// core/simd.h: vectors of 32-bit lanes over Highway, with the operations whose bits the numbers contract fixes.
// Include in a kernel file after hwy/foreach_target.h (or alone, for the baseline target); everything lies in
// tessera::HWY_NAMESPACE. kLanes is 4 (SSE4, NEON) or 8 (AVX2); a block of 64 lanes is a whole number of vectors.
//
// Use the operators + - * / & | ^ of Highway's vectors: they are correctly rounded everywhere. Where Highway and this
// file offer the same operation (MulAdd, Min, ConvertTo, half conversion, ...), take the one here: theirs differ
// between targets. core/scalar.h has the same operations on one float.
// A NaN that an arithmetic operation makes may have any sign and payload; canonical() fixes it where bits show.
#if defined(TESSERA_CORE_SIMD_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_CORE_SIMD_H_
#undef TESSERA_CORE_SIMD_H_
#else
#define TESSERA_CORE_SIMD_H_
#endif

#include <cstddef>
#include <cstdint>

#include "hwy/highway.h"

// Under sanitizers forced inlining multiplies instrumented code: one kernel file would take minutes to compile.
#ifdef TESSERA_SANITIZED
#undef HWY_INLINE
#define HWY_INLINE inline
#endif

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// CappedTag keeps vectors at 8 lanes or fewer on every target.
using F32Tag = hn::CappedTag<float, 8>;
using I32Tag = hn::RebindToSigned<F32Tag>;
using U32Tag = hn::RebindToUnsigned<F32Tag>;
using F64Tag = hn::Repartition<double, F32Tag>;
using F32x = hn::Vec<F32Tag>;
using I32x = hn::Vec<I32Tag>;
using U32x = hn::Vec<U32Tag>;
using F64x = hn::Vec<F64Tag>;      // half as many lanes
using Maskx = hn::Mask<F32Tag>;    // of lanes, whatever type they have; combine with hn::And, Or, AndNot, Not, Xor
using Mask64x = hn::Mask<F64Tag>;
inline constexpr F32Tag f32{};
inline constexpr I32Tag i32{};
inline constexpr U32Tag u32{};
inline constexpr F64Tag f64{};
inline constexpr size_t kLanes = hn::MaxLanes(F32Tag{});
inline constexpr size_t kVectorsInBlock = 64 / kLanes;

// ---- constants, memory, views of the same bits ------------------------------------------------------------------

HWY_INLINE F32x splat(float x) { return hn::Set(f32, x); }
HWY_INLINE I32x splat(int32_t x) { return hn::Set(i32, x); }
HWY_INLINE U32x splat(uint32_t x) { return hn::Set(u32, x); }
HWY_INLINE F64x splat(double x) { return hn::Set(f64, x); }
HWY_INLINE U32x lane_numbers() { return hn::Iota(u32, 0); }

HWY_INLINE F32x as_f32(F32x x) { return x; }
HWY_INLINE F32x as_f32(I32x x) { return hn::BitCast(f32, x); }
HWY_INLINE F32x as_f32(U32x x) { return hn::BitCast(f32, x); }
HWY_INLINE I32x as_i32(F32x x) { return hn::BitCast(i32, x); }
HWY_INLINE I32x as_i32(I32x x) { return x; }
HWY_INLINE I32x as_i32(U32x x) { return hn::BitCast(i32, x); }
HWY_INLINE U32x as_u32(F32x x) { return hn::BitCast(u32, x); }
HWY_INLINE U32x as_u32(I32x x) { return hn::BitCast(u32, x); }
HWY_INLINE U32x as_u32(U32x x) { return x; }

// Aligned to the vector's size: slots and tile buffers are.
HWY_INLINE F32x load(const float* p) { return hn::Load(f32, p); }
HWY_INLINE I32x load(const int32_t* p) { return hn::Load(i32, p); }
HWY_INLINE U32x load(const uint32_t* p) { return hn::Load(u32, p); }
HWY_INLINE F32x load_unaligned(const float* p) { return hn::LoadU(f32, p); }
HWY_INLINE I32x load_unaligned(const int32_t* p) { return hn::LoadU(i32, p); }
HWY_INLINE U32x load_unaligned(const uint32_t* p) { return hn::LoadU(u32, p); }
HWY_INLINE void store(F32x x, float* p) { hn::Store(x, f32, p); }
HWY_INLINE void store(I32x x, int32_t* p) { hn::Store(x, i32, p); }
HWY_INLINE void store(U32x x, uint32_t* p) { hn::Store(x, u32, p); }
HWY_INLINE void store_unaligned(F32x x, float* p) { hn::StoreU(x, f32, p); }
HWY_INLINE void store_unaligned(I32x x, int32_t* p) { hn::StoreU(x, i32, p); }
HWY_INLINE void store_unaligned(U32x x, uint32_t* p) { hn::StoreU(x, u32, p); }
// Floats kept in memory as words (slots).
HWY_INLINE F32x load_float(const uint32_t* p) { return as_f32(load(p)); }
HWY_INLINE void store_float(F32x x, uint32_t* p) { store(as_u32(x), p); }

// The word at base[index]; every index must be readable, those of unused lanes too.
HWY_INLINE U32x gather(const uint32_t* base, I32x index) {
#if HWY_TARGET == HWY_SSE4
  const __m128i i = index.raw;
  const auto* words = reinterpret_cast<const int32_t*>(base);
  return U32x{_mm_setr_epi32(words[_mm_extract_epi32(i, 0)], words[_mm_extract_epi32(i, 1)],
                             words[_mm_extract_epi32(i, 2)], words[_mm_extract_epi32(i, 3)])};
#else
  return hn::GatherIndex(u32, base, index);
#endif
}
HWY_INLINE F32x gather(const float* base, I32x index) { return hn::GatherIndex(f32, base, index); }
// The word that starts `offset` bytes after base, at any alignment.
HWY_INLINE U32x gather_bytes(const void* base, I32x offset) {
  return hn::GatherOffset(u32, static_cast<const uint32_t*>(base), offset);
}

// ---- masks ------------------------------------------------------------------------------------------------------

HWY_INLINE Maskx less(F32x a, F32x b) { return hn::Lt(a, b); }
HWY_INLINE Maskx less_equal(F32x a, F32x b) { return hn::Le(a, b); }
HWY_INLINE Maskx greater(F32x a, F32x b) { return hn::Gt(a, b); }
HWY_INLINE Maskx greater_equal(F32x a, F32x b) { return hn::Ge(a, b); }
HWY_INLINE Maskx equal(F32x a, F32x b) { return hn::Eq(a, b); }
// True with a NaN. (hn::Ne is so on some targets only.)
HWY_INLINE Maskx not_equal(F32x a, F32x b) { return hn::Not(hn::Eq(a, b)); }
HWY_INLINE Maskx is_nan(F32x x) { return hn::IsNaN(x); }
HWY_INLINE Maskx less(I32x a, I32x b) { return hn::RebindMask(f32, hn::Lt(a, b)); }
HWY_INLINE Maskx equal(I32x a, I32x b) { return hn::RebindMask(f32, hn::Eq(a, b)); }
HWY_INLINE Maskx not_equal(I32x a, I32x b) { return hn::Not(equal(a, b)); }
HWY_INLINE Maskx greater_equal(I32x a, I32x b) { return hn::Not(less(a, b)); }
HWY_INLINE Maskx less(U32x a, U32x b) {
  const U32x top = splat(0x80000000u);
  return less(as_i32(a ^ top), as_i32(b ^ top));
}
HWY_INLINE Maskx equal(U32x a, U32x b) { return hn::RebindMask(f32, hn::Eq(a, b)); }
HWY_INLINE Maskx not_equal(U32x a, U32x b) { return hn::Not(equal(a, b)); }
HWY_INLINE Maskx greater_equal(U32x a, U32x b) { return hn::Not(less(a, b)); }

// ~0 in true lanes, 0 in others; and back: from words that are ~0 or 0, from any words (0 is false).
HWY_INLINE U32x words_of(Maskx m) { return hn::BitCast(u32, hn::VecFromMask(f32, m)); }
HWY_INLINE Maskx mask_of_words(U32x all_or_none) { return hn::MaskFromVec(as_f32(all_or_none)); }
HWY_INLINE Maskx is_true(U32x word) { return not_equal(word, hn::Zero(u32)); }

// mask ? a : b, whatever the lanes are.
HWY_INLINE F32x select(Maskx m, F32x a, F32x b) { return hn::IfThenElse(m, a, b); }
HWY_INLINE U32x select(Maskx m, U32x a, U32x b) { return as_u32(select(m, as_f32(a), as_f32(b))); }
HWY_INLINE I32x select(Maskx m, I32x a, I32x b) { return as_i32(select(m, as_f32(a), as_f32(b))); }

HWY_INLINE bool any(Maskx m) { return !hn::AllFalse(f32, m); }
HWY_INLINE bool all(Maskx m) { return hn::AllTrue(f32, m); }

// Bit i of the result is lane i.
HWY_INLINE uint32_t bits_of(Maskx m) {
#if HWY_TARGET == HWY_AVX2
  return static_cast<uint32_t>(_mm256_movemask_ps(m.raw));
#elif HWY_TARGET == HWY_SSE4
  return static_cast<uint32_t>(_mm_movemask_ps(m.raw));
#else
  uint8_t bytes[8] = {};
  hn::StoreMaskBits(f32, m, bytes);
  return bytes[0];
#endif
}
// Lane i is bit i of `bits`; higher bits do not matter.
HWY_INLINE Maskx mask_of_bits(uint32_t bits) {
  const U32x lane_bit = hn::Shl(splat(1u), lane_numbers());
  return equal(splat(bits) & lane_bit, lane_bit);
}
// Vector `v` of a block's 64-lane mask, and its share of one.
HWY_INLINE Maskx mask_of_block(uint64_t block, size_t v) {
  return mask_of_bits(static_cast<uint32_t>(block >> v * kLanes));
}
HWY_INLINE uint64_t block_bits(Maskx m, size_t v) { return uint64_t{bits_of(m)} << v * kLanes; }

// ---- double: the lower and the upper half of a vector --------------------------------------------------------------

HWY_INLINE F64x to_f64_lower(F32x x) { return hn::PromoteTo(f64, hn::LowerHalf(x)); }
HWY_INLINE F64x to_f64_upper(F32x x) { return hn::PromoteTo(f64, hn::UpperHalf(hn::Half<F32Tag>{}, x)); }
HWY_INLINE F32x to_f32(F64x lower, F64x upper) {
  const hn::Half<F32Tag> half;
  return hn::Combine(f32, hn::DemoteTo(half, upper), hn::DemoteTo(half, lower));
}

// ---- arithmetic -------------------------------------------------------------------------------------------------

#if HWY_TARGET == HWY_SSE4
// One half of fma() where the plain sum of the doubles would be rounded twice: the sum is rounded to odd instead (of
// the two doubles around the exact value the one with an odd last bit), which a later rounding to float cannot mistake
// for a tie.
HWY_INLINE __m128d sum_to_odd(__m128d product, __m128d c, __m128d sum) {
  // error = product + c - sum, exactly. NaN where the sum is not finite, so that neither comparison holds.
  const __m128d c_part = _mm_sub_pd(sum, product);
  const __m128d error = _mm_add_pd(_mm_sub_pd(product, _mm_sub_pd(sum, c_part)), _mm_sub_pd(c, c_part));
  const __m128d zero = _mm_setzero_pd();
  const __m128i inexact = _mm_castpd_si128(_mm_or_pd(_mm_cmplt_pd(error, zero), _mm_cmpgt_pd(error, zero)));
  // Step an even last bit away from zero (+1) where the error has the sign of the sum, else towards it (-1).
  const __m128i bits = _mm_castpd_si128(sum), one = _mm_set1_epi64x(1);
  const __m128i even = _mm_andnot_si128(bits, one);
  const __m128i towards_zero = _mm_cmpgt_epi64(_mm_setzero_si128(), _mm_xor_si128(bits, _mm_castpd_si128(error)));
  const __m128i step = _mm_sub_epi64(_mm_xor_si128(even, towards_zero), towards_zero);
  return _mm_castsi128_pd(_mm_add_epi64(bits, _mm_and_si128(step, inexact)));
}
#endif

// a * b + c, rounded once.
HWY_INLINE F32x fma(F32x a, F32x b, F32x c) {
#if HWY_TARGET == HWY_SSE4
  // The product of two floats is exact in double. Rounding the sum to double and then to float goes wrong only where
  // the double looks like a tie between floats, or the result is denormal: then the whole vector takes the longer way.
  const __m128d c0 = _mm_cvtps_pd(c.raw), c1 = _mm_cvtps_pd(_mm_movehl_ps(c.raw, c.raw));
  const __m128d p0 = _mm_mul_pd(_mm_cvtps_pd(a.raw), _mm_cvtps_pd(b.raw));
  const __m128d p1 = _mm_mul_pd(_mm_cvtps_pd(_mm_movehl_ps(a.raw, a.raw)), _mm_cvtps_pd(_mm_movehl_ps(b.raw, b.raw)));
  const __m128d s0 = _mm_add_pd(p0, c0), s1 = _mm_add_pd(p1, c1);
  const __m128 result = _mm_movelh_ps(_mm_cvtpd_ps(s0), _mm_cvtpd_ps(s1));
  const __m128i low = _mm_castps_si128(_mm_shuffle_ps(_mm_castpd_ps(s0), _mm_castpd_ps(s1), _MM_SHUFFLE(2, 0, 2, 0)));
  const __m128i tie = _mm_cmpeq_epi32(_mm_and_si128(low, _mm_set1_epi32(0x1fffffff)), _mm_set1_epi32(0x10000000));
  const __m128i magnitude = _mm_and_si128(_mm_castps_si128(result), _mm_set1_epi32(0x7fffffff));
  const __m128i small = _mm_and_si128(_mm_cmpgt_epi32(_mm_set1_epi32(0x00800001), magnitude),
                                      _mm_cmpgt_epi32(magnitude, _mm_setzero_si128()));
  if (HWY_LIKELY(_mm_movemask_ps(_mm_castsi128_ps(_mm_or_si128(tie, small))) == 0)) return F32x{result};
  return F32x{_mm_movelh_ps(_mm_cvtpd_ps(sum_to_odd(p0, c0, s0)), _mm_cvtpd_ps(sum_to_odd(p1, c1, s1)))};
#else
  return hn::MulAdd(a, b, c);   // one fused instruction on these targets
#endif
}
// c - a * b, rounded once.
HWY_INLINE F32x fnma(F32x a, F32x b, F32x c) {
#if HWY_TARGET == HWY_SSE4
  return fma(hn::Neg(a), b, c);
#else
  return hn::NegMulAdd(a, b, c);
#endif
}
HWY_INLINE F64x fma(F64x a, F64x b, F64x c) {
#if HWY_TARGET == HWY_SSE4
  alignas(16) double x[2], y[2], z[2];
  hn::Store(a, f64, x);
  hn::Store(b, f64, y);
  hn::Store(c, f64, z);
  for (size_t i = 0; i < 2; ++i) z[i] = __builtin_fma(x[i], y[i], z[i]);
  return hn::Load(f64, z);
#else
  return hn::MulAdd(a, b, c);
#endif
}

// a < b ? a : (b is NaN ? a : b): with one NaN the other operand, with two zeros the second.
HWY_INLINE F32x min(F32x a, F32x b) {
#if HWY_ARCH_X86
  return select(is_nan(b), a, hn::Min(a, b));   // MINPS is a < b ? a : b
#else
  return select(hn::Or(less(a, b), is_nan(b)), a, b);
#endif
}
HWY_INLINE F32x max(F32x a, F32x b) {
#if HWY_ARCH_X86
  return select(is_nan(b), a, hn::Max(a, b));
#else
  return select(hn::Or(greater(a, b), is_nan(b)), a, b);
#endif
}
// Clamped to [0, 1]; NaN gives 0, -0 gives +0.
HWY_INLINE F32x saturate(F32x x) {
#if HWY_ARCH_X86
  return hn::Min(hn::Max(x, hn::Zero(f32)), splat(1.0f));  // MAXPS gives its second operand unless the first is greater
#else
  const F32x positive = hn::IfThenElseZero(greater(x, hn::Zero(f32)), x);
  return select(less(positive, splat(1.0f)), positive, splat(1.0f));
#endif
}

HWY_INLINE F32x abs(F32x x) { return hn::Abs(x); }
HWY_INLINE F32x neg(F32x x) { return as_f32(as_u32(x) ^ splat(0x80000000u)); }
HWY_INLINE F32x sqrt(F32x x) { return hn::Sqrt(x); }
HWY_INLINE F32x rcp(F32x x) { return splat(1.0f) / x; }
HWY_INLINE F32x rsq(F32x x) { return splat(1.0f) / hn::Sqrt(x); }
HWY_INLINE F32x floor(F32x x) { return hn::Floor(x); }
HWY_INLINE F32x ceil(F32x x) { return hn::Ceil(x); }
HWY_INLINE F32x trunc(F32x x) { return hn::Trunc(x); }
HWY_INLINE F32x round_even(F32x x) { return hn::Round(x); }

// Every NaN as 0x7fc00000.
HWY_INLINE F32x canonical(F32x x) { return select(is_nan(x), as_f32(splat(0x7fc00000u)), x); }

// ---- conversions ------------------------------------------------------------------------------------------------

// Truncate, saturate; NaN gives 0.
HWY_INLINE I32x to_int(F32x x) {
#if HWY_TARGET == HWY_AVX2
  const I32x raw{_mm256_cvttps_epi32(x.raw)};   // 0x80000000 where the value does not fit
#elif HWY_TARGET == HWY_SSE4
  const I32x raw{_mm_cvttps_epi32(x.raw)};
#else
  const I32x raw = hn::ConvertTo(i32, x);
#endif
#if HWY_ARCH_X86
  const U32x too_large = words_of(greater_equal(x, splat(2147483648.0f)));
  return as_i32(hn::IfThenZeroElse(is_nan(x), as_f32(as_u32(raw) ^ too_large)));
#else
  return raw;
#endif
}
HWY_INLINE U32x to_uint(F32x x) {
  const F32x half_range = splat(2147483648.0f), positive = hn::IfThenElseZero(greater(x, hn::Zero(f32)), x);
  const Maskx upper = greater_equal(positive, half_range);
  const F32x reduced = positive - hn::IfThenElseZero(upper, half_range);
  const U32x raw = as_u32(to_int(reduced)) | (words_of(upper) & splat(0x80000000u));
  return raw | words_of(greater_equal(positive, splat(4294967296.0f)));
}
// The nearest integer, ties to even, of a value within int's range.
HWY_INLINE I32x to_int_nearest(F32x x) { return hn::NearestInt(x); }

// Round to nearest even.
HWY_INLINE F32x from_int(I32x x) { return hn::ConvertTo(f32, x); }
HWY_INLINE F32x from_uint(U32x x) {
  const F32x upper = hn::ConvertTo(f32, as_i32(hn::ShiftRight<16>(x)));
  const F32x lower = hn::ConvertTo(f32, as_i32(x & splat(0xffffu)));
  return upper * splat(65536.0f) + lower;   // only the sum is rounded
}

// Half precision in the low 16 bits of a word; the upper 16 are 0. Round to nearest even, denormals kept, overflow to
// infinity, NaN made quiet with the upper payload.
HWY_INLINE U32x half_from_float(F32x x) {
  const U32x bits = as_u32(x), magnitude = bits & splat(0x7fffffffu), sign = hn::ShiftRight<16>(bits ^ magnitude);
  const U32x odd = hn::ShiftRight<13>(magnitude) & splat(1u);
  const U32x normal = hn::ShiftRight<13>(magnitude + odd + splat(0xfffu - (112u << 23)));
  // Below 2^-14 the unit is 2^-24, that of floats in [0.5, 1): the addition rounds there.
  const U32x denormal = as_u32(as_f32(magnitude) + splat(0.5f)) - splat(0x3f000000u);
  const U32x nan = (hn::ShiftRight<13>(magnitude) & splat(0x3ffu)) | splat(0x7e00u);
  U32x half = select(less(as_i32(magnitude), splat(0x38800000)), denormal, normal);
  half = select(less(as_i32(magnitude), splat(0x47800000)), half, splat(0x7c00u));
  half = select(is_nan(x), nan, half);
  return half | sign;
}
// Takes the low 16 bits of each word.
HWY_INLINE F32x float_from_half(U32x half) {
  const U32x sign = hn::ShiftLeft<16>(half & splat(0x8000u));
  const U32x magnitude = half & splat(0x7fffu), mantissa = half & splat(0x3ffu);
  const U32x normal = hn::ShiftLeft<13>(magnitude) + splat(112u << 23);
  const U32x denormal = as_u32(from_int(as_i32(mantissa)) * splat(0x1p-24f));
  const Maskx is_special = less(splat(0x7bff), as_i32(magnitude)), is_payload = less(splat(0x7c00), as_i32(magnitude));
  const U32x special = hn::ShiftLeft<13>(mantissa) | splat(0x7f800000u) | (words_of(is_payload) & splat(0x400000u));
  const U32x finite = select(less(as_i32(magnitude), splat(0x400)), denormal, normal);
  return as_f32(select(is_special, special, finite) | sign);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
