// Stream output, byte for byte.
#include <numeric>
#include <random>

#include "tests/support/random.h"
#include "tests/unit/frontend/geometry_fixture.h"

using namespace tessera;
using namespace tessera::tests;
using raster::Primitive;

namespace {

// The vertices of each point, line or triangle, by the definitions of the primitive types: slow and obvious.
std::vector<std::vector<uint32_t>> decompose(Primitive primitive, const std::vector<uint32_t>& v) {
  std::vector<std::vector<uint32_t>> out;
  const auto n = static_cast<uint32_t>(v.size());
  switch (primitive) {
    case Primitive::Points: for (uint32_t i = 0; i < n; ++i) out.push_back({v[i]}); break;
    case Primitive::Lines: for (uint32_t i = 0; i + 1 < n; i += 2) out.push_back({v[i], v[i + 1]}); break;
    case Primitive::LineStrip: for (uint32_t i = 0; i + 1 < n; ++i) out.push_back({v[i], v[i + 1]}); break;
    case Primitive::LineLoop:
      for (uint32_t i = 0; i < n && n > 1; ++i) out.push_back({v[i], v[(i + 1) % n]});
      break;
    case Primitive::Triangles: for (uint32_t i = 0; i + 2 < n; i += 3) out.push_back({v[i], v[i + 1], v[i + 2]}); break;
    case Primitive::TriangleStrip:
      for (uint32_t i = 0; i + 2 < n; ++i)
        i % 2 == 0 ? out.push_back({v[i], v[i + 1], v[i + 2]}) : out.push_back({v[i + 1], v[i], v[i + 2]});
      break;
    case Primitive::TriangleFan: for (uint32_t i = 1; i + 1 < n; ++i) out.push_back({v[0], v[i], v[i + 1]}); break;
    case Primitive::LinesAdjacency: for (uint32_t i = 0; i + 3 < n; i += 4) out.push_back({v[i + 1], v[i + 2]}); break;
    case Primitive::LineStripAdjacency: for (uint32_t i = 0; i + 3 < n; ++i) out.push_back({v[i + 1], v[i + 2]}); break;
    case Primitive::TrianglesAdjacency:
      for (uint32_t i = 0; i + 5 < n; i += 6) out.push_back({v[i], v[i + 2], v[i + 4]});
      break;
    case Primitive::TriangleStripAdjacency:
      for (uint32_t i = 0; 2 * i + 5 < n; ++i)
        i % 2 == 0 ? out.push_back({v[2 * i], v[2 * i + 2], v[2 * i + 4]})
                   : out.push_back({v[2 * i + 2], v[2 * i], v[2 * i + 4]});
      break;
    default: break;
  }
  return out;
}

constexpr Primitive kPrimitives[] = {
    Primitive::Points, Primitive::Lines, Primitive::LineStrip, Primitive::LineLoop, Primitive::Triangles,
    Primitive::TriangleStrip, Primitive::TriangleFan, Primitive::LinesAdjacency, Primitive::LineStripAdjacency,
    Primitive::TrianglesAdjacency, Primitive::TriangleStripAdjacency};

constexpr uint32_t kRestart = 0xffff;

}  // namespace

TEST_CASE("every primitive type streams out its points, lines or triangles in order", "[stream_output]") {
  GeometryFixture f;
  f.discard();
  std::mt19937 random(seed());
  CAPTURE(seed());
  for (uint32_t round = 0; round < rounds(60); ++round)
    for (const Primitive primitive : kPrimitives) {
      const auto count = static_cast<uint32_t>(random() % 40), base = static_cast<uint32_t>(random() % 9);
      const auto instances = static_cast<uint32_t>(1 + random() % 3);
      std::vector<uint32_t> indices(count), run;
      std::vector<float> expected;
      const auto end_run = [&] {
        for (const std::vector<uint32_t>& p : decompose(primitive, run))
          expected.insert(expected.end(), p.begin(), p.end());
        run.clear();
      };
      for (uint32_t& index : indices) {
        index = random() % 8 == 0 ? kRestart : static_cast<uint32_t>(random() % 50);
        if (index == kRestart) end_run();
        else run.push_back(index + base);
      }
      end_run();
      const std::vector<float> once = expected;
      for (uint32_t i = 1; i < instances; ++i) expected.insert(expected.end(), once.begin(), once.end());
      CAPTURE(round, int(primitive), count, instances);
      const StreamTargetRef target = f.stream_one(kNumber, 4096);
      std::vector<uint16_t> narrow(indices.begin(), indices.end());
      narrow.push_back(0);
      REQUIRE(f.c.set_index_buffer(f.buffer(narrow), 2));
      f.draw({.primitive = primitive, .count = count, .instance_count = instances,
              .base_vertex = static_cast<int32_t>(base), .indexed = true, .primitive_restart = true,
              .restart_index = kRestart});
      const std::vector<float> found = f.floats(target->buffer(), expected.size() + 1);
      CHECK(std::vector<float>(found.begin(), found.end() - 1) == expected);
      CHECK(found.back() == 0);
    }
}

