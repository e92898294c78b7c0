// Tessellation in draws: patches, levels, evaluation.
#include <cmath>

#include "tests/unit/frontend/geometry_fixture.h"

using namespace tessera;
using namespace tessera::tests;
using raster::Primitive;

namespace {

constexpr uint32_t kTriangles = 4, kQuads = 7, kLines = 1;

// A quad: bilinear between its four corners. A triangle: between its three.
std::string evaluation(uint32_t domain, uint32_t spacing = 2, bool clockwise = false) {
  const std::string head =
      "TESS_EVAL\nPROPERTY TES_PRIM_MODE " + std::to_string(domain) + "\nPROPERTY TES_SPACING " +
      std::to_string(spacing) + "\nPROPERTY TES_VERTEX_ORDER_CW " + (clockwise ? "1" : "0") +
      "\nPROPERTY TES_POINT_MODE 0\nDCL IN[][0], GENERIC[0]\nDCL SV[0], TESSCOORD\nDCL SV[1], PRIM_ID\n"
      "DCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2].x, GENERIC[1]\nDCL TEMP[0..1]\n"
      "MOV OUT[1].xyz, SV[0].xyzz\nU2F OUT[2].x, SV[1].xxxx\n";
  if (domain == kTriangles)
    return head + "MUL TEMP[0], SV[0].xxxx, IN[0][0]\nMAD TEMP[0], SV[0].yyyy, IN[1][0], TEMP[0]\n"
                  "MAD OUT[0], SV[0].zzzz, IN[2][0], TEMP[0]\nEND\n";
  return head + "LRP TEMP[0], SV[0].xxxx, IN[1][0], IN[0][0]\nLRP TEMP[1], SV[0].xxxx, IN[3][0], IN[2][0]\n"
                "LRP OUT[0], SV[0].yyyy, TEMP[1], TEMP[0]\nEND\n";
}

// Passes its vertices on; the levels are those of PATCH 0: x of vertex 0 of the patch's GENERIC[1], plus 1.
constexpr std::string_view kControl =
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 4\nDCL IN[][0], GENERIC[0]\nDCL IN[][1], GENERIC[1]\nDCL SV[0], "
    "INVOCATIONID\n"
    "DCL SV[1], PRIM_ID\nDCL SV[2], VERTICESIN\nDCL OUT[][0], GENERIC[0]\nDCL OUT[1], TESSOUTER\nDCL OUT[2], "
    "TESSINNER\n"
    "DCL TEMP[0]\nDCL ADDR[0]\nIMM[0] FLT32 {1, 0, 0, 0}\nUARL ADDR[0].x, SV[0].xxxx\n"
    "MOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nU2F TEMP[0].x, SV[1].xxxx\nADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
    "MOV OUT[1], TEMP[0].xxxx\nMOV OUT[2].xy, TEMP[0].xxxx\nEND\n";

const std::vector<float> kWholeTarget = {-1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1, 1, 1, 0, 1};

}  // namespace

TEST_CASE("a tessellated quad covers its pixels once, at any level and with any number of threads", "[tessellation]") {
  for (const uint32_t threads : {1u, 2u, 3u, 7u}) {
    GeometryFixture f(threads, 64);
    f.set_positions(kWholeTarget);
    f.use(ir::Stage::TessEval, evaluation(kQuads, 0));
    for (const float level : {1.0f, 2.5f, 7.0f, 64.0f}) {
      CAPTURE(threads, level);
      f.c.set_tessellation_levels({level, 2, level, 5}, {level, level + 1});
      REQUIRE(f.c.clear_color({0, 0, 0, 1}));
      const QueryRef samples = f.c.create_query(QueryKind::SamplesPassed).value();
      REQUIRE(f.c.begin_query(samples));
      f.draw({.primitive = Primitive::Patches, .count = 4, .patch_vertices = 4});
      REQUIRE(f.c.end_query(samples));
      CHECK(f.count_white() == 64 * 64);
      CHECK(f.c.query_result(samples).value() == 64 * 64);
    }
  }
}

TEST_CASE("front faces of patches are those of the order that the program says", "[tessellation]") {
  for (const bool clockwise : {false, true})
    for (const uint32_t domain : {kTriangles, kQuads}) {
      GeometryFixture f;
      f.set_positions(domain == kQuads ? kWholeTarget : std::vector<float>{3, -1, 0, 1, -1, 3, 0, 1, -1, -1, 0, 1});
      f.c.set_rasterizer({.cull = raster::CullFace::Back});
      f.use(ir::Stage::TessEval, evaluation(domain, 2, clockwise));
      f.c.set_tessellation_levels({3, 3, 3, 3}, {3, 3});
      f.draw({.primitive = Primitive::Patches,
              .count = domain == kQuads ? 4u : 3u,
              .patch_vertices = domain == kQuads ? 4u : 3u});
      CHECK(f.count_white() == (clockwise ? 0 : 256));
    }
}

