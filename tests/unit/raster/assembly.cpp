#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "raster/assembly.h"

using namespace tessera::raster;

namespace {

using Triples = std::vector<std::array<uint32_t, 3>>;

Triples assemble(const DrawInfo& info, bool provoking_first, const void* indices = nullptr, uint32_t index_bytes = 0) {
  const Assembly assembly(info, provoking_first, static_cast<const std::byte*>(indices), index_bytes);
  std::vector<uint32_t> ids(size_t{assembly.triangle_count()} * 3), scratch;
  assembly.assemble(0, assembly.triangle_count(), ids.data(), scratch);
  Triples triples;
  for (size_t i = 0; i < ids.size(); i += 3) triples.push_back({ids[i], ids[i + 1], ids[i + 2]});
  return triples;
}

DrawInfo info_of(Primitive primitive, uint32_t count, uint32_t start = 0) {
  DrawInfo info;
  info.primitive = primitive;
  info.count = count;
  info.start = start;
  return info;
}

}  // namespace

TEST_CASE("primitives become triangles as the tables of OpenGL say, for both provoking conventions", "[assembly]") {
  struct Case {
    Primitive primitive;
    uint32_t count;
    Triples last, first;    // provoking vertex: last corner, first corner
  };
  const std::vector<Case> cases = {
      {Primitive::Triangles, 7, {{0, 1, 2}, {3, 4, 5}}, {{0, 1, 2}, {3, 4, 5}}},
      {Primitive::TriangleStrip, 6,
       {{0, 1, 2}, {2, 1, 3}, {2, 3, 4}, {4, 3, 5}}, {{0, 1, 2}, {1, 3, 2}, {2, 3, 4}, {3, 5, 4}}},
      {Primitive::TriangleFan, 5, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}, {{1, 2, 0}, {2, 3, 0}, {3, 4, 0}}},
      {Primitive::Polygon, 5, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}, {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}},
      {Primitive::Quads, 9, {{0, 1, 3}, {1, 2, 3}, {4, 5, 7}, {5, 6, 7}}, {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}}},
      {Primitive::QuadStrip, 7, {{2, 0, 3}, {0, 1, 3}, {4, 2, 5}, {2, 3, 5}}, {{0, 1, 3}, {0, 3, 2}, {2, 3, 5}, {2, 5, 4}}},
      {Primitive::Triangles, 2, {}, {}},
      {Primitive::TriangleStrip, 2, {}, {}},
      {Primitive::Quads, 3, {}, {}},
  };
  for (const Case& c : cases) {
    CAPTURE(int(c.primitive), c.count);
    CHECK(assemble(info_of(c.primitive, c.count), false) == c.last);
    CHECK(assemble(info_of(c.primitive, c.count), true) == c.first);
  }
}

TEST_CASE("the provoking corner is the first or the last of every triple", "[assembly]") {
  CHECK(Assembly(info_of(Primitive::TriangleStrip, 5), true, nullptr, 0).provoking_corner() == 0);
  CHECK(Assembly(info_of(Primitive::TriangleStrip, 5), false, nullptr, 0).provoking_corner() == 2);
  CHECK(Assembly(info_of(Primitive::Polygon, 5), false, nullptr, 0).provoking_corner() == 0);
}

TEST_CASE("indices of 8, 16 and 32 bits are read from start, with the base vertex added", "[assembly]") {
  const uint8_t bytes[] = {9, 3, 250, 7};
  const uint16_t halves[] = {9, 3, 65000, 7};
  const uint32_t words[] = {9, 3, 4000000000u, 7};
  DrawInfo info = info_of(Primitive::Triangles, 3, 1);
  info.indexed = true;
  info.base_vertex = -2;
  CHECK(assemble(info, false, bytes, 1) == Triples{{1, 248, 5}});
  CHECK(assemble(info, false, halves, 2) == Triples{{1, 64998, 5}});
  CHECK(assemble(info, false, words, 4) == Triples{{1, 3999999998u, 5}});
}

TEST_CASE("indices need no alignment", "[assembly]") {
  const uint32_t words[] = {5, 6, 7};
  std::byte raw[sizeof words + 1];
  std::memcpy(raw + 1, words, sizeof words);
  DrawInfo info = info_of(Primitive::Triangles, 3);
  info.indexed = true;
  CHECK(assemble(info, false, raw + 1, 4) == Triples{{5, 6, 7}});
}

