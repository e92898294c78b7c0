#include "raster/block.h"

#include <bit>

#include "raster/compare.h"
#include "raster/lanes.h"
#include "raster/target_input.h"

namespace tessera::raster {
namespace {

constexpr uint64_t kAllLanes = ~uint64_t{0};

struct BlockPlace { int32_t block, x, y; };   // first pixel in the target

uint64_t count(uint64_t mask) { return static_cast<uint64_t>(std::popcount(mask)); }

uint32_t* block_keys(TileWork& w, int32_t block) { return w.planes.depth().keys + 64 * block; }

uint64_t sample_pass(const uint32_t* masks, uint64_t live) {
  uint64_t pass = 0;
  for (uint64_t left = live; left; left &= left - 1)
    if (masks[std::countr_zero(left)] & 1) pass |= left & -left;
  return pass;
}

uint64_t alpha_pass(const DrawPlan& plan, uint64_t live) {
  uint64_t pass = 0;
  for (uint64_t left = live; left; left &= left - 1) {
    float alpha = plan.alpha[std::countr_zero(left)];
    if (plan.pipeline->desc.rasterizer.clamp_fragment_color)
      alpha = alpha > 0.0f ? (alpha < 1.0f ? alpha : 1.0f) : 0.0f;
    if (holds(plan.alpha_func, alpha, plan.alpha_ref)) pass |= left & -left;
  }
  return pass;
}

// Writes the plane's depth, which is known to pass in all of `mask`; `range` is that of the whole block.
void write_plane(TileWork& w, const SetupTriangle& t, const BlockPlace& at, uint64_t mask, KeyRange range) {
  if (mask == kAllLanes && w.planes.write_depth_plane(at.block, w.plan.depth, t, range)) {
    w.batch_ready &= ~(uint64_t{1} << at.block);
    return;
  }
  w.planes.ready_depth(at.block, mask == kAllLanes);
  if (mask == kAllLanes) {
    w.depth->plane_keys(w.plan.depth, t, at.x, at.y, block_keys(w, at.block));
    w.planes.depth_written(at.block, range);   // the corners of a whole block are samples themselves: exact
    return;
  }
  alignas(64) uint32_t keys[64];
  w.depth->plane_keys(w.plan.depth, t, at.x, at.y, keys);
  w.depth->write(keys, mask, block_keys(w, at.block));
  w.planes.depth_written(at.block);
}

// Tests (and where `writes` says so, writes) the triangle's own depth.
uint64_t test_plane(TileWork& w, const SetupTriangle& t, const BlockPlace& at, uint64_t mask, bool writes,
                    const KeyRange* known) {
  const DrawPlan& plan = w.plan;
  if (plan.ranges) {
    const KeyRange range = known ? *known : w.depth->plane_range(plan.depth, t, {at.x, at.y, at.x + 8, at.y + 8});
    const RangeTest decision = test_range(plan.depth.func, range, w.planes.depth_range(at.block));
    if (decision == RangeTest::AllFail) return 0;
    if (decision == RangeTest::AllPass && plan.ranges_pass) {
      if (writes) write_plane(w, t, at, mask, range);
      return mask;
    }
  }
  alignas(64) uint32_t keys[64];
  w.depth->plane_keys(plan.depth, t, at.x, at.y, keys);
  return test_keys(w, t.front, at.block, 0, keys, mask, writes);
}

uint64_t test_late(TileWork& w, const SetupTriangle& t, const BlockPlace& at, uint64_t live) {
  const DrawPlan& plan = w.plan;
  alignas(64) uint32_t keys[64];
  if (plan.depth_mode == DepthMode::LateTested) {   // nothing has changed the block's depth since the test
    if (!plan.depth.write) return live;
    w.depth->plane_keys(plan.depth, t, at.x, at.y, keys);
    w.planes.ready_depth(at.block, false);
    w.depth->write(keys, live, block_keys(w, at.block));
    w.planes.depth_written(at.block);
    return live;
  }
  if (!plan.depth_output) return test_plane(w, t, at, live, plan.depth.write, nullptr);
  w.depth->keys_of(plan.depth, plan.depth_output, keys);
  return test_keys(w, t.front, at.block, 0, keys, live, plan.depth.write);
}

void block_inputs(TileWork& w, const SetupTriangle& t, const Chunk& chunk, const BlockPlace& at, uint64_t cover) {
  w.interpolate->block(w.plan.inputs, t, chunk, at.x, at.y, w.plan.slots);
  load_target_inputs(w.planes, w.plan.inputs.target_words, at.block, 0, w.plan.slots);
  if (!w.plan.inputs.needs_special()) return;
  QuadBatch& quads = w.block_quads;
  quads.count = 16;
  quads.sample = -1;
  for (int32_t q = 0; q < 16; ++q) {
    quads.triangle[q] = &t;
    quads.chunk[q] = &chunk;
    quads.x[q] = at.x + 2 * (q & 3);
    quads.y[q] = at.y + 2 * (q >> 2);
  }
  w.interpolate->special(w.plan.inputs, quads, cover, w.plan.slots);
}

}  // namespace

uint64_t test_keys(TileWork& w, bool front, int32_t block, uint32_t sample, const uint32_t* keys, uint64_t mask,
                   bool writes) {
  const DrawPlan& plan = w.plan;
  DepthPlane& z = w.planes.depth();
  w.planes.ready_depth(block, false);
  const size_t first = sample * z.sample_words + static_cast<size_t>(64 * block);
  uint32_t* stored = z.keys + first;
  if (plan.depth.bounds) mask = w.depth->inside_bounds(plan.depth, stored, mask);
  uint64_t pass;
  if (plan.depth.stencil) {
    pass = w.depth->stencil_and_depth(plan.depth, front, keys, stored, mask, plan.stencil_output, z.rest + first);
    z.blocks.dirty |= uint64_t{1} << block;
  } else {
    pass = plan.depth.compare(keys, stored, mask);
  }
  if (writes && pass) {
    w.depth->write(keys, pass, stored);
    w.planes.depth_written(block);
  }
  return pass;
}

uint64_t run_fragments(TileWork& w, uint64_t cover) {
  DrawPlan& plan = w.plan;
  plan.load_uniforms();
  uint64_t live = cover;
  if (plan.runs_program) {
    const BlockArgs args{&plan.draw->fragment_bindings, whole_quads(cover), cover, plan.draw->budget};
    const BlockResult result = plan.fragment->run(plan.slots, args);
    w.failed = w.failed || result.over_budget;
    live &= result.live;
    w.counters.fragments_killed += count(cover & ~live);
  }
  if (plan.sample_mask_output && plan.samples->count == 1) live = sample_pass(plan.sample_mask_output, live);
  if (plan.smooth) plan.multiply_alpha();
  if (plan.alpha_test) {
    const uint64_t pass = alpha_pass(plan, live);
    w.counters.fragments_failed += count(live & ~pass);
    live = pass;
  }
  return live;
}

void shade_block(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t block, uint64_t mask,
                 const KeyRange* range) {
  DrawPlan& plan = w.plan;
  const IRect& tile = w.planes.pixels();
  const int32_t in_row = w.planes.blocks_in_row();
  const BlockPlace at{block, tile.x0 + 8 * (block % in_row), tile.y0 + 8 * (block / in_row)};

  uint64_t cover = mask;
  if (plan.depth_mode == DepthMode::Early) cover = test_plane(w, t, at, mask, plan.depth.write, range);
  else if (plan.depth_mode == DepthMode::LateTested) cover = test_plane(w, t, at, mask, false, range);
  w.counters.fragments_failed += count(mask & ~cover);
  if (!cover) return;

  ++w.counters.blocks;
  w.counters.fragments += count(cover);
  if (w.heat) w.heat->shade_block(at.x, at.y, cover);
  uint64_t live = cover;
  if (plan.fragment) {
    if (plan.needs_inputs) block_inputs(w, t, chunk, at, cover);
    if (plan.needs_run()) live = run_fragments(w, cover);
  }
  if (plan.depth_mode == DepthMode::Late || plan.depth_mode == DepthMode::LateTested) {
    const uint64_t pass = live ? test_late(w, t, at, live) : 0;
    w.counters.fragments_failed += count(live & ~pass);
    live = pass;
  }
  if (!live) return;
  w.counters.samples_passed += count(live);
  if (w.heat) w.heat->write_block(at.x, at.y, live);
  for (uint32_t i = 0; i < plan.color_count; ++i) {
    const ColorWrite& color = plan.color[i];
    color.write(color, live, w.planes.write_color(plan.color_target[i], block, live == kAllLanes && color.overwrites));
  }
}

}  // namespace tessera::raster
