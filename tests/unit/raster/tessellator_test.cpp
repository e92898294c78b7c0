// The tessellator against what OpenGL 4.6 demands of it: counts, symmetry, cracks, cover.
#include "raster/tessellator.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <set>

#include "tests/support/random.h"

using namespace tessera;
using namespace tessera::raster;

namespace {

constexpr int64_t kOne = kTessOne_fx24;
constexpr TessSpacing kSpacings[] = {TessSpacing::FractionalOdd, TessSpacing::FractionalEven, TessSpacing::Equal};
using Point = std::pair<uint32_t, uint32_t>;

ir::TessellationFacts facts(TessDomain domain, TessSpacing spacing, bool clockwise = false, bool point_mode = false) {
  return {0, static_cast<uint8_t>(domain), static_cast<uint8_t>(spacing), clockwise, point_mode};
}

Tessellation run(const ir::TessellationFacts& f, const TessLevels& levels) {
  Tessellation t;
  tessellate(f, levels, t);
  return t;
}

Point at(const Tessellation& t, size_t index) {
  const DomainPoint& p = t.points[t.indices[index]];
  return {p.u_fx24, p.v_fx24};
}

// Twice the area, exactly; counter-clockwise is positive.
int64_t area_fx48(const Tessellation& t, size_t triangle) {
  const auto [ax, ay] = at(t, 3 * triangle);
  const auto [bx, by] = at(t, 3 * triangle + 1);
  const auto [cx, cy] = at(t, 3 * triangle + 2);
  return (int64_t{bx} - ax) * (int64_t{cy} - ay) - (int64_t{cx} - ax) * (int64_t{by} - ay);
}

// The number of segments, as the specification words it.
uint32_t segments(float level, TessSpacing spacing) {
  if (spacing == TessSpacing::Equal) return static_cast<uint32_t>(std::ceil(std::clamp(level, 1.0f, 64.0f)));
  if (spacing == TessSpacing::FractionalEven) {
    uint32_t n = 2;
    while (static_cast<float>(n) < std::min(level, 64.0f)) n += 2;
    return n;
  }
  uint32_t n = 1;
  while (static_cast<float>(n) < std::min(level, 63.0f)) n += 2;
  return n;
}

float random_level(std::mt19937& random) {
  const auto kind = static_cast<uint32_t>(random() % 8);
  if (kind == 0) return 1;
  if (kind == 1) return static_cast<float>(random() % 66);
  if (kind == 2) return 0.25f;
  return 1 + static_cast<float>(random() % 100000) / (kind < 5 ? 10000.0f : 1600.0f);
}

TessLevels random_levels(std::mt19937& random) {
  TessLevels levels;
  for (float& level : levels.outer) level = std::max(0.25f, random_level(random));
  for (float& level : levels.inner) level = random_level(random);
  return levels;
}

// Points on side `side` of the domain, as positions along it: u = 0, v = 0, then w = 0 or u = 1, v = 1.
std::set<uint32_t> side_points(const Tessellation& t, TessDomain domain, uint32_t side) {
  std::set<uint32_t> found;
  for (const DomainPoint& p : t.points) {
    const bool is_triangle = domain == TessDomain::Triangles;
    if (side == 0 && p.u_fx24 == 0) found.insert(p.v_fx24);
    if (side == 1 && p.v_fx24 == 0) found.insert(p.u_fx24);
    if (side == 2 && is_triangle && p.u_fx24 + p.v_fx24 == kOne) found.insert(p.u_fx24);
    if (side == 2 && !is_triangle && p.u_fx24 == kOne) found.insert(p.v_fx24);
    if (side == 3 && p.v_fx24 == kOne) found.insert(p.u_fx24);
  }
  return found;
}

std::array<Point, 3> sorted_triangle(const Tessellation& t, size_t triangle) {
  std::array<Point, 3> p = {at(t, 3 * triangle), at(t, 3 * triangle + 1), at(t, 3 * triangle + 2)};
  std::ranges::sort(p);
  return p;
}

}  // namespace

