// raster/depth_simd-inl.h: depth planes, keys and comparisons on vectors of any width.
#if defined(TESSERA_RASTER_DEPTH_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RASTER_DEPTH_SIMD_INL_H_
#undef TESSERA_RASTER_DEPTH_SIMD_INL_H_
#else
#define TESSERA_RASTER_DEPTH_SIMD_INL_H_
#endif

#include "core/simd.h"
#include "raster/depth_stencil.h"
#include "raster/lane_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// One multiply by 2^n - 1 in double, round half to even. Depth is in [0, 1].
template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> unorm_in_double(D, hn::Vec<D> depth, uint32_t bits) {
  const hn::Half<D> half;
  const hn::Rebind<double, hn::Half<D>> f64;
  const hn::Rebind<int32_t, hn::Half<D>> half_i32;
  const hn::RebindToSigned<D> i32d;
  // Integers from 2^31 on do not fit int32: those of 32 bits are converted with an offset of 2^31.
  const double offset = bits == 32 ? 2147483648.0 : 0.0;
  const auto scale = hn::Set(f64, static_cast<double>((uint64_t{1} << bits) - 1));
  const auto lower =
      hn::Sub(hn::Round(hn::Mul(hn::PromoteTo(f64, hn::LowerHalf(half, depth)), scale)), hn::Set(f64, offset));
  const auto upper =
      hn::Sub(hn::Round(hn::Mul(hn::PromoteTo(f64, hn::UpperHalf(half, depth)), scale)), hn::Set(f64, offset));
  const auto key = hn::Combine(i32d, hn::DemoteTo(half_i32, upper), hn::DemoteTo(half_i32, lower));
  const hn::RebindToUnsigned<D> u32d;
  return hn::Xor(hn::BitCast(u32d, key), hn::Set(u32d, bits == 32 ? 0x80000000u : 0u));
}

template <class D>
HWY_INLINE hn::Vec<hn::RebindToUnsigned<D>> depth_key(D d, const raster::DepthTest& test, hn::Vec<D> z) {
  const hn::RebindToUnsigned<D> u32d;
  const auto lo = hn::Set(d, test.clamp_lo), hi = hn::Set(d, test.clamp_hi);
  z = hn::IfThenElse(hn::Gt(z, lo), z, lo);
  z = hn::IfThenElse(hn::Lt(z, hi), z, hi);
  if (test.is_float) return hn::BitCast(u32d, z);
  if (test.depth_bits > 16) return unorm_in_double(d, z, test.depth_bits);
  const auto scaled = hn::Mul(z, hn::Set(d, static_cast<float>((1u << test.depth_bits) - 1u)));
  return hn::BitCast(u32d, hn::NearestInt(scaled));
}

template <raster::Compare kFunc, class V>
HWY_INLINE auto compare_keys(V key, V stored) {
  using raster::Compare;
  if constexpr (kFunc == Compare::Less) return hn::Lt(key, stored);
  else if constexpr (kFunc == Compare::Greater) return hn::Lt(stored, key);
  else if constexpr (kFunc == Compare::Equal) return hn::Eq(key, stored);
  else if constexpr (kFunc == Compare::NotEqual) return hn::Not(hn::Eq(key, stored));
  else if constexpr (kFunc == Compare::Lequal) return hn::Or(hn::Lt(key, stored), hn::Eq(key, stored));
  else if constexpr (kFunc == Compare::Gequal) return hn::Or(hn::Lt(stored, key), hn::Eq(key, stored));
  else if constexpr (kFunc == Compare::Always) return hn::Eq(key, key);
  else return hn::Not(hn::Eq(key, key));
}

// The depth plane at an offset from vertex 0.
template <class V>
HWY_INLINE V plane_at(V dx, V dy, V value, V per_dx, V per_dy) {
  return fused(dy, per_dy, fused(dx, per_dx, value));
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
