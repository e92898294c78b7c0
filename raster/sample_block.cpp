#include "raster/sample_block.h"

#include <bit>
#include <cstring>

#include "raster/target_input.h"

namespace tessera::raster {
namespace {

constexpr uint64_t kAllLanes = ~uint64_t{0};

// One run of the program over a block, and what it is for.
struct SampleRun {
  const SetupTriangle& triangle;
  const Chunk& chunk;
  int32_t block, x, y;                   // first pixel in the target
  const uint64_t* raster;                // by sample: lanes that the triangle covers
  uint64_t cover[kMaxSamples];           // lanes that passed the early tests
  int32_t sample;                        // that the program runs for; -1: all
};

uint64_t count(uint64_t mask) { return static_cast<uint64_t>(std::popcount(mask)); }

uint64_t any_of(const uint64_t* masks, uint32_t samples) {
  uint64_t any = 0;
  for (uint32_t s = 0; s < samples; ++s) any |= masks[s];
  return any;
}

bool is_whole(const uint64_t* masks, uint32_t samples) {
  uint64_t all = kAllLanes;
  for (uint32_t s = 0; s < samples; ++s) all &= masks[s];
  return all == kAllLanes;
}

// ---- depth ----------------------------------------------------------------------------------------------------------

// Writes the planes' depth, which is known to pass in all covered samples; `range` holds that of the whole block.
void write_planes(TileWork& w, const SampleRun& run, KeyRange range) {
  const uint32_t samples = w.plan.samples->count;
  const bool whole = is_whole(run.cover, samples);
  w.planes.ready_depth(run.block, whole);
  for (uint32_t s = 0; s < samples; ++s) {
    if (!run.cover[s]) continue;
    uint32_t* stored = w.planes.depth().keys + s * w.planes.depth().sample_words + 64 * run.block;
    alignas(64) uint32_t keys[64];
    uint32_t* fresh = run.cover[s] == kAllLanes ? stored : keys;
    w.depth->plane_keys(w.plan.depth, seen_from(run.triangle, *w.plan.samples, s), run.x, run.y, fresh);
    if (fresh == keys) w.depth->write(keys, run.cover[s], stored);
  }
  if (whole) w.planes.depth_written(run.block, range);
  else w.planes.depth_written(run.block);
}

// Tests (and where `writes` says so, writes) the triangle's own depth; what fails leaves `cover`.
void test_planes(TileWork& w, SampleRun& run, bool writes) {
  const DrawPlan& plan = w.plan;
  const uint32_t samples = plan.samples->count;
  if (plan.ranges) {
    const IRect pixels{run.x, run.y, run.x + 8, run.y + 8};
    const KeyRange range = w.depth->sample_range(plan.depth, run.triangle, pixels, plan.samples->box);
    const RangeTest decision = test_range(plan.depth.func, range, w.planes.depth_range(run.block));
    if (decision == RangeTest::AllFail) {
      for (uint32_t s = 0; s < samples; ++s) run.cover[s] = 0;
      return;
    }
    if (decision == RangeTest::AllPass && plan.ranges_pass) {
      if (writes) write_planes(w, run, range);
      return;
    }
  }
  for (uint32_t s = 0; s < samples; ++s) {
    if (!run.cover[s]) continue;
    alignas(64) uint32_t keys[64];
    w.depth->plane_keys(plan.depth, seen_from(run.triangle, *plan.samples, s), run.x, run.y, keys);
    run.cover[s] = test_keys(w, run.triangle.front, run.block, s, keys, run.cover[s], writes);
  }
}

void test_late(TileWork& w, SampleRun& run) {
  const DrawPlan& plan = w.plan;
  if (!plan.depth_output) return test_planes(w, run, plan.depth.write);
  alignas(64) uint32_t keys[64];
  w.depth->keys_of(plan.depth, plan.depth_output, keys);
  for (uint32_t s = 0; s < plan.samples->count; ++s)
    if (run.cover[s])
      run.cover[s] = test_keys(w, run.triangle.front, run.block, s, keys, run.cover[s], plan.depth.write);
}

// ---- inputs ---------------------------------------------------------------------------------------------------------

// Covered samples of a quad as QuadBatch has them.
uint64_t samples_of_quad(const uint64_t* masks, uint32_t samples, int32_t quad) {
  uint64_t bits = 0;
  for (uint32_t s = 0; s < samples; ++s) bits |= (masks[s] >> (4 * quad) & 15) << (4 * s);
  return bits;
}

void sample_inputs(TileWork& w, const SampleRun& run, uint64_t cover) {
  const DrawPlan& plan = w.plan;
  if (run.sample < 0) {
    w.interpolate->block(plan.inputs, run.triangle, run.chunk, run.x, run.y, plan.slots);
  } else {
    const SetupTriangle seen = seen_from(run.triangle, *plan.samples, static_cast<uint32_t>(run.sample));
    w.interpolate->block(plan.inputs, seen, run.chunk, run.x, run.y, plan.slots);
    load_target_inputs(w.planes, plan.inputs.target_words, run.block, static_cast<uint32_t>(run.sample), plan.slots);
  }
  if (!plan.inputs.needs_quads()) return;
  QuadBatch& quads = w.block_quads;
  quads.count = 16;
  quads.sample = run.sample;
  for (int32_t q = 0; q < 16; ++q) {
    quads.triangle[q] = &run.triangle;
    quads.chunk[q] = &run.chunk;
    quads.x[q] = run.x + 2 * (q & 3);
    quads.y[q] = run.y + 2 * (q >> 2);
    quads.raster[q] = samples_of_quad(run.raster, plan.samples->count, q);
    quads.samples[q] = samples_of_quad(run.cover, plan.samples->count, q);
  }
  if (plan.inputs.needs_centroid()) w.interpolate->centroid(plan.inputs, quads, plan.slots);
  if (plan.inputs.needs_special()) w.interpolate->special(plan.inputs, quads, cover, plan.slots);
}

// ---- colours --------------------------------------------------------------------------------------------------------

// Covered texels of a block.
void copy_lanes(TileWork& w, const std::byte* from, uint64_t mask, uint32_t texel_bytes, std::byte* to) {
  if (mask == kAllLanes) {
    std::memcpy(to, from, size_t{64} * texel_bytes);
  } else if (texel_bytes == 4) {
    w.depth->write(reinterpret_cast<const uint32_t*>(from), mask, reinterpret_cast<uint32_t*>(to));
  } else {
    for (; mask; mask &= mask - 1) {
      const size_t at = static_cast<size_t>(std::countr_zero(mask)) * texel_bytes;
      std::memcpy(to + at, from + at, texel_bytes);
    }
  }
}

void write_colors(TileWork& w, int32_t block, const uint64_t* cover) {
  const uint32_t samples = w.plan.samples->count;
  const bool whole = is_whole(cover, samples);
  for (uint32_t i = 0; i < w.plan.color_count; ++i) {
    const ColorWrite& color = w.plan.color[i];
    const uint32_t target = w.plan.color_target[i];
    std::byte* texels = w.planes.write_color(target, block, whole && color.overwrites);
    const size_t sample_bytes = w.planes.color(target).sample_bytes;
    alignas(64) std::byte fresh[64 * kMaxTexelBytes];     // the same in every sample
    if (color.overwrites) color.write(color, kAllLanes, fresh);
    for (uint32_t s = 0; s < samples; ++s, texels += sample_bytes) {
      if (!cover[s]) continue;
      if (color.overwrites) copy_lanes(w, fresh, cover[s], color.texel_bytes, texels);
      else color.write(color, cover[s], texels);
    }
  }
}

// ---- the program ----------------------------------------------------------------------------------------------------

void shade(TileWork& w, SampleRun& run) {
  const DrawPlan& plan = w.plan;
  const uint32_t samples = plan.samples->count;
  const uint64_t cover = any_of(run.cover, samples);
  ++w.counters.blocks;
  w.counters.fragments += count(cover);
  if (w.heat) w.heat->shade_block(run.x, run.y, cover);
  if (plan.fragment && plan.needs_run()) {
    if (plan.needs_inputs) sample_inputs(w, run, cover);
    w.program_sample = run.sample;
    uint64_t keep[kMaxSamples];
    surviving_samples(plan, run_fragments(w, cover), keep);
    for (uint32_t s = 0; s < samples; ++s) run.cover[s] &= keep[s];
  }
  const uint64_t live = any_of(run.cover, samples);
  if (live && (plan.depth_mode == DepthMode::Late || plan.depth_mode == DepthMode::LateTested)) {
    test_late(w, run);
    w.counters.fragments_failed += count(live & ~any_of(run.cover, samples));
  }
  for (uint32_t s = 0; s < samples; ++s) w.counters.samples_passed += count(run.cover[s]);
  if (w.heat) w.heat->write_block(run.x, run.y, any_of(run.cover, samples));
  if (any_of(run.cover, samples)) write_colors(w, run.block, run.cover);
}

}  // namespace

SetupTriangle seen_from(const SetupTriangle& triangle, const SamplePattern& pattern, uint32_t sample) {
  SetupTriangle t = triangle;
  t.x0_fx8 -= pattern.x_fx8(sample);
  t.y0_fx8 -= pattern.y_fx8(sample);
  return t;
}

// Alpha leaves sample s covered where alpha * samples > s + threshold. Dither varies the threshold over a quad, so that
// four pixels show steps of a quarter sample.
void surviving_samples(const DrawPlan& plan, uint64_t live, uint64_t* keep) {
  constexpr float kPlain[4] = {0.5f, 0.5f, 0.5f, 0.5f}, kDither[4] = {0.125f, 0.625f, 0.875f, 0.375f};
  const float* threshold = plan.coverage_dither ? kDither : kPlain;
  const uint32_t samples = plan.samples->count;
  for (uint32_t s = 0; s < samples; ++s) keep[s] = plan.sample_mask_output || plan.coverage_alpha ? 0 : live;
  if (!plan.sample_mask_output && !plan.coverage_alpha) return;
  for (uint64_t left = live; left; left &= left - 1) {
    const int lane = std::countr_zero(left);
    const uint32_t written = plan.sample_mask_output ? plan.sample_mask_output[lane] : ~0u;
    const float alpha = plan.coverage_alpha ? plan.coverage_alpha[lane] : 1.0f;
    for (uint32_t s = 0; s < samples; ++s)
      if ((written >> s & 1) && alpha * static_cast<float>(samples) > static_cast<float>(s) + threshold[lane & 3])
        keep[s] |= left & -left;
  }
}

void shade_samples(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t block, const uint64_t* raster) {
  const DrawPlan& plan = w.plan;
  const uint32_t samples = plan.samples->count;
  const IRect& tile = w.planes.pixels();
  const int32_t in_row = w.planes.blocks_in_row();
  SampleRun run{t, chunk, block, tile.x0 + 8 * (block % in_row), tile.y0 + 8 * (block / in_row), raster, {}, -1};
  for (uint32_t s = 0; s < samples; ++s) run.cover[s] = raster[s];
  if (plan.depth_mode == DepthMode::Early) test_planes(w, run, plan.depth.write);
  else if (plan.depth_mode == DepthMode::LateTested) test_planes(w, run, false);
  const uint64_t cover = any_of(run.cover, samples);
  w.counters.fragments_failed += count(any_of(raster, samples) & ~cover);
  if (!cover) return;
  if (!plan.per_sample) return shade(w, run);
  for (uint32_t s = 0; s < samples; ++s) {
    if (!run.cover[s]) continue;
    SampleRun one{run.triangle, run.chunk, run.block, run.x, run.y, run.raster, {}, static_cast<int32_t>(s)};
    one.cover[s] = run.cover[s];
    shade(w, one);
  }
}

}  // namespace tessera::raster
