// raster/shape_draw.h: the primitives of a chunk with shapes over a tile: masks of samples, block by block.
// In:     triangles [begin, end) of the tile's part of Chunk::binned.
// Out:    the tile's planes, or quads in the batch. Smooth ones are shaded at once, with their coverage.
// Errors: as in raster/block.h.                       Threads: one owner.
#pragma once

#include "raster/block.h"

namespace tessera::raster {

// Shades what a primitive covers of one block; masks[sample] as ShapeCover::block() gives them, and then no more.
void shade_masks(TileWork& work, const SetupTriangle& triangle, const Shape& shape, const Chunk& chunk, int32_t block,
                 uint64_t* masks);

void draw_shapes(TileWork& work, const Chunk& chunk, uint32_t begin, uint32_t end);

}  // namespace tessera::raster
