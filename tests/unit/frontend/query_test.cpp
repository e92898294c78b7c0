// Queries against brute force, conditional rendering, indirect draws.
#include <random>

#include "tests/support/random.h"
#include "tests/unit/frontend/geometry_fixture.h"

using namespace tessera;
using namespace tessera::tests;

namespace {

constexpr uint32_t kSize = 48;

// Random triangles, some of them large, at random depths.
std::vector<float> random_triangles(uint32_t count, std::mt19937& random) {
  std::vector<float> positions;
  const auto unit = [&] { return static_cast<float>(random() % 4096) / 2048.0f - 1; };
  for (uint32_t t = 0; t < count; ++t) {
    const float x = unit(), y = unit(), size = random() % 8 == 0 ? 1.5f : 0.2f, z = unit() * 0.9f;
    for (int v = 0; v < 3; ++v) positions.insert(positions.end(), {x + size * unit(), y + size * unit(), z, 1});
  }
  return positions;
}


// All triangles with a depth test, in draws of `step` triangles with a query each.
std::vector<uint64_t> query_each(uint32_t threads, const std::vector<float>& positions, uint32_t step,
                                 std::vector<uint64_t>* brute_force) {
  GeometryFixture f(threads, kSize);
  const ResourceRef depth =
      f.device->create_image({.format = Format::Z32_FLOAT, .width = kSize, .height = kSize}).value();
  REQUIRE(f.c.set_depth_target({depth}));
  f.set_positions(positions);
  f.c.set_depth_stencil_alpha({.depth_test = true, .depth_write = true, .depth_func = raster::Compare::Less});
  raster::BlendState add;
  add.target[0] = {.enabled = true, .rgb_dst = raster::BlendFactor::One, .alpha_dst = raster::BlendFactor::One};
  f.c.set_blend(add);
  f.use(ir::Stage::Fragment,
        "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.00392156862745098, 0, 0, 0}\nMOV OUT[0], IMM[0].xxxx\nEND\n");
  REQUIRE(f.c.clear_depth(1));
  REQUIRE(f.c.clear_color({0, 0, 0, 0}));
  std::vector<QueryRef> queries;
  const auto triangles = static_cast<uint32_t>(positions.size() / 12);
  for (uint32_t t = 0; t < triangles; t += step) {
    queries.push_back(f.c.create_query(QueryKind::SamplesPassed).value());
    REQUIRE(f.c.begin_query(queries.back()));
    f.draw({.start = 3 * t, .count = 3 * step});
    REQUIRE(f.c.end_query(queries.back()));
    if (!brute_force) continue;
    // How often the draw added 1 to a pixel.
    const Image picture = f.c.read_image(f.target).value();
    uint64_t sum = 0;
    for (uint32_t y = 0; y < kSize; ++y)
      for (uint32_t x = 0; x < kSize; ++x) sum += picture.texel(x, y)[0];
    brute_force->push_back(sum);
    REQUIRE(f.c.clear_color({0, 0, 0, 0}));
  }
  std::vector<uint64_t> results;
  for (const QueryRef& q : queries) results.push_back(f.c.query_result(q).value());
  return results;
}

// A triangle over the whole target at a depth.
std::vector<float> whole(float z) { return {-1, -1, z, 1, 3, -1, z, 1, -1, 3, z, 1}; }

}  // namespace

TEST_CASE("occlusion queries count what a picture of ones sums up to, with any number of threads", "[query]") {
  std::mt19937 random(seed());
  CAPTURE(seed());
  const std::vector<float> positions = random_triangles(600, random);
  std::vector<uint64_t> expected;
  CHECK(query_each(1, positions, 20, &expected) == expected);
  for (const uint32_t threads : {1u, 2u, 3u, 7u}) CHECK(query_each(threads, positions, 20, nullptr) == expected);
}

TEST_CASE("a query counts draws that later ones hide", "[query]") {
  GeometryFixture f(2, 128);
  f.set_positions(whole(0));
  const QueryRef samples = f.c.create_query(QueryKind::SamplesPassed).value(),
                 any = f.c.create_query(QueryKind::AnySamplesPassed).value();
  REQUIRE(f.c.begin_query(samples));
  REQUIRE(f.c.begin_query(any));
  f.draw({.count = 3});
  REQUIRE(f.c.end_query(samples));
  REQUIRE(f.c.end_query(any));
  f.draw({.count = 3});
  CHECK(f.c.query_result(samples).value() == 128 * 128);
  CHECK(f.c.query_result(any).value() == 1);
}