TEST_CASE("an edge has the specification's number of segments, placed symmetrically", "[tessellator]") {
  for (const TessSpacing spacing : kSpacings)
    for (int step = -8; step <= 66 * 16; ++step) {
      const float level = static_cast<float>(step) / 16;
      CAPTURE(level, int(spacing));
      const EdgeDivision edge = divide_edge(level, spacing);
      REQUIRE(edge.count == segments(level, spacing));
      CHECK(edge.at_fx24(0) == 0);
      CHECK(edge.at_fx24(edge.count) == kOne);
      bool rises = true, mirrors = true, is_even = true;
      for (uint32_t i = 0; i < edge.count; ++i) {
        rises = rises && edge.at_fx24(i) <= edge.at_fx24(i + 1);
        mirrors = mirrors && edge.at_fx24(i) + edge.at_fx24(edge.count - i) == kOne;
        is_even = is_even && std::fabs(double(edge.at_fx24(i)) - double(kOne) * i / edge.count) <= 0.5;
      }
      CHECK(rises);
      CHECK(mirrors);
      CHECK((is_even || spacing != TessSpacing::Equal));
    }
}

TEST_CASE("inner segments of a fractional edge are equally long; its ends shrink as the level falls",
          "[tessellator]") {
  for (const TessSpacing spacing : {TessSpacing::FractionalOdd, TessSpacing::FractionalEven}) {
    uint32_t last_end = 0;
    for (int step = 1; step < 32; ++step) {
      const EdgeDivision edge =
          divide_edge((spacing == TessSpacing::FractionalOdd ? 5.0f : 6.0f) + step / 16.0f, spacing);
      const int64_t inner = int64_t{edge.at_fx24(2)} - edge.at_fx24(1);
      for (uint32_t i = 2; i + 1 < edge.count - 1; ++i)
        CHECK(std::abs(int64_t{edge.at_fx24(i + 1)} - edge.at_fx24(i) - inner) <= 2);
      CHECK(edge.at_fx24(1) <= inner);
      CHECK(edge.at_fx24(1) > last_end);
      last_end = edge.at_fx24(1);
    }
  }
}

TEST_CASE("uniform levels give the numbers of triangles that the rings have", "[tessellator]") {
  for (uint32_t n = 1; n <= 64; ++n) {
    const auto level = static_cast<float>(n);
    const TessLevels levels{{level, level, level, level}, {level, level}};
    const uint32_t k = (n - 1) / 2;
    CHECK(run(facts(TessDomain::Triangles, TessSpacing::Equal), levels).indices.size() / 3 ==
          (n % 2 == 0 ? 6 * (n / 2) * (n / 2) : 6 * k * (k + 1) + 1));
    CHECK(run(facts(TessDomain::Quads, TessSpacing::Equal), levels).indices.size() / 3 == 2 * n * n);
  }
}

