// Programs that see more than their own lane's registers: vertices of a primitive in, vertices out, the target's
// colour, samples, the subgroup, the clock.
#include <catch2/catch.hpp>

#include <bit>

#include "shader/print.h"
#include "shader/tgsi/compile.h"
#include "shader/verify.h"
#include "tests/support/shader_run.h"

using namespace tessera;

namespace {

ir::Program compile_ok(const std::string& text) {
  const auto program = tgsi::compile(text);
  if (!program) FAIL(format_diags(program.diags(), "text", text));
  const Status rules = ir::verify(*program);
  if (!rules) FAIL(format_diags(rules.diags(), "ir"));
  const auto back = ir::parse(ir::print(*program));
  REQUIRE(back);
  CHECK(ir::print(*back) == ir::print(*program));
  return *program;
}

// Lane l has a triangle of vertices 3 l, 3 l + 1, 3 l + 2; word w of vertex v is 100 v + w.
struct Triangles {
  std::vector<uint32_t> words, record, word_of_input;
  PrimitiveVertices view;

  explicit Triangles(const ir::Program& p) {
    const auto stride = static_cast<uint32_t>(p.inputs.size());
    for (uint32_t v = 0; v < 3 * kBlockLanes; ++v)
      for (uint32_t w = 0; w < stride; ++w) words.push_back(100 * v + p.inputs[w].component + 10 * p.inputs[w].index);
    for (uint32_t v = 0; v < 3 * kBlockLanes; ++v) record.push_back(v);
    for (uint32_t w = 0; w < stride; ++w) word_of_input.push_back(w);
    view = {words.data(), stride, record.data(), 3, word_of_input};
  }
};

EmittedVertices emit(const ir::Program& p, uint64_t lanes = ~0ull) {
  const Triangles triangles(p);
  EmittedVertices emitted;
  emitted.begin(p.geometry.max_vertices, static_cast<uint32_t>(p.outputs.size()));
  tests::BlockInput in;
  in.exec = in.live = lanes;
  in.budget = 1000;
  for (size_t k = 0; k < p.inputs.size(); ++k) {
    in.inputs.emplace_back();
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) in.inputs.back()[lane] = lane;
  }
  in.vertices = &triangles.view;
  in.emitted = &emitted;
  CHECK_FALSE(tests::run_block(p, in).result.over_budget);
  return emitted;
}

const std::string kHead =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 4\nPROPERTY GS_INVOCATIONS 2\nDCL IN[][0], GENERIC[0]\nDCL IN[][1], GENERIC[1]\n"
    "DCL SV[0], INVOCATIONID\nDCL OUT[0].xy, GENERIC[0]\nDCL TEMP[0..1]\nDCL ADDR[0]\nIMM[0] UINT32 {0, 1, 2, 7}\n";

uint32_t word(const EmittedVertices& e, uint32_t lane, uint32_t number, uint32_t k = 0) {
  return e.vertex(lane, number).words[k];
}

}  // namespace

TEST_CASE("a geometry program's facts are those of its properties", "[tgsi][geometry]") {
  const ir::Program p = compile_ok(kHead + "END\n");
  CHECK(p.geometry == ir::GeometryFacts{4, 5, 4, 2});
  CHECK(p.outputs.size() == 2);
  CHECK(p.outputs[1].value == ir::kNoValue);
}

TEST_CASE("each lane reads its own primitive's vertices and emits its own", "[tgsi][geometry]") {
  const EmittedVertices e = emit(
      compile_ok(kHead + "MOV OUT[0], IN[2][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[0][1]\nEMIT IMM[0].xxxx\nEND\n"));
  for (const uint32_t lane : {0u, 1u, 31u, 63u}) {
    REQUIRE(e.count(lane) == 2);
    CHECK(word(e, lane, 0, 1) == 100 * (3 * lane + 2) + 1);
    CHECK(word(e, lane, 1, 0) == 100 * (3 * lane) + 10);
    CHECK(e.vertex(lane, 0).begins_primitive);
    CHECK_FALSE(e.vertex(lane, 1).begins_primitive);
  }
}

TEST_CASE("vertices and registers are picked by addresses; beyond them inputs read 0", "[tgsi][geometry]") {
  const EmittedVertices e = emit(compile_ok(
      kHead +
      "AND TEMP[0].x, SV[0].xxxx, IMM[0].yyyy\nUARL ADDR[0].x, TEMP[0].xxxx\n"
      "MOV OUT[0], IN[ADDR[0].x+1][ADDR[0].x]\nEMIT IMM[0].xxxx\n"
      "MOV OUT[0], IN[ADDR[0].x+2][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[0][ADDR[0].x+1]\nEMIT IMM[0].xxxx\nEND\n"));
  CHECK(word(e, 4, 0) == 100 * (12 + 1));       // lane 4: vertex 1, register 0
  CHECK(word(e, 5, 0) == 100 * (15 + 2) + 10);  // lane 5: vertex 2, register 1
  CHECK(word(e, 4, 1) == 100 * (12 + 2));
  CHECK(word(e, 5, 1) == 0);  // vertex 3 of a triangle
  CHECK(word(e, 4, 2) == 100 * 12 + 10);
  CHECK(word(e, 5, 2) == 0);  // register 2
}