TEST_CASE("primitive restart begins anew and compares the index before the base vertex is added", "[assembly]") {
  const uint8_t indices[] = {0, 1, 2, 3, 255, 4, 5, 255, 255, 6, 7, 8};
  DrawInfo info = info_of(Primitive::TriangleStrip, 12);
  info.indexed = info.primitive_restart = true;
  info.restart_index = 255;
  info.base_vertex = 1;
  CHECK(assemble(info, false, indices, 1) == Triples{{1, 2, 3}, {3, 2, 4}, {7, 8, 9}});
  info.primitive = Primitive::Triangles;
  CHECK(assemble(info, false, indices, 1) == Triples{{1, 2, 3}, {7, 8, 9}});
  info.primitive_restart = false;
  CHECK(assemble(info, false, indices, 1).size() == 4);
  info.primitive_restart = true;
  info.restart_index = ~0u;      // does not fit 8 bits: never equal
  CHECK(assemble(info, false, indices, 1).size() == 4);
}

TEST_CASE("primitive ids count primitives, over restarts too", "[assembly]") {
  const uint8_t indices[] = {0, 1, 2, 3, 255, 4, 5, 6};
  DrawInfo info = info_of(Primitive::TriangleStrip, 8);
  info.indexed = info.primitive_restart = true;
  info.restart_index = 255;
  const Assembly strip(info, false, reinterpret_cast<const std::byte*>(indices), 1);
  REQUIRE(strip.triangle_count() == 3);
  CHECK(strip.primitive_id(2) == 2);
  info.primitive = Primitive::Polygon;
  const Assembly polygon(info, false, reinterpret_cast<const std::byte*>(indices), 1);
  CHECK(polygon.primitive_id(0) == 0);
  CHECK(polygon.primitive_id(1) == 0);
  CHECK(polygon.primitive_id(2) == 1);
  const Assembly quads(info_of(Primitive::Quads, 8), false, nullptr, 0);
  CHECK(quads.primitive_id(1) == 0);
  CHECK(quads.primitive_id(2) == 1);
}

TEST_CASE("any part of a draw assembles to the same triangles as the whole", "[assembly]") {
  std::vector<uint16_t> indices;
  for (uint32_t i = 0; i < 200; ++i) indices.push_back(i % 17 == 16 ? 0xffff : uint16_t(i * 7 % 61));
  for (const Primitive primitive : {Primitive::Triangles, Primitive::TriangleStrip, Primitive::TriangleFan,
                                    Primitive::Quads, Primitive::QuadStrip, Primitive::Polygon}) {
    for (const bool first : {false, true}) {
      DrawInfo info = info_of(primitive, uint32_t(indices.size()));
      info.indexed = info.primitive_restart = true;
      info.restart_index = 0xffff;
      const Triples whole = assemble(info, first, indices.data(), 2);
      const Assembly assembly(info, first, reinterpret_cast<const std::byte*>(indices.data()), 2);
      for (uint32_t begin = 0; begin < assembly.triangle_count(); begin += 3) {
        for (const uint32_t count : {1u, 2u, 29u}) {
          const uint32_t n = std::min(count, assembly.triangle_count() - begin);
          std::vector<uint32_t> ids(n * 3), scratch;
          assembly.assemble(begin, n, ids.data(), scratch);
          CAPTURE(int(primitive), first, begin, n);
          CHECK(std::memcmp(ids.data(), whole.data() + begin, ids.size() * 4) == 0);
        }
      }
    }
  }
}

namespace {

using Ids = std::vector<uint32_t>;

Ids ids_of(const Assembly& assembly, uint32_t begin, uint32_t count) {
  Ids ids(size_t{count} * assembly.corner_count()), scratch;
  assembly.assemble(begin, count, ids.data(), scratch);
  return ids;
}

}  // namespace

