#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/pack.cpp"
#include "hwy/foreach_target.h"

#include <bit>

#include "core/simd.h"
#include "raster/barycentric_simd-inl.h"
#include "raster/batch.h"
#include "raster/depth_simd-inl.h"
#include "raster/lane_simd-inl.h"
#include "raster/pack.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::Chunk;
using raster::Compare;
using raster::DepthMode;
using raster::DepthTest;
using raster::QuadBatch;
using raster::SetupTriangle;
using raster::TileWork;

constexpr uint32_t kQuadsInVector = kLanes / 4;       // side by side; a vector never leaves its block
constexpr uint32_t kAllLanes = (1u << kLanes) - 1;

// Lanes of a vector whose pixel is at least so far to the right, or down.
struct LanesFrom { uint8_t x[kVectorWidth_px + 1] = {}, y[3] = {}; };
constexpr LanesFrom kLanesFrom = [] {
  LanesFrom from;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    for (int32_t x = 0; x <= kVectorWidth_px; ++x) from.x[x] |= uint8_t((kLaneX[lane] >= x) << lane);
    for (int32_t y = 0; y <= 2; ++y) from.y[y] |= uint8_t((kLaneY[lane] >= y) << lane);
  }
  return from;
}();

// Lanes between two coordinates, counted from the vector's first pixel, that may lie anywhere.
template <size_t kCount>
HWY_INLINE uint32_t lanes_between(const uint8_t (&from)[kCount], int32_t begin, int32_t end) {
  constexpr int32_t kLast = kCount - 1;
  const int32_t first = begin < 0 ? 0 : begin > kLast ? kLast : begin, last = end < 0 ? 0 : end > kLast ? kLast : end;
  return from[first] & ~from[last] & kAllLanes;
}

template <class V>
HWY_INLINE Maskx passes(Compare func, V key, V stored) {
  const auto lanes = [](auto mask) { return hn::RebindMask(f32, mask); };
  switch (func) {
    case Compare::Never: break;
    case Compare::Less: return lanes(compare_keys<Compare::Less>(key, stored));
    case Compare::Equal: return lanes(compare_keys<Compare::Equal>(key, stored));
    case Compare::Lequal: return lanes(compare_keys<Compare::Lequal>(key, stored));
    case Compare::Greater: return lanes(compare_keys<Compare::Greater>(key, stored));
    case Compare::NotEqual: return lanes(compare_keys<Compare::NotEqual>(key, stored));
    case Compare::Gequal: return lanes(compare_keys<Compare::Gequal>(key, stored));
    case Compare::Always: return mask_of_bits(kAllLanes);
  }
  return mask_of_bits(0);
}

// The early test: lanes of `cover` that pass; writes them where depth is written early.
HWY_INLINE uint32_t test_depth(TileWork& w, U32x key, int32_t block, uint32_t tile_lane, uint32_t cover) {
  const DepthTest& test = w.plan.depth;
  uint32_t* stored = w.planes.depth().keys + tile_lane;
  const U32x old = load(stored);
  const Maskx mask = hn::And(mask_of_bits(cover), test.is_float ? passes(test.func, as_f32(key), as_f32(old))
                                                                : passes(test.func, key, old));
  const uint32_t pass = bits_of(mask);
  if (pass && test.write && w.plan.depth_mode == DepthMode::Early) {
    store(select(mask, key, old), stored);
    w.planes.depth_written(block);
  }
  return pass;
}

// Makes the planes that the draw works on ready in a block.
void ready_block(TileWork& w, int32_t block) {
  if (w.plan.depth_mode != DepthMode::None) w.planes.ready_depth(block, false);
  for (uint32_t i = 0; i < w.plan.color_count; ++i) w.planes.write_color(w.plan.color_target[i], block, false);
  w.batch_ready |= uint64_t{1} << block;
}

// A vector of quads on the way into the batch.
struct PackedLanes { U32x key; F32x l1, l2, i, j; };

