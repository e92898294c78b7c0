// raster/blend_advanced_simd-inl.h: the fifteen equations of KHR_blend_equation_advanced on vectors of lanes.
// In:     premultiplied colours of source and destination.
// Range:  both are clamped to [0, 1] (NaN gives 0) whatever the target's format; C / A is at most 1, and 0 where A is
//         0. So every case that the extension leaves undefined has a value.
// Formulas: c = min(1, C / A); colour = fma(f(cs, cd), As * Ad, fma(cs, As * (1 - Ad), cd * (Ad * (1 - As))));
//         alpha = fma(Ad, 1 - As, As). Each function f below rounds after every operation or fma that it names.
// Source: KHR_blend_equation_advanced, tables X.1 and X.2.
#if defined(TESSERA_RASTER_BLEND_ADVANCED_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RASTER_BLEND_ADVANCED_SIMD_INL_H_
#undef TESSERA_RASTER_BLEND_ADVANCED_SIMD_INL_H_
#else
#define TESSERA_RASTER_BLEND_ADVANCED_SIMD_INL_H_
#endif

#include "core/simd.h"
#include "raster/blend_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// ---- of one channel -------------------------------------------------------------------------------------------------

HWY_INLINE F32x hard_light(F32x s, F32x d) {
  const F32x twice = s + s, low = twice * d;
  const F32x high = fnma(splat(2.0f) - twice, one_minus(d), splat(1.0f));
  return select(greater(s, splat(0.5f)), high, low);
}

HWY_INLINE F32x color_dodge(F32x s, F32x d) {
  const F32x one = splat(1.0f), quotient = min(d / one_minus(s), one);
  return hn::IfThenElseZero(greater(d, hn::Zero(f32)), select(less(s, one), quotient, one));
}

HWY_INLINE F32x color_burn(F32x s, F32x d) {
  const F32x one = splat(1.0f), rest = one_minus(min(one_minus(d) / s, one));
  return select(less(d, one), hn::IfThenElseZero(greater(s, hn::Zero(f32)), rest), one);
}

HWY_INLINE F32x soft_light(F32x s, F32x d) {
  const F32x bias = fma(splat(2.0f), s, splat(-1.0f));                 // exact where it is not small
  const F32x darker = fma(bias * d, one_minus(d), d);
  const F32x cubic = fma(fma(splat(16.0f), d, splat(-12.0f)), d, splat(3.0f));
  const F32x dark = fma(bias * d, cubic, d), light = fma(bias, sqrt(d) - d, d);
  const F32x brighter = select(greater(d, splat(0.25f)), light, dark);
  return select(greater(s, splat(0.5f)), brighter, darker);
}

template <raster::AdvancedEquation kMode>
HWY_INLINE F32x mix_channel(F32x s, F32x d) {
  using raster::AdvancedEquation;
  if constexpr (kMode == AdvancedEquation::Multiply) return s * d;
  else if constexpr (kMode == AdvancedEquation::Screen) return fnma(s, d, s + d);
  else if constexpr (kMode == AdvancedEquation::Overlay) return hard_light(d, s);
  else if constexpr (kMode == AdvancedEquation::Darken) return min(s, d);
  else if constexpr (kMode == AdvancedEquation::Lighten) return max(s, d);
  else if constexpr (kMode == AdvancedEquation::ColorDodge) return color_dodge(s, d);
  else if constexpr (kMode == AdvancedEquation::ColorBurn) return color_burn(s, d);
  else if constexpr (kMode == AdvancedEquation::HardLight) return hard_light(s, d);
  else if constexpr (kMode == AdvancedEquation::SoftLight) return soft_light(s, d);
  else if constexpr (kMode == AdvancedEquation::Difference) return hn::Abs(d - s);
  else return fnma(s + s, d, s + d);                                   // Exclusion
}

// ---- of a whole colour ----------------------------------------------------------------------------------------------

struct Rgb { F32x r, g, b; };

HWY_INLINE F32x least_of(const Rgb& c) { return min(min(c.r, c.g), c.b); }
HWY_INLINE F32x most_of(const Rgb& c) { return max(max(c.r, c.g), c.b); }
HWY_INLINE F32x luminosity(const Rgb& c) {
  return fma(splat(0.11f), c.b, fma(splat(0.59f), c.g, splat(0.30f) * c.r));
}

