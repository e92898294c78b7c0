#include <catch2/catch.hpp>

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <random>
#include <vector>

#include "raster/cull.h"
#include "raster/setup.h"
#include "tests/support/random.h"

using namespace tessera;
using namespace tessera::raster;

namespace {

__extension__ typedef __int128 Wide;
using Triangle = std::array<WinVertex, 3>;

constexpr int32_t kGuard_fx8 = 1 << 23;

SetupState full_target(int32_t size = 16384) {
  SetupState s;
  s.clip_rect = {0, 0, size, size};
  return s;
}

int32_t between(std::mt19937& random, int32_t low, int32_t high) {
  return std::uniform_int_distribution<int32_t>(low, high)(random);
}

// Corners of every size and place: slivers, sub-pixel, on-grid, guard-band sized.
Triangle random_triangle(std::mt19937& random) {
  const int32_t extents[] = {2, 40, 300, 5000, 200000, kGuard_fx8 - 1};
  const int32_t extent = extents[random() % 6], grids[] = {1, 1, 128, 256};
  const int32_t grid = grids[random() % 4];
  const int32_t x = between(random, -1000, 16384 * 256), y = between(random, -1000, 16384 * 256);
  Triangle t;
  for (WinVertex& v : t) {
    v.x_fx8 = std::clamp(x + between(random, -extent, extent), -kGuard_fx8 + 1, kGuard_fx8 - 1) / grid * grid;
    v.y_fx8 = std::clamp(y + between(random, -extent, extent), -kGuard_fx8 + 1, kGuard_fx8 - 1) / grid * grid;
    v.z = std::uniform_real_distribution<float>(0, 1)(random);
    v.rw = std::uniform_real_distribution<float>(0.1f, 10)(random);
  }
  if (random() % 8 == 0) t[2].y_fx8 = t[0].y_fx8;
  if (random() % 16 == 0) t[2] = t[1];
  return t;
}

// The definition: a point is inside when it lies on the inner side of all edges, or on an edge that owns it.
bool covers(const Triangle& t, int32_t px, int32_t py, bool bottom_edge_rule) {
  const Wide x = Wide{px} * 256 + 128, y = Wide{py} * 256 + 128;
  const auto cross = [](Wide ax, Wide ay, Wide bx, Wide by) { return ax * by - ay * bx; };
  const Wide area = cross(Wide{t[1].x_fx8} - t[0].x_fx8, Wide{t[1].y_fx8} - t[0].y_fx8,
                          Wide{t[2].x_fx8} - t[0].x_fx8, Wide{t[2].y_fx8} - t[0].y_fx8);
  if (area == 0) return false;
  for (int i = 0; i < 3; ++i) {
    const WinVertex& a = t[i];
    const WinVertex& b = t[(i + 1) % 3];
    const WinVertex& c = t[(i + 2) % 3];
    Wide side = cross(Wide{b.x_fx8} - a.x_fx8, Wide{b.y_fx8} - a.y_fx8, x - a.x_fx8, y - a.y_fx8);
    if (area < 0) side = -side;
    if (side < 0) return false;
    if (side > 0) continue;
    // On the edge. A left edge has the triangle on its right; a flat one owns it where the third corner is below (top
    // edge) or above (bottom edge).
    if (a.y_fx8 == b.y_fx8) {
      if ((c.y_fx8 > a.y_fx8) == bottom_edge_rule) return false;
    } else {
      const WinVertex& low = a.y_fx8 < b.y_fx8 ? a : b;
      const WinVertex& high = a.y_fx8 < b.y_fx8 ? b : a;
      // Right of the upward edge: the sign of c against the line.
      if (cross(Wide{high.x_fx8} - low.x_fx8, Wide{high.y_fx8} - low.y_fx8, Wide{c.x_fx8} - low.x_fx8,
                Wide{c.y_fx8} - low.y_fx8) > 0)
        return false;
    }
  }
  return true;
}

bool edges_cover(const SetupTriangle& t, int64_t px, int64_t py) {
  for (const EdgeEq& e : t.edge) {
    if (e.c_fx16 + px * e.step_x_fx16 + py * e.step_y_fx16 < 0) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("edge functions decide as 128-bit integers do, for both fill rules", "[setup]") {
  std::mt19937 random(tests::seed());
  CAPTURE(tests::seed());
  uint32_t covered = 0;
  for (uint32_t round = 0; round < tests::rounds(4000); ++round) {
    const Triangle t = random_triangle(random);
    SetupState state = full_target();
    state.bottom_edge_rule = random() & 1;
    SetupTriangle out;
    const bool draws = setup_triangle(t.data(), state, out);
    for (int sample = 0; sample < 40; ++sample) {
      // Around the corners, where edges meet, and anywhere.
      const WinVertex& near = t[random() % 3];
      int32_t px = (near.x_fx8 >> 8) + between(random, -2, 2), py = (near.y_fx8 >> 8) + between(random, -2, 2);
      if (sample % 4 == 0) px = between(random, 0, 16383), py = between(random, 0, 16383);
      if (px < 0 || py < 0 || px > 16383 || py > 16383) continue;
      const bool inside_box =
          draws && px >= out.bbox_x0 && px < out.bbox_x1 && py >= out.bbox_y0 && py < out.bbox_y1;
      const bool expected = covers(t, px, py, state.bottom_edge_rule);
      covered += expected;
      if ((inside_box && edges_cover(out, px, py)) != expected) {
        CAPTURE(round, px, py, state.bottom_edge_rule, t[0].x_fx8, t[0].y_fx8, t[1].x_fx8, t[1].y_fx8, t[2].x_fx8,
                t[2].y_fx8);
        FAIL("coverage differs");
      }
    }
  }
  CHECK(covered > 1000);
}

TEST_CASE("moving a triangle by whole pixels on a 16384-wide target changes no value", "[setup]") {
  std::mt19937 random(tests::seed(2));
  CAPTURE(tests::seed(2));
  for (int round = 0; round < 2000; ++round) {
    Triangle t;
    for (WinVertex& v : t) {
      v.x_fx8 = between(random, 0, 60 * 256);
      v.y_fx8 = between(random, 0, 60 * 256);
      v.z = std::uniform_real_distribution<float>(0, 1)(random);
      v.rw = std::uniform_real_distribution<float>(0.1f, 10)(random);
    }
    SetupTriangle here, there;
    const SetupState state = full_target();
    if (!setup_triangle(t.data(), state, here)) continue;
    const int32_t dx = between(random, 0, 16384 - 61), dy = between(random, 0, 16384 - 61);
    for (WinVertex& v : t) v.x_fx8 += dx * 256, v.y_fx8 += dy * 256;
    REQUIRE(setup_triangle(t.data(), state, there));
    for (int i = 0; i < 3; ++i) {
      there.edge[i].c_fx16 += dx * there.edge[i].step_x_fx16 + dy * there.edge[i].step_y_fx16;
      REQUIRE(std::memcmp(&here.edge[i], &there.edge[i], sizeof(EdgeEq)) == 0);
    }
    REQUIRE(here.bbox_x0 + dx == there.bbox_x0);
    REQUIRE(here.bbox_y1 + dy == there.bbox_y1);
    REQUIRE(here.x0_fx8 + dx * 256 == there.x0_fx8);
    const auto planes = [](const SetupTriangle& s) {
      return std::array{s.l1_dx, s.l1_dy, s.l2_dx, s.l2_dy, s.z0, s.z_dx, s.z_dy, s.rw[0], s.rw[1], s.rw[2]};
    };
    REQUIRE(planes(here) == planes(there));
  }
}

TEST_CASE("barycentric and depth planes reach the corners' values", "[setup]") {
  std::mt19937 random(tests::seed(3));
  CAPTURE(tests::seed(3));
  for (int round = 0; round < 2000; ++round) {
    const Triangle t = random_triangle(random);
    const double area = double(signed_area_fx16(t[0], t[1], t[2]));
    SetupTriangle s;
    if (!setup_triangle(t.data(), full_target(), s)) continue;
    for (int corner = 0; corner < 3; ++corner) {
      const double dx = (t[corner].x_fx8 - t[0].x_fx8) / 256.0, dy = (t[corner].y_fx8 - t[0].y_fx8) / 256.0;
      // Each plane is rounded to float: the error grows with what the two products cancel.
      const double scale1 = std::fabs(dx * s.l1_dx) + std::fabs(dy * s.l1_dy);
      const double scale2 = std::fabs(dx * s.l2_dx) + std::fabs(dy * s.l2_dy);
      CAPTURE(round, corner, area);
      CHECK(std::fabs(dx * s.l1_dx + dy * s.l1_dy - (corner == 1)) <= 0x1p-22 * scale1);
      CHECK(std::fabs(dx * s.l2_dx + dy * s.l2_dy - (corner == 2)) <= 0x1p-22 * scale2);
      const double scale_z = std::fabs(dx * s.z_dx) + std::fabs(dy * s.z_dy);
      CHECK(std::fabs(dx * s.z_dx + dy * s.z_dy + s.z0 - t[corner].z) <= 0x1p-22 * (scale_z + scale1 + scale2));
    }
  }
}

TEST_CASE("the front face follows front_ccw, seen with y up, whatever the viewport mirrors", "[setup]") {
  // Counter-clockwise in clip space.
  const float clip[3][2] = {{-0.5f, -0.5f}, {0.5f, -0.5f}, {0.0f, 0.5f}};
  for (const float sx : {1.0f, -1.0f}) {
    for (const float sy : {1.0f, -1.0f}) {
      for (const bool ccw : {true, false}) {
        Viewport viewport;
        viewport.scale[0] = 50 * sx;
        viewport.scale[1] = 50 * sy;
        RasterizerState rasterizer;
        rasterizer.front_ccw = ccw;
        Triangle t;
        for (int i = 0; i < 3; ++i) {
          t[i].x_fx8 = int32_t(256 * (clip[i][0] * viewport.scale[0] + 50));
          t[i].y_fx8 = int32_t(256 * (clip[i][1] * viewport.scale[1] + 50));
        }
        CAPTURE(sx, sy, ccw);
        SetupTriangle s;
        REQUIRE(setup_triangle(t.data(), make_setup_state(rasterizer, viewport, Format::NONE, {0, 0, 100, 100}), s));
        CHECK(s.front == ccw);
        rasterizer.cull = ccw ? CullFace::Front : CullFace::Back;
        CHECK_FALSE(setup_triangle(t.data(), make_setup_state(rasterizer, viewport, Format::NONE, {0, 0, 100, 100}), s));
        rasterizer.cull = ccw ? CullFace::Back : CullFace::Front;
        CHECK(setup_triangle(t.data(), make_setup_state(rasterizer, viewport, Format::NONE, {0, 0, 100, 100}), s));
      }
    }
  }
}

TEST_CASE("depth offset adds slope and units, clamped", "[setup]") {
  const Triangle t = {{{0, 0, 0.25f, 1}, {256 * 16, 0, 0.75f, 1}, {0, 256 * 16, 0.25f, 1}}};   // slope 1/32 along x
  RasterizerState rasterizer;
  rasterizer.offset_fill = true;
  rasterizer.offset_scale = 2;
  rasterizer.offset_units = 4;
  SetupTriangle s;
  const auto z0 = [&](Format format) {
    REQUIRE(setup_triangle(t.data(), make_setup_state(rasterizer, Viewport{}, format, {0, 0, 100, 100}), s));
    return s.z0;
  };
  CHECK(z0(Format::Z16_UNORM) == 0.25f + 2 / 32.0f + 4 * 0x1p-16f);
  CHECK(z0(Format::Z24_UNORM_S8_UINT) == 0.25f + 2 / 32.0f + 4 * 0x1p-24f);
  CHECK(z0(Format::Z32_FLOAT) == float(0.25 + 2 / 32.0 + 4 * 0x1p-24));   // 0.75 = 1.5 * 2^-1: its unit is 2^-24
  rasterizer.offset_clamp = 0.01f;
  CHECK(z0(Format::Z16_UNORM) == float(0.25 + double(0.01f)));
  rasterizer.offset_scale = -2;
  rasterizer.offset_clamp = -0.01f;
  CHECK(z0(Format::Z16_UNORM) == float(0.25 - double(0.01f)));
}

TEST_CASE("equal 1/w at the corners are marked affine", "[setup]") {
  Triangle t = {{{0, 0, 0, 0.5f}, {2560, 0, 0, 0.5f}, {0, 2560, 0, 0.5f}}};
  SetupTriangle s;
  REQUIRE(setup_triangle(t.data(), full_target(), s));
  CHECK(s.affine);
  t[2].rw = std::nextafter(0.5f, 1.0f);
  REQUIRE(setup_triangle(t.data(), full_target(), s));
  CHECK_FALSE(s.affine);
}

TEST_CASE("the cull kernel keeps exactly the triangles that setup draws, on every target", "[setup][cull]") {
  std::mt19937 random(tests::seed(4));
  CAPTURE(tests::seed(4));
  for (uint32_t round = 0; round < tests::rounds(60); ++round) {
    const uint32_t triangles = 1 + random() % 200;
    ChunkVertices vertices;
    vertices.resize(triangles * 3);
    std::vector<uint32_t> corners(3 * (triangles + kCullPadding), 0);
    SetupState state;
    state.clip_rect = {between(random, 0, 8000), between(random, 0, 8000), 16384, between(random, 8001, 16384)};
    state.bottom_edge_rule = random() & 1;
    state.cull_positive = random() % 4 == 0;
    state.cull_negative = random() % 4 == 0;
    std::vector<uint32_t> kept;
    for (uint32_t t = 0; t < triangles; ++t) {
      const Triangle v = random_triangle(random);
      uint32_t all = 0xff, any = 0;
      for (uint32_t c = 0; c < 3; ++c) {
        const uint32_t i = t * 3 + c;
        corners[i] = i;
        vertices.window[i].x_fx8 = v[c].x_fx8;
        vertices.window[i].y_fx8 = v[c].y_fx8;
        vertices.code[i] = random() % 20 == 0 ? 1u << random() % 8 : random() % 20 == 0 ? uint32_t(kOutsideLeft) : 0;
        all &= vertices.code[i];
        any |= vertices.code[i];
      }
      SetupTriangle s;
      if (all != 0 || (any & kNotFinite)) continue;
      if (any != 0 || setup_triangle(v.data(), state, s)) kept.push_back(t);
    }
    for (const SimdTarget simd : available_simd_targets()) {
      CAPTURE(simd_target_name(simd), round);
      Survivors survivors;
      cull_triangles(corners.data(), triangles, vertices, state, survivors, simd);
      REQUIRE(std::vector<uint32_t>(survivors.triangle.begin(), survivors.triangle.begin() + survivors.count) == kept);
      for (uint32_t s = 0; s < survivors.count; ++s) {
        for (uint32_t c = 0; c < 3; ++c) REQUIRE(survivors.corner[c][s] == kept[s] * 3 + c);
      }
    }
  }
}

TEST_CASE("setup of many triangles gives the bits of setup of one, on every target", "[setup]") {
  std::mt19937 random(tests::seed(5));
  CAPTURE(tests::seed(5));
  for (uint32_t round = 0; round < tests::rounds(60); ++round) {
    SetupState state = full_target();
    state.bottom_edge_rule = random() & 1;
    state.front_is_positive = random() & 1;
    state.offset = round % 8 == 0;
    state.offset_scale = 1.5f;
    state.offset_units = 3;
    ChunkVertices vertices;
    vertices.resize(300);
    std::vector<uint32_t> corners[3];
    std::vector<SetupTriangle> expected;
    for (uint32_t t = 0; expected.size() < 1 + round; ++t) {
      Triangle v = random_triangle(random);
      if (random() & 1) v[1].rw = v[2].rw = v[0].rw;
      SetupTriangle s;
      if (!setup_triangle(v.data(), state, s)) continue;
      for (uint32_t c = 0; c < 3; ++c) {
        const uint32_t i = uint32_t(expected.size()) * 3 + c;
        vertices.window[i].x_fx8 = v[c].x_fx8;
        vertices.window[i].y_fx8 = v[c].y_fx8;
        vertices.window[i].z = v[c].z;
        vertices.window[i].rw = v[c].rw;
        s.vertex[c] = i;
        corners[c].push_back(i);
      }
      expected.push_back(s);
    }
    for (auto& c : corners) c.resize(c.size() + kSetupPadding, 0);
    const uint32_t* const corner[3] = {corners[0].data(), corners[1].data(), corners[2].data()};
    for (const SimdTarget simd : available_simd_targets()) {
      std::vector<SetupTriangle> got(expected.size());
      setup_triangles(corner, uint32_t(expected.size()), vertices.window.data(), state, got.data(), simd);
      for (size_t t = 0; t < expected.size(); ++t) {
        CAPTURE(round, t, simd_target_name(simd));
        REQUIRE(std::memcmp(&got[t], &expected[t], offsetof(SetupTriangle, front)) == 0);
        REQUIRE(got[t].front == expected[t].front);
        REQUIRE(got[t].affine == expected[t].affine);
      }
    }
  }
}
