#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include "core/fixed.h"
#include "raster/coverage.h"
#include "raster/lanes.h"
#include "tests/support/random.h"
#include "tests/unit/raster/tile_scene.h"

using namespace tessera;
using namespace tessera::raster;
using raster::tests::covers_slowly;

namespace {

constexpr int32_t kLimit_px = 32768;

// Triangles of the whole range, without a scissor.
bool set_up(const WinVertex v[3], SetupTriangle& t, int32_t size_px = 16384) {
  SetupState state;
  state.clip_rect = {0, 0, size_px, size_px};
  return setup_triangle(v, state, t);
}

uint64_t slow_mask(const SetupTriangle& t, int32_t x, int32_t y) {
  uint64_t mask = 0;
  for (int32_t lane = 0; lane < 64; ++lane)
    if (covers_slowly(t, x + lane_x(lane), y + lane_y(lane))) mask |= uint64_t{1} << lane;
  return mask;
}

// The mask of a block the way a tile gets it.
uint64_t fast_mask(const CoverageKernels& k, const SetupTriangle& t, int32_t tile_x, int32_t tile_y, int32_t size,
                   int32_t x, int32_t y) {
  TileEdges edges;
  if (!cross_tile(t, tile_x, tile_y, {tile_x, tile_y, tile_x + size, tile_y + size}, edges)) return 0;
  switch (classify_block(edges, x, y)) {
    case BlockCover::None: return 0;
    case BlockCover::Full: return ~uint64_t{0};
    case BlockCover::Partial: break;
  }
  return k.block(edges, x, y);
}

void check_around(const SetupTriangle& t, int32_t px, int32_t py) {
  for (const SimdTarget simd : available_simd_targets()) {
    const CoverageKernels& k = coverage_kernels(simd);
    for (const int32_t size : {64, 32, 16}) {
      const int32_t tile_x = px / size * size, tile_y = py / size * size;
      const int32_t x = (px - tile_x) & ~7, y = (py - tile_y) & ~7;
      const uint64_t expected = slow_mask(t, tile_x + x, tile_y + y);
      CAPTURE(simd_target_name(simd), size, px, py);
      REQUIRE(fast_mask(k, t, tile_x, tile_y, size, x, y) == expected);
    }
  }
}

}  // namespace

TEST_CASE("lane masks agree with the positions of the lanes", "[raster][coverage]") {
  for (int32_t lane = 0; lane < 64; ++lane) {
    CHECK(lane_at(lane_x(lane), lane_y(lane)) == lane);
    CHECK(rect_mask(lane_x(lane), lane_y(lane), lane_x(lane) + 1, lane_y(lane) + 1) == uint64_t{1} << lane);
    CHECK(quads_of(uint64_t{1} << lane) == 1u << (lane / 4));
    CHECK(whole_quads(uint64_t{1} << lane) == uint64_t{15} << (lane & ~3));
  }
  CHECK(rect_mask(-100, -3, 1000, 9) == ~uint64_t{0});
  CHECK(rect_mask(8, 0, 20, 8) == 0);
}

TEST_CASE("block masks are those of exact arithmetic for random triangles of every size", "[raster][coverage]") {
  std::mt19937 random(tessera::tests::seed());
  CAPTURE(tessera::tests::seed());
  const auto within = [&](int32_t lo, int32_t hi) { return std::uniform_int_distribution<int32_t>(lo, hi)(random); };
  for (uint32_t round = 0; round < tessera::tests::rounds(3000); ++round) {
    // From sub-pixel to the whole guard band, around a point anywhere on the largest target.
    const int32_t reach = 1 << within(2, 23);
    const int32_t cx = within(0, 16383 * 256), cy = within(0, 16383 * 256);
    WinVertex v[3];
    for (WinVertex& vertex : v) {
      vertex.x_fx8 = std::clamp(cx + within(-reach, reach), -kLimit_px * 256, kLimit_px * 256);
      vertex.y_fx8 = std::clamp(cy + within(-reach, reach), -kLimit_px * 256, kLimit_px * 256);
      if (round % 4 == 0) vertex.x_fx8 &= ~127;    // on the grid of pixel centres and corners
      if (round % 4 <= 1) vertex.y_fx8 &= ~127;
    }
    if (round % 7 == 0) v[2] = {v[1].x_fx8 + within(-3, 3), v[1].y_fx8 + within(-3, 3)};   // slivers
    SetupTriangle t;
    if (!set_up(v, t)) continue;
    // Along its edges, where it matters, and at its centre.
    for (int i = 0; i < 3; ++i) {
      const double f = std::uniform_real_distribution<double>(0, 1)(random);
      const WinVertex &a = v[i], &b = v[(i + 1) % 3];
      const int32_t px = static_cast<int32_t>(a.x_fx8 + f * (double(b.x_fx8) - a.x_fx8)) >> 8,
                    py = static_cast<int32_t>(a.y_fx8 + f * (double(b.y_fx8) - a.y_fx8)) >> 8;
      if (px >= 0 && py >= 0 && px < 16384 && py < 16384) check_around(t, px, py);
    }
    check_around(t, cx >> 8, cy >> 8);
  }
}

TEST_CASE("triangles around a point cover every pixel once", "[raster][coverage]") {
  std::mt19937 random(tessera::tests::seed(2));
  CAPTURE(tessera::tests::seed(2));
  const CoverageKernels& k = coverage_kernels(best_simd_target());
  for (uint32_t round = 0; round < tessera::tests::rounds(200); ++round) {
    // A square of 48 pixels as a fan around an inner point; a rim of points on its sides.
    const auto within = [&](int32_t lo, int32_t hi) { return std::uniform_int_distribution<int32_t>(lo, hi)(random); };
    const int32_t grid = round % 3 == 0 ? ~127 : ~0;
    const WinVertex centre{within(9, 47) * 256 + (within(0, 255) & grid),
                           within(9, 47) * 256 + (within(0, 255) & grid)};
    std::vector<WinVertex> rim;
    const int32_t lo = 8 * 256, hi = 56 * 256;
    const auto side = [&](int32_t x0, int32_t y0, int32_t dx, int32_t dy) {
      int32_t at = 0;
      while (at < hi - lo) {
        rim.push_back({x0 + dx * at, y0 + dy * at});
        at += within(1, 20 * 256);
      }
    };
    side(lo, lo, 1, 0);
    side(hi, lo, 0, 1);
    side(hi, hi, -1, 0);
    side(lo, hi, 0, -1);
    std::vector<int> hits(64 * 64);
    for (size_t i = 0; i < rim.size(); ++i) {
      const WinVertex v[3] = {centre, rim[i], rim[(i + 1) % rim.size()]};
      SetupTriangle t;
      if (!set_up(v, t, 64)) continue;
      for (int32_t y = 0; y < 64; y += 8)
        for (int32_t x = 0; x < 64; x += 8) {
          const uint64_t mask = fast_mask(k, t, 0, 0, 64, x, y);
          for (int32_t lane = 0; lane < 64; ++lane)
            if (mask >> lane & 1) ++hits[static_cast<size_t>((y + lane_y(lane)) * 64 + x + lane_x(lane))];
        }
    }
    for (int32_t y = 0; y < 64; ++y)
      for (int32_t x = 0; x < 64; ++x) {
        const bool inside = x >= 8 && x < 56 && y >= 8 && y < 56;
        CAPTURE(round, x, y);
        REQUIRE(hits[static_cast<size_t>(y * 64 + x)] == (inside ? 1 : 0));
      }
  }
}
