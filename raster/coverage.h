// raster/coverage.h: which samples a triangle covers: tile, then 8x8 block, then a mask of 64 lanes.
// In:     a SetupTriangle; pixels of a tile of at most 64x64 pixels inside the target.
// Out:    bit = lane (raster/lanes.h), set when all three edge functions are >= 0 at the pixel's centre; exact.
// Range:  |x|, |y| < 2^15 px for vertices, targets up to 16384 px. An edge's steps are multiples of 256, so
//         floor(E / 256) >= 0 exactly when E >= 0; inside a tile that the edge crosses it is below 63 * 2^25 < 2^31.
// Errors: none.                                                    Threads: pure functions.
// Source: Pineda, SIGGRAPH 1988, for edge functions.
#pragma once

#include <cstdint>

#include "core/simd_target.h"
#include "raster/frame.h"

namespace tessera::raster {

// The edges that cross a tile: floor(E / 256) is c + x * step_x + y * step_y at tile pixel (x, y).
struct TileEdges {
  int32_t count = 0;
  int32_t c_fx8[3], step_x_fx8[3], step_y_fx8[3];
};

// Finds the edges that cross `pixels` (target coordinates), a part of the tile whose first pixel is (tile_x, tile_y).
// False: nothing inside is covered.
bool cross_tile(const SetupTriangle& triangle, int32_t tile_x, int32_t tile_y, const IRect& pixels, TileEdges& edges);

// What an edge set says of the block at tile pixel (x, y), without looking at single samples.
enum class BlockCover : uint8_t { None, Partial, Full };
inline BlockCover classify_block(const TileEdges& edges, int32_t x, int32_t y) {
  BlockCover cover = BlockCover::Full;
  for (int32_t i = 0; i < edges.count; ++i) {
    const int32_t sx = 7 * edges.step_x_fx8[i], sy = 7 * edges.step_y_fx8[i];
    const int32_t first = edges.c_fx8[i] + x * edges.step_x_fx8[i] + y * edges.step_y_fx8[i];
    if (first + (sx > 0 ? sx : 0) + (sy > 0 ? sy : 0) < 0) return BlockCover::None;
    if (first + (sx < 0 ? sx : 0) + (sy < 0 ? sy : 0) < 0) cover = BlockCover::Partial;
  }
  return cover;
}

struct CoverageKernels {
  // Covered lanes of the block at tile pixel (x, y).
  uint64_t (*block)(const TileEdges& edges, int32_t x, int32_t y);
};
const CoverageKernels& coverage_kernels(SimdTarget simd);

}  // namespace tessera::raster