TEST_CASE("lanes emit as often as each of them asks, up to the maximum", "[tgsi][geometry]") {
  const EmittedVertices e = emit(compile_ok(
      kHead +
      "MOV TEMP[0].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[1].x, TEMP[0].xxxx, SV[0].xxxx\nUIF TEMP[1].xxxx\nBRK\nENDIF\n"
      "MOV OUT[0].x, TEMP[0].xxxx\nEMIT IMM[0].xxxx\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy\nENDLOOP\nEND\n"));
  for (const uint32_t lane : {0u, 1u, 3u, 4u, 5u, 63u}) {
    CHECK(e.count(lane) == std::min(lane, 4u));
    for (uint32_t n = 0; n < e.count(lane); ++n) CHECK(word(e, lane, n) == n);
  }
}

TEST_CASE("lanes that do not run emit nothing", "[tgsi][geometry]") {
  const EmittedVertices e = emit(compile_ok(kHead + "EMIT IMM[0].xxxx\nEND\n"), 0x21);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) CHECK(e.count(lane) == (0x21u >> lane % 32 & (lane < 32)));
}

TEST_CASE("streams have primitives of their own; outputs keep what they hold behind EMIT", "[tgsi][geometry]") {
  const EmittedVertices e = emit(compile_ok(
      kHead +
      "MOV OUT[0], IMM[0].zzzz\nEMIT IMM[0].xxxx\nEMIT IMM[0].yyyy\nENDPRIM IMM[0].xxxx\nEMIT IMM[0].yyyy\n"
      "EMIT IMM[0].xxxx\nEND\n"));
  REQUIRE(e.count(0) == 4);
  const uint32_t streams[] = {0, 1, 1, 0};
  const bool begins[] = {true, true, false, true};
  for (uint32_t n = 0; n < 4; ++n) {
    CHECK(e.vertex(0, n).stream == streams[n]);
    CHECK(e.vertex(0, n).begins_primitive == begins[n]);
    CHECK(word(e, 0, n) == 2);
  }
}

TEST_CASE("outputs know the stream of each channel", "[tgsi][geometry]") {
  const ir::Program p = compile_ok(
      "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
      "PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL OUT[0], GENERIC[3], STREAM(0, 1, 2, 3)\nEND\n");
  for (uint32_t c = 0; c < 4; ++c) CHECK(p.outputs[c].stream == c);
}

TEST_CASE("tessellation evaluation reads vertices and patch values", "[tgsi][tessellation]") {
  const ir::Program p = compile_ok(
      "TESS_EVAL\nPROPERTY TES_PRIM_MODE 7\nPROPERTY TES_SPACING 2\nPROPERTY TES_VERTEX_ORDER_CW 1\nPROPERTY "
      "TES_POINT_MODE 0\n"
      "DCL IN[][0], GENERIC[0]\nDCL IN[1], PATCH[2]\nDCL SV[0], TESSCOORD\nDCL OUT[0], GENERIC[0]\nDCL ADDR[0]\n"
      "UARL ADDR[0].x, SV[0].yyyy\nMOV OUT[0].x, IN[2][0].xxxx\nMOV OUT[0].y, IN[ADDR[0].x][0].yyyy\nMOV OUT[0].z, "
      "IN[1].wwww\n"
      "MOV OUT[0].w, SV[0].xxxx\nEND\n");
  CHECK(p.tessellation == ir::TessellationFacts{0, 7, 2, true, false});
  const Triangles triangles(p);
  tests::BlockInput in;
  for (const ir::Input& input : p.inputs) {
    in.inputs.emplace_back();
    in.inputs.back().fill(input.semantic == ir::Semantic::Patch ? 555 + input.component : 1 + input.component % 2);
  }
  in.vertices = &triangles.view;
  const tests::BlockOutput out = tests::run_block(p, in);
  CHECK(out.outputs[0][7] == 100 * (21 + 2));
  CHECK(out.outputs[1][7] == 100 * (21 + 2) + 1);
  CHECK(out.outputs[2][7] == 558);
  CHECK(out.outputs[3][7] == 1);
}

