// What lowered programs compute: the points where dialects differ, flow, and the facts that raster/ reads.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <bit>

#include "shader/tgsi/compile.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using tgsi::Dialect;

namespace {

ir::Program compile_ok(const std::string& text, Dialect dialect = Dialect::Current) {
  const auto program = tgsi::compile(text, dialect);
  if (!program) FAIL(format_diags(program.diags(), "text", text));
  return *program;
}

// Runs a vertex shader whose IN[0] is `in` in every lane; OUT[0] of lane 0.
std::array<uint32_t, 4> run(const std::string& body, std::array<uint32_t, 4> in, Dialect dialect = Dialect::Current) {
  const ir::Program program = compile_ok(
      "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0..7]\nDCL ADDR[0]\nDCL CONST[0..3]\n"
      "IMM[0] FLT32 {0.0, 1.0, 2.0, 0.5}\nIMM[1] INT32 {0, 1, 2, 3}\n" + body, dialect);
  tests::BlockInput block;
  for (const ir::Input& input : program.inputs) {
    block.inputs.emplace_back();
    block.inputs.back().fill(in[input.component]);
  }
  block.constants.push_back({});
  for (uint32_t i = 0; i < 16; ++i) block.constants[0].push_back(100 + i);
  block.budget = 1000;
  const tests::BlockOutput out = tests::run_block(program, block);
  REQUIRE_FALSE(out.result.over_budget);
  std::array<uint32_t, 4> words{};
  for (size_t i = 0; i < program.outputs.size(); ++i) words[program.outputs[i].component] = out.outputs[i][0];
  return words;
}

uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }

}  // namespace

TEST_CASE("RSQ takes the absolute value in the 2007 dialect only", "[tgsi]") {
  const std::string body = "RSQ OUT[0], IN[0].xxxx\nEND\n";
  CHECK(run(body, {bits(-4.0f), 0, 0, 0}, Dialect::Tgsi2007)[0] == bits(0.5f));
  CHECK(run(body, {bits(-4.0f), 0, 0, 0}, Dialect::Current)[0] == 0x7fc00000);
  CHECK(run(body, {bits(4.0f), 0, 0, 0}, Dialect::Current)[0] == bits(0.5f));
}

TEST_CASE("ARL writes x alone in the 2007 dialect", "[tgsi]") {
  const std::string body = "ARL ADDR[0], IN[0]\nMOV OUT[0].x, CONST[ADDR[0].x]\nMOV OUT[0].y, CONST[ADDR[0].y]\nEND\n";
  const std::array<uint32_t, 4> in = {bits(1.5f), bits(2.5f), 0, 0};
  CHECK(run(body, in, Dialect::Current)[1] == 109);
  CHECK(run(body, in, Dialect::Tgsi2007)[0] == 104);
  CHECK(run(body, in, Dialect::Tgsi2007)[1] == 101);
}

TEST_CASE("LERP is fma(a, b - c, c) in the 2007 dialect, else LRP", "[tgsi]") {
  // At a = 1 LRP gives b exactly; b - c rounds b away.
  const std::string body = "LERP OUT[0], IN[0].xxxx, IN[0].yyyy, IN[0].zzzz\nEND\n";
  const std::array<uint32_t, 4> in = {bits(1.0f), bits(1.0f), bits(1e10f), 0};
  CHECK(run(body, in, Dialect::Current)[0] == bits(1.0f));
  CHECK(run(body, in, Dialect::Tgsi2007)[0] == bits(0.0f));
}

TEST_CASE("all sources are read before any channel is written", "[tgsi]") {
  const auto out = run("MOV TEMP[0], IN[0]\nMOV TEMP[0], TEMP[0].wzyx\nMOV OUT[0], TEMP[0]\nEND\n", {1, 2, 3, 4});
  CHECK(out == std::array<uint32_t, 4>{4, 3, 2, 1});
}

TEST_CASE("an index that its own instruction overwrites is read first", "[tgsi]") {
  const auto out = run("MOV TEMP[0], IN[0]\nMOV TEMP[TEMP[0].x], IN[0].yyyy\nMOV OUT[0], TEMP[0]\nEND\n", {0, 7, 0, 0});
  CHECK(out == std::array<uint32_t, 4>{7, 7, 7, 7});
}

