#include "raster/shape_draw.h"

#include <algorithm>
#include <bit>

#include "raster/batch.h"
#include "raster/sample_draw.h"
#include "raster/shape_cover.h"

namespace tessera::raster {
namespace {

IRect intersect(const SetupTriangle& t, const IRect& tile) {
  return {std::max<int32_t>(t.bbox_x0, tile.x0), std::max<int32_t>(t.bbox_y0, tile.y0),
          std::min<int32_t>(t.bbox_x1, tile.x1), std::min<int32_t>(t.bbox_y1, tile.y1)};
}

// Writes how much of each pixel is covered; gives the lanes of which something is.
uint64_t count_coverage(const uint64_t* masks, float* coverage) {
  constexpr uint32_t kSamples = 16;
  uint8_t covered[64] = {};
  uint64_t any = 0;
  for (uint32_t s = 0; s < kSamples; ++s) {
    any |= masks[s];
    for (uint32_t lane = 0; lane < 64; ++lane)
      covered[lane] = static_cast<uint8_t>(covered[lane] + (masks[s] >> lane & 1));
  }
  for (uint32_t lane = 0; lane < 64; ++lane) coverage[lane] = static_cast<float>(covered[lane]) / kSamples;
  return any;
}

void draw_shape(TileWork& w, const SetupTriangle& t, const Shape& shape, const Chunk& chunk, const IRect& pixels) {
  const IRect& tile = w.planes.pixels();
  const SamplePattern& pattern = shape.smooth ? smooth_pattern() : *w.plan.samples;
  ShapeCover cover;
  if (!cover.begin(t, shape, pattern, *w.plan.draw->polygon_stipple, tile.x0, tile.y0, pixels)) return;
  for (int32_t y = (pixels.y0 - tile.y0) & ~7; y < pixels.y1 - tile.y0; y += 8) {
    for (int32_t x = (pixels.x0 - tile.x0) & ~7; x < pixels.x1 - tile.x0; x += 8) {
      uint64_t masks[kMaxSamples];
      if (cover.block(*w.sample_coverage, x, y, masks))
        shade_masks(w, t, shape, chunk, (y >> 3) * w.planes.blocks_in_row() + (x >> 3), masks);
    }
  }
}

}  // namespace

// Samples of the target's pixels: all of a pixel's where it is covered at all (smooth), else those of the pattern.
void shade_masks(TileWork& w, const SetupTriangle& t, const Shape& shape, const Chunk& chunk, int32_t block,
                 uint64_t* masks) {
  const uint32_t samples = w.planes.samples();
  if (w.plan.smooth && !shape.smooth) std::fill_n(w.plan.coverage, 64, 1.0f);
  if (shape.smooth) {
    const uint64_t any = count_coverage(masks, w.plan.coverage);
    std::fill_n(masks, samples, any);
  }
  if (samples == 1) return draw_block(w, t, chunk, block, masks[0]);
  uint64_t any = 0;
  for (uint32_t s = 0; s < samples; ++s) any |= masks[s] = w.plan.sample_bits >> s & 1 ? masks[s] : 0;
  if (any) draw_sample_block(w, t, chunk, block, masks, any);
}

void draw_shapes(TileWork& w, const Chunk& chunk, uint32_t begin, uint32_t end) {
  for (uint32_t b = begin; b < end && !w.failed; ++b) {
    const uint32_t i = chunk.binned[b];
    const IRect pixels = intersect(chunk.triangles[i], w.planes.pixels());
    if (!pixels.empty()) draw_shape(w, chunk.triangles[i], chunk.shapes[i], chunk, pixels);
  }
}

}  // namespace tessera::raster
