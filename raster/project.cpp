// Clip space to the window, a vector of vertices at a time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/project.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "raster/vertex.h"
#include "raster/window_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

HWY_INLINE U32x bit_where(Maskx condition, uint32_t bit) {
  return hn::IfThenElseZero(hn::RebindMask(u32, condition), hn::Set(u32, bit));
}

// The bit where not d >= 0, so that NaN counts as outside.
HWY_INLINE U32x outside(F32x d, uint32_t bit) { return bit_where(hn::Not(hn::Ge(d, hn::Zero(f32))), bit); }

// x - x is 0 for finite x, NaN for the rest.
HWY_INLINE U32x not_finite(F32x x, F32x y, F32x z, F32x w) {
  const F32x sum = hn::Add(hn::Add(hn::Sub(x, x), hn::Sub(y, y)), hn::Add(hn::Sub(z, z), hn::Sub(w, w)));
  return bit_where(hn::IsNaN(sum), raster::kNotFinite);
}

HWY_INLINE I32x snap_fx8(F32x win, int32_t offset_fx8) {
  return hn::Add(hn::NearestInt(hn::Mul(win, hn::Set(f32, 256.0f))), hn::Set(i32, offset_fx8));
}

}  // namespace

// The same distances as ViewTransform::distance.
void project_vertices(const raster::ViewTransform& view, raster::ChunkVertices& v, uint32_t first, uint32_t count) {
  const F32x scale_x = hn::Set(f32, view.scale[0]), translate_x = hn::Set(f32, view.translate[0]);
  const F32x scale_y = hn::Set(f32, view.scale[1]), translate_y = hn::Set(f32, view.translate[1]);
  const F32x scale_z = hn::Set(f32, view.scale[2]), translate_z = hn::Set(f32, view.translate[2]);
  const F32x guard = hn::Set(f32, raster::kGuardBand_px), one = hn::Set(f32, 1.0f);
  for (uint32_t i = first; i < first + count; i += uint32_t(kLanes)) {
    const F32x x = hn::LoadU(f32, &v.clip[0][i]), y = hn::LoadU(f32, &v.clip[1][i]);
    const F32x z = hn::LoadU(f32, &v.clip[2][i]), w = hn::LoadU(f32, &v.clip[3][i]);
    U32x code = hn::Or(not_finite(x, y, z, w), outside(hn::Sub(w, hn::Set(f32, raster::kMinW)), raster::kOutsideW));
    if (view.depth_clip) {
      code = hn::Or(code, outside(view.clip_halfz ? z : hn::Add(z, w), raster::kOutsideNear));
      code = hn::Or(code, outside(hn::Sub(w, z), raster::kOutsideFar));
    }
    const F32x offset_x = hn::Mul(x, scale_x), offset_y = hn::Mul(y, scale_y);
    const F32x left = hn::Add(hn::Mul(w, hn::Add(guard, translate_x)), offset_x);
    const F32x right = hn::Sub(hn::Mul(w, hn::Sub(guard, translate_x)), offset_x);
    const F32x top = hn::Add(hn::Mul(w, hn::Add(guard, translate_y)), offset_y);
    const F32x bottom = hn::Sub(hn::Mul(w, hn::Sub(guard, translate_y)), offset_y);
    code = hn::Or(code, hn::Or(outside(left, raster::kOutsideLeft), outside(right, raster::kOutsideRight)));
    code = hn::Or(code, hn::Or(outside(top, raster::kOutsideTop), outside(bottom, raster::kOutsideBottom)));
    for (uint32_t distances = v.distances, d = 0; distances != 0; distances >>= 1, ++d) {
      const F32x distance = (distances & 1) != 0 ? hn::LoadU(f32, &v.distance[d][i]) : hn::Zero(f32);
      if (view.clip_distances >> d & 1) code = hn::Or(code, outside(distance, raster::kOutsideUser << d));
      if (view.cull_distances >> d & 1) code = hn::Or(code, outside(distance, raster::kCulled << d));
    }
    hn::StoreU(code, u32, &v.code[i]);

    const F32x win_x = hn::Add(hn::Mul(hn::Div(x, w), scale_x), translate_x);
    const F32x win_y = hn::Add(hn::Mul(hn::Div(y, w), scale_y), translate_y);
    const F32x win_z = hn::Add(hn::Mul(hn::Div(z, w), scale_z), translate_z);
    store_window(snap_fx8(win_x, view.center_offset_fx8), snap_fx8(win_y, view.center_offset_fx8), win_z,
                 hn::Div(one, w), &v.window[i]);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

void project_vertices(const ViewTransform& view, ChunkVertices& vertices, uint32_t first, uint32_t count,
                      SimdTarget simd) {
  TESSERA_DISPATCH(project_vertices, simd)(view, vertices, first, count);
}

}  // namespace tessera::raster
#endif
