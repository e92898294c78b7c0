// The text of the IR, the way back, and what the verifier refuses.
#include <catch2/catch.hpp>

#include "shader/builder.h"
#include "shader/print.h"
#include "shader/verify.h"
#include "tests/support/random.h"
#include "tests/support/random_program.h"

using namespace tessera;
using namespace tessera::ir;
using namespace tessera::tests;

TEST_CASE("a printed program reads back to the same text", "[print]") {
  for (uint32_t round = 0; round < rounds(100); ++round) {
    const uint32_t program_seed = seed() * 400000 + round;
    std::mt19937 random(program_seed);
    const Program p = random_program(random, {.instructions = 20 + round % 100});
    const std::string text = print(p);
    const Result<Program> back = parse(text);
    CAPTURE(program_seed);
    REQUIRE(back.ok());
    REQUIRE(print(*back) == text);
  }
}

TEST_CASE("everything that a program holds is printed and read", "[print]") {
  const std::string text = R"(stage fragment
flag uses_kill
flag writes_depth
depth_layout 2
blend_equations 32772
input GENERIC[3].y linear centroid
input FACE[0].x system
input GENERIC[3].y linear center part corner1
input POSITION[0].x system part lambda1_dx
texture_binding 3 2
texture_op Gather Shadow2DArray binding 0 component 1 offset -8 7 0 offset 1 2 3
array 16
output COLOR[1].w %6
output POSITION[0].z %1
code
  %0 = Input 0 @3:7
  %1 = Const 0xbf800000
  %2 %3 %4 %5 = Texture 0 %0 %1 _ %1 %0 _ _ _ _ _ _ _ %0 %0 _
  ArrayStore 0 %0 %1
  %6 = ArrayLoad 0 %0
  KillIf %6 @9:1
)";
  const Result<Program> p = parse(text);
  REQUIRE(p.ok());
  CHECK(print(*p) == text);
  CHECK(p->texture_ops[0].offset[0][0] == -8);
  CHECK(p->code[0].loc == SourceLoc{3, 7});
}

TEST_CASE("the reader takes comments, blank lines and odd spacing", "[print]") {
  const Result<Program> p = parse("  stage   compute ; a comment\r\n\n;only a comment\ncode\n\t%0 = Const 0x1");
  REQUIRE(p.ok());
  CHECK(p->code.size() == 1);
}

TEST_CASE("bad text is refused with line, column and reason", "[print]") {
  struct Case { std::string_view text; uint32_t line, column; std::string_view part; };
  const Case cases[] = {
      {"", 0, 1, "'code' is expected"},
      {"stage pixel\ncode\n", 1, 7, "a stage is expected"},
      {"colour\ncode\n", 1, 1, "a declaration or 'code'"},
      {"flag fast\ncode\n", 1, 6, "a flag is expected"},
      {"depth_layout 5\ncode\n", 1, 14, "a depth layout"},
      {"input GENERIC.x perspective center\ncode\n", 1, 7, "a register such as"},
      {"input GENERIC[0].q perspective center\ncode\n", 1, 7, "a register such as"},
      {"input GENERIC[70000].x perspective center\ncode\n", 1, 7, "a register such as"},
      {"input GENERIC[0].x smooth center\ncode\n", 1, 20, "an interpolation"},
      {"array many\ncode\n", 1, 7, "a number of words"},
      {"texture_op Sample Tex2D unit 0\ncode\n", 1, 19, "'binding'"},
      {"texture_op Sample Tex2D binding 3\ncode\n", 1, 1, "binding 3 of 0"},
      {"code\n  %0 = FMull %1\n", 2, 8, "an opcode"},
      {"code\n  %0 FMul %1\n", 2, 3, "'='"},
      {"code\n  %0 = Const\n", 2, 8, "an immediate number"},
      {"code\n  %0 = Const 1 2\n", 2, 16, "a value such as"},
      {"code\n  %x = Const 1\n", 2, 3, "a value such as"},
      {"code\n  %99999999999 = Const 1\n", 2, 3, "a value such as"},
      {"code\n  %0 %2 = Const 1\n", 2, 6, "numbered one after the other"},
      {"code\n  %0 = Const 1 @7\n", 2, 16, "a place such as"},
      {"code\n  %0 = Const 1 @7:8 9\n", 2, 21, "should end here"},
      {"code\n  %0 = Input 0\n", 2, 1, "input 0; there are 0"},
      {"code\n  %0 = FNeg %1\n", 2, 1, "%1 is not defined here"},
      {"code\n  %0 = Const 1\n  %1 = FAdd %0\n", 3, 1, "takes 2 operands, found 1"},
      {"code\n  %0 = Const 1\n  %0 = Const 1\n", 3, 1, "defined twice"},
      {"code\n  %0 = Const 1\n  %1 %2 = FNeg %0\n", 3, 1, "has 1 results, found 2"},
      {"code\n  %0 = Const 1\n  If %0\n", 3, 1, "not closed"},
      {"code\n  EndIf\n", 2, 1, "closes no open region"},
      {"code\n  Else\n", 2, 1, "in no If"},
      {"code\n  Exit 3\n", 2, 1, "region 3, which is not open"},
      {"code\n  Block 0\n  Again 0\n  EndBlock 0\n", 3, 1, "not open here"},
      {"code\n  Block 0\n  Exit 0\n  %0 = Const 1\n  EndBlock 0\n", 4, 1, "follows a jump"},
      {"code\n  Block 0\n  EndBlock 1\n", 3, 1, "closes no open region"},
      {"code\n  Block 0\n  Block 0\n  EndBlock 0\n  EndBlock 0\n", 3, 1, "open twice"},
      {"code\n  %0 = Const 1\n  %1 = Loop 0\n  EndLoop 0\n", 3, 1, "as many results as operands"},
      {"code\n  %0 = Const 1\n  %1 = Loop 0 %0\n  EndLoop 0\n", 4, 1, "hands on 1 values, found 0"},
      {"code\n  %0 = Const 1\n  If %0\n  %1 = Const 2\n  Else\n  EndIf\n  %2 = FNeg %1\n", 7, 1, "out of scope"},
      {"code\n  %0 = Const 1\n  If %0\n  Else\n  %1 = EndIf %0\n", 5, 1, "another number of values"},
      {"code\n  %0 = Const 1\n  Block 0\n  Exit 0 %0\n  EndBlock 0\n", 5, 1, "an Exit hands on 1 values"},
      {"code\n  %0 = Texture 0\n", 2, 1, "texture operation 0; there are 0"},
      {"output COLOR[0].x %4\ncode\n", 1, 1, "not defined at the outermost level"},
  };
  for (const Case& c : cases) {
    const Result<Program> p = parse(c.text);
    CAPTURE(c.text);
    REQUIRE_FALSE(p.ok());
    std::string all;
    for (const Diag& d : p.diags()) all += d.text + "\n";
    CAPTURE(all);
    CHECK(all.find(c.part) != std::string::npos);
    CHECK(p.diags()[0].loc == SourceLoc{c.line, c.column});
  }
}
