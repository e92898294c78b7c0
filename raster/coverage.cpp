#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/coverage.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "raster/coverage.h"
#include "raster/lane_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::TileEdges;

// An edge at the lanes of the first vector.
struct EdgeLanes {
  I32x first, step_x;    // step_x: from one vector to the next in a row of quads
  int32_t step_y2;       // from one row of quads to the next
};

HWY_INLINE EdgeLanes edge_lanes(int32_t c, int32_t step_x, int32_t step_y) {
  const I32x lanes = hn::Add(hn::Mul(hn::Load(i32, kLaneX), splat(step_x)),
                                hn::Mul(hn::Load(i32, kLaneY), splat(step_y)));
  return {hn::Add(splat(c), lanes), splat(kVectorWidth_px * step_x), 2 * step_y};
}

// Covered lanes of kQuadsX x kQuadsY quads under `count` edges: bit = 4 * (row * kQuadsX + column) + lane in quad.
template <int kQuadsX, int kQuadsY>
HWY_INLINE uint64_t cover(const EdgeLanes* edges, int32_t count) {
  constexpr int kVectors = kQuadsX * 4 / static_cast<int>(kLanes);
  I32x outside[kQuadsY * kVectors];
  for (I32x& o : outside) o = hn::Zero(i32);
  for (int32_t e = 0; e < count; ++e) {
    I32x row = edges[e].first;
    const I32x step_y2 = splat(edges[e].step_y2);
    for (int y = 0; y < kQuadsY; ++y) {
      I32x value = row;
      for (int v = 0; v < kVectors; ++v) {
        outside[y * kVectors + v] = hn::Or(outside[y * kVectors + v], value);
        value = hn::Add(value, edges[e].step_x);
      }
      row = hn::Add(row, step_y2);
    }
  }
  uint64_t negative = 0;
  for (int i = 0; i < kQuadsY * kVectors; ++i)
    negative |= block_bits(less(outside[i], hn::Zero(i32)), static_cast<size_t>(i));
  constexpr int kBits = kQuadsX * kQuadsY * 4;
  return ~negative & (~uint64_t{0} >> (64 - kBits));
}

uint64_t cover_block(const TileEdges& tile, int32_t x, int32_t y) {
  EdgeLanes edges[3];
  for (int32_t i = 0; i < tile.count; ++i)
    edges[i] = edge_lanes(tile.c_fx8[i] + x * tile.step_x_fx8[i] + y * tile.step_y_fx8[i], tile.step_x_fx8[i],
                          tile.step_y_fx8[i]);
  return cover<4, 4>(edges, tile.count);
}

}  // namespace

extern const raster::CoverageKernels kCoverageKernels;
const raster::CoverageKernels kCoverageKernels{cover_block};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

const CoverageKernels& coverage_kernels(SimdTarget simd) { return TESSERA_DISPATCH(kCoverageKernels, simd); }

bool cross_tile(const SetupTriangle& triangle, int32_t tile_x, int32_t tile_y, const IRect& pixels, TileEdges& edges) {
  edges.count = 0;
  const int64_t wide = pixels.x1 - 1 - pixels.x0, high = pixels.y1 - 1 - pixels.y0;
  for (const EdgeEq& e : triangle.edge) {
    const int64_t first = e.c_fx16 + pixels.x0 * e.step_x_fx16 + pixels.y0 * e.step_y_fx16;
    const int64_t dx = wide * e.step_x_fx16, dy = high * e.step_y_fx16;
    if (first + (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0) < 0) return false;
    if (first + (dx < 0 ? dx : 0) + (dy < 0 ? dy : 0) >= 0) continue;
    const int64_t at_tile = e.c_fx16 + tile_x * e.step_x_fx16 + tile_y * e.step_y_fx16;
    edges.c_fx8[edges.count] = static_cast<int32_t>(at_tile >> 8);
    edges.step_x_fx8[edges.count] = static_cast<int32_t>(e.step_x_fx16 >> 8);
    edges.step_y_fx8[edges.count] = static_cast<int32_t>(e.step_y_fx16 >> 8);
    ++edges.count;
  }
  return true;
}

}  // namespace tessera::raster
#endif
