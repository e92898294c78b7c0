#include "raster/sample_draw.h"

#include <bit>

#include "raster/batch.h"
#include "raster/lanes.h"
#include "raster/sample_batch.h"
#include "raster/sample_block.h"

namespace tessera::raster {
namespace {

bool is_behind(TileWork& w, const SetupTriangle& t, const IRect& pixels, KeyRange stored) {
  const KeyRange range = w.depth->sample_range(w.plan.depth, t, pixels, w.plan.samples->box);
  return test_range(w.plan.depth.func, range, stored) == RangeTest::AllFail;
}

uint64_t any_of(const uint64_t* masks, uint32_t samples) {
  uint64_t any = 0;
  for (uint32_t s = 0; s < samples; ++s) any |= masks[s];
  return any;
}

bool fits_window(const IRect& r) { return r.x1 - (r.x0 & ~1) <= 8 && r.y1 - (r.y0 & ~1) <= 8; }

}  // namespace

void draw_sample_block(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t block, const uint64_t* masks,
                       uint64_t any) {
  const IRect& tile = w.planes.pixels();
  const int32_t in_row = w.planes.blocks_in_row();
  const int32_t x = tile.x0 + 8 * (block % in_row), y = tile.y0 + 8 * (block / in_row);
  // Whole blocks are tested by shade_samples(); of parts only what is known already, since small writes forget it.
  if (w.plan.ranges && any != ~uint64_t{0} && w.planes.knows_depth_range(block) &&
      is_behind(w, t, {x, y, x + 8, y + 8}, w.planes.depth_range(block))) {
    w.counters.fragments_failed += static_cast<uint64_t>(std::popcount(any));
    return;
  }
  if (w.plan.packs && std::popcount(quads_of(any)) <= kPackedQuads)
    return w.sample_batches->block(w, t, chunk, block, masks);
  if (w.batch_lanes[block]) flush_batch(w);
  shade_samples(w, t, chunk, block, masks);
}

void draw_samples(TileWork& w, const SetupTriangle& t, const Chunk& chunk, const IRect& pixels) {
  if (w.plan.packs && fits_window(pixels)) return w.sample_batches->small(w, t, chunk, pixels);
  const IRect& tile = w.planes.pixels();
  SampleEdges edges;
  if (!cross_tile(t, *w.plan.samples, tile.x0, tile.y0, pixels, edges)) return;
  if (w.plan.ranges && edges.count == 0 && pixels == tile &&
      is_behind(w, t, pixels, w.planes.depth_range_of_tile())) {
    w.counters.fragments_failed += static_cast<uint64_t>(tile.x1 - tile.x0) * static_cast<uint64_t>(tile.y1 - tile.y0);
    return;
  }
  const uint32_t samples = w.plan.samples->count;
  const int32_t x0 = pixels.x0 - tile.x0, y0 = pixels.y0 - tile.y0, x1 = pixels.x1 - tile.x0, y1 = pixels.y1 - tile.y0;
  for (int32_t y = y0 & ~7; y < y1; y += 8) {
    for (int32_t x = x0 & ~7; x < x1; x += 8) {
      const BlockCover cover = classify_block(edges, x, y);
      if (cover == BlockCover::None) continue;
      uint64_t masks[kMaxSamples];
      if (cover == BlockCover::Partial) w.sample_coverage->block(edges, samples, x, y, masks);
      const uint64_t inside = rect_mask(x0 - x, y0 - y, x1 - x, y1 - y);
      for (uint32_t s = 0; s < samples; ++s) {
        const uint64_t covered = cover == BlockCover::Full ? ~uint64_t{0} : masks[s];
        masks[s] = w.plan.sample_bits >> s & 1 ? covered & inside : 0;
      }
      if (const uint64_t any = any_of(masks, samples))
        draw_sample_block(w, t, chunk, (y >> 3) * w.planes.blocks_in_row() + (x >> 3), masks, any);
    }
  }
}

}  // namespace tessera::raster
