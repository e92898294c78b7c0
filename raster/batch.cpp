#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/batch.cpp"
#include "hwy/foreach_target.h"

#include <bit>
#include <cstring>

#include "core/simd.h"
#include "raster/batch.h"
#include "raster/lane_simd-inl.h"
#include "raster/sample_batch.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::QuadBatch;

alignas(16) inline constexpr uint32_t kQuadBit[4] = {1, 2, 4, 8};

HWY_INLINE hn::Mask<hn::Full128<uint32_t>> quad_mask(uint32_t lanes) {
  const auto bits = hn::Load(quad_u32, kQuadBit);
  return hn::Eq(hn::And(hn::Set(quad_u32, lanes), bits), bits);
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
const raster::BatchKernels kBatchKernels{gather_words, scatter_words};

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
