#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "raster/chunk.h"
#include "raster/tile_setup.h"
#include "tests/unit/raster/draw_call.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::tests;

namespace {

struct Built {
  Chunk chunk;
  ChunkResult result;
};

Built build(const Framebuffer& target, const DrawCall& call, ChunkLimits limits = {}) {
  REQUIRE(call.pipeline);
  limits.simd = best_simd_target();
  PreparedDraw draw;
  prepare_draw(call, target, 1, {best_simd_target(), 0, nullptr}, draw);
  ChunkBuilder builder;
  Built built;
  built.result = builder.build({&draw, 0, draw.triangle_count()}, limits, built.chunk);
  return built;
}

// All of a chunk's triangles: those that the tiles set up, then those of many tiles.
std::vector<SetupTriangle> triangles_of(const Chunk& chunk) {
  std::vector<SetupTriangle> triangles;
  for (const SmallTriangle& t : chunk.small) triangles.push_back(set_up(chunk, t));
  triangles.insert(triangles.end(), chunk.triangles.begin(), chunk.triangles.end());
  return triangles;
}

std::vector<Vertex> grid_vertices(uint32_t cells) {
  std::vector<Vertex> vertices;
  for (uint32_t y = 0; y <= cells; ++y) {
    for (uint32_t x = 0; x <= cells; ++x) {
      const float u = float(x) / float(cells), v = float(y) / float(cells);
      vertices.push_back({{u * 2 - 1, v * 2 - 1, 0, 1}, {u, v, 0, 1}});
    }
  }
  return vertices;
}

std::vector<uint32_t> grid_indices(uint32_t cells) {
  std::vector<uint32_t> indices;
  for (uint32_t y = 0; y < cells; ++y) {
    for (uint32_t x = 0; x < cells; ++x) {
      const uint32_t a = y * (cells + 1) + x, b = a + 1, c = a + cells + 1, d = c + 1;
      indices.insert(indices.end(), {a, b, c, b, d, c});
    }
  }
  return indices;
}

}  // namespace

TEST_CASE("shared vertices of a grid are shaded once a chunk", "[chunk]") {
  const Framebuffer target = target_of(256, 256);
  DrawCall call = draw_of(target, make_pipeline(color_pipeline_desc(target)).value(), grid_vertices(20));
  set_indices(call, grid_indices(20));
  const Built built = build(target, call);
  CHECK(built.result.counters.vertices == 21 * 21);
  CHECK(built.result.counters.primitives == 20 * 20 * 2);
  CHECK(built.result.counters.triangles_binned == 20 * 20 * 2);
  CHECK(built.result.counters.primitives_culled == 0);
  CHECK(built.chunk.records.size() == 21 * 21 * 4);
}

TEST_CASE("records hold the varyings of their vertices, flat ones those of the provoking vertex", "[chunk]") {
  const Framebuffer target = target_of(64, 64);
  const std::vector<Vertex> vertices = {{{-1, -1, 0, 1}, {1, 2, 3, 4}}, {{1, -1, 0, 1}, {5, 6, 7, 8}},
                                        {{-1, 1, 0, 1}, {9, 10, 11, 12}}, {{1, 1, 0, 1}, {13, 14, 15, 16}}};
  for (const bool first : {false, true}) {
    PipelineDesc desc = color_pipeline_desc(target);
    desc.rasterizer.provoking_first = first;
    DrawCall call = draw_of(target, make_pipeline(std::move(desc)).value(), vertices);
    call.info.primitive = Primitive::TriangleStrip;
    const Chunk chunk = build(target, call).chunk;
    REQUIRE(triangles_of(chunk).size() == 2);
    REQUIRE(chunk.stride == 4);
    CHECK(chunk.records[triangles_of(chunk)[0].provoking * 4] == (first ? 1 : 9));
    CHECK(chunk.records[triangles_of(chunk)[1].provoking * 4] == (first ? 5 : 13));
    for (const SetupTriangle& t : triangles_of(chunk)) {
      for (const uint32_t record : t.vertex)
        CHECK(std::memcmp(&chunk.records[record * 4], vertices[record].color.data(), 16) == 0);
    }
  }
}

