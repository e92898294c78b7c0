// raster/barycentric_simd-inl.h: a triangle's barycentrics at the samples of a vector of any width.
#if defined(TESSERA_RASTER_BARYCENTRIC_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RASTER_BARYCENTRIC_SIMD_INL_H_
#undef TESSERA_RASTER_BARYCENTRIC_SIMD_INL_H_
#else
#define TESSERA_RASTER_BARYCENTRIC_SIMD_INL_H_
#endif

#include "core/simd.h"
#include "raster/frame.h"
#include "raster/lane_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// lambda = fma(dy, per_dy, dx * per_dx)
template <class V>
HWY_INLINE V lambda_at(V dx, V dy, V per_dx, V per_dy) {
  return fused(dy, per_dy, hn::Mul(dx, per_dx));
}

// 1/w at a sample: fma(lambda2, rw2 - rw0, fma(lambda1, rw1 - rw0, rw0))
template <class D>
HWY_INLINE hn::Vec<D> reciprocal_w(D d, const raster::SetupTriangle& t, hn::Vec<D> lambda1, hn::Vec<D> lambda2) {
  return fused(lambda2, hn::Set(d, t.rw[2] - t.rw[0]),
               fused(lambda1, hn::Set(d, t.rw[1] - t.rw[0]), hn::Set(d, t.rw[0])));
}

// i = (lambda1 * rw1) * r, j = (lambda2 * rw2) * r, r = 1 / reciprocal_w
template <class D>
HWY_INLINE void perspective_ij(D d, const raster::SetupTriangle& t, hn::Vec<D> lambda1, hn::Vec<D> lambda2,
                               hn::Vec<D>& i, hn::Vec<D>& j) {
  const auto r = hn::Div(hn::Set(d, 1.0f), reciprocal_w(d, t, lambda1, lambda2));
  i = hn::Mul(hn::Mul(lambda1, hn::Set(d, t.rw[1])), r);
  j = hn::Mul(hn::Mul(lambda2, hn::Set(d, t.rw[2])), r);
}

// fma(j, a2 - a0, fma(i, a1 - a0, a0))
template <class V>
HWY_INLINE V attribute_at(V i, V j, V a0, V to_a1, V to_a2) {
  return fused(j, to_a2, fused(i, to_a1, a0));
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