template <class V>
HWY_INLINE Quad quad_of(V v, uint32_t quad) {
  if constexpr (kLanes == 4) return v;
  else return quad == 0 ? hn::LowerHalf(v) : hn::UpperHalf(quad_f32, v);
}

HWY_INLINE void add_quad(QuadBatch& batch, const SetupTriangle& t, const Chunk& chunk, int32_t x, int32_t y,
                         uint32_t tile_lane, const PackedLanes& lanes, uint32_t quad) {
  const uint32_t at = batch.count++;
  batch.triangle[at] = &t;
  batch.chunk[at] = &chunk;
  batch.x[at] = x;
  batch.y[at] = y;
  batch.tile_lane[at] = tile_lane;
  hn::Store(hn::BitCast(quad_u32, quad_of(as_f32(lanes.key), quad)), quad_u32, batch.key + 4 * at);
  hn::Store(quad_of(lanes.l1, quad), quad_f32, batch.lambda1 + 4 * at);
  hn::Store(quad_of(lanes.l2, quad), quad_f32, batch.lambda2 + 4 * at);
  hn::Store(quad_of(lanes.i, quad), quad_f32, batch.i + 4 * at);
  hn::Store(quad_of(lanes.j, quad), quad_f32, batch.j + 4 * at);
}

// The covered lanes of the vector at target pixel (x, y); dy: from vertex 0 to its lanes.
HWY_INLINE void add_lanes(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t x, int32_t y, F32x dy,
                          uint32_t cover) {
  const raster::IRect& tile = w.planes.pixels();
  const int32_t quad_x = (x - tile.x0) >> 1, quad_y = (y - tile.y0) >> 1;
  const int32_t block = (quad_y >> 2) * w.planes.blocks_in_row() + (quad_x >> 2);
  const int32_t lane = 16 * (quad_y & 3) + 4 * (quad_x & 3);
  const auto tile_lane = static_cast<uint32_t>(64 * block + lane);
  if (!(w.batch_ready >> block & 1)) ready_block(w, block);

  const F32x dx = offsets_px(f32, x * 256 + 128 - t.x0_fx8, kLaneX);
  PackedLanes lanes{hn::Zero(u32), hn::Zero(f32), hn::Zero(f32), hn::Zero(f32), hn::Zero(f32)};
  const DepthMode mode = w.plan.depth_mode;
  if (mode != DepthMode::None) {
    lanes.key = depth_key(f32, w.plan.depth, plane_at(dx, dy, splat(t.z0), splat(t.z_dx), splat(t.z_dy)));
    if (mode != DepthMode::Late) {
      const uint32_t pass = test_depth(w, lanes.key, block, tile_lane, cover);
      w.counters.fragments_failed += static_cast<uint64_t>(std::popcount(cover & ~pass));
      if (!pass) return;
      cover = pass;
    }
  }
  if (w.plan.needs_inputs) {
    lanes.i = lanes.l1 = lambda_at(dx, dy, splat(t.l1_dx), splat(t.l1_dy));
    lanes.j = lanes.l2 = lambda_at(dx, dy, splat(t.l2_dx), splat(t.l2_dy));
    if (!t.affine) perspective_ij(f32, t, lanes.l1, lanes.l2, lanes.i, lanes.j);
  }
  for (uint32_t quad = 0; quad < kQuadsInVector; ++quad) {
    const uint32_t mask = cover >> (4 * quad) & 15u;
    if (mask == 0) continue;
    const uint64_t in_block = uint64_t{mask} << (static_cast<uint32_t>(lane) + 4 * quad);
    if ((w.batch_lanes[block] & in_block) || w.batch.count == 16) raster::flush_batch(w);
    w.batch_lanes[block] |= in_block;
    w.batch.cover |= uint64_t{mask} << (4 * w.batch.count);
    add_quad(w.batch, t, chunk, x + 2 * static_cast<int32_t>(quad), y, tile_lane + 4 * quad, lanes, quad);
  }
}

