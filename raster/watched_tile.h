// raster/watched_tile.h: one tile, and all that happens in it to the watched pixel. The functions that draw any tile
// draw it, a primitive and a block at a time, with nothing packed together and nothing left out as hidden; beside them
// it is worked out for the pixel which test said what.
// In:     a frozen frame; a tile that holds the watch's pixel.
// Out:    the surfaces, the same bits as run_tile(); events in the watch.
// Threads: one owner of the tile and the watch.
#pragma once

#include "raster/pixel_watch.h"
#include "raster/tile.h"

namespace tessera::raster {

TileResult run_watched_tile(const Frame& frame, int32_t tile_x, int32_t row, SimdTarget simd, TileBuffers& own,
                            PixelWatch& watch);

}  // namespace tessera::raster