TEST_CASE("queries that overlap each count what is theirs", "[query]") {
  GeometryFixture f;
  f.set_positions(whole(0));
  const QueryRef a = f.c.create_query(QueryKind::SamplesPassed).value(),
                 b = f.c.create_query(QueryKind::SamplesPassed).value(),
                 primitives = f.c.create_query(QueryKind::PrimitivesGenerated).value();
  REQUIRE(f.c.begin_query(primitives));
  REQUIRE(f.c.begin_query(a));
  f.draw({.count = 3});
  REQUIRE(f.c.begin_query(b));
  f.draw({.count = 3});
  REQUIRE(f.c.end_query(a));
  f.draw({.count = 3, .instance_count = 2});
  REQUIRE(f.c.end_query(b));
  f.draw({.count = 3});
  REQUIRE(f.c.end_query(primitives));
  CHECK(f.c.query_result(a).value() == 2 * 256);
  CHECK(f.c.query_result(b).value() == 3 * 256);
  CHECK(f.c.query_result(primitives).value() == 5);
  REQUIRE(f.c.begin_query(a));
  REQUIRE(f.c.end_query(a));
  CHECK(f.c.query_result(a).value() == 0);
}

TEST_CASE("statistics of plain draws and of dispatches are their numbers", "[query]") {
  GeometryFixture f;
  f.set_positions(whole(0));
  f.use(ir::Stage::Compute, "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nPROPERTY CS_FIXED_BLOCK_HEIGHT 2\nEND\n");
  const QueryRef q = f.c.create_query(QueryKind::PipelineStatistics).value();
  REQUIRE(f.c.begin_query(q));
  f.draw({.count = 3, .instance_count = 4});
  REQUIRE(f.c.dispatch({.groups = {3, 1, 2}}));
  REQUIRE(f.c.end_query(q));
  const PipelineStatistics expected{.input_vertices = 12,
                                    .input_primitives = 4,
                                    .vertex_invocations = 12,
                                    .clipped_in = 4,
                                    .clipped_out = 4,
                                    .fragment_invocations = 4 * 256,
                                    .compute_invocations = 16 * 6};
  const PipelineStatistics found = f.c.query_statistics(q).value();
  CHECK(found.input_vertices == expected.input_vertices);
  CHECK(found.input_primitives == expected.input_primitives);
  CHECK(found.vertex_invocations == expected.vertex_invocations);
  CHECK(found.clipped_in == expected.clipped_in);
  CHECK(found.clipped_out == expected.clipped_out);
  CHECK(found.fragment_invocations == expected.fragment_invocations);
  CHECK(found.compute_invocations == expected.compute_invocations);
}

TEST_CASE("times go forward", "[query]") {
  GeometryFixture f;
  f.set_positions(whole(0));
  const QueryRef before = f.c.create_query(QueryKind::Timestamp).value(),
                 after = f.c.create_query(QueryKind::Timestamp).value(),
                 elapsed = f.c.create_query(QueryKind::TimeElapsed).value();
  REQUIRE(f.c.end_query(before));
  REQUIRE(f.c.begin_query(elapsed));
  f.draw({.count = 3});
  REQUIRE(f.c.end_query(elapsed));
  REQUIRE(f.c.end_query(after));
  CHECK(f.c.query_result(elapsed).value() > 0);
  CHECK(f.c.query_result(after).value() - f.c.query_result(before).value() >= f.c.query_result(elapsed).value());
}

TEST_CASE("work is left out where the condition does not hold", "[query]") {
  for (const bool seen : {false, true})
    for (const bool inverted : {false, true}) {
      GeometryFixture f;
      f.set_positions(whole(0));
      const QueryRef q = f.c.create_query(QueryKind::AnySamplesPassed).value();
      REQUIRE(f.c.begin_query(q));
      if (seen) f.draw({.count = 3});
      REQUIRE(f.c.end_query(q));
      REQUIRE(f.c.set_render_condition(q, inverted));
      REQUIRE(f.c.clear_color({0, 0, 0, 0}));
      REQUIRE(f.c.set_render_condition(nullptr));
      CAPTURE(seen, inverted);
      CHECK(f.count_white() == (seen && inverted ? 256 : 0));
      REQUIRE(f.c.set_render_condition(q, inverted));
      f.draw({.count = 3});
      CHECK(f.count_white() == (seen || inverted ? 256 : 0));
    }
}

TEST_CASE("wrong uses of queries are refused", "[query]") {
  GeometryFixture f;
  const QueryRef q = f.c.create_query(QueryKind::SamplesPassed).value(),
                 s = f.c.create_query(QueryKind::PipelineStatistics).value();
  CHECK(text_of(f.c.end_query(q)) == "query: it has not begun");
  CHECK(text_of(f.c.query_result(q)) == "query: it has not ended");
  REQUIRE(f.c.begin_query(q));
  CHECK(text_of(f.c.begin_query(q)) == "query: it has begun and not ended");
  CHECK(text_of(f.c.set_render_condition(q)) == "query: it has not ended");
  REQUIRE(f.c.begin_query(s));
  REQUIRE(f.c.end_query(s));
  CHECK(text_of(f.c.query_result(s)) == "query: its result is not one number");
  CHECK(text_of(f.c.begin_query(nullptr)) == "query: null");
  CHECK(text_of(f.c.create_query(QueryKind::StreamOverflow, 4)) == "stream: expected less than 4, found 4");
}

