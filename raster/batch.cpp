#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/batch.cpp"
#include "hwy/foreach_target.h"

#include <bit>
#include <cstring>

#include "core/simd.h"
#include "raster/barycentric_simd-inl.h"
#include "raster/batch.h"
#include "raster/depth_simd-inl.h"
#include "raster/lane_simd-inl.h"
#include "raster/sample_batch.h"

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

alignas(16) inline constexpr uint32_t kQuadBit[4] = {1, 2, 4, 8};

HWY_INLINE hn::Mask<hn::Full128<uint32_t>> quad_mask(uint32_t lanes) {
  const auto bits = hn::Load(quad_u32, kQuadBit);
  return hn::Eq(hn::And(hn::Set(quad_u32, lanes), bits), bits);
}

template <class D, class M>
HWY_INLINE uint32_t quad_bits(D d, M mask) {
  uint8_t bits[8] = {};
  hn::StoreMaskBits(d, mask, bits);
  return bits[0] & 15u;
}

template <class D, class V>
HWY_INLINE uint32_t compare_quad(D d, Compare func, V key, V stored) {
  switch (func) {
    case Compare::Never: return 0;
    case Compare::Less: return quad_bits(d, compare_keys<Compare::Less>(key, stored));
    case Compare::Equal: return quad_bits(d, compare_keys<Compare::Equal>(key, stored));
    case Compare::Lequal: return quad_bits(d, compare_keys<Compare::Lequal>(key, stored));
    case Compare::Greater: return quad_bits(d, compare_keys<Compare::Greater>(key, stored));
    case Compare::NotEqual: return quad_bits(d, compare_keys<Compare::NotEqual>(key, stored));
    case Compare::Gequal: return quad_bits(d, compare_keys<Compare::Gequal>(key, stored));
    case Compare::Always: break;
  }
  return 15;
}

// The early test of one quad: lanes of `mask` that pass; writes them where depth is written early.
HWY_INLINE uint32_t test_quad(TileWork& w, hn::Vec<hn::Full128<uint32_t>> key, int32_t block, uint32_t tile_lane,
                              uint32_t mask) {
  const DepthTest& test = w.plan.depth;
  uint32_t* stored = w.planes.depth().keys + tile_lane;
  const auto old = hn::Load(quad_u32, stored);
  mask &= test.is_float ? compare_quad(quad_f32, test.func, hn::BitCast(quad_f32, key), hn::BitCast(quad_f32, old))
                        : compare_quad(quad_u32, test.func, key, old);
  if (mask && test.write && w.plan.depth_mode == DepthMode::Early) {
    hn::Store(hn::IfThenElse(quad_mask(mask), key, old), quad_u32, stored);
    w.planes.depth_written(block);
  }
  return mask;
}

// Makes the planes that the draw works on ready in a block.
void ready_block(TileWork& w, int32_t block) {
  if (w.plan.depth_mode != DepthMode::None) w.planes.ready_depth(block, false);
  for (uint32_t i = 0; i < w.plan.color_count; ++i) w.planes.write_color(w.plan.color_target[i], block, false);
  w.batch_ready |= uint64_t{1} << block;
}

// One quad of a triangle, at target pixel (x, y).
HWY_INLINE void add_quad(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t x, int32_t y, uint32_t mask) {
  const raster::IRect& tile = w.planes.pixels();
  const int32_t quad_x = (x - tile.x0) >> 1, quad_y = (y - tile.y0) >> 1;
  const int32_t block = (quad_y >> 2) * w.planes.blocks_in_row() + (quad_x >> 2);
  const int32_t lane = 16 * (quad_y & 3) + 4 * (quad_x & 3);
  const auto tile_lane = static_cast<uint32_t>(64 * block + lane);
  if (!(w.batch_ready >> block & 1)) ready_block(w, block);

  const Quad dx = offsets_px(quad_f32, x * 256 + 128 - t.x0_fx8, kLaneX),
             dy = offsets_px(quad_f32, y * 256 + 128 - t.y0_fx8, kLaneY);
  auto key = hn::Zero(quad_u32);
  const DepthMode mode = w.plan.depth_mode;
  if (mode != DepthMode::None) {
    key = depth_key(quad_f32, w.plan.depth,
                    plane_at(dx, dy, hn::Set(quad_f32, t.z0), hn::Set(quad_f32, t.z_dx), hn::Set(quad_f32, t.z_dy)));
    if (mode != DepthMode::Late) {
      const uint32_t pass = test_quad(w, key, block, tile_lane, mask);
      w.counters.fragments_failed += static_cast<uint64_t>(std::popcount(mask & ~pass));
      if (!pass) return;
      mask = pass;
    }
  }
  const uint64_t lanes = uint64_t{mask} << lane;
  if ((w.batch_lanes[block] & lanes) || w.batch.count == 16) raster::flush_batch(w);
  w.batch_lanes[block] |= lanes;

  QuadBatch& batch = w.batch;
  const uint32_t at = batch.count++;
  batch.cover |= uint64_t{mask} << (4 * at);
  batch.triangle[at] = &t;
  batch.chunk[at] = &chunk;
  batch.x[at] = x;
  batch.y[at] = y;
  batch.tile_lane[at] = tile_lane;
  hn::Store(key, quad_u32, batch.key + 4 * at);
  if (!w.plan.needs_inputs) return;
  const Quad l1 = lambda_at(dx, dy, hn::Set(quad_f32, t.l1_dx), hn::Set(quad_f32, t.l1_dy));
  const Quad l2 = lambda_at(dx, dy, hn::Set(quad_f32, t.l2_dx), hn::Set(quad_f32, t.l2_dy));
  hn::Store(l1, quad_f32, batch.lambda1 + 4 * at);
  hn::Store(l2, quad_f32, batch.lambda2 + 4 * at);
  Quad i = l1, j = l2;
  if (!t.affine) perspective_ij(quad_f32, t, l1, l2, i, j);
  hn::Store(i, quad_f32, batch.i + 4 * at);
  hn::Store(j, quad_f32, batch.j + 4 * at);
}

