// Points, rectangles of lines, discs and stipples: sample by sample against their definitions.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "raster/lanes.h"
#include "raster/shape_cover.h"
#include "raster/shape_setup.h"
#include "tests/support/random.h"
#include "tests/unit/raster/slow_pixel.h"
#include "tests/unit/raster/tile_scene.h"

using namespace tessera;
using namespace tessera::raster;
using raster::tests::covers_slowly;

namespace {

constexpr int32_t kSize_px = 64;             // one tile
constexpr uint32_t kCounts[] = {1, 2, 4, 8, 16};

ShapeState state_of(uint32_t samples, bool bottom) {
  ShapeState state;
  state.setup.clip_rect = state.point_rect = {0, 0, kSize_px, kSize_px};
  state.setup.bottom_edge_rule = bottom;
  state.setup.samples = sample_pattern(samples, true).box;
  state.multisample = samples > 1;
  return state;
}

// Covered samples of every pixel, bit by bit, the way a tile gets them.
std::vector<uint32_t> masks_of(const Piece& piece, const SamplePattern& pattern, SimdTarget simd,
                               const StipplePattern& stipple = kSolidStipple) {
  std::vector<uint32_t> covered(size_t{kSize_px} * kSize_px);
  const SetupTriangle& t = piece.triangle;
  ShapeCover cover;
  const IRect pixels{t.bbox_x0, t.bbox_y0, t.bbox_x1, t.bbox_y1};
  if (!cover.begin(t, piece.shape, pattern, stipple, 0, 0, pixels)) return covered;
  for (int32_t y = 0; y < kSize_px; y += 8)
    for (int32_t x = 0; x < kSize_px; x += 8) {
      uint64_t masks[kMaxSamples];
      if (!cover.block(sample_coverage_kernels(simd), x, y, masks)) continue;
      for (uint32_t s = 0; s < pattern.count; ++s)
        for (int32_t lane = 0; lane < 64; ++lane)
          if (masks[s] >> lane & 1) covered[size_t((y + lane_y(lane)) * kSize_px + x + lane_x(lane))] |= 1u << s;
    }
  return covered;
}

// The same from a test of one sample, (x, y) in fx8.
template <class Test>
std::vector<uint32_t> masks_slowly(uint32_t samples, Test inside) {
  std::vector<uint32_t> covered(size_t{kSize_px} * kSize_px);
  for (int32_t y = 0; y < kSize_px; ++y)
    for (int32_t x = 0; x < kSize_px; ++x)
      for (uint32_t s = 0; s < samples; ++s) {
        const raster::tests::Offset at = raster::tests::sample_offset(samples, s);
        if (inside(x * 256 + 128 + at.x_fx8, y * 256 + 128 + at.y_fx8)) covered[size_t(y * kSize_px + x)] |= 1u << s;
      }
  return covered;
}

WinVertex random_vertex(std::mt19937& random) {
  const auto within = [&](int32_t lo, int32_t hi) { return std::uniform_int_distribution<int32_t>(lo, hi)(random); };
  const int32_t grid = random() % 3 == 0 ? 128 : 1;
  return {within(-500, kSize_px * 256 + 500) / grid * grid, within(-500, kSize_px * 256 + 500) / grid * grid};
}

std::vector<Piece> point_of(const WinVertex& v, float size, const ShapeState& state) {
  std::vector<Piece> pieces;
  setup_point(v, size, state, pieces);
  REQUIRE(pieces.size() <= 1);
  return pieces;
}

}  // namespace

TEST_CASE("a point without sprites is a square of whole pixels", "[raster][points]") {
  std::mt19937 random(tessera::tests::seed());
  CAPTURE(tessera::tests::seed());
  for (uint32_t round = 0; round < tessera::tests::rounds(500); ++round) {
    const WinVertex v = random_vertex(random);
    const bool bottom = random() & 1;
    const float size = clamp_point_size(float(random() % 100) / 8);
    const int32_t whole = int32_t(std::floor(double(size) + 0.5));
    // OpenGL 4.6 (compatibility), 14.4.1, in a window whose y runs up where the rule owns bottom edges.
    const double x = v.x_fx8 / 256.0, y = bottom ? kSize_px - v.y_fx8 / 256.0 : v.y_fx8 / 256.0;
    const double cx = whole & 1 ? std::floor(x) + 0.5 : std::floor(x + 0.5);
    const double cy = whole & 1 ? std::floor(y) + 0.5 : std::floor(y + 0.5);
    const auto expected = masks_slowly(1, [&](int32_t sx, int32_t sy) {
      const double px = sx / 256.0, py = bottom ? kSize_px - sy / 256.0 : sy / 256.0;
      return std::fabs(px - cx) < whole / 2.0 && std::fabs(py - cy) < whole / 2.0;
    });
    const std::vector<Piece> pieces = point_of(v, size, state_of(1, bottom));
    CAPTURE(round, v.x_fx8, v.y_fx8, size, bottom);
    if (pieces.empty()) CHECK(std::ranges::count(expected, 0u) == kSize_px * kSize_px);
    else CHECK(masks_of(pieces[0], sample_pattern(1, true), best_simd_target()) == expected);
  }
}

