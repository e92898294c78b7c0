#include <catch2/catch.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <utility>
#include <vector>

#include "core/fixed.h"
#include "raster/clip.h"
#include "tests/support/random.h"

using namespace tessera;
using namespace tessera::raster;

namespace {

using Position = std::array<float, 4>;

ViewTransform view_of(int32_t width, int32_t height) {
  ViewTransform v;
  v.scale[0] = float(width) / 2;
  v.scale[1] = -float(height) / 2;
  v.scale[2] = 0.5f;
  v.translate[0] = float(width) / 2;
  v.translate[1] = float(height) / 2;
  v.translate[2] = 0.5f;
  return v;
}

struct Mesh {
  ChunkVertices vertices;
  std::vector<float> records;       // two words: copies of x and w, so that they follow the position

  explicit Mesh(const std::vector<Position>& positions, const ViewTransform& view,
                SimdTarget simd = best_simd_target()) {
    vertices.resize(uint32_t(positions.size()));
    for (uint32_t i = 0; i < positions.size(); ++i) {
      for (int c = 0; c < 4; ++c) vertices.clip[c][i] = positions[i][c];
      records.push_back(positions[i][0]);
      records.push_back(positions[i][3]);
    }
    project_vertices(view, vertices, 0, vertices.count, simd);
  }
  ClipPolygon clip(const ViewTransform& view, std::array<uint32_t, 3> corners) {
    return clip_triangle(view, corners.data(), vertices, records, 2, best_simd_target());
  }
};

Position random_position(std::mt19937& random) {
  std::uniform_real_distribution<float> unit(-1, 1);
  const float reach = std::array{1.0f, 3.0f, 200.0f, 10000.0f}[random() % 4];
  return {unit(random) * reach, unit(random) * reach, unit(random) * 2, unit(random) * 2};
}

}  // namespace

TEST_CASE("values that vary linearly in the window stay a linear function of it where an edge is cut") {
  std::mt19937 random(tests::seed());
  CAPTURE(tests::seed());
  ViewTransform view = view_of(640, 480);
  const uint32_t linear[] = {0, 1};
  view.linear_words = linear;
  uint32_t cuts = 0;
  for (int round = 0; round < 500; ++round) {
    std::vector<Position> positions;
    for (int i = 0; i < 3; ++i) positions.push_back(random_position(random));
    for (Position& p : positions) p[3] = std::abs(p[3]) + 0.25f;   // in front of the eye, beyond near or far
    Mesh mesh(positions, view);
    mesh.records.clear();
    for (const Position& p : positions) mesh.records.insert(mesh.records.end(), {p[0] / p[3], p[1] / p[3]});
    const ClipPolygon polygon = mesh.clip(view, {0, 1, 2});
    for (uint32_t i = 0; i < polygon.count; ++i) {
      const uint32_t v = polygon.vertex[i];
      if (v < 3) continue;
      ++cuts;
      for (uint32_t axis = 0; axis < 2; ++axis) {
        const double in_window = double(mesh.vertices.clip[axis][v]) / mesh.vertices.clip[3][v];
        CHECK(mesh.records[2 * v + axis] == Approx(in_window).epsilon(1e-4).margin(1e-2));
      }
    }
  }
  CHECK(cuts > 100);
}

TEST_CASE("projection divides, transforms and snaps to 1/256 pixel, halves to even, on every target", "[vertex]") {
  std::mt19937 random(tests::seed());
  CAPTURE(tests::seed());
  ViewTransform view = view_of(1920, 1080);
  std::vector<Position> positions;
  for (int i = 0; i < 301; ++i) {
    Position p = random_position(random);
    p[3] = std::fabs(p[3]) + 0.01f;
    if (i % 2 == 0) p = {float(i) / 512 / 960 * 1.0f, 0, 0, 1};
    positions.push_back(p);
  }
  for (const int32_t offset : {0, 128}) {
    view.center_offset_fx8 = offset;
    for (const SimdTarget simd : available_simd_targets()) {
      const Mesh mesh(positions, view, simd);
      for (uint32_t i = 0; i < positions.size(); ++i) {
        const auto [x, y, z, w] = positions[i];
        if (mesh.vertices.code[i] != 0) continue;
        CAPTURE(i, simd_target_name(simd));
        const float win_x = (x / w) * view.scale[0] + view.translate[0];
        const float win_y = (y / w) * view.scale[1] + view.translate[1];
        REQUIRE(mesh.vertices.window[i].x_fx8 == snap_fx8(win_x) + offset);
        REQUIRE(mesh.vertices.window[i].y_fx8 == snap_fx8(win_y) + offset);
        REQUIRE(mesh.vertices.window[i].z == (z / w) * 0.5f + 0.5f);
        REQUIRE(mesh.vertices.window[i].rw == 1 / w);
      }
    }
  }
}

TEST_CASE("outside codes are the signs of the distances, on every target", "[vertex][clip]") {
  std::mt19937 random(tests::seed(5));
  CAPTURE(tests::seed(5));
  std::vector<Position> positions;
  for (int i = 0; i < 500; ++i) positions.push_back(random_position(random));
  positions.push_back({0, 0, 0, 0});
  positions.push_back({1, 1, -1, 1});
  positions.push_back({1, 1, 1, 1});
  for (const bool halfz : {false, true}) {
    for (const bool depth_clip : {false, true}) {
      ViewTransform view = view_of(300, 200);
      view.clip_halfz = halfz;
      view.depth_clip = depth_clip;
      for (const SimdTarget simd : available_simd_targets()) {
        const Mesh mesh(positions, view, simd);
        for (uint32_t i = 0; i < positions.size(); ++i) {
          uint32_t expected = 0;
          for (uint32_t plane = 0; plane < kViewPlanes; ++plane) {
            const bool off = !depth_clip && (plane == 1 || plane == 2);
            if (!off && view.distance(plane, positions[i].data()) < 0) expected |= 1u << plane;
          }
          CAPTURE(i, halfz, depth_clip, simd_target_name(simd));
          REQUIRE(mesh.vertices.code[i] == expected);
        }
      }
    }
  }
}