TEST_CASE("indirect draws are draws with the numbers of the buffer", "[indirect]") {
  GeometryFixture f;
  f.discard();
  f.use(
      ir::Stage::Vertex,
      "VERT\nDCL IN[0]\nDCL SV[0], VERTEXID\nDCL SV[1], INSTANCEID\nDCL SV[2], DRAWID\nDCL SV[3], BASEVERTEX\n"
      "DCL SV[4], BASEINSTANCE\nDCL SV[5], VERTEXID_NOBASE\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
      "DCL OUT[2].xy, GENERIC[1]\nMOV OUT[0], IN[0]\nU2F OUT[1].x, SV[0].xxxx\nU2F OUT[1].y, SV[1].xxxx\n"
      "U2F OUT[1].z, SV[2].xxxx\nU2F OUT[1].w, SV[3].xxxx\nU2F OUT[2].x, SV[4].xxxx\nU2F OUT[2].y, SV[5].xxxx\nEND\n");
  raster::StreamLayout layout;
  layout.elements = {{.semantic = ir::Semantic::Generic},
                     {.semantic = ir::Semantic::Generic, .index = 1, .component_count = 2, .offset_bytes = 16}};
  layout.stride_bytes[0] = 24;
  REQUIRE(f.c.set_stream_output(layout));
  const auto target = [&] {
    const StreamTargetRef made = f.c.create_stream_target(f.buffer(std::vector<float>(256))).value();
    REQUIRE(f.c.set_stream_targets({&made, 1}));
    return made;
  };
  constexpr auto kPoints = raster::Primitive::Points;
  using Rows = std::vector<float>;
  // Vertex, instance (from 0), draw, base vertex (the first vertex), base instance, vertex without base.
  SECTION("not indexed, with a stride and a count buffer") {
    const ResourceRef numbers = f.buffer(std::vector<uint32_t>{99, 2, 1, 5, 3, 77, 1, 2, 8, 0, 77, 1, 1, 0, 0, 0});
    const ResourceRef count = f.buffer(std::vector<uint32_t>{0, 2});
    const StreamTargetRef t = target();
    REQUIRE(f.c.draw_indirect({.primitive = kPoints}, {.buffer = numbers,
                                                       .offset_bytes = 4,
                                                       .stride_bytes = 20,
                                                       .draw_count = 3,
                                                       .count_buffer = count,
                                                       .count_offset_bytes = 4}));
    CHECK(f.floats(t->buffer(), 30) ==
          Rows{5, 0, 0, 5, 3, 0, 6, 0, 0, 5, 3, 1, 8, 0, 1, 8, 0, 0, 8, 1, 1, 8, 0, 0, 0, 0, 0, 0, 0, 0});
  }
  SECTION("indexed: the base vertex is the buffer's") {
    REQUIRE(f.c.set_index_buffer(f.buffer(std::vector<uint32_t>{4, 2, 9}), 4));
    const ResourceRef numbers = f.buffer(std::vector<uint32_t>{2, 1, 1, 10, 6});
    const StreamTargetRef t = target();
    REQUIRE(f.c.draw_indirect({.primitive = kPoints, .indexed = true}, {.buffer = numbers}));
    CHECK(f.floats(t->buffer(), 13) == Rows{12, 0, 0, 10, 6, 2, 19, 0, 0, 10, 6, 9, 0});
  }
  SECTION("many draws count themselves") {
    const StreamTargetRef t = target();
    const DrawRange ranges[] = {{3, 1, 0}, {7, 1, 0}};
    REQUIRE(f.c.draw_many({.primitive = kPoints}, ranges));
    CHECK(f.floats(t->buffer(), 13) == Rows{3, 0, 0, 3, 0, 0, 7, 0, 1, 7, 0, 0, 0});
  }
}

TEST_CASE("indirect draws read nothing outside of their buffers", "[indirect]") {
  GeometryFixture f;
  const ResourceRef numbers = f.buffer(std::vector<uint32_t>{3, 1, 0, 0, 0});
  const auto refused = [&](const IndirectDraws& indirect, bool indexed = false) {
    return text_of(f.c.draw_indirect({.indexed = indexed}, indirect));
  };
  CHECK(refused({}) == "buffer: null");
  CHECK(refused({.buffer = f.target}) == "buffer: an image is no buffer");
  CHECK(refused({.buffer = numbers, .offset_bytes = 8}) == "buffer: 16 bytes from 8 on go beyond the buffer's 20");
  CHECK(refused({.buffer = numbers, .offset_bytes = 2})
            .starts_with("buffer: expected an offset that is a multiple of 4"));
  CHECK(refused({.buffer = numbers, .draw_count = 2}) == "buffer: 32 bytes from 0 on go beyond the buffer's 20");
  CHECK(refused({.buffer = numbers, .draw_count = ~0u}).starts_with("buffer: "));
  CHECK(refused({.buffer = numbers, .stride_bytes = 6}) == "stride_bytes: expected a multiple of 4, found 6");
  CHECK(refused({.buffer = numbers, .count_buffer = numbers, .count_offset_bytes = 20})
            .starts_with("count_buffer: 4 bytes from 20"));
  CHECK(refused({.buffer = numbers, .offset_bytes = 4}, true).starts_with("buffer: 20 bytes from 4 on"));
  CHECK(f.count_white() == 0);
}
