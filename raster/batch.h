// raster/batch.h: the packed path: quads of consecutive small triangles of one draw share a batch of 16.
// In:     triangles and the pixels of a tile that they may cover.
// Out:    quads enter in primitive order after the early tests; a batch is shaded when 16 quads are in, a covered
//         sample would repeat, the draw changes or the tile ends. One pixel quad may stand in several entries.
// Errors: as in raster/block.h.                       Threads: one owner.
#pragma once

#include <bit>

#include "raster/block.h"
#include "raster/lanes.h"
#include "raster/pack.h"

namespace tessera::raster {

struct BatchKernels {
  // Words of the batch's quads from a plane, side by side as a block's, and back: covered lanes only, since an
  // uncovered one may be another entry's.
  void (*gather)(const QuadBatch& batch, const uint32_t* plane, uint32_t* lanes);
  void (*scatter)(const QuadBatch& batch, uint64_t live, const uint32_t* lanes, uint32_t* plane);
};
const BatchKernels& batch_kernels(SimdTarget simd);

// Shades what waits in the batch.
void flush_batch(TileWork& work);

// A partly covered block goes to the batch while it has at most so many quads: then sharing a program run pays.
inline constexpr int kPackedQuads = 8;

// The covered lanes of one block of a triangle, by the batch or at once.
inline void draw_block(TileWork& w, const SetupTriangle& t, const Chunk& chunk, int32_t block, uint64_t mask,
                       const KeyRange* range = nullptr) {
  if (w.plan.packs && std::popcount(quads_of(mask)) <= kPackedQuads) return w.packs->block(w, t, chunk, block, mask);
  if (w.batch_lanes[block]) flush_batch(w);
  shade_block(w, t, chunk, block, mask, range);
}

}  // namespace tessera::raster