// A channel of a colour with that luminosity and those extremes moved towards `lum`, so far that nothing lies below 0
// or above 1.
HWY_INLINE F32x clip_channel(F32x x, F32x lum, F32x low, F32x high) {
  const F32x raised = lum + (x - lum) * lum / (lum - low);
  x = select(less(low, hn::Zero(f32)), raised, x);
  const F32x lowered = lum + (x - lum) * one_minus(lum) / (high - lum);
  return select(greater(high, splat(1.0f)), lowered, x);
}

HWY_INLINE Rgb clip_color(const Rgb& c) {
  const F32x lum = luminosity(c), low = least_of(c), high = most_of(c);
  return {clip_channel(c.r, lum, low, high), clip_channel(c.g, lum, low, high), clip_channel(c.b, lum, low, high)};
}

HWY_INLINE Rgb with_luminosity(const Rgb& base, F32x lum) {
  const F32x more = lum - luminosity(base);
  return clip_color({base.r + more, base.g + more, base.b + more});
}

// `base` with its least channel at 0 and its greatest at the saturation of `like`; grey stays without colour.
HWY_INLINE Rgb with_saturation(const Rgb& base, const Rgb& like) {
  const F32x low = least_of(base), range = most_of(base) - low, wanted = most_of(like) - least_of(like);
  const Maskx has_color = greater(range, hn::Zero(f32));
  return {hn::IfThenElseZero(has_color, (base.r - low) * wanted / range),
          hn::IfThenElseZero(has_color, (base.g - low) * wanted / range),
          hn::IfThenElseZero(has_color, (base.b - low) * wanted / range)};
}

template <raster::AdvancedEquation kMode>
HWY_INLINE Rgb mix_color(const Rgb& s, const Rgb& d) {
  using raster::AdvancedEquation;
  if constexpr (kMode == AdvancedEquation::HslHue) return with_luminosity(with_saturation(s, d), luminosity(d));
  else if constexpr (kMode == AdvancedEquation::HslSaturation)
    return with_luminosity(with_saturation(d, s), luminosity(d));
  else if constexpr (kMode == AdvancedEquation::HslColor) return with_luminosity(s, luminosity(d));
  else if constexpr (kMode == AdvancedEquation::HslLuminosity) return with_luminosity(d, luminosity(s));
  else
    return {mix_channel<kMode>(s.r, d.r), mix_channel<kMode>(s.g, d.g), mix_channel<kMode>(s.b, d.b)};
}

// ---- the sum --------------------------------------------------------------------------------------------------------

HWY_INLINE F32x divided(F32x c, F32x alpha) {
  return hn::IfThenElseZero(greater(alpha, hn::Zero(f32)), min(c / alpha, splat(1.0f)));
}
HWY_INLINE Rgb without_alpha(const Channels& c) {
  return {divided(c.c[0], c.c[3]), divided(c.c[1], c.c[3]), divided(c.c[2], c.c[3])};
}

HWY_INLINE Channels saturated(const Channels& c) {
  return {{saturate(c.c[0]), saturate(c.c[1]), saturate(c.c[2]), saturate(c.c[3])}};
}

template <raster::AdvancedEquation kMode>
HWY_INLINE Channels blend_advanced(const Channels& source, const Channels& stored) {
  const Channels s = saturated(source), d = saturated(stored);
  const Rgb cs = without_alpha(s), cd = without_alpha(d), f = mix_color<kMode>(cs, cd);
  const F32x both = s.c[3] * d.c[3], only_s = s.c[3] * one_minus(d.c[3]), only_d = d.c[3] * one_minus(s.c[3]);
  return {{fma(f.r, both, fma(cs.r, only_s, cd.r * only_d)), fma(f.g, both, fma(cs.g, only_s, cd.g * only_d)),
           fma(f.b, both, fma(cs.b, only_s, cd.b * only_d)), fma(d.c[3], one_minus(s.c[3]), s.c[3])}};
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