TEST_CASE("points, lines and primitives with adjacency are assembled as the tables of OpenGL say", "[assembly]") {
  const struct {
    Primitive primitive;
    uint32_t count, corners;
    Ids ids;
  } cases[] = {
      {Primitive::Points, 3, 1, {0, 1, 2}},
      {Primitive::Lines, 5, 2, {0, 1, 2, 3}},
      {Primitive::LineStrip, 4, 2, {0, 1, 1, 2, 2, 3}},
      {Primitive::LineLoop, 3, 2, {0, 1, 1, 2, 2, 0}},
      {Primitive::LineLoop, 2, 2, {0, 1, 1, 0}},
      {Primitive::LineLoop, 1, 2, {}},
      {Primitive::LineStrip, 1, 2, {}},
      {Primitive::LinesAdjacency, 9, 2, {1, 2, 5, 6}},
      {Primitive::LineStripAdjacency, 6, 2, {1, 2, 2, 3, 3, 4}},
      {Primitive::LineStripAdjacency, 3, 2, {}},
      {Primitive::TrianglesAdjacency, 13, 3, {0, 2, 4, 6, 8, 10}},
      {Primitive::TriangleStripAdjacency, 11, 3, {0, 2, 4, 4, 2, 6, 4, 6, 8}},
      {Primitive::TriangleStripAdjacency, 5, 3, {}},
  };
  for (const auto& c : cases) {
    CAPTURE(int(c.primitive), c.count);
    const Assembly assembly(info_of(c.primitive, c.count), false, nullptr, 0);
    CHECK(assembly.corner_count() == c.corners);
    REQUIRE(assembly.triangle_count() * c.corners == c.ids.size());
    CHECK(ids_of(assembly, 0, assembly.triangle_count()) == c.ids);
    for (uint32_t i = 0; i < assembly.triangle_count(); ++i)     // one at a time, too
      CHECK(ids_of(assembly, i, 1) == Ids(c.ids.begin() + i * c.corners, c.ids.begin() + (i + 1) * c.corners));
  }
  CHECK(ids_of(Assembly(info_of(Primitive::TriangleStripAdjacency, 10), true, nullptr, 0), 0, 3) ==
        Ids{0, 2, 4, 2, 6, 4, 4, 6, 8});
}

TEST_CASE("a loop closes before each restart", "[assembly]") {
  const uint8_t indices[] = {0, 1, 2, 255, 3, 255, 4, 5};
  DrawInfo info = info_of(Primitive::LineLoop, 8);
  info.indexed = info.primitive_restart = true;
  info.restart_index = 255;
  const Assembly loop(info, false, reinterpret_cast<const std::byte*>(indices), 1);
  CHECK(ids_of(loop, 0, loop.triangle_count()) == Ids{0, 1, 1, 2, 2, 0, 4, 5, 5, 4});
  CHECK(loop.begins_stipple(0));
  CHECK_FALSE(loop.begins_stipple(2));
  CHECK(loop.begins_stipple(3));
  CHECK_FALSE(loop.ends_lines(4));
  info.primitive = Primitive::LineStrip;
  const Assembly strip(info, false, reinterpret_cast<const std::byte*>(indices), 1);
  CHECK(ids_of(strip, 0, strip.triangle_count()) == Ids{0, 1, 1, 2, 4, 5});
  CHECK_FALSE(strip.ends_lines(0));
  CHECK(strip.ends_lines(1));
  CHECK(strip.ends_lines(2));
}

TEST_CASE("the boundary edges of a polygon's triangles are its sides, each once", "[assembly]") {
  const struct {
    Primitive primitive;
    uint32_t count;
    std::vector<std::array<uint32_t, 2>> sides;
  } cases[] = {
      {Primitive::Quads, 4, {{0, 1}, {1, 2}, {2, 3}, {3, 0}}},
      {Primitive::QuadStrip, 4, {{0, 1}, {1, 3}, {2, 0}, {3, 2}}},
      {Primitive::Polygon, 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}},
      {Primitive::Triangles, 3, {{0, 1}, {1, 2}, {2, 0}}},
  };
  for (const auto& c : cases) {
    for (const bool first : {false, true}) {
      const Assembly assembly(info_of(c.primitive, c.count), first, nullptr, 0);
      std::vector<std::array<uint32_t, 2>> sides;
      for (uint32_t t = 0; t < assembly.triangle_count(); ++t) {
        const Ids v = ids_of(assembly, t, 1);
        for (uint32_t e = 0; e < 3; ++e)
          if (assembly.boundary_edges(t) >> e & 1) sides.push_back({v[e], v[(e + 1) % 3]});
      }
      std::sort(sides.begin(), sides.end());
      CAPTURE(int(c.primitive), first);
      CHECK(sides == c.sides);
    }
  }
}