TEST_CASE("the invocations of a tessellation control program share their patch", "[tgsi][tessellation]") {
  const ir::Program p = compile_ok(
      "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0], GENERIC[0]\nDCL SV[0], INVOCATIONID\nDCL OUT[][0], "
      "GENERIC[0]\n"
      "DCL OUT[][1], GENERIC[1]\nDCL OUT[2], PATCH\nDCL OUT[3], TESSOUTER\nDCL TEMP[0..1]\nDCL ADDR[0]\nIMM[0] "
      "UINT32 {0, 1, 2, 7}\n"
      "UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x][0], IN[ADDR[0].x][0]\nBARRIER\n"
      "MOV OUT[ADDR[0].x][1].x, OUT[ADDR[0].x+1][0].yyyy\n"
      "UIF SV[0].xxxx\nELSE\nMOV OUT[2], IMM[0]\nMOV OUT[3].y, IMM[0].wwww\nENDIF\nEND\n");
  CHECK(p.tessellation.vertices_out == 3);
  REQUIRE(p.outputs.size() == 16);
  const Triangles triangles(p);
  std::vector<uint32_t> patch(16 * 4);
  const MemoryView shared{reinterpret_cast<std::byte*>(patch.data()), 16 * 4 * 4};
  tests::BlockInput in;
  in.exec = in.live = 7;
  in.vertices = &triangles.view;
  in.bindings.memory[static_cast<size_t>(ir::MemorySpace::Shared)] = {&shared, 1};
  for (size_t k = 0; k < p.inputs.size(); ++k)
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
      (lane == 0 ? in.inputs.emplace_back() : in.inputs.back())[lane] = lane;
  static_cast<void>(tests::run_block(p, in));
  for (uint32_t v = 0; v < 3; ++v) {
    CHECK(patch[16 * v + 2] == 100 * (3 * v + v) + 2);                           // OUT[v][0].z: vertex v of lane v
    CHECK(patch[16 * v + 4] == (v == 2 ? 0 : 100 * (3 * (v + 1) + v + 1) + 1));  // OUT[v][1].x: OUT[v + 1][0].y
  }
  CHECK(patch[48 + 8 + 3] == 7);   // OUT[2].w
  CHECK(patch[48 + 12 + 1] == 7);  // OUT[3].y
  CHECK(patch[48 + 12] == 0);
}

TEST_CASE("FBFETCH is an input of the target", "[tgsi][fbfetch]") {
  const ir::Program p = compile_ok(
      "FRAG\nDCL OUT[0..1], COLOR[2]\nDCL TEMP[0]\nFBFETCH TEMP[0], OUT[1].wzyx\nFBFETCH OUT[0].xyz, OUT[0]\n"
      "MOV OUT[0].w, TEMP[0].xxxx\nEND\n");
  tests::BlockInput in;
  for (const ir::Input& input : p.inputs) {
    CHECK(input.of_target);
    in.inputs.emplace_back();
    in.inputs.back().fill(10u * input.index + input.component);
  }
  const tests::BlockOutput out = tests::run_block(p, in);
  for (size_t k = 0; k < p.outputs.size(); ++k) {
    const uint32_t c = p.outputs[k].component;
    if (p.outputs[k].index == 2) CHECK(out.outputs[k][0] == (c == 3 ? 33 : 20 + c));
  }
}

TEST_CASE("SAMPLE_INFO and SAMPLE_POS of a TEMP ask for the target's samples", "[tgsi]") {
  const ir::Program p = compile_ok(
      "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nDCL SV[0], SAMPLEID\nSAMPLE_INFO OUT[0].x, TEMP[0]\n"
      "SAMPLE_POS OUT[0].yzw, TEMP[0].xxyz, SV[0].xxxx\nEND\n");
  tests::BlockInput in;
  for (const ir::Input& input : p.inputs) {
    in.inputs.emplace_back();
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) in.inputs.back()[lane] = input.of_target ? 4 : lane;
  }
  const tests::BlockOutput out = tests::run_block(p, in);
  const auto at = [&](size_t k, uint32_t lane) { return std::bit_cast<float>(out.outputs[k][lane]); };
  CHECK(out.outputs[0][0] == 4);
  CHECK(at(1, 1) == 0.875f);  // sample 1 of 4: 6/16 right of the centre, 2/16 above it
  CHECK(at(2, 1) == 0.375f);
  CHECK(at(1, 4) == 0.5f);  // there is no sample 4
  CHECK(out.outputs[3][1] == 0);
}

TEST_CASE("CLOCK never runs backwards, and is asked each time", "[tgsi]") {
  const ir::Program p =
      compile_ok("VERT\nDCL OUT[0], GENERIC\nCLOCK OUT[0].xy\nCLOCK OUT[0].zw\nCLOCK OUT[0].xy\nEND\n");
  size_t clocks = 0;
  for (const ir::Instr& i : p.code) clocks += i.op == ir::Op::Clock;
  CHECK(clocks == 1);  // what nothing reads is not asked; zw is not written
  const tests::BlockOutput out = tests::run_block(p, {});
  CHECK((out.outputs[0][0] | out.outputs[1][0]) != 0);
}

