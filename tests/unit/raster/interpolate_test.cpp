#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <random>

#include "core/simd_target.h"
#include "raster/depth_stencil.h"
#include "raster/interpolate.h"
#include "raster/lanes.h"
#include "raster/setup.h"
#include "tests/support/random.h"

using namespace tessera;
using namespace tessera::raster;
using tessera::tests::rounds;
using tessera::tests::seed;

namespace {

constexpr uint32_t kWords = 3;

// A triangle with a record of words for each corner.
struct Corner {
  WinVertex at;
  float word[kWords];
};

struct Slots {
  alignas(64) uint32_t words[kWords][64];
  float value(uint32_t word, int32_t lane) const {
    float v;
    std::memcpy(&v, &words[word][lane], 4);
    return v;
  }
  bool operator==(const Slots& o) const { return std::memcmp(words, o.words, sizeof words) == 0; }
};

bool set_up(const Corner c[3], SetupTriangle& t, Chunk& chunk) {
  SetupState state;
  state.clip_rect = {0, 0, 16384, 16384};
  const WinVertex v[3] = {c[0].at, c[1].at, c[2].at};
  if (!setup_triangle(v, state, t)) return false;
  chunk.stride = kWords;
  chunk.records.clear();
  for (uint32_t i = 0; i < 3; ++i) {
    t.vertex[i] = i;
    chunk.records.insert(chunk.records.end(), c[i].word, c[i].word + kWords);
  }
  t.provoking = 2;
  return true;
}

// Word 0 in perspective, word 1 linear, word 2 flat.
InputPlan plan_of_three() {
  InputPlan plan;
  plan.perspective = {{0, 0}};
  plan.linear = {{1, 1}};
  plan.flat = {{2, 2}};
  return plan;
}

Slots interpolate(const SetupTriangle& t, const Chunk& chunk, int32_t x, int32_t y, SimdTarget simd) {
  Slots slots;
  interpolate_kernels(simd).block(plan_of_three(), t, chunk, x, y, &slots.words[0][0]);
  return slots;
}

// The triangle's barycentrics at a sample in double, and the sum of the magnitudes that each is made of.
struct Exact {
  double lambda1, lambda2, reach1, reach2;
};
Exact exact_at(const Corner c[3], int32_t x, int32_t y) {
  const auto px = [](int32_t fx8) { return fx8 / 256.0; };
  const double x0 = px(c[0].at.x_fx8), y0 = px(c[0].at.y_fx8), x1 = px(c[1].at.x_fx8) - x0, y1 = px(c[1].at.y_fx8) - y0;
  const double x2 = px(c[2].at.x_fx8) - x0, y2 = px(c[2].at.y_fx8) - y0, dx = x + 0.5 - x0, dy = y + 0.5 - y0;
  const double area = x1 * y2 - x2 * y1;
  return {(dx * y2 - dy * x2) / area, (dy * x1 - dx * y1) / area, (std::fabs(dx * y2) + std::fabs(dy * x2)) / std::fabs(area),
          (std::fabs(dy * x1) + std::fabs(dx * y1)) / std::fabs(area)};
}

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  int32_t integer(int32_t lo, int32_t hi) { return std::uniform_int_distribution<int32_t>(lo, hi)(engine_); }
  float real(float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(engine_); }
  void triangle(Corner c[3], int32_t reach_fx8, int32_t cx_fx8, int32_t cy_fx8, bool perspective) {
    for (int i = 0; i < 3; ++i) {
      c[i].at = {cx_fx8 + integer(-reach_fx8, reach_fx8), cy_fx8 + integer(-reach_fx8, reach_fx8), real(0, 1),
                 perspective ? real(0.1f, 2) : 1.0f};
      for (float& w : c[i].word) w = real(-3, 3);
    }
  }

 private:
  std::mt19937 engine_;
};

}  // namespace