TEST_CASE("a primitive with a NaN or infinite coordinate is dropped, its neighbours are not", "[chunk]") {
  const Framebuffer target = target_of(64, 64);
  const auto pipeline = make_pipeline(color_pipeline_desc(target)).value();
  for (const float bad : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                          -std::numeric_limits<float>::infinity()}) {
    for (int c = 0; c < 4; ++c) {
      std::vector<Vertex> vertices(6);
      for (int t = 0; t < 2; ++t) {
        vertices[t * 3].position = {-1, -1, 0, 1};
        vertices[t * 3 + 1].position = {1, -1, 0, 1};
        vertices[t * 3 + 2].position = {0, 1, 0, 1};
      }
      vertices[1].position[c] = bad;
      const Built built = build(target, draw_of(target, pipeline, vertices));
      CAPTURE(bad, c);
      CHECK(triangles_of(built.chunk).size() == 1);
      CHECK(triangles_of(built.chunk)[0].primitive_id == 1);
      CHECK(built.result.counters.primitives_culled == 1);
    }
  }
}

TEST_CASE("faces are culled by state; both faces cull without setup", "[chunk]") {
  const Framebuffer target = target_of(64, 64);
  const std::vector<Vertex> vertices = {{{-1, -1, 0, 1}}, {{1, -1, 0, 1}}, {{0, 1, 0, 1}},     // counter-clockwise
                                        {{-1, -1, 0, 1}}, {{0, 1, 0, 1}}, {{1, -1, 0, 1}}};
  const struct { CullFace cull; bool ccw; std::vector<uint32_t> left; } cases[] = {
      {CullFace::None, true, {0, 1}}, {CullFace::Back, true, {0}},  {CullFace::Front, true, {1}},
      {CullFace::Back, false, {1}},   {CullFace::Front, false, {0}}, {CullFace::FrontAndBack, true, {}},
  };
  for (const auto& c : cases) {
    PipelineDesc desc = color_pipeline_desc(target);
    desc.rasterizer.cull = c.cull;
    desc.rasterizer.front_ccw = c.ccw;
    const Built built = build(target, draw_of(target, make_pipeline(std::move(desc)).value(), vertices));
    std::vector<uint32_t> left;
    for (const SetupTriangle& t : triangles_of(built.chunk)) left.push_back(t.primitive_id);
    CHECK(left == c.left);
    CHECK(built.result.counters.primitives == 2);
    CHECK(built.result.counters.primitives_culled == 2 - c.left.size());
    CHECK(built.result.counters.vertices == 6);
  }
}

TEST_CASE("triangles between pixel centres and of zero area are culled", "[chunk]") {
  const Framebuffer target = target_of(64, 64);
  const auto at = [](float x, float y) { return Vertex{{x / 32 - 1, 1 - y / 32, 0, 1}}; };
  const std::vector<Vertex> vertices = {at(10.6f, 10.6f), at(11.4f, 10.6f), at(11, 11.4f),    // touches no centre
                                        at(3, 3), at(9, 9), at(20, 20),                       // a line
                                        at(10, 10), at(11, 10), at(10.4f, 11)};               // one centre
  const Built built = build(target, draw_of(target, make_pipeline(color_pipeline_desc(target)).value(), vertices));
  REQUIRE(triangles_of(built.chunk).size() == 1);
  CHECK(triangles_of(built.chunk)[0].primitive_id == 2);
  CHECK(built.result.counters.primitives_culled == 2);
}

TEST_CASE("a triangle that crosses the near plane is cut and keeps its provoking vertex", "[chunk]") {
  const Framebuffer target = target_of(64, 64);
  const std::vector<Vertex> vertices = {{{-1, -1, 0, 1}, {1, 0, 0, 1}}, {{1, -1, 0, 1}, {2, 0, 0, 1}},
                                        {{0, 1, -3, 1}, {4, 0, 0, 1}}};
  const Built built = build(target, draw_of(target, make_pipeline(color_pipeline_desc(target)).value(), vertices));
  CHECK(built.result.counters.primitives_clipped == 1);
  CHECK(built.result.counters.primitives_culled == 0);
  REQUIRE(triangles_of(built.chunk).size() == 2);
  for (const SetupTriangle& t : triangles_of(built.chunk)) {
    CHECK(built.chunk.records[t.provoking * 4] == 4);
    CHECK(t.primitive_id == 0);
    for (const uint32_t v : t.vertex) CHECK(built.chunk.records[v * 4] <= 4);
  }
}

