#include "raster/bin.h"

#include <algorithm>

namespace tessera::raster {
namespace {

// A bound of the edge function at the samples of tile (0, 0); a tile is outside where that value is negative.
int64_t largest_in_tile(const EdgeEq& e, int64_t last_px, const SampleBox& samples) {
  const int64_t step_x_fx8 = e.step_x_fx16 >> 8, step_y_fx8 = e.step_y_fx16 >> 8;
  const int64_t x_fx8 = step_x_fx8 > 0 ? last_px * 256 + samples.max_x_fx8 : samples.min_x_fx8;
  const int64_t y_fx8 = step_y_fx8 > 0 ? last_px * 256 + samples.max_y_fx8 : samples.min_y_fx8;
  return e.c_fx16 + step_x_fx8 * x_fx8 + step_y_fx8 * y_fx8;
}

void add_refined(const SetupTriangle& t, uint32_t number, const IRect& tiles, const TileGrid& grid,
                 const SampleBox& samples, TileEntries& entries) {
  const int64_t size_px = int64_t{1} << grid.size_log2;
  const int32_t first_row = int32_t(t.layer * grid.rows);
  int64_t row[3], step_x[3], step_y[3];
  for (int i = 0; i < 3; ++i) {
    step_x[i] = t.edge[i].step_x_fx16 * size_px;
    step_y[i] = t.edge[i].step_y_fx16 * size_px;
    row[i] = largest_in_tile(t.edge[i], size_px - 1, samples) + tiles.x0 * step_x[i] + tiles.y0 * step_y[i];
  }
  for (int32_t ty = tiles.y0; ty < tiles.y1; ++ty) {
    int64_t e0 = row[0], e1 = row[1], e2 = row[2];
    for (int32_t tx = tiles.x0; tx < tiles.x1; ++tx) {
      if ((e0 | e1 | e2) >= 0)   // no sign bit: none is negative
        entries.push_back({uint16_t(tx), uint16_t(first_row + ty), number});
      e0 += step_x[0];
      e1 += step_x[1];
      e2 += step_x[2];
    }
    for (int i = 0; i < 3; ++i) row[i] += step_y[i];
  }
}

IRect bounds_of(const TileEntries& entries) {
  if (entries.empty()) return {};
  uint16_t x0 = UINT16_MAX, y0 = UINT16_MAX, x1 = 0, y1 = 0;
  for (const TileEntry& e : entries) {
    x0 = std::min(x0, e.x);
    y0 = std::min(y0, e.y);
    x1 = std::max(x1, e.x);
    y1 = std::max(y1, e.y);
  }
  return {x0, y0, x1 + 1, y1 + 1};
}

}  // namespace

bool fits_frame(const Framebuffer& target, int32_t tile_size_px) {
  const auto size = static_cast<uint32_t>(tile_size_px);
  const uint64_t rows = uint64_t{target.layers} * ((target.height - 1) / size + 1);
  return rows <= kMaxTileRows && rows * ((target.width - 1) / size + 1) <= kMaxTiles;
}

void add_tiles(const SetupTriangle& t, uint32_t number, const TileGrid& grid, const SampleBox& samples,
               TileEntries& entries) {
  const IRect tiles = tiles_of({t.bbox_x0, t.bbox_y0, t.bbox_x1, t.bbox_y1}, grid);
  if ((tiles.x1 - tiles.x0) * (tiles.y1 - tiles.y0) > kTestedTiles)
    return add_refined(t, number, tiles, grid, samples, entries);
  add_tiles(tiles, t.layer, number, grid, entries);
}

void sort_by_tile(const TileEntries& entries, Chunk& chunk) {
  const IRect rect = bounds_of(entries);
  const uint32_t width = uint32_t(rect.x1 - rect.x0), tiles = width * uint32_t(rect.y1 - rect.y0);
  const auto tile_of = [&](const TileEntry& e) { return (e.y - uint32_t(rect.y0)) * width + (e.x - uint32_t(rect.x0)); };
  chunk.tile_rect = rect;
  // While entries are placed, tile_begin[t + 1] is where the next one of tile t goes.
  chunk.tile_begin.assign(size_t{tiles} + 2, 0);
  for (const TileEntry& e : entries) ++chunk.tile_begin[tile_of(e) + 2];
  for (uint32_t t = 2; t < tiles + 2; ++t) chunk.tile_begin[t] += chunk.tile_begin[t - 1];
  chunk.binned.resize(entries.size());
  for (const TileEntry& e : entries) chunk.binned[chunk.tile_begin[tile_of(e) + 1]++] = e.triangle;
  chunk.tile_begin.pop_back();
}

}  // namespace tessera::raster