TEST_CASE("a sprite is the square of its exact size, by the fill rule, at every sample", "[raster][points]") {
  std::mt19937 random(tessera::tests::seed(1));
  CAPTURE(tessera::tests::seed(1));
  for (uint32_t round = 0; round < tessera::tests::rounds(200); ++round) {
    const WinVertex v = random_vertex(random);
    const bool bottom = random() & 1;
    const float size = clamp_point_size(float(random() % 4000) / 256);
    const int32_t side = snap_fx8(size), x0 = v.x_fx8 - side / 2, y0 = v.y_fx8 - side / 2;
    for (const uint32_t samples : kCounts) {
      ShapeState state = state_of(samples, bottom);
      state.point_quad = true;
      const auto expected = masks_slowly(samples, [&](int32_t x, int32_t y) {
        const bool row = bottom ? y > y0 && y <= y0 + side : y >= y0 && y < y0 + side;
        return row && x >= x0 && x < x0 + side;
      });
      const std::vector<Piece> pieces = point_of(v, size, state);
      CAPTURE(round, v.x_fx8, v.y_fx8, size, bottom, samples);
      if (pieces.empty()) { CHECK(std::ranges::count(expected, 0u) == kSize_px * kSize_px); continue; }
      for (const SimdTarget simd : available_simd_targets())
        CHECK(masks_of(pieces[0], sample_pattern(samples, true), simd) == expected);
    }
  }
}

TEST_CASE("a round point holds the samples within its radius", "[raster][points]") {
  std::mt19937 random(tessera::tests::seed(2));
  CAPTURE(tessera::tests::seed(2));
  for (uint32_t round = 0; round < tessera::tests::rounds(100); ++round) {
    const WinVertex v = random_vertex(random);
    const float size = clamp_point_size(float(random() % 6000) / 256);
    const int64_t diameter = snap_fx8(size);
    for (const uint32_t samples : kCounts) {
      ShapeState state = state_of(samples, false);
      const bool smooth = samples == 1;
      state.point_smooth = smooth;
      if (smooth) state.setup.samples = smooth_pattern().box;
      const auto expected = masks_slowly(smooth ? 16 : samples, [&](int32_t x, int32_t y) {
        const int64_t dx = x - v.x_fx8, dy = y - v.y_fx8;
        return 4 * (dx * dx + dy * dy) <= diameter * diameter;
      });
      const std::vector<Piece> pieces = point_of(v, size, state);
      CAPTURE(round, v.x_fx8, v.y_fx8, size, samples);
      if (pieces.empty()) { CHECK(std::ranges::count(expected, 0u) == kSize_px * kSize_px); continue; }
      CHECK(pieces[0].shape.smooth == smooth);
      const SamplePattern& pattern = smooth ? smooth_pattern() : sample_pattern(samples, true);
      CHECK(masks_of(pieces[0], pattern, best_simd_target()) == expected);
    }
  }
}

TEST_CASE("sizes are clamped, and what is no number is the smallest", "[raster][points]") {
  CHECK(clamp_point_size(0.25f) == 1);
  CHECK(clamp_point_size(-5) == 1);
  CHECK(clamp_point_size(std::nanf("")) == 1);
  CHECK(clamp_point_size(3.75f) == 3.75f);
  CHECK(clamp_point_size(1e30f) == kMaxPointSize_px);
  CHECK(clamp_line_width(1e30f) == kMaxLineWidth_px);
  CHECK(clamp_line_width(0) == 1);
}