TEST_CASE("triangles cover the domain once, without cracks, counter-clockwise", "[tessellator]") {
  std::mt19937 random(tests::seed());
  CAPTURE(tests::seed());
  for (int round = 0; round < 300; ++round) {
    const TessLevels levels = random_levels(random);
    for (const TessDomain domain : {TessDomain::Triangles, TessDomain::Quads})
      for (const TessSpacing spacing : kSpacings) {
        CAPTURE(round, int(domain), int(spacing), levels.outer, levels.inner);
        const Tessellation t = run(facts(domain, spacing), levels);
        REQUIRE(t.vertices_each == 3);
        int64_t area = 0;
        bool turns = false;
        std::map<std::pair<uint32_t, uint32_t>, int> edges;   // by vertex; +1 in one direction, -1 in the other
        for (size_t i = 0; i < t.indices.size() / 3; ++i) {
          area += area_fx48(t, i);
          turns = turns || area_fx48(t, i) < 0;
          for (size_t c = 0; c < 3; ++c) {
            const uint32_t a = t.indices[3 * i + c], b = t.indices[3 * i + (c + 1) % 3];
            ++edges[{a, b}];
            --edges[{b, a}];
          }
        }
        CHECK_FALSE(turns);
        CHECK(area == (domain == TessDomain::Quads ? 2 : 1) * kOne * kOne);
        uint32_t boundary = 0, expected = 0;
        bool is_watertight = true;
        for (const auto& [edge, count] : edges) {
          is_watertight = is_watertight && std::abs(count) <= 1;
          boundary += count == 1;
        }
        CHECK(is_watertight);
        for (uint32_t side = 0; side < (domain == TessDomain::Quads ? 4 : 3); ++side)
          expected += segments(levels.outer[side], spacing);
        CHECK(boundary == expected);
      }
  }
}

TEST_CASE("an outer edge's points depend on its own level alone", "[tessellator]") {
  std::mt19937 random(tests::seed(7));
  for (int round = 0; round < 200; ++round)
    for (const TessSpacing spacing : kSpacings)
      for (const TessDomain domain : {TessDomain::Triangles, TessDomain::Quads}) {
        // Inner levels above 2: nothing of the inside lies on a side.
        TessLevels a = random_levels(random), b = random_levels(random);
        for (TessLevels* levels : {&a, &b})
          for (float& level : levels->inner) level = std::max(level, 3.5f);
        const uint32_t sides = domain == TessDomain::Quads ? 4 : 3, side_a = static_cast<uint32_t>(random()) % sides,
                       side_b = static_cast<uint32_t>(random()) % sides;
        b.outer[side_b] = a.outer[side_a];
        CAPTURE(round, int(spacing), int(domain), side_a, side_b, a.outer, b.outer);
        const std::set<uint32_t> points = side_points(run(facts(domain, spacing), a), domain, side_a);
        CHECK(points == side_points(run(facts(domain, spacing), b), domain, side_b));
        CHECK(points.size() == segments(a.outer[side_a], spacing) + 1);
        CHECK(
            std::ranges::all_of(points, [&](uint32_t p) { return points.contains(static_cast<uint32_t>(kOne - p)); }));
      }
}

TEST_CASE("triangles that touch no side do not depend on the outer levels", "[tessellator]") {
  std::mt19937 random(tests::seed(99));
  for (int round = 0; round < 100; ++round)
    for (const TessDomain domain : {TessDomain::Triangles, TessDomain::Quads}) {
      TessLevels a = random_levels(random), b = random_levels(random);
      for (float& level : a.inner) level = std::max(level, 4.0f);
      b.inner = a.inner;
      const auto inside = [&](const TessLevels& levels) {
        const Tessellation t = run(facts(domain, TessSpacing::FractionalEven), levels);
        std::set<std::array<Point, 3>> found;
        for (size_t i = 0; i < t.indices.size() / 3; ++i) {
          const auto triangle = sorted_triangle(t, i);
          const bool touches = std::ranges::any_of(triangle, [&](const Point& p) {
            return p.first == 0 || p.second == 0 ||
                   (domain == TessDomain::Quads ? p.first == kOne || p.second == kOne : p.first + p.second == kOne);
          });
          if (!touches) found.insert(triangle);
        }
        return found;
      };
      CHECK(inside(a) == inside(b));
    }
}

