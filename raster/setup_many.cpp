// setup_triangle() for a vector of triangles at a time, with the same operations in the same order.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/setup_many.cpp"
#include "hwy/foreach_target.h"

#include "core/fixed.h"
#include "core/simd.h"
#include "raster/setup.h"
#include "raster/window_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using I64x = hn::Vec<hn::RepartitionToWide<I32Tag>>;
inline constexpr hn::RepartitionToWide<I32Tag> i64{};

// One field of all triangles of a vector, on the way to their structs.
template <class T> struct alignas(32) Lanes {
  T lane[kLanes];
};

struct EdgeLanes {
  alignas(32) int64_t even[kLanes / 2];
  alignas(32) int64_t odd[kLanes / 2];
  Lanes<int32_t> dx, dy, bias;
};

struct Fields {
  EdgeLanes edge[3];
  Lanes<int32_t> x0, y0, bbox_x0, bbox_y0, bbox_x1, bbox_y1;
  Lanes<float> l1_dx, l1_dy, l2_dx, l2_dy, z0, z_dx, z_dy, rw[3];
  uint32_t front = 0, affine = 0;        // a bit a lane
};

struct Corners {
  I32x x[3], y[3];
  F32x z[3], rw[3];
};

HWY_INLINE Corners load_corners(const raster::WinVertex* window, const uint32_t* const corner[3], uint32_t first) {
  Corners c;
  for (int i = 0; i < 3; ++i) {
    const WindowLanes v = load_window(window, corner[i] + first, 1);
    c.x[i] = v.x;
    c.y[i] = v.y;
    c.z[i] = v.z;
    c.rw[i] = v.rw;
  }
  return c;
}

HWY_INLINE F64x lower_f64(I32x x) { return hn::PromoteTo(f64, hn::LowerHalf(x)); }
HWY_INLINE F64x upper_f64(I32x x) { return hn::PromoteTo(f64, hn::UpperHalf(hn::Half<I32Tag>{}, x)); }

// The odd lanes moved to the even ones, where MulEven takes its operands.
HWY_INLINE I32x odd_lanes(I32x v) {
  const hn::RepartitionToWide<U32Tag> u64;
  return hn::BitCast(i32, hn::ShiftRight<32>(hn::BitCast(u64, v)));
}

struct Planes { F64x area, l1_dx, l1_dy, l2_dx, l2_dy, z_dx, z_dy; };

// Offsets from vertex 0 fit 25 bits: their products and the area are exact in double.
HWY_INLINE Planes make_planes(F64x dx1, F64x dy1, F64x dx2, F64x dy2, F64x z10, F64x z20) {
  Planes p;
  p.area = dx1 * dy2 - dx2 * dy1;
  const F64x per_pixel = splat(256.0) / p.area;
  p.l1_dx = dy2 * per_pixel;
  p.l1_dy = (splat(0.0) - dx2) * per_pixel;   // an offset of 0 stays +0
  p.l2_dx = (splat(0.0) - dy1) * per_pixel;
  p.l2_dy = dx1 * per_pixel;
  p.z_dx = z10 * p.l1_dx + z20 * p.l2_dx;
  p.z_dy = z10 * p.l1_dy + z20 * p.l2_dy;
  return p;
}

// Edge i -> j of triangles whose negative area turns it round (`turn` is ~0 there).
HWY_INLINE void make_edges(const Corners& c, int i, int j, I32x turn, bool bottom_edge_rule, EdgeLanes& out) {
  const I32x dx = ((c.x[j] - c.x[i]) ^ turn) - turn, dy = ((c.y[j] - c.y[i]) ^ turn) - turn;
  const I32x to_x = splat(kHalf_fx8) - c.x[i], to_y = splat(kHalf_fx8) - c.y[i];
  hn::Store(hn::MulEven(dx, to_y) - hn::MulEven(dy, to_x), i64, out.even);
  hn::Store(hn::MulEven(odd_lanes(dx), odd_lanes(to_y)) - hn::MulEven(odd_lanes(dy), odd_lanes(to_x)), i64, out.odd);
  const I32x zero = hn::Zero(i32);
  const Maskx flat = hn::And(equal(dy, zero), bottom_edge_rule ? less(dx, zero) : less(zero, dx));
  const Maskx owns = hn::Or(less(dy, zero), flat);
  store(dx, out.dx.lane);
  store(dy, out.dy.lane);
  store(select(owns, zero, splat(-1)), out.bias.lane);
}

HWY_INLINE I32x min3(const I32x v[3]) { return hn::Min(hn::Min(v[0], v[1]), v[2]); }
HWY_INLINE I32x max3(const I32x v[3]) { return hn::Max(hn::Max(v[0], v[1]), v[2]); }

HWY_INLINE void make_bounds(const Corners& c, const raster::SetupState& state, Fields& out) {
  const raster::IRect& clip = state.clip_rect;
  store(hn::Max(hn::ShiftRight<8>(min3(c.x) + splat(state.first_x())), splat(clip.x0)), out.bbox_x0.lane);
  store(hn::Max(hn::ShiftRight<8>(min3(c.y) + splat(state.first_y())), splat(clip.y0)), out.bbox_y0.lane);
  store(hn::Min(hn::ShiftRight<8>(max3(c.x) + splat(state.last_x())), splat(clip.x1)), out.bbox_x1.lane);
  store(hn::Min(hn::ShiftRight<8>(max3(c.y) + splat(state.last_y())), splat(clip.y1)), out.bbox_y1.lane);
}

