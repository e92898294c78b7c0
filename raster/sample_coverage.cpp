#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/sample_coverage.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "raster/lane_simd-inl.h"
#include "raster/sample_coverage.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::SampleEdges;
using raster::SamplePattern;
using raster::SetupTriangle;

// What an edge gains over kQuadsX x kQuadsY quads from the first pixel on.
template <int kQuadsX, int kQuadsY>
struct EdgeSteps {
  static constexpr int kInRow = kQuadsX * 4 / static_cast<int>(kLanes);
  I32x v[kQuadsY * kInRow];

  HWY_INLINE void assign(int32_t step_x, int32_t step_y) {
    const I32x lanes = hn::Add(hn::Mul(hn::Load(i32, kLaneX), splat(step_x)),
                               hn::Mul(hn::Load(i32, kLaneY), splat(step_y)));
    for (int y = 0; y < kQuadsY; ++y)
      for (int x = 0; x < kInRow; ++x)
        v[y * kInRow + x] = hn::Add(lanes, splat(x * kVectorWidth_px * step_x + y * 2 * step_y));
  }
};

// c[edge][sample] is floor(E / 256) at that sample of the first pixel.
template <int kQuadsX, int kQuadsY, int kEdges>
HWY_INLINE void cover(const EdgeSteps<kQuadsX, kQuadsY>* steps, const int32_t (*c)[raster::kMaxSamples],
                      uint32_t samples, uint64_t* masks) {
  constexpr int kVectors = EdgeSteps<kQuadsX, kQuadsY>::kInRow * kQuadsY;
  constexpr uint64_t kAll = ~uint64_t{0} >> (64 - kQuadsX * kQuadsY * 4);
  for (uint32_t s = 0; s < samples; ++s) {
    I32x first[kEdges];
    for (int e = 0; e < kEdges; ++e) first[e] = splat(c[e][s]);
    uint64_t negative = 0;
    for (int v = 0; v < kVectors; ++v) {
      I32x outside = hn::Add(steps[0].v[v], first[0]);
      for (int e = 1; e < kEdges; ++e) outside = hn::Or(outside, hn::Add(steps[e].v[v], first[e]));
      negative |= block_bits(less(outside, hn::Zero(i32)), static_cast<size_t>(v));
    }
    masks[s] = ~negative & kAll;
  }
}

template <int kEdges>
HWY_INLINE void cover_edges(const SampleEdges& tile, uint32_t samples, int32_t x, int32_t y, uint64_t* masks) {
  EdgeSteps<4, 4> steps[kEdges];
  alignas(64) int32_t c[kEdges][raster::kMaxSamples];
  for (int e = 0; e < kEdges; ++e) {
    steps[e].assign(tile.step_x_fx8[e], tile.step_y_fx8[e]);
    const int32_t to_block = x * tile.step_x_fx8[e] + y * tile.step_y_fx8[e];
    for (uint32_t s = 0; s < samples; ++s) c[e][s] = tile.c_fx8[e][s] + to_block;
  }
  cover<4, 4, kEdges>(steps, c, samples, masks);
}

void cover_block(const SampleEdges& tile, uint32_t samples, int32_t x, int32_t y, uint64_t* masks) {
  if (tile.count == 1) return cover_edges<1>(tile, samples, x, y, masks);
  if (tile.count == 2) return cover_edges<2>(tile, samples, x, y, masks);
  if (tile.count == 3) return cover_edges<3>(tile, samples, x, y, masks);
  for (uint32_t s = 0; s < samples; ++s) masks[s] = ~uint64_t{0};
}

// floor(E / 256) at the samples of target pixel (x, y). With E = 256 * high + low and a sample's share of 16 * m,
// it is high + floor((floor(low / 16) + m) / 16). Beyond 2^29 the sign is the same in all of the window.
HWY_INLINE void edge_at_samples(const raster::EdgeEq& e, const SamplePattern& pattern, int32_t x, int32_t y,
                                int32_t* c) {
  const int64_t value = e.c_fx16 + x * e.step_x_fx16 + y * e.step_y_fx16, high = value >> 8;
  constexpr int64_t kFar = 1 << 29;
  const auto near = static_cast<int32_t>(high > kFar ? kFar : high < -kFar ? -kFar : high);
  const auto low_fx4 = static_cast<int32_t>((value & 255) >> 4);
  const auto step_x = static_cast<int32_t>(e.step_x_fx16 >> 8), step_y = static_cast<int32_t>(e.step_y_fx16 >> 8);
  for (uint32_t s = 0; s < pattern.count; ++s)
    c[s] = near + ((low_fx4 + pattern.x_fx4[s] * step_x + pattern.y_fx4[s] * step_y) >> 4);
}

