// raster/chunk.h: a run of primitives of one draw -> a Chunk: shaded, clipped, set up and binned.
// In:     a PreparedDraw and a range of its points, lines or triangles, or of what the stages between vertex shading and
//         clipping take, counted through all instances.
// Out:    the Chunk, and how far it got: a chunk that grows beyond its memory limit ends early, between two of them.
// Threads: a ChunkBuilder is one worker's memory; builders share nothing.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/counters.h"
#include "raster/bin.h"
#include "raster/cull.h"
#include "raster/draw.h"
#include "raster/frame.h"
#include "raster/reuse.h"

namespace tessera::raster {

struct ChunkJob {
  const PreparedDraw* draw = nullptr;
  uint64_t begin = 0, end = 0;                 // primitive p of instance i is number i * primitives of an instance + p
  uint32_t stipple = 0;                        // what the line stipple has counted before `begin`
};

struct ChunkLimits {
  SimdTarget simd{};
  TileGrid grid;
  uint64_t max_bytes = ~0ull;                  // of triangles and bins
};

struct ChunkResult {
  uint64_t done = 0;                           // primitives [job.begin, done) are in the chunk
  uint32_t stipple = 0;                        // what the line stipple has counted before `done`
  bool over_budget = false;                    // of instructions, in a program before the rasterizer
  Counters counters;
  // Of draws with stages between: primitives by stream, and what goes to stream output (null: nothing).
  std::array<uint32_t, kVertexStreams> generated{};
  std::unique_ptr<StreamCapture> streamed;
};

// Bytes that a chunk holds.
uint64_t chunk_bytes(const Chunk& chunk);

class ChunkBuilder {
 public:
  ChunkBuilder();
  ~ChunkBuilder();
  ChunkBuilder(ChunkBuilder&&) noexcept;

  // `chunk` may be a used one; what it held is replaced, its memory reused.
  ChunkResult build(const ChunkJob& job, const ChunkLimits& limits, Chunk& chunk);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::raster