TEST_CASE("a quad with even levels is its own mirror image", "[tessellator]") {
  for (const float level : {2.0f, 4.0f, 5.5f, 8.0f, 13.25f}) {
    const Tessellation t =
        run(facts(TessDomain::Quads, TessSpacing::FractionalEven), {{level, level, level, level}, {level, level}});
    std::set<std::array<Point, 3>> all, mirrored_u, mirrored_v;
    for (size_t i = 0; i < t.indices.size() / 3; ++i) {
      std::array<Point, 3> triangle = sorted_triangle(t, i), u = triangle, v = triangle;
      for (Point& p : u) p.first = static_cast<uint32_t>(kOne) - p.first;
      for (Point& p : v) p.second = static_cast<uint32_t>(kOne) - p.second;
      std::ranges::sort(u);
      std::ranges::sort(v);
      all.insert(triangle);
      mirrored_u.insert(u);
      mirrored_v.insert(v);
    }
    CAPTURE(level);
    CHECK(all == mirrored_u);
    CHECK(all == mirrored_v);
  }
}

TEST_CASE("all levels 1 give one triangle, or a quad's two; a level above 1 anywhere divides the inside",
          "[tessellator]") {
  for (const TessSpacing spacing : {TessSpacing::Equal, TessSpacing::FractionalOdd}) {
    CHECK(run(facts(TessDomain::Triangles, spacing), {}).indices.size() == 3);
    CHECK(run(facts(TessDomain::Quads, spacing), {}).indices.size() == 6);
  }
  const TessLevels one_side{{2, 1, 1, 1}, {1, 1}};
  CHECK(run(facts(TessDomain::Triangles, TessSpacing::Equal), one_side).points.size() ==
        5);  // 3 corners, a side, the centre
  CHECK(run(facts(TessDomain::Quads, TessSpacing::Equal), one_side).points.size() == 6);
}

TEST_CASE("lines run along u, one for each part of v but the last end", "[tessellator]") {
  const Tessellation t = run(facts(TessDomain::Lines, TessSpacing::Equal), {{3, 4, 1, 1}, {1, 1}});
  CHECK(t.vertices_each == 2);
  CHECK(t.points.size() == 15);
  CHECK(t.indices.size() == 24);
  std::set<uint32_t> rows;
  for (const DomainPoint& p : t.points) rows.insert(p.v_fx24);
  CHECK(rows == std::set<uint32_t>{0, (kOne + 1) / 3, (2 * kOne + 1) / 3});
  for (size_t i = 0; i < t.indices.size(); i += 2) {
    CHECK(at(t, i).second == at(t, i + 1).second);
    CHECK(at(t, i).first < at(t, i + 1).first);
  }
}

TEST_CASE("a patch with an outer level that is not above 0 makes nothing", "[tessellator]") {
  for (const float none : {0.0f, -1.0f, std::numeric_limits<float>::quiet_NaN()})
    for (uint32_t i = 0; i < 4; ++i) {
      TessLevels levels{{3, 3, 3, 3}, {3, 3}};
      levels.outer[i] = none;
      CHECK(run(facts(TessDomain::Quads, TessSpacing::Equal), levels).points.empty());
      CHECK(run(facts(TessDomain::Triangles, TessSpacing::Equal), levels).points.empty() == (i < 3));
      CHECK(run(facts(TessDomain::Lines, TessSpacing::Equal), levels).points.empty() == (i < 2));
    }
}

TEST_CASE("clockwise turns every triangle; point mode gives every point once", "[tessellator]") {
  const TessLevels levels{{3, 5, 2, 7}, {4, 6}};
  for (const TessDomain domain : {TessDomain::Triangles, TessDomain::Quads}) {
    const Tessellation t = run(facts(domain, TessSpacing::Equal, true), levels);
    for (size_t i = 0; i < t.indices.size() / 3; ++i) CHECK(area_fx48(t, i) < 0);
    const Tessellation points = run(facts(domain, TessSpacing::Equal, false, true), levels);
    CHECK(points.vertices_each == 1);
    std::set<Point> distinct;
    for (const DomainPoint& p : points.points) distinct.insert({p.u_fx24, p.v_fx24});
    CHECK(distinct.size() == points.points.size());
    CHECK(std::set<uint32_t>(points.indices.begin(), points.indices.end()).size() == points.points.size());
  }
}