// Pixels of `rect` as lanes of a window of kQuads x kQuads quads from (x, y).
template <int kQuads>
HWY_INLINE uint64_t window_rect(const raster::IRect& rect, int32_t x, int32_t y) {
  if constexpr (kQuads == 4) return raster::rect_mask(rect.x0 - x, rect.y0 - y, rect.x1 - x, rect.y1 - y);
  constexpr uint32_t kColumn = 0x0505, kRow = 0x0033;            // x = 0; y = 0 of both quads of the upper row
  uint32_t columns = 0, rows = 0;
  for (int32_t i = 0; i < 4; ++i) {
    if (x + i >= rect.x0 && x + i < rect.x1) columns |= kColumn << ((i & 1) + 4 * (i >> 1));
    if (y + i >= rect.y0 && y + i < rect.y1) rows |= kRow << (2 * (i & 1) + 8 * (i >> 1));
  }
  return columns & rows;
}

template <int kQuads>
HWY_INLINE void add_window(TileWork& w, const SetupTriangle& t, const Chunk& chunk, const raster::IRect& rect,
                           int32_t x, int32_t y, uint64_t mask) {
  mask &= window_rect<kQuads>(rect, x, y);
  while (mask) {
    const int32_t quad = std::countr_zero(mask) >> 2;
    add_quad(w, t, chunk, x + 2 * (quad % kQuads), y + 2 * (quad / kQuads),
             static_cast<uint32_t>(mask >> (4 * quad)) & 15u);
    mask &= ~(uint64_t{15} << (4 * quad));
  }
}

void small_triangle(TileWork& w, const SetupTriangle& t, const Chunk& chunk, const raster::IRect& rect) {
  const int32_t x = rect.x0 & ~1, y = rect.y0 & ~1;
  if (rect.x1 - x <= 4 && rect.y1 - y <= 4) add_window<2>(w, t, chunk, rect, x, y, w.coverage->window4(t, x, y));
  else add_window<4>(w, t, chunk, rect, x, y, w.coverage->window8(t, x, y));
}

void block_quads(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t block, uint64_t mask) {
  const int32_t in_row = w.planes.blocks_in_row();
  const int32_t x = w.planes.pixels().x0 + 8 * (block % in_row), y = w.planes.pixels().y0 + 8 * (block / in_row);
  while (mask) {
    const int32_t quad = std::countr_zero(mask) >> 2;
    add_quad(w, t, chunk, x + 2 * (quad & 3), y + 2 * (quad >> 2), static_cast<uint32_t>(mask >> (4 * quad)) & 15u);
    mask &= ~(uint64_t{15} << (4 * quad));
  }
}

void gather_words(const QuadBatch& batch, const uint32_t* plane, uint32_t* lanes) {
  for (uint32_t q = 0; q < batch.count; ++q)
    hn::Store(hn::Load(quad_u32, plane + batch.tile_lane[q]), quad_u32, lanes + 4 * q);
}

void scatter_words(const QuadBatch& batch, uint64_t live, const uint32_t* lanes, uint32_t* plane) {
  for (uint32_t q = 0; q < batch.count; ++q) {
    uint32_t* to = plane + batch.tile_lane[q];
    const auto mask = quad_mask(static_cast<uint32_t>(live >> (4 * q)) & 15u);
    hn::Store(hn::IfThenElse(mask, hn::Load(quad_u32, lanes + 4 * q), hn::Load(quad_u32, to)), quad_u32, to);
  }
}

}  // namespace

