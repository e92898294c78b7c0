// texture/address.h: one coordinate -> texel indices along one axis; the wrap modes.
// In:     float coordinates, any value: NaN counts as 0; infinities as 0 where they repeat, else as the far edge.
// Out:    indices in [0, size), or -1: the border. The nearest texel is that of the exact product coordinate * size.
//         A linear filter gets two indices and the weight of the second, in 1/256 or as a float.
// Why trunc: s - trunc(s) is exact for every float, so huge and negative coordinates repeat exactly.
// Source: OpenGL 4.6, 8.14.2 (wrap modes) and 8.14.3; Clamp: OpenGL 2.1, 3.8.7; its mirror: EXT_texture_mirror_clamp.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_ADDRESS_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_ADDRESS_H_
#undef TESSERA_TEXTURE_ADDRESS_H_
#else
#define TESSERA_TEXTURE_ADDRESS_H_
#endif

#include "core/simd.h"
#include "texture/bound.h"
#include "texture/constants.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::Axis;
using ::tessera::texture::AxisMode;
using ::tessera::texture::kFilterConstants;

// Where a mode does not repeat, coordinates beyond this many texels stop here.
inline constexpr float kFar_texels = 0x1p20f;

HWY_INLINE bool repeats(AxisMode mode) {
  return mode == AxisMode::RepeatPow2 || mode == AxisMode::Repeat || mode == AxisMode::MirrorRepeat;
}

HWY_INLINE F32x zero_nan(F32x x) { return hn::IfThenElseZero(equal(x, x), x); }
HWY_INLINE F32x clamp_float(F32x x, F32x low, F32x high) { return hn::Min(hn::Max(x, low), high); }
HWY_INLINE I32x clamp_index(I32x i, I32x low, I32x high) { return hn::Min(hn::Max(i, low), high); }

// The part of a coordinate that counts: in (-1, 1) where it repeats, (-2, 2) where it mirrors. Exact.
HWY_INLINE F32x repeat_part(F32x s) { return zero_nan(s - trunc(s)); }
HWY_INLINE F32x mirror_part(F32x s) { return zero_nan(s - splat(2.0f) * trunc(s * splat(0.5f))); }

// The nearest integer of |x| <= 2^22: adding 1.5 * 2^23 leaves it in the low bits.
HWY_INLINE I32x small_int(F32x x) { return as_i32(x + splat(0x1.8p23f)) - splat(0x4b400000); }

// i modulo n for -2n <= i < 2n.
HWY_INLINE I32x modulo_near(I32x i, I32x n) {
  i = i + (hn::ShiftRight<31>(i) & n);
  i = i + (hn::ShiftRight<31>(i) & n);
  return i - hn::AndNot(hn::ShiftRight<31>(i - n), n);
}

// -1, -2, ... become 0, 1, ...
HWY_INLINE I32x mirror_index(I32x i) { return i ^ hn::ShiftRight<31>(i); }

HWY_INLINE I32x border_outside(I32x i, I32x size) { return select(less(as_u32(i), as_u32(size)), i, splat(-1)); }

// The texel that stands for an index beyond the edges. Where the mode repeats: -2 periods <= i < 2 periods.
HWY_INLINE I32x wrap_index(AxisMode mode, I32x i, I32x size) {
  const I32x last = size - splat(1);
  switch (mode) {
    case AxisMode::RepeatPow2: return i & last;
    case AxisMode::Repeat: return modulo_near(i, size);
    case AxisMode::MirrorRepeat: {
      const I32x in_period = modulo_near(i, size + size);
      return hn::Min(in_period, size + last - in_period);
    }
    case AxisMode::ClampToEdge: return clamp_index(i, splat(0), last);
    case AxisMode::MirrorClampToEdge: return hn::Min(mirror_index(i), last);
    case AxisMode::Clamp:
    case AxisMode::ClampToBorder: return border_outside(i, size);
    case AxisMode::MirrorClamp:
    case AxisMode::MirrorClampToBorder: return border_outside(mirror_index(i), size);
  }
  return i;
}

// floor(s * scale) of the exact product: where the rounded product is an integer above it, one less.
HWY_INLINE F32x floor_product(F32x s, F32x scale) {
  const F32x u = s * scale, floor_u = floor(u);
  const Maskx is_above = less(fma(s, scale, neg(u)), splat(0.0f));
  return floor_u - hn::IfThenElseZero(hn::And(is_above, equal(u, floor_u)), splat(1.0f));
}

// ---- nearest ----------------------------------------------------------------------------------------------------

