// raster/bin.h: the triangles of a chunk, sorted by the tiles they may cover.
// In:     Chunk::triangles with their bounds; the tile size.
// Out:    Chunk::tile_rect, tile_begin, binned. A triangle of many tiles is tested against each with its edge
//         functions, so that a long sliver enters only the tiles near it; a tile never misses a covered pixel.
// Threads: pure function; BinScratch is the caller's.
#pragma once

#include <cstdint>
#include <vector>

#include "raster/frame.h"

namespace tessera::raster {

// Memory that bin_triangles() keeps between calls.
struct BinScratch {
  struct Entry { uint32_t tile, triangle; };
  std::vector<Entry> entries;
};

// How many tiles the triangle's bounds touch.
uint32_t bounded_tiles(const SetupTriangle& triangle, uint32_t tile_size_log2);

void bin_triangles(Chunk& chunk, uint32_t tile_size_log2, BinScratch& scratch);

}  // namespace tessera::raster
