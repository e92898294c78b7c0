// Geometry shaders in draws: what they see, what they emit.
#include <bit>

#include "tests/unit/frontend/geometry_fixture.h"

using namespace tessera;
using namespace tessera::tests;
using raster::Primitive;

namespace {

struct InputKind {
  std::string name;
  uint32_t vertices;
};

// Emits a point for each vertex of its primitive: GENERIC[0] = its number, the primitive's number, the invocation.
std::string list_vertices(const InputKind& kind, uint32_t invocations = 1) {
  std::string text =
      "GEOM\nPROPERTY GS_INPUT_PRIMITIVE " + kind.name +
      "\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 8\nPROPERTY GS_INVOCATIONS " +
      std::to_string(invocations) +
      "\nDCL IN[][0], GENERIC[1]\nDCL SV[0], PRIM_ID\nDCL SV[1], INVOCATIONID\nDCL OUT[0], GENERIC[0]\n"
      "IMM[0] UINT32 {0, 0, 0, 0}\n";
  for (uint32_t v = 0; v < kind.vertices; ++v)
    text += "MOV OUT[0].x, IN[" + std::to_string(v) +
            "][0].xxxx\nU2F OUT[0].y, SV[0].xxxx\nU2F OUT[0].z, SV[1].xxxx\nEMIT IMM[0].xxxx\n";
  return text + "END\n";
}

constexpr raster::StreamElement kThree{.semantic = ir::Semantic::Generic, .component_count = 3};

// The numbers of the vertices that a geometry shader sees, primitive by primitive.
std::vector<std::vector<uint32_t>> seen(GeometryFixture& f, const InputKind& kind, Primitive primitive, uint32_t count,
                                        bool provoking_first = false) {
  f.c.set_rasterizer({.provoking_first = provoking_first, .discard = true});
  f.use(ir::Stage::Geometry, list_vertices(kind));
  const StreamTargetRef target = f.stream_one(kThree, 4096);
  const QueryRef written = f.c.create_query(QueryKind::PrimitivesWritten).value();
  REQUIRE(f.c.begin_query(written));
  f.draw({.primitive = primitive, .count = count});
  REQUIRE(f.c.end_query(written));
  const uint64_t points = f.c.query_result(written).value();
  const std::vector<float> values = f.floats(target->buffer(), 3 * points);
  std::vector<std::vector<uint32_t>> primitives(points / kind.vertices);
  for (size_t i = 0; i < points; ++i) {
    CHECK(values[3 * i + 1] == static_cast<float>(i / kind.vertices));
    primitives[i / kind.vertices].push_back(static_cast<uint32_t>(values[3 * i]));
  }
  return primitives;
}

using List = std::vector<std::vector<uint32_t>>;

// Strips of the streams that OUT[0] belongs to; the body emits.
std::string emitter(const std::string& output, uint32_t max_vertices, const std::string& body,
                    uint32_t invocations = 1) {
  return "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE " + output +
         "\nPROPERTY GS_MAX_OUTPUT_VERTICES " + std::to_string(max_vertices) + "\nPROPERTY GS_INVOCATIONS " +
         std::to_string(invocations) +
         "\nDCL IN[][0], GENERIC[1]\nDCL SV[0], INVOCATIONID\nDCL OUT[0], GENERIC[0]\nDCL OUT[1].x, GENERIC[1], "
         "STREAM(1, 1, 1, 1)\n"
         "DCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] FLT32 {0, 1, 10, 100}\n" +
         body + "END\n";
}

// OUT[0].x = 10 * vertex + n, then EMIT.
std::string emit(uint32_t n) {
  return "MAD OUT[0].x, IN[0][0].xxxx, IMM[1].zzzz, IMM[2].xxxx\nADD OUT[0].x, OUT[0].xxxx, IMM[" +
         std::to_string(3 + n) + "].xxxx\nEMIT IMM[0].xxxx\n";
}
std::string numbers() {
  std::string text = "IMM[2] FLT32 {0, 0, 0, 0}\n";
  for (uint32_t n = 0; n < 8; ++n)
    text += "IMM[" + std::to_string(3 + n) + "] FLT32 {" + std::to_string(n) + ", 0, 0, 0}\n";
  return text;
}

constexpr raster::StreamElement kOne{.semantic = ir::Semantic::Generic, .component_count = 1};

}  // namespace

