// Variables in, SSA out.
#include <catch2/catch.hpp>

#include "shader/builder.h"
#include "shader/passes/passes.h"
#include "shader/print.h"
#include "shader/verify.h"
#include "tests/support/random.h"
#include "tests/support/random_program.h"
#include "tests/support/shader_oracle.h"

using namespace tessera;
using namespace tessera::ir;
using namespace tessera::tests;

TEST_CASE("variables mean the same as words of memory in random programs", "[builder]") {
  for (uint32_t round = 0; round < rounds(600); ++round) {
    const uint32_t program_seed = seed() * 300000 + round;
    RandomProgramOptions options;
    options.instructions = 10 + round % 120;
    std::mt19937 random(program_seed), same_random(program_seed);
    const Program p = random_program(random, options);
    options.variables_in_memory = true;
    const Program in_memory = random_program(same_random, options);
    CAPTURE(program_seed);
    REQUIRE(verify(p).ok());
    REQUIRE(verify(in_memory).ok());
    for (uint32_t lane = 0; lane < 16; ++lane) {
      LaneInput in;
      for (size_t k = 0; k < p.inputs.size(); ++k) in.inputs.push_back(random_word(random));
      in.constants.resize(2);
      for (auto& words : in.constants)
        for (uint32_t k = 0; k < 8; ++k) words.push_back(random_word(random));
      const LaneOutput got = run_lane(p, in), expected = run_lane(in_memory, in);
      if (got.outputs != expected.outputs) CHECK(print(p) == "");   // shows the program
      REQUIRE(got.outputs == expected.outputs);
      REQUIRE(got.killed == expected.killed);
      REQUIRE(got.turns == expected.turns);
    }
  }
}

TEST_CASE("an If joins what either half wrote", "[builder]") {
  Builder b(Stage::Fragment);
  const Value in = b.input({.index = 0});
  const Var x = b.var(in), y = b.var(in);
  b.begin_if(in);
  b.write(x, b.u32(1));
  b.begin_else();
  b.write(y, b.u32(2));
  b.end_if();
  b.output(Semantic::Color, 0, 0, b.read(x));
  b.output(Semantic::Color, 0, 1, b.read(y));
  const Program p = b.finish();
  CHECK(verify(p).ok());
  const std::string text = print(p);
  CHECK(text.substr(text.find("code")) == R"(code
  %0 = Input 0
  If %0
    %1 = Const 0x00000001
  Else %1 %0
    %2 = Const 0x00000002
  %3 %4 = EndIf %0 %2
)");
}

TEST_CASE("a loop carries what it changes and nothing else", "[builder]") {
  Builder b(Stage::Fragment);
  const Value in = b.input({.index = 0});
  const Var changed = b.var(in), kept = b.var(in), overwritten = b.var(in);
  const Region loop = b.begin_loop();
  b.write(overwritten, b.read(kept));
  b.begin_if(b.read(changed));
  b.exit(loop);
  b.end_if();
  b.write(changed, b.op(Op::IAdd, {b.read(changed), b.read(overwritten)}));
  b.end_loop();
  b.output(Semantic::Color, 0, 0, b.read(changed));
  b.output(Semantic::Color, 0, 1, b.read(kept));
  b.output(Semantic::Color, 0, 2, b.read(overwritten));
  const Program p = b.finish();
  CHECK(verify(p).ok());
  const std::string text = print(p);
  CHECK(text.substr(text.find("code")) == R"(code
  %0 = Input 0
  %1 = Loop 0 %0
    If %1
      Exit 0 %1 %0
    Else
    EndIf
    %2 = IAdd %1 %0
  %3 %4 = EndLoop 0 %2
)");
  CHECK(p.outputs[1].value == 0);
}

TEST_CASE("code behind a jump is cut off", "[builder]") {
  Builder b(Stage::Fragment);
  const Value in = b.input({.index = 0});
  const Var x = b.var(in);
  const Region block = b.begin_block();
  b.write(x, b.u32(1));
  b.exit(block);
  CHECK_FALSE(b.reachable());
  b.write(x, b.u32(2));
  b.begin_if(b.read(x));
  b.exit(block);
  b.begin_else();
  const Region inner = b.begin_loop();
  b.again(inner);
  b.end_loop();
  b.end_if();
  CHECK_FALSE(b.reachable());
  b.end_block();
  CHECK(b.reachable());
  b.output(Semantic::Color, 0, 0, b.read(x));
  const Program p = b.finish();
  CHECK(verify(p).ok());
  CHECK(p.code.size() == 5);
  CHECK(run_lane(p, {{7}, {}}).outputs[0] == 1);
}

TEST_CASE("a loop in code that is cut off leaves no trace on a later loop", "[builder]") {
  Builder b(Stage::Fragment);
  const Value in = b.input({.index = 0});
  const Var x = b.var(in);
  const auto loop_once = [&] {
    const Region loop = b.begin_loop();
    b.write(x, b.op(Op::IAdd, {b.read(x), in}));
    b.begin_if(b.read(x));
    b.exit(loop);
    b.end_if();
    b.end_loop();
  };
  const Region block = b.begin_block();
  b.exit(block);
  loop_once();
  b.end_block();
  loop_once();
  b.output(Semantic::Color, 0, 0, b.read(x));
  const Program p = b.finish();
  CHECK(verify(p).ok());
  CHECK(run_lane(p, {{7}, {}}).outputs[0] == 14);
}

TEST_CASE("a loop that nothing leaves ends the program; outputs still have values", "[builder]") {
  Builder b(Stage::Fragment);
  const Var x = b.var(b.u32(5));
  b.begin_loop();
  b.write(x, b.u32(6));
  b.end_loop();
  b.output(Semantic::Color, 0, 0, b.read(x));
  CHECK(verify(b.finish()).ok());
}

TEST_CASE("a deep nest of loops costs what it touches", "[builder]") {
  Builder b(Stage::Compute);
  const Value in = b.input({.index = 0});
  std::vector<Var> vars;
  for (uint32_t k = 0; k < 400; ++k) vars.push_back(b.var(in));
  std::vector<Region> loops;
  for (uint32_t depth = 0; depth < 60; ++depth) {
    loops.push_back(b.begin_loop());
    b.write(vars[depth], b.op(Op::IAdd, {b.read(vars[depth]), b.read(vars[399])}));
    b.begin_if(b.read(vars[depth]));
    b.exit(loops.back());
    b.end_if();
  }
  for (uint32_t depth = 0; depth < 60; ++depth) b.end_loop();
  b.output(Semantic::Generic, 0, 0, b.read(vars[0]));
  Program p = b.finish();
  CHECK(verify(p).ok());
  CHECK(p.args.size() < 20000);
}

TEST_CASE("the same input is one entry", "[builder]") {
  Builder b(Stage::Vertex);
  const Value x = b.input({.index = 1}), again = b.input({.index = 1}), other = b.input({.index = 1, .component = 2});
  b.output(Semantic::Generic, 0, 0, b.op(Op::FAdd, {x, b.op(Op::FAdd, {again, other})}));
  CHECK(b.finish().inputs.size() == 2);
}