extern const raster::BatchKernels kBatchKernels;
const raster::BatchKernels kBatchKernels{small_triangle, block_quads, gather_words, scatter_words};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {
namespace {

// Texels of any size, as BatchKernels::gather and scatter move words.
void gather_texels(const QuadBatch& batch, const std::byte* plane, size_t texel_bytes, std::byte* lanes) {
  for (uint32_t q = 0; q < batch.count; ++q)
    std::memcpy(lanes + 4 * q * texel_bytes, plane + batch.tile_lane[q] * texel_bytes, 4 * texel_bytes);
}

void scatter_texels(const QuadBatch& batch, uint64_t live, const std::byte* lanes, size_t texel_bytes,
                    std::byte* plane) {
  for (; live; live &= live - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(live));
    std::memcpy(plane + (batch.tile_lane[lane / 4] + lane % 4) * texel_bytes, lanes + lane * texel_bytes, texel_bytes);
  }
}

uint64_t test_batch(TileWork& w, uint64_t live) {
  const DrawPlan& plan = w.plan;
  uint32_t* plane = w.planes.depth().keys;
  QuadBatch& batch = w.batch;
  alignas(64) uint32_t stored[64];
  if (plan.depth_output) w.depth->keys_of(plan.depth, plan.depth_output, batch.key);
  w.batches->gather(batch, plane, stored);
  const uint64_t pass = plan.depth.compare(batch.key, stored, live);
  if (!plan.depth.write) return pass;
  w.batches->scatter(batch, pass, batch.key, plane);
  for (uint32_t q = 0; q < batch.count; ++q)
    if (pass >> (4 * q) & 15) w.planes.depth_written(static_cast<int32_t>(batch.tile_lane[q] / 64));
  return pass;
}

void write_colors(TileWork& w, uint64_t live) {
  const QuadBatch& batch = w.batch;
  alignas(64) std::byte texels[64 * kMaxTexelBytes];
  for (uint32_t i = 0; i < w.plan.color_count; ++i) {
    const ColorWrite& color = w.plan.color[i];
    std::byte* plane = w.planes.color(w.plan.color_target[i]).texels;
    if (color.texel_bytes == 4) {
      auto* words = reinterpret_cast<uint32_t*>(texels);
      if (!color.overwrites) w.batches->gather(batch, reinterpret_cast<const uint32_t*>(plane), words);
      color.write(color, color.overwrites ? ~uint64_t{0} : live, texels);
      w.batches->scatter(batch, live, words, reinterpret_cast<uint32_t*>(plane));
    } else {
      gather_texels(batch, plane, color.texel_bytes, texels);
      color.write(color, live, texels);
      scatter_texels(batch, live, texels, color.texel_bytes, plane);
    }
  }
}

uint64_t count(uint64_t mask) { return static_cast<uint64_t>(std::popcount(mask)); }

void heat_batch(PixelHeat& heat, const QuadBatch& batch, uint64_t live) {
  for (uint32_t q = 0; q < batch.count; ++q) {
    heat.shade_quad(batch.x[q], batch.y[q], static_cast<uint32_t>(batch.cover >> (4 * q)) & 15);
    heat.write_quad(batch.x[q], batch.y[q], static_cast<uint32_t>(live >> (4 * q)) & 15);
  }
}

}  // namespace

const BatchKernels& batch_kernels(SimdTarget simd) { return TESSERA_DISPATCH(kBatchKernels, simd); }

void flush_batch(TileWork& w) {
  QuadBatch& batch = w.batch;
  if (batch.count == 0) return;
  if (w.planes.samples() > 1) return flush_sample_batch(w);
  const DrawPlan& plan = w.plan;
  ++w.counters.blocks;
  w.counters.fragments += count(batch.cover);
  uint64_t live = batch.cover;
  if (plan.fragment) {
    if (plan.needs_inputs) {
      w.interpolate->batch(plan.inputs, batch, plan.slots);
      if (plan.inputs.needs_special()) w.interpolate->special(plan.inputs, batch, batch.cover, plan.slots);
    }
    if (plan.needs_run()) live = run_fragments(w, batch.cover);
  }
  if (plan.depth_mode == DepthMode::Late || plan.depth_mode == DepthMode::LateTested) {
    const uint64_t pass = test_batch(w, live);
    w.counters.fragments_failed += count(live & ~pass);
    live = pass;
  }
  w.counters.samples_passed += count(live);
  if (w.heat) heat_batch(*w.heat, batch, live);
  if (live) write_colors(w, live);
  for (uint32_t q = 0; q < batch.count; ++q) w.batch_lanes[batch.tile_lane[q] / 64] = 0;
  batch.count = 0;
  batch.cover = 0;
}

}  // namespace tessera::raster
#endif
