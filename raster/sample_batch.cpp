#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/sample_batch.cpp"
#include "hwy/foreach_target.h"

#include <bit>
#include <cstring>

#include "core/simd.h"
#include "raster/barycentric_simd-inl.h"
#include "raster/batch.h"
#include "raster/depth_simd-inl.h"
#include "raster/lane_simd-inl.h"
#include "raster/sample_batch.h"
#include "raster/sample_block.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::Chunk;
using raster::Compare;
using raster::DepthMode;
using raster::DepthTest;
using raster::QuadBatch;
using raster::SamplePattern;
using raster::SetupTriangle;
using raster::TileWork;

// A vector holds one sample of a quad, or two samples one after the other.
alignas(32) inline constexpr int32_t kSampleX[8] = {0, 1, 0, 1, 0, 1, 0, 1};
alignas(32) inline constexpr int32_t kSampleY[8] = {0, 0, 1, 1, 0, 0, 1, 1};
inline constexpr uint32_t kVectorSamples = static_cast<uint32_t>(kLanes) / 4;

HWY_INLINE U32x load_samples(const uint32_t* plane, size_t sample_words) {
#if HWY_TARGET == HWY_AVX2
  return hn::Combine(u32, hn::Load(quad_u32, plane + sample_words), hn::Load(quad_u32, plane));
#else
  (void)sample_words;
  return hn::Load(quad_u32, plane);
#endif
}

HWY_INLINE void store_samples(U32x v, uint32_t* plane, size_t sample_words) {
#if HWY_TARGET == HWY_AVX2
  hn::Store(hn::LowerHalf(quad_u32, v), quad_u32, plane);
  hn::Store(hn::UpperHalf(quad_u32, v), quad_u32, plane + sample_words);
#else
  (void)sample_words;
  hn::Store(v, quad_u32, plane);
#endif
}

template <class V>
HWY_INLINE uint32_t compare_lanes(Compare func, V key, V stored) {
  const auto bits = [](auto mask) { return bits_of(hn::RebindMask(f32, mask)); };
  switch (func) {
    case Compare::Never: return 0;
    case Compare::Less: return bits(compare_keys<Compare::Less>(key, stored));
    case Compare::Equal: return bits(compare_keys<Compare::Equal>(key, stored));
    case Compare::Lequal: return bits(compare_keys<Compare::Lequal>(key, stored));
    case Compare::Greater: return bits(compare_keys<Compare::Greater>(key, stored));
    case Compare::NotEqual: return bits(compare_keys<Compare::NotEqual>(key, stored));
    case Compare::Gequal: return bits(compare_keys<Compare::Gequal>(key, stored));
    case Compare::Always: break;
  }
  return (1u << kLanes) - 1;
}

struct QuadPlace {
  int32_t x, y;                          // target pixel
  int32_t block;
  uint32_t tile_lane;
};

HWY_INLINE F32x offset_x(const SetupTriangle& t, int32_t x) {
  return offsets_px(f32, x * 256 + 128 - t.x0_fx8, kSampleX);
}
HWY_INLINE F32x offset_y(const SetupTriangle& t, int32_t y) {
  return offsets_px(f32, y * 256 + 128 - t.y0_fx8, kSampleY);
}

