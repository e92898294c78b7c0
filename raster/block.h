// raster/block.h: shading of 64 lanes: early tests, inputs, program, late tests, colours. Two paths, the same bits:
// a block of one triangle, and a batch of quads of several small triangles (raster/batch.h).
// In:     the lanes that a triangle covers.
// Out:    the tile's planes; counters.
// Errors: a lane over the instruction budget sets `failed`: the tile's contents mean nothing then.
// Threads: one owner.
#pragma once

#include "core/counters.h"
#include "raster/coverage.h"
#include "raster/draw_plan.h"
#include "raster/frame_log.h"
#include "raster/interpolate.h"
#include "raster/planes.h"
#include "raster/sample_coverage.h"
#include "raster/tile_setup.h"

namespace tessera::raster {

struct BatchKernels;
struct PackKernels;
struct SampleBatchKernels;

// All that one thread works with while it runs a tile.
struct TileWork {
  TilePlanes planes;
  DrawPlan plan;
  QuadBatch batch;                       // quads that wait to be shaded, in primitive order
  uint64_t batch_lanes[64] = {};         // by block: covered lanes that are in the batch (several samples: not all)
  uint64_t batch_ready = 0;              // blocks whose planes the draw's batches can use
  QuadBatch block_quads;                 // the quads of a block, for inputs that are no varyings
  SlotFile slot_file;
  TileSetup setup;
  const CoverageKernels* coverage = nullptr;
  const InterpolateKernels* interpolate = nullptr;
  const DepthKernels* depth = nullptr;
  const BatchKernels* batches = nullptr;
  const PackKernels* packs = nullptr;
  // With several samples a pixel.
  const SampleCoverageKernels* sample_coverage = nullptr;
  const SampleBatchKernels* sample_batches = nullptr;
  uint64_t quad_samples[1024] = {};      // by quad of the tile: samples in the batch, as QuadBatch::samples
  Counters counters;
  uint64_t texels_before = 0;            // texture::texels_read() when the tile began
  PixelTally tally;                      // of queries
  PixelHeat* heat = nullptr;             // where shaded and written pixels are counted, or null
  int32_t program_sample = -1;           // that a block's program runs for, where it runs once a sample; else -1
  bool failed = false;
};

// Shades `mask` of a block of one triangle. `range`: bounds of the triangle's depth in the block, where they are known.
void shade_block(TileWork& work, const SetupTriangle& triangle, const Chunk& chunk, int32_t block, uint64_t mask,
                 const KeyRange* range = nullptr);

// Runs the program on lanes whose inputs are in their slots; gives those of `cover` that live on after it and the alpha
// test. With one sample a pixel, what the program says of its sample counts too.
uint64_t run_fragments(TileWork& work, uint64_t cover);

// Tests keys against those of a block's sample, with stencil where that is on; writes those that pass where `writes`
// says so. Gives the lanes that pass.
uint64_t test_keys(TileWork& work, bool front, int32_t block, uint32_t sample, const uint32_t* keys, uint64_t mask,
                   bool writes);

}  // namespace tessera::raster