TEST_CASE("subgroup values are those of the quad", "[tgsi]") {
  const ir::Program p = compile_ok(
      "VERT\nDCL SV[0], SUBGROUP_SIZE\nDCL SV[1], SUBGROUP_INVOCATION\nDCL SV[2], SUBGROUP_EQ_MASK\nDCL SV[3], "
      "SUBGROUP_GE_MASK\n"
      "DCL SV[4], SUBGROUP_GT_MASK\nDCL SV[5], SUBGROUP_LE_MASK\nDCL SV[6], SUBGROUP_LT_MASK\n"
      "DCL OUT[0], GENERIC[0]\nDCL OUT[1], GENERIC[1]\nMOV OUT[0].x, SV[0].xxxx\nMOV OUT[0].y, SV[1].xxxx\nMOV "
      "OUT[0].z, SV[2].xxxx\n"
      "MOV OUT[0].w, SV[3].xxxx\nMOV OUT[1].x, SV[4].xxxx\nMOV OUT[1].y, SV[5].xxxx\nMOV OUT[1].z, SV[6].xxxx\n"
      "MOV OUT[1].w, SV[3].yyyy\nEND\n");
  const tests::BlockOutput out = tests::run_block(p, {});
  const uint32_t expected[4][8] = {
      {4, 0, 1, 15, 14, 1, 0, 0}, {4, 1, 2, 14, 12, 3, 1, 0}, {4, 2, 4, 12, 8, 7, 3, 0}, {4, 3, 8, 8, 0, 15, 7, 0}};
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
    for (uint32_t k = 0; k < 8; ++k) {
      CAPTURE(lane, k);
      CHECK(out.outputs[k][lane] == expected[lane % 4][k]);
    }
}

TEST_CASE("a promise about depth is kept: a depth on the wrong side is the fragment's own", "[tgsi]") {
  for (const uint32_t layout : {0u, 1u, 2u, 3u, 4u}) {
    const ir::Program p =
        compile_ok("FRAG\nPROPERTY FS_DEPTH_LAYOUT " + std::to_string(layout) +
                   "\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], POSITION\nMOV OUT[0].z, IN[0].xxxx\nEND\n");
    CHECK(p.writes_depth == (layout != 4));
    if (layout == 4) {
      CHECK(p.outputs.empty());
      continue;
    }
    for (const float written : {0.25f, 0.75f}) {
      tests::BlockInput in;
      for (const ir::Input& input : p.inputs) {
        in.inputs.emplace_back();
        in.inputs.back().fill(std::bit_cast<uint32_t>(input.semantic == ir::Semantic::Position ? 0.5f : written));
      }
      const float found = std::bit_cast<float>(tests::run_block(p, in).outputs[0][0]);
      const float expected = layout == 2 ? std::max(written, 0.5f) : layout == 3 ? std::min(written, 0.5f) : written;
      CHECK(found == expected);
    }
  }
}

TEST_CASE("clip and cull distances are counted by property, else all that are declared clip", "[tgsi]") {
  const auto facts = [](const std::string& head) {
    const ir::Program p = compile_ok("VERT\n" + head + "DCL OUT[0], CLIPDIST[0]\nDCL OUT[1].xy, CLIPDIST[1]\nEND\n");
    return std::pair{int{p.clip_distances}, int{p.cull_distances}};
  };
  CHECK(facts("") == std::pair{6, 0});
  CHECK(facts("PROPERTY NUM_CLIPDIST_ENABLED 2\nPROPERTY NUM_CULLDIST_ENABLED 3\n") == std::pair{2, 3});
  CHECK(facts("PROPERTY NUM_CULLDIST_ENABLED 6\n") == std::pair{0, 6});
}

TEST_CASE("PRECISE and INVARIANT change nothing", "[tgsi]") {
  const auto text = [](const char* invariant, const char* precise) {
    return std::string("VERT\nDCL IN[0]\nDCL OUT[0], POSITION") + invariant + "\nMAD" + precise +
           " OUT[0], IN[0].xyzw, IN[0].yzwx, IN[0].zwxy\nMUL_SAT" + precise + " OUT[0].x, IN[0], IN[0]\nEND\n";
  };
  const auto without_places = [](ir::Program p) {
    for (ir::Instr& i : p.code) i.loc = {};
    return ir::print(p);
  };
  CHECK(without_places(compile_ok(text(", INVARIANT", "_PRECISE"))) == without_places(compile_ok(text("", ""))));
}