TEST_CASE("outputs go where the layout says, and what lies between stays", "[stream_output]") {
  GeometryFixture f;
  f.discard();
  std::vector<float> positions(16);
  std::iota(positions.begin(), positions.end(), 100.0f);
  f.set_positions(positions);
  raster::StreamLayout layout;
  layout.elements = {
      {.semantic = ir::Semantic::Generic, .index = 0, .first_component = 1, .component_count = 2, .offset_bytes = 4},
      {.semantic = ir::Semantic::Generic, .index = 1, .component_count = 1, .offset_bytes = 20},
      {.semantic = ir::Semantic::Position, .component_count = 4, .buffer = 2}};
  layout.stride_bytes = {28, 0, 16, 0};
  REQUIRE(f.c.set_stream_output(layout));
  const ResourceRef mixed = f.buffer(std::vector<float>(64, -1)), plain = f.buffer(std::vector<float>(64, -1));
  const StreamTargetRef targets[] = {f.c.create_stream_target(mixed, 8).value(), nullptr,
                                     f.c.create_stream_target(plain).value()};
  REQUIRE(f.c.set_stream_targets(targets));
  f.draw({.primitive = Primitive::Points, .count = 4});
  std::vector<float> expected_mixed(64, -1), expected_plain(64, -1);
  for (uint32_t v = 0; v < 4; ++v) {
    expected_mixed[2 + 7 * v + 1] = 100.0f + 4 * v + 1;
    expected_mixed[2 + 7 * v + 2] = 100.0f + 4 * v + 2;
    expected_mixed[2 + 7 * v + 5] = static_cast<float>(v);
    for (uint32_t i = 0; i < 4; ++i) expected_plain[4 * v + i] = 100.0f + 4 * v + i;
  }
  CHECK(f.floats(mixed, 64) == expected_mixed);
  CHECK(f.floats(plain, 64) == expected_plain);
}

TEST_CASE("a primitive without room in one buffer is written to none", "[stream_output]") {
  GeometryFixture f;
  f.discard();
  raster::StreamLayout layout;
  layout.elements = {kNumber, kNumber};
  layout.elements[1].buffer = 1;
  layout.stride_bytes = {4, 4, 0, 0};
  REQUIRE(f.c.set_stream_output(layout));
  const ResourceRef large = f.buffer(std::vector<float>(64, -1)), small = f.buffer(std::vector<float>(64, -1));
  const StreamTargetRef targets[] = {f.c.create_stream_target(large).value(),
                                     f.c.create_stream_target(small, 0, 32).value()};   // eight vertices: two triangles
  REQUIRE(f.c.set_stream_targets(targets));
  const QueryRef generated = f.c.create_query(QueryKind::PrimitivesGenerated).value(),
                 written = f.c.create_query(QueryKind::PrimitivesWritten).value(),
                 overflow = f.c.create_query(QueryKind::StreamOverflow).value(),
                 other = f.c.create_query(QueryKind::StreamOverflow, 1).value();
  for (const QueryRef& q : {generated, written, overflow, other}) REQUIRE(f.c.begin_query(q));
  f.draw({.count = 15});
  f.draw({.primitive = Primitive::Points, .count = 5});   // two more vertices fit
  for (const QueryRef& q : {generated, written, overflow, other}) REQUIRE(f.c.end_query(q));
  CHECK(f.c.query_result(generated).value() == 10);
  CHECK(f.c.query_result(written).value() == 4);
  CHECK(f.c.query_result(overflow).value() == 1);
  CHECK(f.c.query_result(other).value() == 0);
  const std::vector<float> expected = {0, 1, 2, 3, 4, 5, 0, 1, -1};
  CHECK(f.floats(large, 9) == expected);
  CHECK(f.floats(small, 9) == expected);
}

