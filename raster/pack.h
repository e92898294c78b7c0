// raster/pack.h: quads of triangles on their way into the batch: coverage, early depth test and barycentrics, a vector of
// quads at a time.
// In:     a triangle and the pixels of a tile that it may cover.
// Out:    TileWork::batch, in primitive order; the tile's keys where depth is written early.
// Range:  windows of at most kPackWindow_px a side.
// Errors: as in raster/block.h.                       Threads: one owner.
#pragma once

#include "raster/block.h"

namespace tessera::raster {

// Triangles whose pixels fit in so many a side go into the batch in one pass, without a look at tile and blocks.
inline constexpr int32_t kPackWindow_px = 16;

struct PackKernels {
  // The pixels `rect`, in the target and inside the tile, of a triangle.
  void (*window)(TileWork& work, const SetupTriangle& triangle, const Chunk& chunk, const IRect& rect);
  // The covered lanes of one block of a triangle.
  void (*block)(TileWork& work, const SetupTriangle& triangle, const Chunk& chunk, int32_t block, uint64_t mask);
};
const PackKernels& pack_kernels(SimdTarget simd);

}  // namespace tessera::raster
