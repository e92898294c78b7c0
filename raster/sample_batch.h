// raster/sample_batch.h: raster/batch.h for targets of several samples a pixel: a quad enters with the samples of it
// that are covered and pass the early tests, and the program runs once for all of them.
// In, Out, Errors, Threads: as in raster/batch.h. A batch is also flushed where a sample would repeat, unless its
// fragments only overwrite: they are written in primitive order.
#pragma once

#include "raster/block.h"

namespace tessera::raster {

struct SampleBatchKernels {
  // A triangle whose pixels `rect` (in the target, inside the tile) fit in 8x8 pixels from an even corner.
  void (*small)(TileWork& work, const SetupTriangle& triangle, const Chunk& chunk, const IRect& rect);
  // The covered lanes of the samples of one block of a triangle.
  void (*block)(TileWork& work, const SetupTriangle& triangle, const Chunk& chunk, int32_t block,
                const uint64_t* masks);
  // Keys of one sample of the batch's quads from their triangles' planes.
  void (*plane_keys)(const TileWork& work, uint32_t sample, uint32_t* keys);
  // Words that are the same in all samples to the samples that live.
  void (*spread)(const QuadBatch& batch, uint32_t samples, size_t sample_words, const uint32_t* lanes,
                 uint32_t* plane);
};
const SampleBatchKernels& sample_batch_kernels(SimdTarget simd);

// Shades what waits in the batch of a draw with several samples a pixel.
void flush_sample_batch(TileWork& work);

}  // namespace tessera::raster
