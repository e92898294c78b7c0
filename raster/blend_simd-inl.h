// raster/blend_simd-inl.h: factors and equations on vectors of lanes, and 8-bit unorm texels with alpha in the top byte.
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

HWY_INLINE U32x to_un8(F32x in_range) { return as_u32(to_int_nearest(in_range * splat(255.0f))); }

// Byte n of each texel.
template <int kByte>
HWY_INLINE U32x texel_byte(U32x texels) {
  if constexpr (kByte == 3) return hn::ShiftRight<24>(texels);
  else if constexpr (kByte == 0) return texels & splat(255u);
  else return hn::ShiftRight<8 * kByte>(texels) & splat(255u);
}

HWY_INLINE U32x texel_of_bytes(U32x b0, U32x b1, U32x b2, U32x b3) {
  return (b0 | hn::ShiftLeft<8>(b1)) | (hn::ShiftLeft<16>(b2) | hn::ShiftLeft<24>(b3));
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

HWY_INLINE F32x blend_factor(raster::BlendFactor factor, int channel, const Channels& s, const Channels& s1, const Channels& d, const float* constant) {
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

HWY_INLINE Channels blend_channels(const raster::ColorWrite& w, const Channels& s, const Channels& s1, const Channels& d) {
  Channels out;
  for (int c = 0; c < 4; ++c) {
    const raster::BlendFactor src = c < 3 ? w.blend.rgb_src : w.blend.alpha_src, dst = c < 3 ? w.blend.rgb_dst : w.blend.alpha_dst;
    out.c[c] = blend_equation(c < 3 ? w.blend.rgb_equation : w.blend.alpha_equation, s.c[c],
                              blend_factor(src, c, s, s1, d, w.constant), d.c[c], blend_factor(dst, c, s, s1, d, w.constant));
  }
  return out;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