// The early test of the samples of one quad: those of `covered` that pass; writes them where depth is written early.
HWY_INLINE uint64_t test_samples(TileWork& w, const SetupTriangle& t, const QuadPlace& at, uint64_t covered) {
  const DepthTest& test = w.plan.depth;
  const SamplePattern& pattern = *w.plan.samples;
  const bool writes = test.write && w.plan.depth_mode == DepthMode::Early;
  const size_t sample_words = w.planes.depth().sample_words;
  uint32_t* plane = w.planes.depth().keys + at.tile_lane;
  const F32x dx = offset_x(t, at.x), dy = offset_y(t, at.y);
  const F32x z0 = splat(t.z0), z_dx = splat(t.z_dx), z_dy = splat(t.z_dy);
  uint64_t passed = 0;
  for (uint32_t s = 0; s < pattern.count; s += kVectorSamples, plane += kVectorSamples * sample_words) {
    const auto mask = static_cast<uint32_t>(covered >> (4 * s)) & ((1u << kLanes) - 1);
    if (mask == 0) continue;
    const F32x x = dx + load(pattern.x_px + 4 * s), y = dy + load(pattern.y_px + 4 * s);
    const U32x key = depth_key(f32, test, plane_at(x, y, z0, z_dx, z_dy)), old = load_samples(plane, sample_words);
    const uint32_t pass = mask & (test.is_float ? compare_lanes(test.func, as_f32(key), as_f32(old))
                                                : compare_lanes(test.func, key, old));
    if (writes && pass) store_samples(select(mask_of_bits(pass), key, old), plane, sample_words);
    passed |= uint64_t{pass} << (4 * s);
  }
  if (writes && passed) w.planes.depth_written(at.block);
  return passed;
}

// Makes the planes that the draw works on ready in a block.
void ready_block(TileWork& w, int32_t block) {
  if (w.plan.depth_mode != DepthMode::None) w.planes.ready_depth(block, false);
  for (uint32_t i = 0; i < w.plan.color_count; ++i) w.planes.write_color(w.plan.color_target[i], block, false);
  w.batch_ready |= uint64_t{1} << block;
}

// The lanes of a quad with a sample in `samples`.
HWY_INLINE uint64_t lanes_with_samples(uint64_t samples) {
  samples |= samples >> 32;
  samples |= samples >> 16;
  samples |= samples >> 8;
  return (samples | samples >> 4) & 15;
}

void add_barycentrics(const SetupTriangle& t, int32_t x, int32_t y, uint32_t at, QuadBatch& batch) {
  const Quad dx = offsets_px(quad_f32, x * 256 + 128 - t.x0_fx8, kLaneX),
             dy = offsets_px(quad_f32, y * 256 + 128 - t.y0_fx8, kLaneY);
  const Quad l1 = lambda_at(dx, dy, hn::Set(quad_f32, t.l1_dx), hn::Set(quad_f32, t.l1_dy));
  const Quad l2 = lambda_at(dx, dy, hn::Set(quad_f32, t.l2_dx), hn::Set(quad_f32, t.l2_dy));
  hn::Store(l1, quad_f32, batch.lambda1 + 4 * at);
  hn::Store(l2, quad_f32, batch.lambda2 + 4 * at);
  Quad i = l1, j = l2;
  if (!t.affine) perspective_ij(quad_f32, t, l1, l2, i, j);
  hn::Store(i, quad_f32, batch.i + 4 * at);
  hn::Store(j, quad_f32, batch.j + 4 * at);
}

// One quad of a triangle, at target pixel (x, y).
void add_quad(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t x, int32_t y, uint64_t covered) {
  const raster::IRect& tile = w.planes.pixels();
  const int32_t quad_x = (x - tile.x0) >> 1, quad_y = (y - tile.y0) >> 1;
  const int32_t block = (quad_y >> 2) * w.planes.blocks_in_row() + (quad_x >> 2);
  const auto tile_lane = static_cast<uint32_t>(64 * block + 16 * (quad_y & 3) + 4 * (quad_x & 3));
  if (!(w.batch_ready >> block & 1)) ready_block(w, block);

  uint64_t passed = covered;
  if (w.plan.depth_mode == DepthMode::Early || w.plan.depth_mode == DepthMode::LateTested) {
    passed = test_samples(w, t, {x, y, block, tile_lane}, covered);
    const uint64_t failed = lanes_with_samples(covered) & ~lanes_with_samples(passed);
    w.counters.fragments_failed += static_cast<uint64_t>(std::popcount(failed));
    if (!passed) return;
  }
  uint64_t& in_batch = w.quad_samples[tile_lane / 4];
  if ((w.plan.order_matters && (in_batch & passed)) || w.batch.count == 16) raster::flush_sample_batch(w);
  in_batch |= passed;
  w.batch_lanes[block] |= uint64_t{1} << (tile_lane & 63);

  QuadBatch& batch = w.batch;
  const uint32_t at = batch.count++;
  batch.cover |= lanes_with_samples(passed) << (4 * at);
  batch.raster[at] = covered;
  batch.samples[at] = passed;
  batch.triangle[at] = &t;
  batch.chunk[at] = &chunk;
  batch.x[at] = x;
  batch.y[at] = y;
  batch.tile_lane[at] = tile_lane;
  if (w.plan.needs_inputs) add_barycentrics(t, x, y, at, batch);
}

