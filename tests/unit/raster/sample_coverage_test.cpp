#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <vector>

#include "core/fixed.h"
#include "raster/lanes.h"
#include "raster/sample_coverage.h"
#include "tests/support/random.h"
#include "tests/unit/raster/slow_pixel.h"
#include "tests/unit/raster/tile_scene.h"

using namespace tessera;
using namespace tessera::raster;
using raster::tests::covers_slowly;

namespace {

constexpr int32_t kLimit_px = 32768;
constexpr uint32_t kCounts[] = {2, 4, 8, 16};

bool set_up(const WinVertex v[3], const SamplePattern& pattern, SetupTriangle& t, int32_t size_px = 16384) {
  SetupState state;
  state.clip_rect = {0, 0, size_px, size_px};
  state.samples = pattern.box;
  return setup_triangle(v, state, t);
}

uint64_t slow_mask(const SetupTriangle& t, uint32_t samples, uint32_t sample, int32_t x, int32_t y) {
  const raster::tests::Offset offset = raster::tests::sample_offset(samples, sample);
  uint64_t mask = 0;
  for (int32_t lane = 0; lane < 64; ++lane)
    if (covers_slowly(t, x + lane_x(lane), y + lane_y(lane), offset.x_fx8, offset.y_fx8)) mask |= uint64_t{1} << lane;
  return mask;
}

// The masks of a block the way a tile gets them.
void fast_masks(const SampleCoverageKernels& k, const SetupTriangle& t, const SamplePattern& pattern, int32_t tile_x,
                int32_t tile_y, int32_t size, int32_t x, int32_t y, uint64_t* masks) {
  std::fill_n(masks, pattern.count, 0);
  SampleEdges edges;
  if (!cross_tile(t, pattern, tile_x, tile_y, {tile_x, tile_y, tile_x + size, tile_y + size}, edges)) return;
  const BlockCover cover = classify_block(edges, x, y);
  if (cover == BlockCover::Full) std::fill_n(masks, pattern.count, ~uint64_t{0});
  if (cover == BlockCover::Partial) k.block(edges, pattern.count, x, y, masks);
}

void check_around(const SetupTriangle& t, const SamplePattern& pattern, int32_t px, int32_t py) {
  for (const SimdTarget simd : available_simd_targets()) {
    const SampleCoverageKernels& k = sample_coverage_kernels(simd);
    CAPTURE(simd_target_name(simd), pattern.count, px, py);
    uint64_t masks[kMaxSamples];
    for (const int32_t size : {64, 16, 8}) {
      const int32_t tile_x = px / size * size, tile_y = py / size * size;
      const int32_t x = (px - tile_x) & ~7, y = (py - tile_y) & ~7;
      fast_masks(k, t, pattern, tile_x, tile_y, size, x, y, masks);
      for (uint32_t s = 0; s < pattern.count; ++s)
        REQUIRE(masks[s] == slow_mask(t, pattern.count, s, tile_x + x, tile_y + y));
      k.window8(t, pattern, tile_x + x, tile_y + y, masks);
      for (uint32_t s = 0; s < pattern.count; ++s)
        REQUIRE(masks[s] == slow_mask(t, pattern.count, s, tile_x + x, tile_y + y));
    }
    const int32_t x = px & ~1, y = py & ~1;
    k.window4(t, pattern, x, y, masks);
    for (uint32_t s = 0; s < pattern.count; ++s) {
      const uint64_t whole = slow_mask(t, pattern.count, s, x, y);   // the window is its first two quads of two rows
      REQUIRE(masks[s] == ((whole & 0xff) | (whole >> 16 & 0xff) << 8));
    }
  }
}

}  // namespace

TEST_CASE("sample patterns are the standard ones, and centred without multisampling", "[raster][samples]") {
  for (const uint32_t count : {1u, 2u, 4u, 8u, 16u}) {
    const SamplePattern& pattern = sample_pattern(count, true);
    const SamplePattern& centred = sample_pattern(count, false);
    REQUIRE(pattern.count == count);
    REQUIRE(centred.count == count);
    for (uint32_t s = 0; s < count; ++s) {
      CAPTURE(count, s);
      CHECK(pattern.x_fx8(s) == raster::tests::sample_offset(count, s).x_fx8);
      CHECK(pattern.y_fx8(s) == raster::tests::sample_offset(count, s).y_fx8);
      CHECK(pattern.x_px[4 * s + 3] == static_cast<float>(pattern.x_fx8(s)) / 256);
      CHECK(centred.x_fx8(s) == 0);
      CHECK(centred.y_fx8(s) == 0);
      CHECK(pattern.box.min_x_fx8 <= pattern.x_fx8(s));
      CHECK(pattern.box.max_y_fx8 >= pattern.y_fx8(s));
    }
  }
  CHECK_FALSE(is_sample_count(0));
  CHECK_FALSE(is_sample_count(3));
  CHECK_FALSE(is_sample_count(32));
}