TEST_CASE("NaN and infinite coordinates are marked", "[vertex]") {
  const float inf = std::numeric_limits<float>::infinity(), nan = std::numeric_limits<float>::quiet_NaN();
  for (int c = 0; c < 4; ++c) {
    for (const float bad : {inf, -inf, nan}) {
      Position p{0, 0, 0, 1};
      p[c] = bad;
      const Mesh mesh({p, {0, 0, 0, 1}}, view_of(64, 64));
      CHECK((mesh.vertices.code[0] & kNotFinite) != 0);
      CHECK(mesh.vertices.code[1] == 0);
    }
  }
}

TEST_CASE("what clipping leaves lies inside every plane, within rounding, and inside the guard band", "[clip]") {
  std::mt19937 random(tests::seed(6));
  CAPTURE(tests::seed(6));
  uint32_t left = 0;
  for (uint32_t round = 0; round < tests::rounds(5000); ++round) {
    ViewTransform view = view_of(16384, 9000);
    view.clip_halfz = random() & 1;
    view.depth_clip = random() % 4 != 0;
    Mesh mesh({random_position(random), random_position(random), random_position(random)}, view);
    const ClipPolygon polygon = mesh.clip(view, {0, 1, 2});
    CAPTURE(round);
    for (uint32_t i = 0; i < polygon.count; ++i) {
      const uint32_t v = polygon.vertex[i];
      const float p[4] = {mesh.vertices.clip[0][v], mesh.vertices.clip[1][v], mesh.vertices.clip[2][v],
                          mesh.vertices.clip[3][v]};
      REQUIRE(p[3] > 0);
      if (view.depth_clip) {
        REQUIRE(p[2] <= p[3] + 1e-3f);
        REQUIRE(p[2] >= (view.clip_halfz ? 0 : -p[3]) - 1e-3f);
      }
      REQUIRE(std::abs(int64_t{mesh.vertices.window[v].x_fx8}) <= int64_t{1} << 23);
      REQUIRE(std::abs(int64_t{mesh.vertices.window[v].y_fx8}) <= int64_t{1} << 23);
      // Records follow the position.
      REQUIRE(mesh.records[v * 2] == p[0]);
      REQUIRE(mesh.records[v * 2 + 1] == p[3]);
    }
    left += polygon.count >= 3;
  }
  CHECK(left > 500);
}

TEST_CASE("a triangle inside of all planes is left as it is", "[clip]") {
  const ViewTransform view = view_of(640, 480);
  Mesh mesh({{-0.5f, 0, 0, 1}, {0.5f, 0, 0, 1}, {0, 0.5f, 0, 1}}, view);
  const ClipPolygon polygon = mesh.clip(view, {0, 1, 2});
  REQUIRE(polygon.count == 3);
  CHECK(polygon.vertex[0] == 0);
  CHECK(polygon.vertex[1] == 1);
  CHECK(polygon.vertex[2] == 2);
  CHECK(mesh.vertices.count == 3);
}

TEST_CASE("two triangles cut their shared edge at the same points", "[clip]") {
  std::mt19937 random(tests::seed(7));
  CAPTURE(tests::seed(7));
  uint32_t cut_edges = 0;
  for (uint32_t round = 0; round < tests::rounds(4000); ++round) {
    const ViewTransform view = view_of(1920, 1080);
    const Position a = random_position(random), b = random_position(random);
    const auto shared_points = [&](const Position& third, std::array<uint32_t, 3> order) {
      Mesh mesh({a, b, third}, view);
      // Points of the polygon on the line a-b: their records are x and w of a point between a and b.
      const ClipPolygon polygon = mesh.clip(view, order);
      std::set<std::pair<int32_t, int32_t>> points;
      for (uint32_t i = 0; i < polygon.count; ++i) {
        const uint32_t v = polygon.vertex[i];
        points.insert({mesh.vertices.window[v].x_fx8, mesh.vertices.window[v].y_fx8});
      }
      return points;
    };
    // What is left of the edge itself: clip the degenerate triangle a, b, b.
    const auto edge = shared_points(b, {0, 1, 2});
    const auto one = shared_points(random_position(random), {0, 1, 2});
    const auto other = shared_points(random_position(random), {1, 0, 2});
    CAPTURE(round);
    for (const auto& point : edge) {
      // Points that only guard the corner of two planes may belong to one triangle; ends of the cut edge to both.
      REQUIRE(one.count(point) == 1);
      REQUIRE(other.count(point) == 1);
    }
    cut_edges += !edge.empty();
  }
  CHECK(cut_edges > 300);
}

TEST_CASE("coordinates near the largest float never leave the guard band", "[clip]") {
  const ViewTransform view = view_of(16384, 16384);
  for (const float huge : {1e30f, 1e37f, 3e38f}) {
    Mesh mesh({{-huge, -huge, 0, 1}, {huge, -huge, 0, 1}, {0, huge, 0, 1}}, view);
    const ClipPolygon polygon = mesh.clip(view, {0, 1, 2});
    for (uint32_t i = 0; i < polygon.count; ++i) {
      CHECK(std::abs(int64_t{mesh.vertices.window[polygon.vertex[i]].x_fx8}) <= int64_t{1} << 23);
      CHECK(std::abs(int64_t{mesh.vertices.window[polygon.vertex[i]].y_fx8}) <= int64_t{1} << 23);
    }
  }
}