// The quads of kQuads x kQuads from target pixel (x, y) that have a covered sample.
template <int kQuads>
HWY_INLINE void add_quads(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t x, int32_t y,
                          const uint64_t* masks) {
  const uint32_t samples = w.plan.samples->count;
  uint64_t any = 0;
  for (uint32_t s = 0; s < samples; ++s) any |= masks[s];
  while (any) {
    const int32_t quad = std::countr_zero(any) >> 2;
    uint64_t covered = 0;
    for (uint32_t s = 0; s < samples; ++s) covered |= (masks[s] >> (4 * quad) & 15) << (4 * s);
    add_quad(w, t, chunk, x + 2 * (quad % kQuads), y + 2 * (quad / kQuads), covered);
    any &= ~(uint64_t{15} << (4 * quad));
  }
}

// Lanes of a window of 2x2 quads that lie in `rect`.
HWY_INLINE uint64_t window4_rect(const raster::IRect& rect, int32_t x, int32_t y) {
  constexpr uint64_t kColumn = 0x0505, kRow = 0x0033;            // x = 0; y = 0 of both quads of the upper row
  uint64_t columns = 0, rows = 0;
  for (int32_t i = 0; i < 4; ++i) {
    if (x + i >= rect.x0 && x + i < rect.x1) columns |= kColumn << ((i & 1) + 4 * (i >> 1));
    if (y + i >= rect.y0 && y + i < rect.y1) rows |= kRow << (2 * (i & 1) + 8 * (i >> 1));
  }
  return columns & rows;
}

HWY_INLINE void clip_masks(const TileWork& w, uint64_t inside, uint64_t* masks) {
  for (uint32_t s = 0; s < w.plan.samples->count; ++s) masks[s] &= w.plan.sample_bits >> s & 1 ? inside : 0;
}

void small_triangle(TileWork& w, const SetupTriangle& t, const Chunk& chunk, const raster::IRect& rect) {
  const int32_t x = rect.x0 & ~1, y = rect.y0 & ~1;
  uint64_t masks[raster::kMaxSamples];
  if (rect.x1 - x <= 4 && rect.y1 - y <= 4) {
    w.sample_coverage->window4(t, *w.plan.samples, x, y, masks);
    clip_masks(w, window4_rect(rect, x, y), masks);
    add_quads<2>(w, t, chunk, x, y, masks);
  } else {
    w.sample_coverage->window8(t, *w.plan.samples, x, y, masks);
    clip_masks(w, raster::rect_mask(rect.x0 - x, rect.y0 - y, rect.x1 - x, rect.y1 - y), masks);
    add_quads<4>(w, t, chunk, x, y, masks);
  }
}

void block_quads(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t block, const uint64_t* masks) {
  const int32_t in_row = w.planes.blocks_in_row();
  add_quads<4>(w, t, chunk, w.planes.pixels().x0 + 8 * (block % in_row), w.planes.pixels().y0 + 8 * (block / in_row),
               masks);
}