TEST_CASE("sample masks are those of exact arithmetic for random triangles of every size", "[raster][samples]") {
  std::mt19937 random(tessera::tests::seed());
  CAPTURE(tessera::tests::seed());
  const auto within = [&](int32_t lo, int32_t hi) { return std::uniform_int_distribution<int32_t>(lo, hi)(random); };
  for (uint32_t round = 0; round < tessera::tests::rounds(600); ++round) {
    const SamplePattern& pattern = sample_pattern(kCounts[round % 4], true);
    // From sub-pixel to the whole guard band, around a point anywhere on the largest target.
    const int32_t reach = 1 << within(2, 23);
    const int32_t cx = within(0, 16383 * 256), cy = within(0, 16383 * 256);
    WinVertex v[3];
    for (WinVertex& vertex : v) {
      vertex.x_fx8 = std::clamp(cx + within(-reach, reach), -kLimit_px * 256, kLimit_px * 256);
      vertex.y_fx8 = std::clamp(cy + within(-reach, reach), -kLimit_px * 256, kLimit_px * 256);
      if (round % 3 == 0) vertex.x_fx8 &= ~15;    // on the grid of samples
      if (round % 3 <= 1) vertex.y_fx8 &= ~15;
    }
    if (round % 7 == 0) v[2] = {v[1].x_fx8 + within(-3, 3), v[1].y_fx8 + within(-3, 3)};   // slivers
    SetupTriangle t;
    if (!set_up(v, pattern, t)) continue;
    for (int i = 0; i < 3; ++i) {
      const double f = std::uniform_real_distribution<double>(0, 1)(random);
      const WinVertex &a = v[i], &b = v[(i + 1) % 3];
      const int32_t px = static_cast<int32_t>(a.x_fx8 + f * (double(b.x_fx8) - a.x_fx8)) >> 8,
                    py = static_cast<int32_t>(a.y_fx8 + f * (double(b.y_fx8) - a.y_fx8)) >> 8;
      if (px >= 0 && py >= 0 && px < 16384 && py < 16384) check_around(t, pattern, px, py);
    }
    check_around(t, pattern, cx >> 8, cy >> 8);
  }
}

TEST_CASE("triangles around a point cover every sample once, and their bounds hold every covered sample",
          "[raster][samples]") {
  std::mt19937 random(tessera::tests::seed(2));
  CAPTURE(tessera::tests::seed(2));
  for (uint32_t round = 0; round < tessera::tests::rounds(60); ++round) {
    const auto within = [&](int32_t lo, int32_t hi) { return std::uniform_int_distribution<int32_t>(lo, hi)(random); };
    const SamplePattern& pattern = sample_pattern(kCounts[round % 4], true);
    const int32_t grid = round % 3 == 0 ? ~15 : ~0;
    const WinVertex centre{within(3, 20) * 256 + (within(0, 255) & grid),
                           within(3, 20) * 256 + (within(0, 255) & grid)};
    // A square of 20 pixels, off the pixel grid, with points on its sides.
    const int32_t lo = 2 * 256 + within(0, 15) * 16, hi = lo + 20 * 256;
    std::vector<WinVertex> rim;
    const auto side = [&](int32_t x0, int32_t y0, int32_t dx, int32_t dy) {
      for (int32_t at = 0; at < hi - lo; at += within(1, 20 * 256)) rim.push_back({x0 + dx * at, y0 + dy * at});
    };
    side(lo, lo, 1, 0);
    side(hi, lo, 0, 1);
    side(hi, hi, -1, 0);
    side(lo, hi, 0, -1);
    for (uint32_t s = 0; s < pattern.count; ++s) {
      const raster::tests::Offset offset = raster::tests::sample_offset(pattern.count, s);
      for (int32_t y = 0; y < 26; ++y) {
        for (int32_t x = 0; x < 26; ++x) {
          int hits = 0;
          for (size_t i = 0; i < rim.size(); ++i) {
            const WinVertex v[3] = {centre, rim[i], rim[(i + 1) % rim.size()]};
            SetupTriangle t;
            if (!set_up(v, pattern, t, 64) || !covers_slowly(t, x, y, offset.x_fx8, offset.y_fx8)) continue;
            ++hits;
            REQUIRE((x >= t.bbox_x0 && x < t.bbox_x1 && y >= t.bbox_y0 && y < t.bbox_y1));
          }
          const int32_t sx = x * 256 + 128 + offset.x_fx8, sy = y * 256 + 128 + offset.y_fx8;
          CAPTURE(round, pattern.count, s, x, y);
          REQUIRE(hits == (sx >= lo && sx < hi && sy >= lo && sy < hi ? 1 : 0));
        }
      }
    }
  }
}