TEST_CASE("a control shader gives each patch its levels; points arrive patch by patch", "[tessellation]") {
  GeometryFixture f;
  f.discard();
  f.use(ir::Stage::TessCtrl, kControl);
  f.use(ir::Stage::TessEval, evaluation(kQuads));
  const StreamTargetRef target = f.stream_one(kNumber, 1 << 16);
  const QueryRef statistics = f.c.create_query(QueryKind::PipelineStatistics).value();
  REQUIRE(f.c.begin_query(statistics));
  f.draw({.primitive = Primitive::Patches, .count = 41, .patch_vertices = 4});
  REQUIRE(f.c.end_query(statistics));
  // Patch p has level p + 1: 2 (p + 1)^2 triangles.
  std::vector<float> expected;
  for (uint32_t p = 0; p < 10; ++p) expected.insert(expected.end(), 6 * (p + 1) * (p + 1), static_cast<float>(p));
  CHECK(f.floats(target->buffer(), expected.size()) == expected);
  const PipelineStatistics s = f.c.query_statistics(statistics).value();
  CHECK(s.control_patches == 10);
  uint64_t points = 0;
  for (uint64_t n = 1; n <= 10; ++n) points += (n + 1) * (n + 1);
  CHECK(s.evaluation_invocations == points);
  CHECK(s.input_primitives == 10);
}

TEST_CASE("coordinates of a triangle sum to 1 exactly, of a quad leave z 0", "[tessellation]") {
  for (const uint32_t domain : {kTriangles, kQuads}) {
    GeometryFixture f;
    f.discard();
    f.use(ir::Stage::TessEval, evaluation(domain, 1));
    f.c.set_tessellation_levels({5.3f, 7.1f, 2, 9}, {6.7f, 3.3f});
    const StreamTargetRef target = f.stream_one({.semantic = ir::Semantic::Generic, .component_count = 3}, 1 << 16);
    const QueryRef written = f.c.create_query(QueryKind::PrimitivesWritten).value();
    REQUIRE(f.c.begin_query(written));
    f.draw({.primitive = Primitive::Patches, .count = 4, .patch_vertices = 4});
    REQUIRE(f.c.end_query(written));
    const uint64_t vertices = 3 * f.c.query_result(written).value();
    REQUIRE(vertices > 100);
    const std::vector<float> values = f.floats(target->buffer(), 3 * vertices);
    for (size_t i = 0; i < values.size(); i += 3) {
      const double sum = double(values[i]) + values[i + 1] + values[i + 2];
      if (domain == kTriangles) CHECK(sum == 1);
      else CHECK(values[i + 2] == 0);
    }
  }
}

TEST_CASE("tessellated triangles go through a geometry shader", "[tessellation]") {
  GeometryFixture f;
  f.set_positions(kWholeTarget);
  f.use(ir::Stage::TessEval, evaluation(kQuads));
  f.c.set_tessellation_levels({4, 4, 4, 4}, {4, 4});
  const std::string head = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
                           "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\n"
                           "IMM[0] UINT32 {0, 0, 0, 0}\n";
  f.use(ir::Stage::Geometry, head + "MOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\n"
                                    "MOV OUT[0], IN[2][0]\nEMIT IMM[0].xxxx\nEND\n");
  const QueryRef generated = f.c.create_query(QueryKind::PrimitivesGenerated).value();
  REQUIRE(f.c.begin_query(generated));
  f.draw({.primitive = Primitive::Patches, .count = 4, .patch_vertices = 4});
  REQUIRE(f.c.end_query(generated));
  CHECK(f.count_white() == 256);
  CHECK(f.c.query_result(generated).value() == 32);
}

TEST_CASE("tessellation that does not fit is refused by name", "[tessellation]") {
  GeometryFixture f;
  f.use(ir::Stage::TessCtrl, kControl);
  CHECK(text_of(f.c.draw({.primitive = Primitive::Patches, .count = 4, .patch_vertices = 4})) ==
        "evaluation: a tessellation control program needs one of the evaluation stage behind it");
  f.use(ir::Stage::TessEval, evaluation(kQuads));
  CHECK(text_of(f.c.draw({.count = 3})) ==
        "info.primitive: with a tessellation evaluation program only patches are drawn");
  for (const uint32_t vertices : {0u, 33u})
    CHECK(text_of(f.c.draw({.primitive = Primitive::Patches, .count = 4, .patch_vertices = vertices})) ==
          "info.patch_vertices: expected 1 to 32, found " + std::to_string(vertices));
  f.use(ir::Stage::TessEval, evaluation(kLines));
  f.use(ir::Stage::Geometry, "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
                             "PROPERTY GS_MAX_OUTPUT_VERTICES 1\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nEND\n");
  CHECK(text_of(f.c.draw({.primitive = Primitive::Patches, .count = 4, .patch_vertices = 4})) ==
        "geometry: it takes other primitives than the evaluation program makes");
  CHECK(f.count_white() == 0);
}