// An edge over a window: at the lanes of its first vector, and its steps to the next one and to the next row.
struct EdgeWalk { I32x value, step_x, step_y; };

// A window can lie far from an edge: beyond 2^30 the sign is the same in all of it, since it spans less than 2^29.5.
HWY_INLINE EdgeWalk walk_edge(const raster::EdgeEq& e, int32_t x, int32_t y) {
  const int64_t at_first = (e.c_fx16 + x * e.step_x_fx16 + y * e.step_y_fx16) >> 8;
  constexpr int64_t kFar = 1 << 30;
  const auto near = static_cast<int32_t>(at_first > kFar ? kFar : at_first < -kFar ? -kFar : at_first);
  const auto step_x = static_cast<int32_t>(e.step_x_fx16 >> 8), step_y = static_cast<int32_t>(e.step_y_fx16 >> 8);
  const I32x lanes = hn::Add(hn::Mul(hn::Load(i32, kLaneX), splat(step_x)), hn::Mul(hn::Load(i32, kLaneY), splat(step_y)));
  return {hn::Add(splat(near), lanes), splat(kVectorWidth_px * step_x), splat(2 * step_y)};
}

void pack_window(TileWork& w, const SetupTriangle& t, const Chunk& chunk, const raster::IRect& rect) {
  const int32_t x0 = rect.x0 & ~(kVectorWidth_px - 1), y0 = rect.y0 & ~1;
  EdgeWalk e0 = walk_edge(t.edge[0], x0, y0), e1 = walk_edge(t.edge[1], x0, y0), e2 = walk_edge(t.edge[2], x0, y0);
  for (int32_t y = y0; y < rect.y1; y += 2) {
    const uint32_t row = lanes_between(kLanesFrom.y, rect.y0 - y, rect.y1 - y);
    const F32x dy = offsets_px(f32, y * 256 + 128 - t.y0_fx8, kLaneY);
    I32x v0 = e0.value, v1 = e1.value, v2 = e2.value;
    for (int32_t x = x0; x < rect.x1; x += kVectorWidth_px) {
      const uint32_t outside = bits_of(less(hn::Or(hn::Or(v0, v1), v2), hn::Zero(i32)));
      const uint32_t cover = ~outside & row & lanes_between(kLanesFrom.x, rect.x0 - x, rect.x1 - x);
      if (cover) add_lanes(w, t, chunk, x, y, dy, cover);
      v0 = hn::Add(v0, e0.step_x);
      v1 = hn::Add(v1, e1.step_x);
      v2 = hn::Add(v2, e2.step_x);
    }
    e0.value = hn::Add(e0.value, e0.step_y);
    e1.value = hn::Add(e1.value, e1.step_y);
    e2.value = hn::Add(e2.value, e2.step_y);
  }
}

void pack_block(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t block, uint64_t mask) {
  const int32_t in_row = w.planes.blocks_in_row();
  const int32_t x = w.planes.pixels().x0 + 8 * (block % in_row), y = w.planes.pixels().y0 + 8 * (block / in_row);
  for (int32_t row = 0; row < 8; row += 2) {
    const F32x dy = offsets_px(f32, (y + row) * 256 + 128 - t.y0_fx8, kLaneY);
    for (int32_t column = 0; column < 8; column += kVectorWidth_px, mask >>= kLanes) {
      const auto cover = static_cast<uint32_t>(mask) & kAllLanes;
      if (cover) add_lanes(w, t, chunk, x + column, y + row, dy, cover);
    }
  }
}

}  // namespace

extern const raster::PackKernels kPackKernels;
const raster::PackKernels kPackKernels{pack_window, pack_block};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

const PackKernels& pack_kernels(SimdTarget simd) { return TESSERA_DISPATCH(kPackKernels, simd); }

}  // namespace tessera::raster
#endif
