// raster/tile.h: one bin on one thread: load, run its commands, store.
#pragma once

#include <chrono>
#include <memory>

#include "core/simd_target.h"
#include "raster/frame.h"

namespace tessera::raster {

class PixelHeat;

// The memory of one worker: colour and depth of a tile (block by block, lane order), slot files, batches.
class TileBuffers {
 public:
  TileBuffers();
  ~TileBuffers();
  // What the tiles so far counted for queries, by interval; for the caller to take and empty.
  std::vector<PixelCounts>& pixel_counts();
  // Where the next tiles count shaded and written pixels; null: nowhere.
  void set_heat(PixelHeat* heat);
  struct Impl;
  Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

struct TileResult {
  Counters counters;
  int64_t failed_draw = -1;      // number of a draw that went over its instruction budget, or -1
};

// The tile size for a target: 64, or 32, 16 or 8 where a tile's samples and targets would exceed 256 KiB.
int32_t tile_size_for(const Framebuffer& target, int32_t at_most = 64);

// The list of a tile of a row of Frame::tile_commands.
const std::vector<TileCommand>& tile_commands(const Frame& frame, int32_t tile_x, int32_t row);

// What is around a tile's commands: a worker's memory made ready for them; what they drew stored.
struct TileWork;
TileWork& begin_tile(const Frame& frame, int32_t tile_x, int32_t row, SimdTarget simd, TileBuffers& own);
TileResult end_tile(TileWork& work, std::chrono::steady_clock::time_point start);

// Runs one tile of a frozen frame, of a row of Frame::tile_commands, on the calling thread.
TileResult run_tile(const Frame& frame, int32_t tile_x, int32_t row, SimdTarget simd, TileBuffers& own);

}  // namespace tessera::raster
