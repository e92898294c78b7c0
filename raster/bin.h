// raster/bin.h: the triangles of a chunk, sorted by the tiles they may cover.
// In:     set-up triangles, one after the other in primitive order; the tile size.
// Out:    Chunk::tile_rect, tile_begin, binned. A triangle of many tiles is tested against each with its edge
//         functions, so that a long sliver enters only the tiles near it; a tile never misses a covered sample.
// Threads: pure functions; TileEntries are the caller's.
#pragma once

#include <cstdint>
#include <vector>

#include "raster/frame.h"
#include "raster/samples.h"

namespace tessera::raster {

// Of all layers of a frame: rows of tiles, and tiles.
inline constexpr uint64_t kMaxTileRows = 65536, kMaxTiles = uint64_t{1} << 22;

// Triangle `triangle` may cover tile (x, y).
struct TileEntry {
  uint16_t x = 0, y = 0;
  uint32_t triangle = 0;
};
using TileEntries = std::vector<TileEntry>;

// What binning knows of the frame.
struct TileGrid {
  uint32_t size_log2 = 6;                      // pixels a side of a tile
  uint32_t rows = 0;                           // of one layer
};

// Is the number of tiles of this size within the bounds above?
bool fits_frame(const Framebuffer& target, int32_t tile_size_px);

// Bounds of more tiles than this are refined by the edges.
inline constexpr int32_t kTestedTiles = 4;

// The tiles, of one layer, that pixels touch.
inline IRect tiles_of(const IRect& pixels, const TileGrid& grid) {
  const uint32_t log2 = grid.size_log2;
  return {pixels.x0 >> log2, pixels.y0 >> log2, ((pixels.x1 - 1) >> log2) + 1, ((pixels.y1 - 1) >> log2) + 1};
}

// Appends an entry for each of `tiles`.
inline void add_tiles(const IRect& tiles, uint32_t layer, uint32_t number, const TileGrid& grid, TileEntries& entries) {
  const int32_t first_row = int32_t(layer * grid.rows);
  for (int32_t ty = tiles.y0; ty < tiles.y1; ++ty) {
    for (int32_t tx = tiles.x0; tx < tiles.x1; ++tx)
      entries.push_back({uint16_t(tx), uint16_t(first_row + ty), number});
  }
}

// Appends an entry for each tile.
void add_tiles(const SetupTriangle& triangle, uint32_t number, const TileGrid& grid, const SampleBox& samples,
               TileEntries& entries);

// Counting sort by tile; stable, so each tile keeps primitive order.
void sort_by_tile(const TileEntries& entries, Chunk& chunk);

}  // namespace tessera::raster