TEST_CASE("a geometry shader sees the vertices of every kind of primitive in order", "[geometry_shader]") {
  GeometryFixture f;
  const InputKind points{"POINTS", 1}, lines{"LINES", 2}, triangles{"TRIANGLES", 3}, lines_adj{"LINES_ADJACENCY", 4},
      triangles_adj{"TRIANGLES_ADJACENCY", 6};
  CHECK(seen(f, points, Primitive::Points, 3) == List{{0}, {1}, {2}});
  CHECK(seen(f, lines, Primitive::Lines, 5) == List{{0, 1}, {2, 3}});
  CHECK(seen(f, lines, Primitive::LineStrip, 4) == List{{0, 1}, {1, 2}, {2, 3}});
  CHECK(seen(f, lines, Primitive::LineLoop, 3) == List{{0, 1}, {1, 2}, {2, 0}});
  CHECK(seen(f, triangles, Primitive::Triangles, 7) == List{{0, 1, 2}, {3, 4, 5}});
  CHECK(seen(f, triangles, Primitive::TriangleStrip, 5) == List{{0, 1, 2}, {2, 1, 3}, {2, 3, 4}});
  CHECK(seen(f, triangles, Primitive::TriangleStrip, 5, true) == List{{0, 1, 2}, {1, 3, 2}, {2, 3, 4}});
  CHECK(seen(f, triangles, Primitive::TriangleFan, 5) == List{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}});
  CHECK(seen(f, lines_adj, Primitive::LinesAdjacency, 9) == List{{0, 1, 2, 3}, {4, 5, 6, 7}});
  CHECK(seen(f, lines_adj, Primitive::LineStripAdjacency, 6) == List{{0, 1, 2, 3}, {1, 2, 3, 4}, {2, 3, 4, 5}});
  CHECK(seen(f, triangles_adj, Primitive::TrianglesAdjacency, 13) == List{{0, 1, 2, 3, 4, 5}, {6, 7, 8, 9, 10, 11}});
}

TEST_CASE("a strip with adjacency gives its triangles as OpenGL's table numbers them", "[geometry_shader]") {
  GeometryFixture f;
  const InputKind kind{"TRIANGLES_ADJACENCY", 6};
  // Table 10.1 counts from 1; corners and neighbours alternate.
  CHECK(seen(f, kind, Primitive::TriangleStripAdjacency, 6) == List{{0, 1, 2, 5, 4, 3}});
  CHECK(seen(f, kind, Primitive::TriangleStripAdjacency, 8) == List{{0, 1, 2, 6, 4, 3}, {4, 0, 2, 5, 6, 7}});
  CHECK(seen(f, kind, Primitive::TriangleStripAdjacency, 11) ==
        List{{0, 1, 2, 6, 4, 3}, {4, 0, 2, 5, 6, 8}, {4, 2, 6, 9, 8, 7}});
}

TEST_CASE("invocations follow each other within a primitive", "[geometry_shader]") {
  GeometryFixture f;
  f.discard();
  f.use(ir::Stage::Geometry, list_vertices({"POINTS", 1}, 3));
  const StreamTargetRef target = f.stream_one(kThree, 4096);
  f.draw({.primitive = Primitive::Points, .count = 50});
  const std::vector<float> values = f.floats(target->buffer(), 450);
  for (size_t i = 0; i < 150; ++i) {
    CHECK(values[3 * i] == static_cast<float>(i / 3));
    CHECK(values[3 * i + 2] == static_cast<float>(i % 3));
  }
}