TEST_CASE("interpolated values and depth stay within their bound of the exact ones", "[raster][interpolate]") {
  // With u = 2^-24, the rounding of a float: a barycentric errs by at most 4u of the magnitudes it is summed from
  // (its two coefficients, a product and the fused sum); an attribute adds that times its corners' differences, and in
  // perspective 1/w errs alike, relative to itself. 8u of everything summed bounds them all.
  constexpr double kBound = 8.0 / (1 << 24);
  Random random(seed());
  CAPTURE(seed());
  for (uint32_t round = 0; round < rounds(2000); ++round) {
    Corner c[3];
    const bool perspective = round % 2 == 1;
    const int32_t cx = random.integer(0, 16383 * 256), cy = random.integer(0, 16383 * 256);
    random.triangle(c, 1 << random.integer(6, 21), cx, cy, perspective);
    SetupTriangle t;
    Chunk chunk;
    if (!set_up(c, t, chunk)) continue;
    const int32_t bx = (cx >> 8) & ~7, by = (cy >> 8) & ~7;
    const Slots slots = interpolate(t, chunk, bx, by, best_simd_target());
    alignas(64) uint32_t keys[64];
    DepthTest depth;
    depth.clamp_lo = -INFINITY;
    depth.clamp_hi = INFINITY;
    depth_kernels(best_simd_target()).plane_keys(depth, t, bx, by, keys);
    for (int32_t lane = 0; lane < 64; ++lane) {
      const Exact e = exact_at(c, bx + lane_x(lane), by + lane_y(lane));
      const auto blend = [&](double a0, double a1, double a2, double i, double j) { return a0 + i * (a1 - a0) + j * (a2 - a0); };
      const auto reach = [&](double a0, double a1, double a2, double i, double j) {
        return std::fabs(a0) + i * std::fabs(a1 - a0) + j * std::fabs(a2 - a0);
      };
      CAPTURE(round, lane, bx, by);
      const double linear = blend(c[0].word[1], c[1].word[1], c[2].word[1], e.lambda1, e.lambda2);
      REQUIRE(std::fabs(slots.value(1, lane) - linear) <= kBound * reach(c[0].word[1], c[1].word[1], c[2].word[1], e.reach1, e.reach2));

      float z;
      std::memcpy(&z, &keys[lane], 4);
      const double exact_z = blend(c[0].at.z, c[1].at.z, c[2].at.z, e.lambda1, e.lambda2);
      // The plane's two coefficients are sums of such terms.
      REQUIRE(std::fabs(z - exact_z) <= kBound * reach(c[0].at.z, c[1].at.z, c[2].at.z, e.reach1, e.reach2));

      REQUIRE(slots.value(2, lane) == c[2].word[2]);

      const double rw = blend(c[0].at.rw, c[1].at.rw, c[2].at.rw, e.lambda1, e.lambda2);
      const double rw_reach = reach(c[0].at.rw, c[1].at.rw, c[2].at.rw, e.reach1, e.reach2);
      if (rw <= 0 || kBound * rw_reach > 0.01 * rw) continue;   // outside the triangle, behind the eye or close to it
      const double i = e.lambda1 * c[1].at.rw / rw, j = e.lambda2 * c[2].at.rw / rw;
      const double condition = 1 + rw_reach / rw, i_reach = e.reach1 * c[1].at.rw / rw, j_reach = e.reach2 * c[2].at.rw / rw;
      const double exact = blend(c[0].word[0], c[1].word[0], c[2].word[0], i, j);
      REQUIRE(std::fabs(slots.value(0, lane) - exact) <=
              kBound * condition * reach(c[0].word[0], c[1].word[0], c[2].word[0], i_reach, j_reach));
    }
  }
}

TEST_CASE("a triangle moved by whole pixels gives the same values anywhere", "[raster][interpolate]") {
  Random random(seed(2));
  CAPTURE(seed(2));
  for (uint32_t round = 0; round < rounds(500); ++round) {
    Corner c[3], moved[3];
    const int32_t near_fx8 = 64 * 256;
    random.triangle(c, 60 * 256, near_fx8, near_fx8, round % 2 == 1);
    const int32_t dx = random.integer(0, 16383 - 200), dy = random.integer(0, 16383 - 200);
    for (int i = 0; i < 3; ++i) {
      moved[i] = c[i];
      moved[i].at.x_fx8 += dx * 256;
      moved[i].at.y_fx8 += dy * 256;
    }
    SetupTriangle a, b;
    Chunk chunk_a, chunk_b;
    if (!set_up(c, a, chunk_a) || !set_up(moved, b, chunk_b)) continue;
    for (const SimdTarget simd : available_simd_targets()) {
      const int32_t x = random.integer(0, 128), y = random.integer(0, 128);
      REQUIRE(interpolate(a, chunk_a, x, y, simd) == interpolate(b, chunk_b, x + dx, y + dy, simd));
      alignas(64) uint32_t keys_a[64], keys_b[64];
      const DepthTest depth;
      depth_kernels(simd).plane_keys(depth, a, x, y, keys_a);
      depth_kernels(simd).plane_keys(depth, b, x + dx, y + dy, keys_b);
      REQUIRE(std::memcmp(keys_a, keys_b, sizeof keys_a) == 0);
    }
  }
}

TEST_CASE("equal corners stay exact", "[raster][interpolate]") {
  Random random(seed(3));
  CAPTURE(seed(3));
  for (uint32_t round = 0; round < rounds(200); ++round) {
    Corner c[3];
    random.triangle(c, 1 << random.integer(8, 20), 4000 * 256, 4000 * 256, true);
    for (int i = 1; i < 3; ++i) std::memcpy(c[i].word, c[0].word, sizeof c[0].word);
    SetupTriangle t;
    Chunk chunk;
    if (!set_up(c, t, chunk)) continue;
    const Slots slots = interpolate(t, chunk, 4000, 4000, best_simd_target());
    for (uint32_t w = 0; w < kWords; ++w)
      for (int32_t lane = 0; lane < 64; ++lane) REQUIRE(slots.value(w, lane) == c[0].word[w]);
  }
}

TEST_CASE("the range of a depth plane over a rectangle holds every sample's key", "[raster][depth]") {
  Random random(seed(4));
  CAPTURE(seed(4));
  for (uint32_t round = 0; round < rounds(2000); ++round) {
    Corner c[3];
    random.triangle(c, 1 << random.integer(6, 22), 100 * 256, 100 * 256, false);
    SetupTriangle t;
    Chunk chunk;
    if (!set_up(c, t, chunk)) continue;
    DepthTest depth;
    depth.is_float = round % 2 == 0;
    depth.depth_bits = round % 3 == 0 ? 16 : round % 3 == 1 ? 24 : 32;
    const int32_t x = random.integer(0, 200), y = random.integer(0, 200);
    for (const SimdTarget simd : available_simd_targets()) {
      alignas(64) uint32_t keys[64];
      depth_kernels(simd).plane_keys(depth, t, x, y, keys);
      const KeyRange range = depth_kernels(simd).plane_range(depth, t, {x, y, x + 8, y + 8});
      const KeyRange stored = depth_kernels(simd).stored_range(depth.is_float, keys);
      CAPTURE(round, range.lo, range.hi, stored.lo, stored.hi);
      REQUIRE(stored.lo == range.lo);
      REQUIRE(stored.hi == range.hi);
    }
  }
}
