#include "raster/bin.h"

#include <algorithm>

namespace tessera::raster {
namespace {

constexpr uint32_t kTestedTiles = 4;     // bounds of more tiles than this are refined

struct TileBounds { int32_t x0, y0, x1, y1; };   // half-open

TileBounds tile_bounds(const SetupTriangle& t, uint32_t log2) {
  return {t.bbox_x0 >> log2, t.bbox_y0 >> log2, ((t.bbox_x1 - 1) >> log2) + 1, ((t.bbox_y1 - 1) >> log2) + 1};
}

IRect union_of_bounds(const std::vector<SetupTriangle>& triangles, uint32_t log2) {
  IRect all;
  if (triangles.empty()) return all;
  all = {INT32_MAX, INT32_MAX, 0, 0};
  for (const SetupTriangle& t : triangles) {
    const TileBounds b = tile_bounds(t, log2);
    all = {std::min(all.x0, b.x0), std::min(all.y0, b.y0), std::max(all.x1, b.x1), std::max(all.y1, b.y1)};
  }
  return all;
}

// The edge function at the pixel of tile (0, 0) where it is largest; a tile is outside where that value is negative.
int64_t largest_in_tile(const EdgeEq& e, int64_t last_px) {
  return e.c_fx16 + std::max<int64_t>(0, e.step_x_fx16) * last_px + std::max<int64_t>(0, e.step_y_fx16) * last_px;
}

void add_refined(const SetupTriangle& t, uint32_t number, const TileBounds& b, const IRect& rect, uint32_t log2,
                 std::vector<BinScratch::Entry>& entries) {
  const int64_t size_px = int64_t{1} << log2;
  const uint32_t width = uint32_t(rect.x1 - rect.x0);
  int64_t row[3], step_x[3], step_y[3];
  for (int i = 0; i < 3; ++i) {
    step_x[i] = t.edge[i].step_x_fx16 * size_px;
    step_y[i] = t.edge[i].step_y_fx16 * size_px;
    row[i] = largest_in_tile(t.edge[i], size_px - 1) + b.x0 * step_x[i] + b.y0 * step_y[i];
  }
  for (int32_t ty = b.y0; ty < b.y1; ++ty) {
    int64_t e0 = row[0], e1 = row[1], e2 = row[2];
    uint32_t tile = uint32_t(ty - rect.y0) * width + uint32_t(b.x0 - rect.x0);
    for (int32_t tx = b.x0; tx < b.x1; ++tx, ++tile) {
      if ((e0 | e1 | e2) >= 0) entries.push_back({tile, number});   // no sign bit: none is negative
      e0 += step_x[0];
      e1 += step_x[1];
      e2 += step_x[2];
    }
    for (int i = 0; i < 3; ++i) row[i] += step_y[i];
  }
}

void collect_entries(const Chunk& chunk, uint32_t log2, std::vector<BinScratch::Entry>& entries) {
  const IRect& rect = chunk.tile_rect;
  const uint32_t width = uint32_t(rect.x1 - rect.x0);
  entries.clear();
  for (uint32_t number = 0; number < chunk.triangles.size(); ++number) {
    const SetupTriangle& t = chunk.triangles[number];
    const TileBounds b = tile_bounds(t, log2);
    if (uint32_t(b.x1 - b.x0) * uint32_t(b.y1 - b.y0) > kTestedTiles) {
      add_refined(t, number, b, rect, log2, entries);
      continue;
    }
    for (int32_t ty = b.y0; ty < b.y1; ++ty) {
      for (int32_t tx = b.x0; tx < b.x1; ++tx)
        entries.push_back({uint32_t(ty - rect.y0) * width + uint32_t(tx - rect.x0), number});
    }
  }
}

// Counting sort; stable, so each tile keeps primitive order.
void sort_by_tile(Chunk& chunk, const std::vector<BinScratch::Entry>& entries) {
  const uint32_t tiles = uint32_t(chunk.tile_rect.x1 - chunk.tile_rect.x0) *
                         uint32_t(chunk.tile_rect.y1 - chunk.tile_rect.y0);
  // While entries are placed, tile_begin[t + 1] is where the next one of tile t goes.
  chunk.tile_begin.assign(size_t{tiles} + 2, 0);
  for (const BinScratch::Entry& e : entries) ++chunk.tile_begin[e.tile + 2];
  for (uint32_t t = 2; t < tiles + 2; ++t) chunk.tile_begin[t] += chunk.tile_begin[t - 1];
  chunk.binned.resize(entries.size());
  for (const BinScratch::Entry& e : entries) chunk.binned[chunk.tile_begin[e.tile + 1]++] = e.triangle;
  chunk.tile_begin.pop_back();
}

}  // namespace

uint32_t bounded_tiles(const SetupTriangle& triangle, uint32_t tile_size_log2) {
  const TileBounds b = tile_bounds(triangle, tile_size_log2);
  return uint32_t(b.x1 - b.x0) * uint32_t(b.y1 - b.y0);
}

void bin_triangles(Chunk& chunk, uint32_t tile_size_log2, BinScratch& scratch) {
  chunk.tile_rect = union_of_bounds(chunk.triangles, tile_size_log2);
  collect_entries(chunk, tile_size_log2, scratch.entries);
  sort_by_tile(chunk, scratch.entries);
}

}  // namespace tessera::raster