TEST_CASE("targets are appended to, or begun anew, and count the vertices of a draw", "[stream_output]") {
  GeometryFixture f;
  f.discard();
  const StreamTargetRef target = f.stream_one(kNumber, 256);
  f.draw({.primitive = Primitive::Points, .start = 3, .count = 2});
  f.draw({.primitive = Primitive::Points, .start = 8, .count = 1});
  REQUIRE(f.c.flush());
  f.draw({.primitive = Primitive::Points, .start = 20, .count = 2});
  CHECK(f.floats(target->buffer(), 6) == std::vector<float>{3, 4, 8, 20, 21, 0});
  REQUIRE(f.c.set_stream_targets({}));
  REQUIRE(f.c.set_stream_targets({&target, 1}, 1));
  f.draw({.primitive = Primitive::Points, .start = 5, .count = 1});
  CHECK(f.floats(target->buffer(), 7) == std::vector<float>{3, 4, 8, 20, 21, 5, 0});
  // As many vertices as it holds: their numbers count from 0.
  const StreamTargetRef second = f.c.create_stream_target(f.buffer(std::vector<float>(64))).value();
  REQUIRE(f.c.set_stream_targets({&second, 1}));
  REQUIRE(f.c.draw_stream_output({.primitive = Primitive::Points}, target));
  CHECK(f.floats(second->buffer(), 7) == std::vector<float>{0, 1, 2, 3, 4, 5, 0});
  REQUIRE(f.c.set_stream_targets({&target, 1}));
  f.draw({.primitive = Primitive::Points, .start = 40, .count = 1});
  CHECK(f.floats(target->buffer(), 2) == std::vector<float>{40, 4});
}

TEST_CASE("what is streamed out can be drawn from in the next draw, and is the same with any number of threads",
          "[stream_output]") {
  constexpr uint32_t kVertices = 60000;
  std::vector<float> first;
  for (const uint32_t threads : {1u, 2u, 3u, 7u}) {
    GeometryFixture f(threads);
    f.discard();
    std::vector<float> positions(4 * kVertices);
    for (size_t i = 0; i < positions.size(); ++i) positions[i] = static_cast<float>(i % 977);
    f.set_positions(positions);
    const StreamTargetRef target = f.stream_one({.semantic = ir::Semantic::Generic}, 16 * 3 * kVertices);
    f.draw({.primitive = Primitive::TriangleStrip, .count = kVertices});
    REQUIRE(f.c.set_vertex_buffer(0, target->buffer(), 16));
    const StreamTargetRef copy = f.c.create_stream_target(f.buffer(std::vector<float>(12 * kVertices))).value();
    REQUIRE(f.c.set_stream_targets({&copy, 1}));
    REQUIRE(f.c.draw_stream_output({.primitive = Primitive::Triangles}, target));
    const std::vector<float> streamed = f.floats(target->buffer(), 12 * (kVertices - 2));
    CHECK(f.floats(copy->buffer(), 12 * (kVertices - 2)) == streamed);
    if (threads == 1) first = streamed;
    CHECK(streamed == first);
  }
}

TEST_CASE("drawing goes on beside stream output", "[stream_output]") {
  GeometryFixture f;
  f.set_positions({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1});
  const StreamTargetRef target = f.stream_one(kNumber, 64);
  f.draw({.count = 3});
  CHECK(f.count_white() == 256);
  CHECK(f.floats(target->buffer(), 4) == std::vector<float>{0, 1, 2, 0});
}

TEST_CASE("wrong stream output is refused by name", "[stream_output]") {
  GeometryFixture f;
  const auto refused = [&](raster::StreamElement element, uint16_t stride) {
    raster::StreamLayout layout;
    layout.elements = {element};
    layout.stride_bytes[0] = stride;
    REQUIRE(f.c.set_stream_output(layout));
    return text_of(f.c.draw({.count = 3}));
  };
  CHECK(refused({.semantic = ir::Semantic::Color}, 16) ==
        "stream_output.elements[0]: the last program does not write COLOR[0].x in stream 0");
  CHECK(refused({.buffer = 4}, 16) == "stream_output.elements[0].buffer: expected less than 4, found 4");
  CHECK(refused({.stream = 1}, 16).starts_with("stream_output.elements[0].stream: only geometry programs"));
  CHECK(refused({.first_component = 3}, 16).starts_with("stream_output.elements[0]: expected 1 to 4 components"));
  CHECK(
      refused({.offset_bytes = 4}, 16).starts_with("stream_output.elements[0].offset_bytes: expected a multiple of 4"));
  CHECK(refused({}, 18).starts_with("stream_output.stride_bytes[0]: expected a multiple of 4"));
  const StreamTargetRef target = f.stream_one(kNumber, 64);
  raster::StreamElement other = kNumber;
  other.buffer = 1;
  raster::StreamLayout layout;
  layout.elements = {kNumber, other};
  layout.stride_bytes = {4, 4, 0, 0};
  REQUIRE(f.c.set_stream_output(layout));
  CHECK(text_of(f.c.draw({.count = 3})) == "geometry.targets[1]: stream output writes it, and none is bound");
  CHECK(text_of(f.c.create_stream_target(nullptr)) == "buffer: null");
  CHECK(text_of(f.c.create_stream_target(target->buffer(), 2)).starts_with("buffer: expected an offset"));
  CHECK(text_of(f.c.create_stream_target(target->buffer(), 32, 36)).starts_with("buffer: 36 bytes from 32 on"));
  CHECK(f.count_white() == 0);
}