TEST_CASE("indices beyond an array read 0 and are not written", "[tgsi]") {
  const std::string text = "VERT\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nDCL TEMP[0], LOCAL\nDCL TEMP[1..2], ARRAY(1)\nDCL TEMP[3]\n"
                           "DCL ADDR[0]\nUARL ADDR[0].x, IN[0].xxxx\nMOV TEMP[3], IN[0].yyyy\nMOV TEMP[1], IN[0].yyyy\n"
                           "MOV TEMP[ADDR[0].x](1), IN[0].zzzz\nMOV OUT[0].x, TEMP[ADDR[0].x](1)\nMOV OUT[0].y, TEMP[3]\n"
                           "MOV OUT[0].z, TEMP[1]\nEND\n";
  const ir::Program program = compile_ok(text);
  for (const uint32_t index : {0u, 1u, 2u, 3u, 0x40000001u, ~0u}) {
    tests::BlockInput block;
    const std::array<uint32_t, 4> in = {index, 7, 9, 0};
    for (const ir::Input& input : program.inputs) block.inputs.emplace_back().fill(in[input.component]);
    const tests::BlockOutput out = tests::run_block(program, block);
    const bool inside = index == 1 || index == 2;
    for (size_t i = 0; i < program.outputs.size(); ++i) {
      const uint32_t c = program.outputs[i].component;
      const uint32_t want[] = {inside ? 9u : 0u, 7u, index == 1 ? 9u : 7u, 0u};
      INFO("index " << index << " channel " << c);
      CHECK(out.outputs[i][5] == want[c]);
    }
  }
}

TEST_CASE("RET in the main program ends the lane", "[tgsi]") {
  const std::string body = "MOV OUT[0], IN[0]\nUIF IN[0].x\nRET\nENDIF\nMOV OUT[0], IMM[1].wwww\nEND\n";
  CHECK(run(body, {5, 0, 0, 0})[0] == 5);
  CHECK(run(body, {0, 0, 0, 0})[0] == 3);
}

TEST_CASE("subroutines are called with the registers of the caller", "[tgsi]") {
  const std::string body = "MOV TEMP[0], IN[0]\nCAL :5\nCAL :5\nMOV OUT[0], TEMP[0]\nEND\n"
                           "BGNSUB\nUIF TEMP[0].y\nRET\nENDIF\nUADD TEMP[0].x, TEMP[0], IMM[1].yyyy\nENDSUB\n";
  CHECK(run(body, {5, 0, 0, 0})[0] == 7);
  CHECK(run(body, {5, 1, 0, 0})[0] == 5);
}

TEST_CASE("a switch falls through, also into and out of DEFAULT", "[tgsi]") {
  const std::string body = "MOV TEMP[0], IMM[1].xxxx\nSWITCH IN[0].x\nCASE IMM[1].y\nUADD TEMP[0].x, TEMP[0], IMM[1].yyyy\nDEFAULT\n"
                           "UADD TEMP[0].y, TEMP[0], IMM[1].yyyy\nCASE IMM[1].z\nUADD TEMP[0].z, TEMP[0], IMM[1].yyyy\nENDSWITCH\n"
                           "MOV OUT[0], TEMP[0]\nEND\n";
  CHECK(run(body, {1, 0, 0, 0}) == std::array<uint32_t, 4>{1, 1, 1, 0});
  CHECK(run(body, {2, 0, 0, 0}) == std::array<uint32_t, 4>{0, 0, 1, 0});
  CHECK(run(body, {9, 0, 0, 0}) == std::array<uint32_t, 4>{0, 1, 1, 0});
}

TEST_CASE("the minus of an integer operand is two's complement, of a float the sign bit", "[tgsi]") {
  CHECK(run("UADD OUT[0], -IN[0], IMM[1].xxxx\nEND\n", {5, 0, 0, 0})[0] == ~4u);
  CHECK(run("MOV OUT[0], -IN[0]\nEND\n", {5, 0, 0, 0})[0] == 0x80000005);
  CHECK(run("MOV OUT[0], -|IN[0]|\nEND\n", {0x80000005, 0, 0, 0})[0] == 0x80000005);
}

TEST_CASE("a zero factor makes 0 under the legacy rules", "[tgsi]") {
  const std::string text = "VERT\nPROPERTY LEGACY_MATH_RULES 1\nDCL IN[0]\nDCL OUT[0], GENERIC[0]\nMUL OUT[0], IN[0].x, IN[0].y\nEND\n";
  const ir::Program program = compile_ok(text);
  tests::BlockInput block;
  for (const ir::Input& input : program.inputs) block.inputs.emplace_back().fill(input.component ? 0x7f800000 : 0);
  CHECK(tests::run_block(program, block).outputs[0][0] == 0);
}