// Offsets: within one period where the mode repeats (bind.cpp and gather.cpp reduce them), below 2^30 elsewhere.
HWY_NOINLINE inline I32x nearest_texel(const Axis& axis, F32x s, I32x offset) {
  const I32x size = splat(axis.size_texels);
  const F32x scale = splat(axis.scale);
  switch (axis.mode) {
    case AxisMode::RepeatPow2:  // the product is exact
      return (small_int(floor(repeat_part(s) * scale)) + offset) & (size - splat(1));
    case AxisMode::Repeat:
    case AxisMode::MirrorRepeat: {
      const F32x part = axis.mode == AxisMode::Repeat ? repeat_part(s) : mirror_part(s);
      return wrap_index(axis.mode, small_int(floor_product(part, scale)) + offset, size);
    }
    default: {
      const F32x texel = clamp_float(floor_product(zero_nan(s), scale), splat(-kFar_texels), splat(kFar_texels));
      const I32x i = small_int(texel) + offset;
      // The old clamps stop at the last texel: only linear filters take them to the border.
      if (axis.mode == AxisMode::Clamp) return wrap_index(AxisMode::ClampToEdge, i, size);
      if (axis.mode == AxisMode::MirrorClamp) return wrap_index(AxisMode::MirrorClampToEdge, i, size);
      return wrap_index(axis.mode, i, size);
    }
  }
}

// x, which is not above `limit`; NaN gives `limit`.
HWY_INLINE F32x limit_or_nan(F32x x, float limit) {
#if HWY_ARCH_X86
  return hn::Min(x, splat(limit));  // MINPS gives its second operand where one is not a number
#else
  return select(is_nan(x), splat(limit), x);
#endif
}

HWY_INLINE I32x nearest_repeat_pow2(const Axis& axis, F32x s) {
  // 2^14 texels are a whole number of periods: for NaN as good as 0.
  return small_int(floor(limit_or_nan((s - trunc(s)) * splat(axis.scale), 0x1p14f))) & splat(axis.last_texel);
}

// ---- linear -----------------------------------------------------------------------------------------------------

// Indices of the two texels of a linear filter.
struct TexelPair {
  I32x first, second;
};

HWY_NOINLINE inline TexelPair wrap_pair(const Axis& axis, I32x first) {
  const I32x size = splat(axis.size_texels);
  return {wrap_index(axis.mode, first, size), wrap_index(axis.mode, first + splat(1), size)};
}

// The coordinate in units of 1 / (scale / axis.scale) texels: finite, and stopped where its mode stops.
HWY_INLINE F32x linear_coordinate(const Axis& axis, F32x s, float scale, float unit) {
  if (axis.mode == AxisMode::MirrorRepeat) return mirror_part(s) * splat(scale);
  if (repeats(axis.mode)) return repeat_part(s) * splat(scale);
  return clamp_float(zero_nan(s) * splat(scale), splat(axis.stop_low_texels * unit),
                     splat(axis.stop_high_texels * unit));
}

// The distance from the centre of texel 0 in 1/256 texel, nearest.
HWY_NOINLINE inline I32x linear_position_fx8(const Axis& axis, F32x s) {
  const F32x u_fx8 = linear_coordinate(axis, s, axis.scale_fx8, 256.0f);
  const bool is_small = axis.mode == AxisMode::RepeatPow2 || axis.mode == AxisMode::Repeat;
  return (is_small ? small_int(u_fx8) : to_int_nearest(u_fx8)) - splat(128);
}

// The nearest integer of |u| <= 2^22 (small_int), less half a texel in 1/256.
HWY_INLINE I32x fx8_less_half(F32x u_fx8) {
  return as_i32(u_fx8 + splat(0x1.8p23f)) - splat(kFilterConstants.rounded_half);
}

HWY_INLINE I32x linear_repeat_fx8(const Axis& axis, F32x s) {
  // 2^22 in 1/256 is a whole number of periods: for NaN as good as 0.
  return fx8_less_half(limit_or_nan((s - trunc(s)) * splat(axis.scale_fx8), 0x1p22f));
}
HWY_INLINE TexelPair wrap_pair_pow2(const Axis& axis, I32x first) {
  const I32x last = splat(axis.last_texel);
  return {first & last, (first + splat(kFilterConstants.one)) & last};
}
// Coordinates of a face of a cube are in [0, 1].
HWY_INLINE I32x linear_face_fx8(const Axis& axis, F32x s) { return fx8_less_half(zero_nan(s) * splat(axis.scale_fx8)); }

// The same as whole texels and a fraction in [0, 1].
struct LinearPosition {
  I32x texel;
  F32x fraction;
};

HWY_NOINLINE inline LinearPosition linear_position(const Axis& axis, F32x s) {
  const F32x u = linear_coordinate(axis, s, axis.scale, 1.0f) - splat(0.5f), whole = floor(u);
  return {small_int(whole), u - whole};
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
