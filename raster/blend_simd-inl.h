// raster/blend_simd-inl.h: factors and equations on vectors of lanes; 8-bit unorm texels, alpha in the top byte.
#if defined(TESSERA_RASTER_BLEND_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RASTER_BLEND_SIMD_INL_H_
#undef TESSERA_RASTER_BLEND_SIMD_INL_H_
#else
#define TESSERA_RASTER_BLEND_SIMD_INL_H_
#endif

#include "core/simd.h"
#include "raster/blend.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// k / 255, correctly rounded, for integers 0..255.
HWY_INLINE F32x from_un8(U32x k) {
  const F32x x = from_int(as_i32(k));
#if HWY_TARGET == HWY_SSE4
  return x / splat(255.0f);
#else
  // 1/255 in two floats: the sum is rounded once, and comes out right for all 256 values.
  return fma(x, splat(0x1.010102p-8f), x * splat(-0x1.fdfdfep-33f));
#endif
}

// Byte n of each texel.
template <int kByte>
HWY_INLINE U32x texel_byte(U32x texels) {
  if constexpr (kByte == 3) return hn::ShiftRight<24>(texels);
  else if constexpr (kByte == 0) return texels & splat(255u);
  else return hn::ShiftRight<8 * kByte>(texels) & splat(255u);
}

#if !HWY_ARCH_X86
HWY_INLINE U32x un8_byte(F32x scaled) {
  return as_u32(hn::Min(to_int_nearest(hn::IfThenElseZero(greater(scaled, hn::Zero(f32)), scaled)), splat(255)));
}
#endif

// Four channels, lowest byte first, to texels: each times 255, rounded half to even. They lie below 1 + 2^-10, or are
// anything at all below 0, NaN too, which gives 0.
HWY_INLINE U32x un8_texels(F32x b0, F32x b1, F32x b2, F32x b3) {
  const F32x scale = splat(255.0f);
  b0 = b0 * scale;
  b1 = b1 * scale;
  b2 = b2 * scale;
  b3 = b3 * scale;
#if HWY_ARCH_X86
  // What fits no int becomes INT_MIN, NaN too; the packs saturate it, like every negative number, to 0.
#if HWY_TARGET == HWY_AVX2
  const __m256i low = _mm256_packs_epi32(_mm256_cvtps_epi32(b0.raw), _mm256_cvtps_epi32(b1.raw));
  const __m256i high = _mm256_packs_epi32(_mm256_cvtps_epi32(b2.raw), _mm256_cvtps_epi32(b3.raw));
  const U32x planes{_mm256_packus_epi16(low, high)};
#else
  const __m128i low = _mm_packs_epi32(_mm_cvtps_epi32(b0.raw), _mm_cvtps_epi32(b1.raw));
  const __m128i high = _mm_packs_epi32(_mm_cvtps_epi32(b2.raw), _mm_cvtps_epi32(b3.raw));
  const U32x planes{_mm_packus_epi16(low, high)};
#endif
  alignas(32) static constexpr uint8_t kInterleave[32] = {0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15,
                                                          0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15};
  const hn::Repartition<uint8_t, U32Tag> u8;
  return hn::BitCast(u32, hn::TableLookupBytes(hn::BitCast(u8, planes), hn::Load(u8, kInterleave)));
#else
  return (un8_byte(b0) | hn::ShiftLeft<8>(un8_byte(b1))) |
         (hn::ShiftLeft<16>(un8_byte(b2)) | hn::ShiftLeft<24>(un8_byte(b3)));
#endif
}

// The half of a clamp to [0, 1] that un8_texels() needs: NaN and what is below 0 stay as they are.
HWY_INLINE F32x at_most_one(F32x x) {
#if HWY_ARCH_X86
  return hn::Min(splat(1.0f), x);   // MINPS gives its second operand unless the first is less
#else
  return saturate(x);
#endif
}

// Clamped to [-1, 1]; NaN gives 0.
HWY_INLINE F32x clamp_snorm(F32x x) {
  x = hn::IfThenZeroElse(is_nan(x), x);
  return max(min(x, splat(1.0f)), splat(-1.0f));
}

// The four channels of a vector of lanes.
struct Channels {
  F32x c[4];
};

HWY_INLINE F32x one_minus(F32x x) { return splat(1.0f) - x; }

HWY_INLINE F32x blend_factor(raster::BlendFactor factor, int channel, const Channels& s, const Channels& s1,
                             const Channels& d, const float* constant) {
  using raster::BlendFactor;
  switch (factor) {
    case BlendFactor::Zero: break;
    case BlendFactor::One: return splat(1.0f);
    case BlendFactor::SrcColor: return s.c[channel];
    case BlendFactor::InvSrcColor: return one_minus(s.c[channel]);
    case BlendFactor::SrcAlpha: return s.c[3];
    case BlendFactor::InvSrcAlpha: return one_minus(s.c[3]);
    case BlendFactor::DstColor: return d.c[channel];
    case BlendFactor::InvDstColor: return one_minus(d.c[channel]);
    case BlendFactor::DstAlpha: return d.c[3];
    case BlendFactor::InvDstAlpha: return one_minus(d.c[3]);
    case BlendFactor::ConstColor: return splat(constant[channel]);
    case BlendFactor::InvConstColor: return one_minus(splat(constant[channel]));
    case BlendFactor::ConstAlpha: return splat(constant[3]);
    case BlendFactor::InvConstAlpha: return one_minus(splat(constant[3]));
    case BlendFactor::SrcAlphaSaturate: return channel == 3 ? splat(1.0f) : min(s.c[3], one_minus(d.c[3]));
    case BlendFactor::Src1Color: return s1.c[channel];
    case BlendFactor::InvSrc1Color: return one_minus(s1.c[channel]);
    case BlendFactor::Src1Alpha: return s1.c[3];
    case BlendFactor::InvSrc1Alpha: return one_minus(s1.c[3]);
  }
  return hn::Zero(f32);
}

HWY_INLINE F32x blend_equation(raster::BlendEquation equation, F32x s, F32x sf, F32x d, F32x df) {
  using raster::BlendEquation;
  switch (equation) {
    case BlendEquation::Add: break;
    case BlendEquation::Subtract: return fnma(d, df, s * sf);
    case BlendEquation::ReverseSubtract: return fma(d, df, neg(s * sf));
    case BlendEquation::Min: return min(s, d);
    case BlendEquation::Max: return max(s, d);
  }
  return fma(d, df, s * sf);
}

HWY_INLINE Channels blend_channels(const raster::ColorWrite& w, const Channels& s, const Channels& s1,
                                   const Channels& d) {
  Channels out;
  for (int c = 0; c < 4; ++c) {
    const raster::BlendFactor src = c < 3 ? w.blend.rgb_src : w.blend.alpha_src,
                              dst = c < 3 ? w.blend.rgb_dst : w.blend.alpha_dst;
    out.c[c] =
        blend_equation(c < 3 ? w.blend.rgb_equation : w.blend.alpha_equation, s.c[c],
                       blend_factor(src, c, s, s1, d, w.constant), d.c[c], blend_factor(dst, c, s, s1, d, w.constant));
  }
  return out;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
