// raster/clear.h: what a clear writes, and clears of many tiles at once: tiles side by side that hold nothing but
// clears of whole texels are written as one strip of long rows. Tile by tile the rows would be pieces of 256 bytes, and
// the work around a tile would cost as much as the bytes.
// In:     a frozen frame.
// Out:    the surfaces' texels, the same bits as TilePlanes leaves tile by tile.
// Errors: none.                                       Threads: a strip has one owner.
#pragma once

#include <vector>

#include "core/simd_target.h"
#include "raster/depth_stencil.h"
#include "raster/tile.h"

namespace tessera::raster {

struct DepthClear {
  bool sets_depth = false, sets_stencil = false;
  bool all_bits = false;         // every aspect of the format is replaced: what was there does not matter
  std::byte texel[8] = {};
};
DepthClear depth_clear(const ClearCommand& command, Format format, const DepthLayout& layout);

// Tiles x0 .. x1 of row y of Frame::tile_commands. More than one: a strip of clears.
struct TileRun {
  int32_t y = 0, x0 = 0, x1 = 0;
};

// The tiles that have work, row by row; strips as long as the frame allows.
std::vector<TileRun> tile_runs(const Frame& frame);

// Writes a run of more than one tile.
TileResult run_clear_strip(const Frame& frame, const TileRun& run, SimdTarget simd);

}  // namespace tessera::raster
