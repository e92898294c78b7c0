// raster/shape_cover.h: which samples of an 8x8 block a primitive with a Shape covers.
// In:     a SetupTriangle and its Shape; the pixels of a tile that its bounds leave; a sample pattern.
// Out:    masks[sample], bit = lane: inside of the triangle's edges, the shape's edge and disc, and on a one of the
//         stipple pattern; exact.
// Range:  as in sample_coverage.h; a disc's radius is below 2^11 px.
// Threads: pure functions.
#pragma once

#include <cstdint>

#include "raster/sample_coverage.h"
#include "raster/state.h"

namespace tessera::raster {

// A primitive over a tile: what does not change from block to block.
class ShapeCover {
 public:
  // `pixels` in the target, inside the tile whose first pixel is (tile_x, tile_y). False: nothing is covered.
  bool begin(const SetupTriangle& triangle, const Shape& shape, const SamplePattern& pattern,
             const StipplePattern& stipple, int32_t tile_x, int32_t tile_y, const IRect& pixels);
  // The block at tile pixel (x, y), inside `pixels` only. False: no sample is covered.
  bool block(const SampleCoverageKernels& kernels, int32_t x, int32_t y, uint64_t* masks) const;

 private:
  void keep_disc(int32_t x, int32_t y, uint64_t* masks) const;
  uint64_t stippled_lanes(int32_t x, int32_t y) const;

  const SetupTriangle* triangle_ = nullptr;
  const Shape* shape_ = nullptr;
  const SamplePattern* pattern_ = nullptr;
  const StipplePattern* stipple_ = nullptr;
  int32_t tile_x_ = 0, tile_y_ = 0;
  IRect pixels_;
  SampleEdges edges_, other_;
};

}  // namespace tessera::raster