TEST_CASE("strips are taken apart, ended ones begin anew, short ones are dropped", "[geometry_shader]") {
  GeometryFixture f;
  f.discard();
  const std::string body = emit(0) + emit(1) + emit(2) + emit(3) + "ENDPRIM IMM[0].xxxx\n" + emit(4) +
                           "ENDPRIM IMM[0].xxxx\n" + emit(5) + emit(6) + emit(7);
  const auto run = [&](const std::string& output, uint32_t max_vertices, bool provoking_first = false) {
    f.c.set_rasterizer({.provoking_first = provoking_first, .discard = true});
    f.use(ir::Stage::Geometry, emitter(output, max_vertices, numbers() + body));
    const StreamTargetRef target = f.stream_one(kOne, 1024);
    f.draw({.primitive = Primitive::Points, .start = 1, .count = 1});
    std::vector<float> values = f.floats(target->buffer(), 32);
    while (!values.empty() && values.back() == 0) values.pop_back();
    for (float& v : values) v -= 10;
    return values;
  };
  CHECK(run("TRIANGLE_STRIP", 8) == std::vector<float>{0, 1, 2, 2, 1, 3, 5, 6, 7});
  CHECK(run("TRIANGLE_STRIP", 8, true) == std::vector<float>{0, 1, 2, 1, 3, 2, 5, 6, 7});
  CHECK(run("LINE_STRIP", 8) == std::vector<float>{0, 1, 1, 2, 2, 3, 5, 6, 6, 7});
  CHECK(run("POINTS", 8) == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(run("TRIANGLE_STRIP", 3) == std::vector<float>{0, 1, 2});   // no more than the maximum
}

TEST_CASE("each stream goes to its own buffers and counts its own primitives", "[geometry_shader]") {
  GeometryFixture f;
  f.discard();
  f.use(ir::Stage::Geometry,
        emitter("POINTS", 8,
                numbers() + emit(0) + "MOV OUT[1].x, IN[0][0].xxxx\nEMIT IMM[0].yyyy\nEMIT IMM[0].yyyy\n" + emit(1)));
  raster::StreamLayout layout;
  layout.elements = {kOne,
                     {.semantic = ir::Semantic::Generic, .index = 1, .component_count = 1, .buffer = 1, .stream = 1}};
  layout.stride_bytes = {4, 4, 0, 0};
  REQUIRE(f.c.set_stream_output(layout));
  const ResourceRef first = f.buffer(std::vector<float>(32)), second = f.buffer(std::vector<float>(32));
  const StreamTargetRef targets[] = {f.c.create_stream_target(first).value(),
                                     f.c.create_stream_target(second, 0, 20).value()};
  REQUIRE(f.c.set_stream_targets(targets));
  std::vector<QueryRef> queries;
  for (uint32_t stream = 0; stream < 2; ++stream)
    for (const QueryKind kind :
         {QueryKind::PrimitivesGenerated, QueryKind::PrimitivesWritten, QueryKind::StreamOverflow})
      queries.push_back(f.c.create_query(kind, stream).value());
  queries.push_back(f.c.create_query(QueryKind::AnyStreamOverflow).value());
  for (const QueryRef& q : queries) REQUIRE(f.c.begin_query(q));
  f.draw({.primitive = Primitive::Points, .start = 1, .count = 3});
  for (const QueryRef& q : queries) REQUIRE(f.c.end_query(q));
  std::vector<uint64_t> results;
  for (const QueryRef& q : queries) results.push_back(f.c.query_result(q).value());
  CHECK(results == std::vector<uint64_t>{6, 6, 0, 6, 5, 1, 1});
  CHECK(f.floats(first, 7) == std::vector<float>{10, 11, 20, 21, 30, 31, 0});
  CHECK(f.floats(second, 6) == std::vector<float>{1, 1, 2, 2, 3, 0});
}

TEST_CASE("what a geometry shader emits is drawn, whatever its number and the number of threads", "[geometry_shader]") {
  // A quad of 8 pixels for each point, inside of the target.
  const std::string quads =
      "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
      "PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n"
      "IMM[0] FLT32 {0.0, 0.0625, 0.125, 0}\nIMM[1] UINT32 {0, 0, 0, 0}\n"
      "ADD OUT[0], IN[0][0], IMM[0].xxxx\nEMIT IMM[1].xxxx\nADD OUT[0], IN[0][0], IMM[0].zxxx\nEMIT IMM[1].xxxx\n"
      "ADD OUT[0], IN[0][0], IMM[0].xyxx\nEMIT IMM[1].xxxx\nADD OUT[0], IN[0][0], IMM[0].zyxx\nEMIT IMM[1].xxxx\nEND\n";
  std::vector<float> positions;
  for (int y = -14; y <= 14; y += 2)
    for (int x = -14; x <= 12; x += 4) positions.insert(positions.end(), {x / 16.0f, y / 16.0f, 0, 1});
  const auto points = static_cast<uint32_t>(positions.size() / 4);
  for (const uint32_t threads : {1u, 2u, 3u, 7u}) {
    GeometryFixture f(threads, 64);
    f.set_positions(positions);
    f.use(ir::Stage::Geometry, quads);
    const QueryRef samples = f.c.create_query(QueryKind::SamplesPassed).value(),
                   statistics = f.c.create_query(QueryKind::PipelineStatistics).value();
    REQUIRE(f.c.begin_query(samples));
    REQUIRE(f.c.begin_query(statistics));
    f.draw({.primitive = Primitive::Points, .count = points, .instance_count = 40});
    REQUIRE(f.c.end_query(samples));
    REQUIRE(f.c.end_query(statistics));
    CHECK(f.count_white() == points * 8);
    CHECK(f.c.query_result(samples).value() == uint64_t{40} * points * 8);
    const PipelineStatistics s = f.c.query_statistics(statistics).value();
    CHECK(s.input_vertices == uint64_t{40} * points);
    CHECK(s.input_primitives == uint64_t{40} * points);
    CHECK(s.geometry_invocations == uint64_t{40} * points);
    CHECK(s.geometry_primitives == uint64_t{80} * points);
    CHECK(s.clipped_in == uint64_t{80} * points);
    CHECK(s.fragment_invocations == uint64_t{40} * points * 8);
  }
}

TEST_CASE("a fragment shader reads the primitive number that the geometry shader says", "[geometry_shader]") {
  GeometryFixture f;
  f.set_positions({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1});
  const std::string through =
      "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
      "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nDCL OUT[1], PRIM_ID\n"
      "IMM[0] UINT32 {0, 51, 0, 0}\nMOV OUT[1], IMM[0].yyyy\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\n"
      "MOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[2][0]\nEMIT IMM[0].xxxx\nEND\n";
  f.use(ir::Stage::Geometry, through);
  f.use(ir::Stage::Fragment,
        "FRAG\nDCL SV[0], PRIM_ID\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {0.00392156862745098, 0, 0, 0}\n"
        "U2F TEMP[0].x, SV[0].xxxx\nMUL OUT[0], TEMP[0].xxxx, IMM[0].xxxx\nEND\n");
  f.draw({.count = 3});
  CHECK(f.c.read_image(f.target).value().texel(5, 5)[0] == 51);
}

TEST_CASE("a geometry shader sends each primitive to a layer and through a viewport", "[geometry_shader]") {
  // Invocation i covers layer i % 2 through viewport i / 2: the left or the right half; its colour is i.
  const std::string send =
      "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
      "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nPROPERTY GS_INVOCATIONS 4\nDCL SV[0], INVOCATIONID\nDCL OUT[0], POSITION\n"
      "DCL OUT[1], LAYER\nDCL OUT[2], VIEWPORT_INDEX\nDCL OUT[3].x, GENERIC[0]\nIMM[0] UINT32 {0, 1, 0, 0}\n"
      "IMM[1] FLT32 {-1, 3, 0, 1}\nAND OUT[1].x, SV[0].xxxx, IMM[0].yyyy\nUSHR OUT[2].x, SV[0].xxxx, IMM[0].yyyy\n"
      "U2F OUT[3].x, SV[0].xxxx\nMOV OUT[0], IMM[1].xxzw\nEMIT IMM[0].xxxx\nMOV OUT[0], IMM[1].yxzw\nEMIT IMM[0].xxxx\n"
      "MOV OUT[0], IMM[1].xyzw\nEMIT IMM[0].xxxx\nEND\n";
  for (const uint32_t threads : {1u, 3u}) {
    GeometryFixture f(threads);
    const ResourceRef layers = f.device
                                   ->create_image({.kind = ResourceKind::Tex2DArray,
                                                   .format = Format::R32_FLOAT,
                                                   .width = 16,
                                                   .height = 16,
                                                   .layers = 2})
                                   .value();
    REQUIRE(f.c.set_color_target(0, {.resource = layers, .layers = 2}));
    REQUIRE(f.c.set_viewport_rect_at(0, 0, 0, 8, 16));
    REQUIRE(f.c.set_viewport_rect_at(1, 8, 0, 8, 16));
    f.use(ir::Stage::Geometry, send);
    f.use(ir::Stage::Fragment, "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0].xxxx\nEND\n");
    f.draw({.primitive = Primitive::Points, .count = 1});
    for (uint32_t layer = 0; layer < 2; ++layer) {
      const std::vector<Texel> texels = f.c.read_texels(layers, 0, layer).value();
      for (uint32_t i = 0; i < texels.size(); ++i)
        CHECK(std::bit_cast<float>(texels[i].word[0]) == static_cast<float>(layer + 2 * (i % 16 / 8)));
    }
  }
}

TEST_CASE("geometry shaders that do not fit are refused by name, and nothing is drawn", "[geometry_shader]") {
  GeometryFixture f;
  f.use(ir::Stage::Geometry, list_vertices({"LINES", 2}));
  f.discard();
  CHECK(text_of(f.c.draw({.count = 3})) ==
        "info.primitive: the geometry program takes other primitives than the draw has");
  CHECK(text_of(f.c.draw({.primitive = Primitive::Patches, .count = 3})) ==
        "info.primitive: patches need a tessellation evaluation program");
  REQUIRE(f.c.unset_shader(ir::Stage::Geometry));
  CHECK(text_of(f.c.unset_shader(ir::Stage::Vertex)) ==
        "stage: expected one between the vertex shader and the rasterizer");
  f.discard(false);
  f.set_positions({-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1});
  f.draw({.count = 3});
  CHECK(f.count_white() == 256);
}