void plane_keys(const TileWork& w, uint32_t sample, uint32_t* keys) {
  const QuadBatch& batch = w.batch;
  const SamplePattern& pattern = *w.plan.samples;
  const Quad x_px = hn::Load(quad_f32, pattern.x_px + 4 * sample), y_px = hn::Load(quad_f32, pattern.y_px + 4 * sample);
  for (uint32_t q = 0; q < batch.count; ++q) {
    const SetupTriangle& t = *batch.triangle[q];
    const Quad dx = hn::Add(offsets_px(quad_f32, batch.x[q] * 256 + 128 - t.x0_fx8, kLaneX), x_px),
               dy = hn::Add(offsets_px(quad_f32, batch.y[q] * 256 + 128 - t.y0_fx8, kLaneY), y_px);
    const Quad z = plane_at(dx, dy, hn::Set(quad_f32, t.z0), hn::Set(quad_f32, t.z_dx), hn::Set(quad_f32, t.z_dy));
    hn::Store(depth_key(quad_f32, w.plan.depth, z), quad_u32, keys + 4 * q);
  }
}

void spread(const QuadBatch& batch, uint32_t samples, size_t sample_words, const uint32_t* lanes, uint32_t* plane) {
  for (uint32_t q = 0; q < batch.count; ++q) {
    uint32_t* to = plane + batch.tile_lane[q];
    const auto quad = hn::Load(quad_u32, lanes + 4 * q);
#if HWY_TARGET == HWY_AVX2
    const U32x fresh = hn::Combine(u32, quad, quad);
#else
    const U32x fresh = quad;
#endif
    for (uint32_t s = 0; s < samples; s += kVectorSamples, to += kVectorSamples * sample_words) {
      const auto mask = static_cast<uint32_t>(batch.samples[q] >> (4 * s)) & ((1u << kLanes) - 1);
      if (mask == 0) continue;
      store_samples(select(mask_of_bits(mask), fresh, load_samples(to, sample_words)), to, sample_words);
    }
  }
}

}  // namespace

