// raster/sample_coverage.h: raster/coverage.h for targets of several samples a pixel: a mask of 64 lanes a sample.
// In:     a SetupTriangle, whose edges hold at pixel centres; the sample pattern.
// Out:    masks[sample], bit = lane, set when all three edge functions are >= 0 at the sample; exact.
// Range:  a sample's floor(E / 256) differs from the centre's by at most 2^24; with it the values of a tile that the
//         edge crosses stay below 64 * 2^25 = 2^31.
// Errors: none.                                                    Threads: pure functions.
#pragma once

#include <cstdint>

#include "core/simd_target.h"
#include "raster/coverage.h"
#include "raster/samples.h"

namespace tessera::raster {

// The edges that cross a tile: floor(E / 256) is c[sample] + x * step_x + y * step_y at a sample of tile pixel (x, y).
struct SampleEdges {
  int32_t count = 0;
  int32_t step_x_fx8[3], step_y_fx8[3];
  int32_t least_fx8[3], most_fx8[3];     // of c over the samples
  alignas(64) int32_t c_fx8[3][kMaxSamples];
};

// As cross_tile() of raster/coverage.h, for all samples of `pixels`.
bool cross_tile(const SetupTriangle& triangle, const SamplePattern& pattern, int32_t tile_x, int32_t tile_y,
                const IRect& pixels, SampleEdges& edges);

// What an edge set says of all samples of the block at tile pixel (x, y).
BlockCover classify_block(const SampleEdges& edges, int32_t x, int32_t y);

struct SampleCoverageKernels {
  // Covered lanes of the block at tile pixel (x, y); `masks` has an element a sample.
  void (*block)(const SampleEdges& edges, uint32_t samples, int32_t x, int32_t y, uint64_t* masks);
  // The same straight from the triangle, for the 8x8 pixels at target pixel (x, y), anywhere; for 4x4 pixels: four
  // quads, row by row.
  void (*window8)(const SetupTriangle& triangle, const SamplePattern& pattern, int32_t x, int32_t y, uint64_t* masks);
  void (*window4)(const SetupTriangle& triangle, const SamplePattern& pattern, int32_t x, int32_t y, uint64_t* masks);
};
const SampleCoverageKernels& sample_coverage_kernels(SimdTarget simd);

}  // namespace tessera::raster
