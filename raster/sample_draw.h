// raster/sample_draw.h: one triangle over a tile of several samples a pixel: tile, then block, then masks of lanes.
// In:     a SetupTriangle; the pixels of the tile that its bounds and the clip rectangle leave.
// Out:    the tile's planes, or quads in the batch.
// Errors: as in raster/block.h.                       Threads: one owner.
#pragma once

#include "raster/block.h"

namespace tessera::raster {

// `pixels` in the target, not empty, inside the tile.
void draw_samples(TileWork& work, const SetupTriangle& triangle, const Chunk& chunk, const IRect& pixels);

// One block, by the batch or at once. `masks`: covered lanes by sample, `any` of them together; not zero.
void draw_sample_block(TileWork& work, const SetupTriangle& triangle, const Chunk& chunk, int32_t block,
                       const uint64_t* masks, uint64_t any);

}  // namespace tessera::raster