template <int kQuads>
HWY_INLINE void cover_window(const SetupTriangle& triangle, const SamplePattern& pattern, int32_t x, int32_t y,
                             uint64_t* masks) {
  EdgeSteps<kQuads, kQuads> steps[3];
  alignas(64) int32_t c[3][raster::kMaxSamples];
  for (int i = 0; i < 3; ++i) {
    const raster::EdgeEq& e = triangle.edge[i];
    steps[i].assign(static_cast<int32_t>(e.step_x_fx16 >> 8), static_cast<int32_t>(e.step_y_fx16 >> 8));
    edge_at_samples(e, pattern, x, y, c[i]);
  }
  cover<kQuads, kQuads, 3>(steps, c, pattern.count, masks);
}

void cover_window8(const SetupTriangle& triangle, const SamplePattern& pattern, int32_t x, int32_t y,
                   uint64_t* masks) {
  cover_window<4>(triangle, pattern, x, y, masks);
}
void cover_window4(const SetupTriangle& triangle, const SamplePattern& pattern, int32_t x, int32_t y,
                   uint64_t* masks) {
  cover_window<2>(triangle, pattern, x, y, masks);
}

}  // namespace

extern const raster::SampleCoverageKernels kSampleCoverageKernels;
const raster::SampleCoverageKernels kSampleCoverageKernels{cover_block, cover_window8, cover_window4};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

const SampleCoverageKernels& sample_coverage_kernels(SimdTarget simd) {
  return TESSERA_DISPATCH(kSampleCoverageKernels, simd);
}

bool cross_tile(const SetupTriangle& triangle, const SamplePattern& pattern, int32_t tile_x, int32_t tile_y,
                const IRect& pixels, SampleEdges& edges) {
  edges.count = 0;
  const int64_t wide = pixels.x1 - 1 - pixels.x0, high = pixels.y1 - 1 - pixels.y0;
  for (const EdgeEq& e : triangle.edge) {
    const int64_t step_x_fx8 = e.step_x_fx16 >> 8, step_y_fx8 = e.step_y_fx16 >> 8;
    int64_t share[kMaxSamples], least = INT64_MAX, most = INT64_MIN;   // of the samples, fx16
    for (uint32_t s = 0; s < pattern.count; ++s) {
      share[s] = pattern.x_fx8(s) * step_x_fx8 + pattern.y_fx8(s) * step_y_fx8;
      least = share[s] < least ? share[s] : least;
      most = share[s] > most ? share[s] : most;
    }
    const int64_t first = e.c_fx16 + pixels.x0 * e.step_x_fx16 + pixels.y0 * e.step_y_fx16;
    const int64_t dx = wide * e.step_x_fx16, dy = high * e.step_y_fx16;
    if (first + (dx > 0 ? dx : 0) + (dy > 0 ? dy : 0) + most < 0) return false;
    if (first + (dx < 0 ? dx : 0) + (dy < 0 ? dy : 0) + least >= 0) continue;
    const int64_t at_tile = e.c_fx16 + tile_x * e.step_x_fx16 + tile_y * e.step_y_fx16;
    const int32_t i = edges.count++;
    for (uint32_t s = 0; s < pattern.count; ++s)
      edges.c_fx8[i][s] = static_cast<int32_t>((at_tile + share[s]) >> 8);
    edges.least_fx8[i] = static_cast<int32_t>((at_tile + least) >> 8);
    edges.most_fx8[i] = static_cast<int32_t>((at_tile + most) >> 8);
    edges.step_x_fx8[i] = static_cast<int32_t>(step_x_fx8);
    edges.step_y_fx8[i] = static_cast<int32_t>(step_y_fx8);
  }
  return true;
}

BlockCover classify_block(const SampleEdges& edges, int32_t x, int32_t y) {
  BlockCover cover = BlockCover::Full;
  for (int32_t i = 0; i < edges.count; ++i) {
    const int32_t sx = 7 * edges.step_x_fx8[i], sy = 7 * edges.step_y_fx8[i];
    const int32_t to_block = x * edges.step_x_fx8[i] + y * edges.step_y_fx8[i];
    if (edges.most_fx8[i] + to_block + (sx > 0 ? sx : 0) + (sy > 0 ? sy : 0) < 0) return BlockCover::None;
    if (edges.least_fx8[i] + to_block + (sx < 0 ? sx : 0) + (sy < 0 ? sy : 0) < 0) cover = BlockCover::Partial;
  }
  return cover;
}

}  // namespace tessera::raster
#endif
