// raster/hidden.h: work of a tile that a later opaque full-tile triangle overwrites unread.
// In:     a tile's command list.
// Out:    the place from which triangles must be drawn; clears run in any case (they cost next to nothing).
// Rule:   the triangle covers every pixel of the tile, its draw overwrites every channel of every target without
//         reading it and no depth or stencil test can stop it; nothing before it writes depth or stencil, and no
//         program before it can fail by going over an instruction budget.
// Errors: none.                                       Threads: pure function.
#pragma once

#include "raster/frame.h"

namespace tessera::raster {

// Command `command` of the tile, and in it the triangle at Chunk::binned[binned]. {0, 0}: nothing is hidden.
struct FirstVisible { uint32_t command = 0, binned = 0; };
FirstVisible first_visible(const Frame& frame, const std::vector<TileCommand>& commands, const IRect& pixels);

}  // namespace tessera::raster