TEST_CASE("a program tells what raster/ must know of it", "[tgsi]") {
  const ir::Program p = compile_ok(
      "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\n"
      "PROPERTY FS_DEPTH_LAYOUT 3\nPROPERTY FS_BLEND_EQUATION_ADVANCED 34\nPROPERTY FS_EARLY_DEPTH_STENCIL 1\nDCL IN[0], GENERIC[2], LINEAR, CENTROID\nDCL OUT[0], COLOR\n"
      "DCL OUT[1], POSITION\nDCL OUT[2], STENCIL\nDCL OUT[3], SAMPLEMASK\nKILL_IF IN[0].x\nMOV OUT[0], IN[0]\nMOV OUT[1].z, IN[0]\nEND\n");
  CHECK(p.color0_writes_all);
  CHECK(p.origin_lower_left);
  CHECK(p.pixel_center_integer);
  CHECK(p.early_depth_stencil);
  CHECK_FALSE(p.post_depth_coverage);
  CHECK(p.depth_layout == 3);
  CHECK(p.blend_equations == 34);
  CHECK(p.uses_kill);
  CHECK(p.writes_depth);
  CHECK(p.writes_stencil);
  CHECK(p.writes_sample_mask);
  REQUIRE_FALSE(p.inputs.empty());
  CHECK(p.inputs[0].semantic == ir::Semantic::Generic);
  CHECK(p.inputs[0].index == 2);
  CHECK(p.inputs[0].interpolation == ir::Interpolation::Linear);
  CHECK(p.inputs[0].location == ir::Location::Centroid);
  uint32_t depth_words = 0;
  for (const ir::Output& o : p.outputs) depth_words += o.semantic == ir::Semantic::Position;
  CHECK(depth_words == 1);
}

TEST_CASE("coverage after the depth test implies an early test", "[tgsi]") {
  const ir::Program p = compile_ok("FRAG\nPROPERTY FS_POST_DEPTH_COVERAGE 1\nDCL OUT[0], COLOR\nEND\n");
  CHECK(p.post_depth_coverage);
  CHECK(p.early_depth_stencil);
}

TEST_CASE("an input that does not vary over its triangle is interpolated by copying it", "[tgsi]") {
  const ir::Program p = compile_ok(
      "FRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL IN[1], FACE\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.25, 0.5, 0.0, 0.0}\n"
      "INTERP_OFFSET OUT[0].xyz, IN[0], IMM[0]\nINTERP_SAMPLE OUT[0].w, IN[1].xxxx, IMM[0].wwww\nEND\n");
  for (const ir::Input& in : p.inputs) CHECK(in.part == ir::InputPart::Value);
}

TEST_CASE("32-bit results of doubles are in x and z for tests, in x and y for conversions", "[tgsi]") {
  const std::array<uint32_t, 4> in = {0, 0x3ff00000, 0, 0xc0080000};   // 1.0, -3.0
  const std::string temps = "MOV TEMP[0], IMM[1].wwww\n";
  const std::string result = "MOV OUT[0], TEMP[0]\nEND\n";
  CHECK(run(temps + "DSLT TEMP[0], IN[0], IN[0].zwxy\n" + result, in) == std::array<uint32_t, 4>{0, 3, ~0u, 3});
  CHECK(run(temps + "D2F TEMP[0], IN[0]\n" + result, in) == std::array<uint32_t, 4>{bits(1.0f), bits(-3.0f), 3, 3});
  CHECK(run(temps + "D2F TEMP[0].y, IN[0]\n" + result, in) == std::array<uint32_t, 4>{3, bits(-3.0f), 3, 3});
}

TEST_CASE("DLDEXP takes the exponents of its pairs from x and z", "[tgsi]") {
  const std::array<uint32_t, 4> in = {0, 0x3ff00000, 0, 0xc0080000};
  CHECK(run("DLDEXP OUT[0], IN[0], IMM[1].yxzx\nEND\n", in) == std::array<uint32_t, 4>{0, 0x40000000, 0, 0xc0280000});
}

TEST_CASE("DFRACEXP writes the pair's significand and, to a second register, its exponent", "[tgsi]") {
  const std::array<uint32_t, 4> in = {0, 0xc0080000, 0, 0};            // -3.0 = -0.75 * 2^2
  CHECK(run("DFRACEXP OUT[0], TEMP[0], IN[0]\nEND\n", in) == std::array<uint32_t, 4>{0, 0xbfe80000, 0, 0xbfe80000});
  CHECK(run("DFRACEXP TEMP[0], OUT[0].xyw, IN[0]\nEND\n", in) == std::array<uint32_t, 4>{2, 2, 0, 2});
}

TEST_CASE("both pairs of a conversion are read before the first is written", "[tgsi]") {
  const std::string body = "MOV TEMP[0], IN[0]\nF2D TEMP[0], TEMP[0]\nMOV OUT[0], TEMP[0]\nEND\n";
  CHECK(run(body, {bits(1.0f), bits(-3.0f), 0, 0}) == std::array<uint32_t, 4>{0, 0x3ff00000, 0, 0xc0080000});
}

TEST_CASE("division of 64-bit integers by zero gives chosen values", "[tgsi]") {
  const std::array<uint32_t, 4> in = {7, 0, 0, 0};
  CHECK(run("I64DIV OUT[0], IN[0].xyxy, IN[0].zwzw\nEND\n", in) == std::array<uint32_t, 4>{0, 0, 0, 0});
  for (const char* op : {"U64DIV", "I64MOD", "U64MOD"})
    CHECK(run(std::string(op) + " OUT[0], IN[0].xyxy, IN[0].zwzw\nEND\n", in) == std::array<uint32_t, 4>{~0u, ~0u, ~0u, ~0u});
}