HWY_INLINE void make_fields(const Corners& c, const raster::SetupState& state, Fields& out) {
  const I32x dx1 = c.x[1] - c.x[0], dy1 = c.y[1] - c.y[0], dx2 = c.x[2] - c.x[0], dy2 = c.y[2] - c.y[0];
  const Planes low = make_planes(lower_f64(dx1), lower_f64(dy1), lower_f64(dx2), lower_f64(dy2),
                                 to_f64_lower(c.z[1]) - to_f64_lower(c.z[0]), to_f64_lower(c.z[2]) - to_f64_lower(c.z[0]));
  const Planes high = make_planes(upper_f64(dx1), upper_f64(dy1), upper_f64(dx2), upper_f64(dy2),
                                  to_f64_upper(c.z[1]) - to_f64_upper(c.z[0]), to_f64_upper(c.z[2]) - to_f64_upper(c.z[0]));
  store(to_f32(low.l1_dx, high.l1_dx), out.l1_dx.lane);
  store(to_f32(low.l1_dy, high.l1_dy), out.l1_dy.lane);
  store(to_f32(low.l2_dx, high.l2_dx), out.l2_dx.lane);
  store(to_f32(low.l2_dy, high.l2_dy), out.l2_dy.lane);
  store(to_f32(low.z_dx, high.z_dx), out.z_dx.lane);
  store(to_f32(low.z_dy, high.z_dy), out.z_dy.lane);
  store(c.z[0], out.z0.lane);
  for (int i = 0; i < 3; ++i) store(c.rw[i], out.rw[i].lane);
  store(c.x[0], out.x0.lane);
  store(c.y[0], out.y0.lane);

  const Maskx negative = less(to_f32(low.area, high.area), hn::Zero(f32));   // a whole number: no rounding to zero
  const I32x turn = as_i32(words_of(negative));
  for (int i = 0; i < 3; ++i) make_edges(c, i, (i + 1) % 3, turn, state.bottom_edge_rule, out.edge[i]);
  make_bounds(c, state, out);
  out.front = state.front_is_positive ? ~bits_of(negative) : bits_of(negative);
  out.affine = bits_of(hn::And(equal(c.rw[0], c.rw[1]), equal(c.rw[0], c.rw[2])));
}

HWY_INLINE void put(const Fields& f, uint32_t lane, raster::SetupTriangle& t) {
  for (int i = 0; i < 3; ++i) {
    const EdgeLanes& e = f.edge[i];
    const int64_t* const products = lane & 1 ? e.odd : e.even;   // GCC 12 miscompiles the index under UBSan without the name
    t.edge[i].c_fx16 = products[lane >> 1] + e.bias.lane[lane];
    t.edge[i].step_x_fx16 = -int64_t{e.dy.lane[lane]} * kOne_fx8;
    t.edge[i].step_y_fx16 = int64_t{e.dx.lane[lane]} * kOne_fx8;
    t.rw[i] = f.rw[i].lane[lane];
  }
  t.x0_fx8 = f.x0.lane[lane];
  t.y0_fx8 = f.y0.lane[lane];
  t.bbox_x0 = int16_t(f.bbox_x0.lane[lane]);
  t.bbox_y0 = int16_t(f.bbox_y0.lane[lane]);
  t.bbox_x1 = int16_t(f.bbox_x1.lane[lane]);
  t.bbox_y1 = int16_t(f.bbox_y1.lane[lane]);
  t.l1_dx = f.l1_dx.lane[lane];
  t.l1_dy = f.l1_dy.lane[lane];
  t.l2_dx = f.l2_dx.lane[lane];
  t.l2_dy = f.l2_dy.lane[lane];
  t.z0 = f.z0.lane[lane];
  t.z_dx = f.z_dx.lane[lane];
  t.z_dy = f.z_dy.lane[lane];
  t.front = f.front >> lane & 1;
  t.affine = f.affine >> lane & 1;
}

}  // namespace

void setup_triangles(const uint32_t* const corner[3], uint32_t count, const raster::WinVertex* window,
                     const raster::SetupState& state, raster::SetupTriangle* out) {
  Fields fields;
  for (uint32_t first = 0; first < count; first += uint32_t(kLanes)) {
    make_fields(load_corners(window, corner, first), state, fields);
    const uint32_t lanes = count - first < kLanes ? count - first : uint32_t(kLanes);
    for (uint32_t lane = 0; lane < lanes; ++lane) {
      raster::SetupTriangle& t = out[first + lane];
      put(fields, lane, t);
      for (int i = 0; i < 3; ++i) t.vertex[i] = corner[i][first + lane];
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

void setup_triangles(const uint32_t* const corner[3], uint32_t count, const WinVertex* window, const SetupState& state,
                     SetupTriangle* out, SimdTarget simd) {
  if (!state.offset) return TESSERA_DISPATCH(setup_triangles, simd)(corner, count, window, state, out);
  for (uint32_t t = 0; t < count; ++t) {   // a depth offset takes powers of two from each triangle: one at a time
    const uint32_t at[3] = {corner[0][t], corner[1][t], corner[2][t]};
    const WinVertex v[3] = {window[at[0]], window[at[1]], window[at[2]]};
    setup_triangle(v, state, out[t]);
    for (int i = 0; i < 3; ++i) out[t].vertex[i] = at[i];
  }
}

}  // namespace tessera::raster
#endif