extern const raster::SampleBatchKernels kSampleBatchKernels;
const raster::SampleBatchKernels kSampleBatchKernels{small_triangle, block_quads, plane_keys, spread};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {
namespace {

uint64_t count(uint64_t mask) { return static_cast<uint64_t>(std::popcount(mask)); }

// The lanes of the batch that live in a sample.
uint64_t lanes_of_sample(const QuadBatch& batch, uint32_t sample) {
  uint64_t lanes = 0;
  for (uint32_t q = 0; q < batch.count; ++q) lanes |= (batch.samples[q] >> (4 * sample) & 15) << (4 * q);
  return lanes;
}

void keep_lanes(QuadBatch& batch, uint32_t sample, uint64_t lanes) {
  for (uint32_t q = 0; q < batch.count; ++q) batch.samples[q] &= ~((~lanes >> (4 * q) & 15) << (4 * sample));
}

uint64_t live_lanes(const QuadBatch& batch, uint32_t samples) {
  uint64_t live = 0;
  for (uint32_t s = 0; s < samples; ++s) live |= lanes_of_sample(batch, s);
  return live;
}

void shade_batch(TileWork& w) {
  const DrawPlan& plan = w.plan;
  QuadBatch& batch = w.batch;
  if (plan.needs_inputs) {
    w.interpolate->batch(plan.inputs, batch, plan.slots);
    if (plan.inputs.needs_centroid()) w.interpolate->centroid(plan.inputs, batch, plan.slots);
    if (plan.inputs.needs_special()) w.interpolate->special(plan.inputs, batch, batch.cover, plan.slots);
  }
  if (!plan.needs_run()) return;
  const uint64_t live = run_fragments(w, batch.cover);
  if (live == batch.cover && !plan.sample_mask_output && !plan.coverage_alpha) return;
  uint64_t keep[kMaxSamples];
  surviving_samples(plan, live, keep);
  for (uint32_t s = 0; s < plan.samples->count; ++s) keep_lanes(batch, s, keep[s]);
}

void test_batch(TileWork& w) {
  const DrawPlan& plan = w.plan;
  QuadBatch& batch = w.batch;
  const DepthPlane& z = w.planes.depth();
  alignas(64) uint32_t keys[64], stored[64];
  if (plan.depth_output) w.depth->keys_of(plan.depth, plan.depth_output, keys);
  for (uint32_t s = 0; s < plan.samples->count; ++s) {
    if (!plan.depth_output) w.sample_batches->plane_keys(w, s, keys);
    uint32_t* plane = z.keys + s * z.sample_words;
    w.batches->gather(batch, plane, stored);
    const uint64_t pass = plan.depth.compare(keys, stored, lanes_of_sample(batch, s));
    keep_lanes(batch, s, pass);
    if (!plan.depth.write) continue;
    w.batches->scatter(batch, pass, keys, plane);
    for (uint32_t q = 0; q < batch.count; ++q)
      if (pass >> (4 * q) & 15) w.planes.depth_written(static_cast<int32_t>(batch.tile_lane[q] / 64));
  }
}

// Covered texels of the batch's quads in one plane, and back.
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

void write_colors(TileWork& w) {
  const QuadBatch& batch = w.batch;
  const uint32_t samples = w.plan.samples->count;
  alignas(64) std::byte texels[64 * kMaxTexelBytes];
  for (uint32_t i = 0; i < w.plan.color_count; ++i) {
    const ColorWrite& color = w.plan.color[i];
    const ColorPlane& target = w.planes.color(w.plan.color_target[i]);
    if (color.overwrites) color.write(color, ~uint64_t{0}, texels);
    if (color.overwrites && color.texel_bytes == 4) {
      w.sample_batches->spread(batch, samples, target.sample_bytes / 4, reinterpret_cast<const uint32_t*>(texels),
                               reinterpret_cast<uint32_t*>(target.texels));
      continue;
    }
    for (uint32_t s = 0; s < samples; ++s) {
      std::byte* plane = target.texels + s * target.sample_bytes;
      const uint64_t live = lanes_of_sample(batch, s);
      if (!color.overwrites) {
        gather_texels(batch, plane, color.texel_bytes, texels);
        color.write(color, live, texels);
      }
      scatter_texels(batch, live, texels, color.texel_bytes, plane);
    }
  }
}

void heat_batch(PixelHeat& heat, const QuadBatch& batch) {
  for (uint32_t q = 0; q < batch.count; ++q) {
    uint32_t written = 0;
    for (uint32_t s = 0; s < kMaxSamples; ++s) written |= static_cast<uint32_t>(batch.samples[q] >> (4 * s)) & 15;
    heat.shade_quad(batch.x[q], batch.y[q], static_cast<uint32_t>(batch.cover >> (4 * q)) & 15);
    heat.write_quad(batch.x[q], batch.y[q], written);
  }
}

}  // namespace

const SampleBatchKernels& sample_batch_kernels(SimdTarget simd) {
  return TESSERA_DISPATCH(kSampleBatchKernels, simd);
}

void flush_sample_batch(TileWork& w) {
  QuadBatch& batch = w.batch;
  if (batch.count == 0) return;
  const DrawPlan& plan = w.plan;
  for (uint32_t q = 0; q < batch.count; ++q) {
    w.quad_samples[batch.tile_lane[q] / 4] = 0;
    w.batch_lanes[batch.tile_lane[q] / 64] = 0;
  }
  ++w.counters.blocks;
  w.counters.fragments += count(batch.cover);
  batch.sample = -1;
  if (plan.fragment) shade_batch(w);
  if (plan.depth_mode == DepthMode::Late || plan.depth_mode == DepthMode::LateTested) {
    const uint64_t live = live_lanes(batch, plan.samples->count);
    if (live) test_batch(w);
    w.counters.fragments_failed += count(live & ~live_lanes(batch, plan.samples->count));
  }
  for (uint32_t q = 0; q < batch.count; ++q) w.counters.samples_passed += count(batch.samples[q]);
  if (w.heat) heat_batch(*w.heat, batch);
  write_colors(w);
  batch.count = 0;
  batch.cover = 0;
}

}  // namespace tessera::raster
#endif
