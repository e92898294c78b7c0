// What stages between vertex shading and clipping make is drawn as if it had been drawn by itself: the same picture as
// from its vertices, streamed out and drawn as a list.
#include <random>

#include "tests/support/random.h"
#include "tests/unit/frontend/geometry_fixture.h"

using namespace tessera;
using namespace tessera::tests;
using raster::Primitive;

namespace {

constexpr std::string_view kPositionOnly = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";

// A strip of six vertices around each point.
std::string star(const std::string& output) {
  std::string text =
      "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE " + output +
      "\nPROPERTY GS_MAX_OUTPUT_VERTICES 6\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n"
      "IMM[1] FLT32 {0.1, -0.07, 0.03, 0.0}\n";
  for (const char* swizzle : {"xyww", "yxww", "zzww", "yyww", "xxww", "wzww"})
    text += "ADD OUT[0], IN[0][0], IMM[1]." + std::string(swizzle) + "\nEMIT IMM[0].xxxx\n";
  return text + "END\n";
}

std::string patch(uint32_t domain, bool point_mode) {
  return "TESS_EVAL\nPROPERTY TES_PRIM_MODE " + std::to_string(domain) +
         "\nPROPERTY TES_SPACING 0\nPROPERTY TES_VERTEX_ORDER_CW 0\nPROPERTY TES_POINT_MODE " + (point_mode ? "1" : "0") +
         "\nDCL IN[][0], POSITION\nDCL SV[0], TESSCOORD\nDCL OUT[0], POSITION\nDCL TEMP[0..1]\n"
         "LRP TEMP[0], SV[0].xxxx, IN[1][0], IN[0][0]\nLRP TEMP[1], SV[0].xxxx, IN[3][0], IN[2][0]\n"
         "LRP OUT[0], SV[0].yyyy, TEMP[1], TEMP[0]\nEND\n";
}

struct Way {
  std::string geometry, evaluation;
  Primitive list;
};

}  // namespace

TEST_CASE("the stipple of lines runs on along a geometry program's strip, and begins anew with the next",
          "[geometry_shader]") {
  // Two strips along row 8, from x = 0.5 over 5.5 to 8.5, and from 8.5 to 15.5.
  constexpr std::string_view kStrips =
      "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE LINE_STRIP\n"
      "PROPERTY GS_MAX_OUTPUT_VERTICES 5\nDCL IN[][0], POSITION\nDCL OUT[0], POSITION\nIMM[0] UINT32 {0, 0, 0, 0}\n"
      "IMM[1] FLT32 {-0.9375, -0.3125, 0.0625, 0.9375}\nIMM[2] FLT32 {0.0, -0.0625, 0.0, 1.0}\n"
      "MOV OUT[0], IMM[2]\nMOV OUT[0].x, IMM[1].xxxx\nEMIT IMM[0].xxxx\n"
      "MOV OUT[0], IMM[2]\nMOV OUT[0].x, IMM[1].yyyy\nEMIT IMM[0].xxxx\n"
      "MOV OUT[0], IMM[2]\nMOV OUT[0].x, IMM[1].zzzz\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\n"
      "MOV OUT[0], IMM[2]\nMOV OUT[0].x, IMM[1].zzzz\nEMIT IMM[0].xxxx\n"
      "MOV OUT[0], IMM[2]\nMOV OUT[0].x, IMM[1].wwww\nEMIT IMM[0].xxxx\nENDPRIM IMM[0].xxxx\nEND\n";
  GeometryFixture f;
  f.use(ir::Stage::Geometry, kStrips);
  f.c.set_rasterizer({.line_stipple = true, .line_stipple_pattern = 0x0f0f});   // four on, four off
  f.draw({.primitive = Primitive::Points, .count = 1});
  const Image picture = f.c.read_image(f.target).value();
  std::string row;
  for (uint32_t x = 0; x < 16; ++x) row += picture.texel(x, 8)[0] == 255 ? '#' : '.';
  CHECK(row == "####....####....");
}

TEST_CASE("what stages make is drawn like the list of what they stream out", "[geometry_shader][tessellation]") {
  const Way ways[] = {{star("POINTS"), "", Primitive::Points},
                      {star("LINE_STRIP"), "", Primitive::Lines},
                      {star("TRIANGLE_STRIP"), "", Primitive::Triangles},
                      {"", patch(1, false), Primitive::Lines},
                      {"", patch(4, false), Primitive::Triangles},
                      {"", patch(7, false), Primitive::Triangles},
                      {"", patch(7, true), Primitive::Points}};
  std::mt19937 random(seed());
  CAPTURE(seed());
  std::vector<float> positions;
  for (uint32_t v = 0; v < 48; ++v) {
    for (uint32_t c = 0; c < 3; ++c) positions.push_back(static_cast<float>(random() % 2048) / 900.0f - 1.1f);
    positions.push_back(random() % 4 == 0 ? 0.7f : 1.0f);
  }
  for (const Way& way : ways) {
    CAPTURE(way.geometry, way.evaluation);
    GeometryFixture f(2, 64);
    const auto draw_both = [&](const raster::RasterizerState& state) {
      f.c.set_rasterizer(state);
      f.set_positions(positions);
      f.use(ir::Stage::Vertex, kPositionOnly);
      if (!way.geometry.empty()) f.use(ir::Stage::Geometry, way.geometry);
      if (!way.evaluation.empty()) f.use(ir::Stage::TessEval, way.evaluation);
      f.c.set_tessellation_levels({3.4f, 4.2f, 5, 2}, {3, 4.5f});
      const StreamTargetRef target = f.stream_one({.semantic = ir::Semantic::Position}, 1 << 18);
      REQUIRE(f.c.clear_color({0, 0, 0, 1}));
      f.draw({.primitive = way.evaluation.empty() ? Primitive::Points : Primitive::Patches, .count = 48,
              .patch_vertices = 4});
      const Image drawn = f.c.read_image(f.target).value();
      REQUIRE(f.c.unset_shader(ir::Stage::Geometry));
      REQUIRE(f.c.unset_shader(ir::Stage::TessEval));
      REQUIRE(f.c.set_stream_output({}));
      REQUIRE(f.c.set_vertex_buffer(0, target->buffer(), 16));
      REQUIRE(f.c.clear_color({0, 0, 0, 1}));
      REQUIRE(f.c.draw_stream_output({.primitive = way.list}, target));
      const Image expected = f.c.read_image(f.target).value();
      CHECK(f.count_white() > 20);
      CHECK(drawn.rgba_un8 == expected.rgba_un8);
    };
    draw_both({});
    draw_both({.cull = raster::CullFace::Back, .scissor = false, .point_size = 3.5f, .line_width = 2.5f});
    draw_both({.fill_front = raster::FillMode::Line, .fill_back = raster::FillMode::Point, .point_size = 2});
  }
}