TEST_CASE("without depth clip nothing is cut at near and far, and depth is clamped to the viewport's range", "[chunk]") {
  const Framebuffer target = target_of(64, 64);
  PipelineDesc desc = color_pipeline_desc(target);
  desc.rasterizer.depth_clip = false;
  DrawCall call = draw_of(target, make_pipeline(std::move(desc)).value(),
                          std::vector<Vertex>{{{-1, -1, 5, 1}}, {{1, -1, -5, 1}}, {{0, 1, 0, 1}}});
  call.viewport.scale[2] = 0.25f;
  call.viewport.translate[2] = 0.5f;
  const Built built = build(target, call);
  CHECK(built.result.counters.primitives_clipped == 0);
  CHECK(triangles_of(built.chunk).size() == 1);
  CHECK(built.chunk.draw->depth_min == 0.25f);
  CHECK(built.chunk.draw->depth_max == 0.75f);
}

TEST_CASE("instances repeat the primitives and number them anew", "[chunk]") {
  const Framebuffer target = target_of(64, 64);
  DrawCall call = draw_of(target, make_pipeline(color_pipeline_desc(target)).value(), grid_vertices(2));
  set_indices(call, grid_indices(2));
  call.info.instance_count = 5;
  const Built built = build(target, call);
  CHECK(built.result.counters.vertices == 5 * 9);
  REQUIRE(triangles_of(built.chunk).size() == 5 * 8);
  for (uint32_t t = 0; t < 5 * 8; ++t) CHECK(triangles_of(built.chunk)[t].primitive_id == t % 8);
}

TEST_CASE("a chunk that reaches its memory limit ends between two triangles; the rest follows", "[chunk]") {
  const Framebuffer target = target_of(1024, 1024);
  std::vector<Vertex> vertices;
  for (int i = 0; i < 100; ++i) vertices.insert(vertices.end(), {{{-1, -1, 0, 1}}, {{3, -1, 0, 1}}, {{-1, 3, 0, 1}}});
  const DrawCall call = draw_of(target, make_pipeline(color_pipeline_desc(target)).value(), vertices);
  PreparedDraw draw;
  prepare_draw(call, target, 1, {best_simd_target(), 0, nullptr}, draw);
  ChunkLimits limits;
  limits.simd = best_simd_target();
  limits.max_bytes = 10000;
  ChunkBuilder builder;
  Chunk chunk;
  uint64_t begin = 0, pieces = 0;
  Counters counters;
  while (begin < draw.triangle_count()) {
    const ChunkResult result = builder.build({&draw, begin, draw.triangle_count()}, limits, chunk);
    REQUIRE(result.done > begin);
    CHECK(triangles_of(chunk).size() == result.done - begin);
    CHECK(triangles_of(chunk)[0].primitive_id == begin);
    begin = result.done;
    counters += result.counters;
    ++pieces;
  }
  CHECK(pieces > 5);
  CHECK(counters.primitives == 100);
}

TEST_CASE("the clip rectangle is the viewport, the scissor and the target together", "[chunk]") {
  const Framebuffer target = target_of(100, 80);
  PipelineDesc desc = color_pipeline_desc(target);
  DrawCall call = draw_of(target, make_pipeline(desc).value(), std::vector<Vertex>(3));
  CHECK(draw_clip_rect(call, 100, 80) == IRect{0, 0, 100, 80});
  call.scissor = {-5, 10, 1000, 30};
  CHECK(draw_clip_rect(call, 100, 80) == IRect{0, 0, 100, 80});       // scissor is off
  desc.rasterizer.scissor = true;
  call.pipeline = make_pipeline(desc).value();
  CHECK(draw_clip_rect(call, 100, 80) == IRect{0, 10, 100, 30});
  call.viewport.scale[0] = -20.25f;                                    // 9.75 .. 50.25: centres 10.5 .. 49.5
  call.viewport.translate[0] = 30;
  CHECK(draw_clip_rect(call, 100, 80) == IRect{10, 10, 50, 30});
  call.viewport.translate[0] = 1e9f;
  CHECK(draw_clip_rect(call, 100, 80).empty());
}