TEST_CASE("a line of several samples is its rectangle, two triangles that share a side", "[raster][lines]") {
  std::mt19937 random(tessera::tests::seed(3));
  CAPTURE(tessera::tests::seed(3));
  for (uint32_t round = 0; round < tessera::tests::rounds(150); ++round) {
    const WinVertex a = random_vertex(random), b = random_vertex(random);
    const double dx = b.x_fx8 - a.x_fx8, dy = b.y_fx8 - a.y_fx8, length = std::sqrt(dx * dx + dy * dy);
    if (length == 0) continue;
    const bool bottom = random() & 1;
    const float width = clamp_line_width(float(random() % 2000) / 256);
    const double half = width * 128.0 / length;
    const auto ox = int32_t(std::rint(-dy * half)), oy = int32_t(std::rint(dx * half));
    const WinVertex corner[4] = {{a.x_fx8 - ox, a.y_fx8 - oy}, {b.x_fx8 - ox, b.y_fx8 - oy},
                                 {b.x_fx8 + ox, b.y_fx8 + oy}, {a.x_fx8 + ox, a.y_fx8 + oy}};
    for (const uint32_t samples : kCounts) {
      ShapeState state = state_of(samples, bottom);
      state.line_width = width;
      state.line_smooth = samples == 1;
      const uint32_t counted = samples == 1 ? 16 : samples;
      state.setup.samples = sample_pattern(counted, true).box;
      SetupTriangle half[2];
      bool drawn[2];
      for (int i = 0; i < 2; ++i) {
        const WinVertex v[3] = {corner[0], corner[1 + i], corner[2 + i]};
        drawn[i] = setup_triangle(v, state.setup, half[i]);
      }
      const auto expected = masks_slowly(counted, [&](int32_t x, int32_t y) {
        int hits = 0;
        for (int i = 0; i < 2; ++i) hits += drawn[i] && covers_slowly(half[i], 0, 0, x - 128, y - 128);
        REQUIRE(hits < 2);
        return hits == 1;
      });
      std::vector<Piece> pieces;
      uint32_t stipple = 0;
      setup_line(a, b, state, false, stipple, pieces);
      CAPTURE(round, a.x_fx8, a.y_fx8, b.x_fx8, b.y_fx8, width, bottom, samples);
      if (pieces.empty()) { CHECK(std::ranges::count(expected, 0u) == kSize_px * kSize_px); continue; }
      REQUIRE(pieces.size() == 1);
      for (const SimdTarget simd : available_simd_targets())
        CHECK(masks_of(pieces[0], sample_pattern(counted, true), simd) == expected);
    }
  }
}

TEST_CASE("the dashes of a rectangle cover what the whole covers, each sample once", "[raster][lines]") {
  std::mt19937 random(tessera::tests::seed(4));
  CAPTURE(tessera::tests::seed(4));
  for (uint32_t round = 0; round < tessera::tests::rounds(100); ++round) {
    const WinVertex a = random_vertex(random), b = random_vertex(random);
    ShapeState state = state_of(4, round & 1);
    state.line_width = 3.5f;
    uint32_t counter = 0;
    std::vector<Piece> whole, ones, zeros;
    setup_line(a, b, state, false, counter, whole);
    state.line_stipple = true;
    state.stipple_factor = random() % 3 + 1;
    state.stipple_pattern = random() & 0xffff;
    setup_line(a, b, state, false, counter, ones);
    const double dx = b.x_fx8 - a.x_fx8, dy = b.y_fx8 - a.y_fx8;
    CHECK(counter == uint32_t(std::ceil(std::sqrt(dx * dx + dy * dy) / 256)) % (16 * state.stipple_factor));
    state.stipple_pattern ^= 0xffff;
    counter = 0;
    setup_line(a, b, state, false, counter, zeros);
    std::vector<uint32_t> sum(size_t{kSize_px} * kSize_px), expected = sum;
    for (const Piece& piece : whole) expected = masks_of(piece, sample_pattern(4, true), best_simd_target());
    for (const std::vector<Piece>* dashes : {&ones, &zeros})
      for (const Piece& piece : *dashes) {
        const std::vector<uint32_t> masks = masks_of(piece, sample_pattern(4, true), best_simd_target());
        for (size_t i = 0; i < sum.size(); ++i) {
          REQUIRE((sum[i] & masks[i]) == 0);
          sum[i] |= masks[i];
        }
      }
    CAPTURE(round, a.x_fx8, a.y_fx8, b.x_fx8, b.y_fx8);
    CHECK(sum == expected);
  }
}

TEST_CASE("a stippled polygon shows where the pattern has ones", "[raster][stipple]") {
  std::mt19937 random(tessera::tests::seed(5));
  CAPTURE(tessera::tests::seed(5));
  StipplePattern stipple;
  for (uint32_t& row : stipple) row = uint32_t(random());
  for (uint32_t round = 0; round < tessera::tests::rounds(50); ++round) {
    for (const uint32_t samples : {1u, 4u}) {
      const ShapeState state = state_of(samples, false);
      const WinVertex v[3] = {random_vertex(random), random_vertex(random), random_vertex(random)};
      Piece piece;
      piece.shape.stippled = true;
      if (!setup_triangle(v, state.setup, piece.triangle)) continue;
      const auto expected = masks_slowly(samples, [&](int32_t x, int32_t y) {
        const bool shown = stipple[size_t(y >> 8 & 31)] >> (31 - (x >> 8 & 31)) & 1;
        return shown && covers_slowly(piece.triangle, 0, 0, x - 128, y - 128);
      });
      CHECK(masks_of(piece, sample_pattern(samples, true), best_simd_target(), stipple) == expected);
    }
  }
}
