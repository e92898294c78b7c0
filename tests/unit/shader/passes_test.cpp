// Each pass by itself on small programs, and all of them on random programs: no bit of an output may change.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <limits>

#include "shader/builder.h"
#include "shader/passes/passes.h"
#include "shader/passes/pipeline.h"
#include "shader/print.h"
#include "shader/verify.h"
#include "tests/support/random.h"
#include "tests/support/random_program.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using namespace tessera::ir;
using namespace tessera::tests;

namespace {

std::string code_of(const Program& p) {
  const std::string text = print(p);
  return text.substr(text.find("code\n") + 5);
}

Program parsed(std::string_view text) {
  Result<Program> p = parse(text);
  if (!p) FAIL(format_diags(p.diags(), "test", text));
  return *p;
}

uint32_t count(const Program& p, Op op) {
  uint32_t n = 0;
  for (const Instr& i : p.code) n += i.op == op;
  return n;
}

// Three pieces of memory that a program writes; each run begins with the same words.
struct TestMemory {
  std::array<std::array<uint32_t, 15>, 3> words;
  std::array<MemoryView, 3> views;

  explicit TestMemory(Bindings& bindings) {
    for (uint32_t b = 0; b < 3; ++b) {
      for (uint32_t k = 0; k < 15; ++k) words[b][k] = b * 1000003 + k * 77777;
      views[b] = {reinterpret_cast<std::byte*>(words[b].data()), sizeof words[b], false};
    }
    bindings.memory[static_cast<size_t>(MemorySpace::Buffer)] = {views.data(), 2};
    bindings.memory[static_cast<size_t>(MemorySpace::Shared)] = {views.data() + 2, 1};
  }
};

// Runs the program as it is, after each pass alone, and after all passes up to it; the bits of live lanes are the same.
void check_passes(const Program& original, BlockInput in) {
  Program reference = original;
  canonicalize_nans(reference);
  const TestMemory expected_memory(in.bindings);
  const BlockOutput expected = run_block(reference, in);
  const auto check = [&](Program p, std::string_view pass) {
    CAPTURE(pass, print(original));
    REQUIRE(verify(p).ok());
    canonicalize_nans(p);
    const TestMemory memory(in.bindings);
    const BlockOutput got = run_block(p, in);
    REQUIRE(memory.words == expected_memory.words);
    REQUIRE(got.result.live == expected.result.live);
    for (size_t k = 0; k < expected.outputs.size(); ++k)
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
        if ((got.result.live >> lane & 1) != 0) REQUIRE(got.outputs[k][lane] == expected.outputs[k][lane]);
  };
  Program all = original;
  for (const Pass& pass : passes()) {
    Program alone = original;
    pass.run(alone);
    check(alone, pass.name);
    pass.run(all);
    check(all, pass.name);
  }
}

}  // namespace

TEST_CASE("every pass keeps the bits of random programs, alone and after those before it", "[passes]") {
  for (uint32_t round = 0; round < rounds(200); ++round) {
    const uint32_t program_seed = seed() * 200000 + round;
    CAPTURE(program_seed);
    std::mt19937 random(program_seed);
    const Program original = random_program(random, {.instructions = 20 + round % 150});
    REQUIRE(verify(original).ok());
    check_passes(original, random_input(original, random));
  }
}

TEST_CASE("every pass keeps the bits of programs that look at other lanes", "[passes]") {
  for (uint32_t round = 0; round < rounds(200); ++round) {
    const uint32_t program_seed = seed() * 500000 + round;
    CAPTURE(program_seed);
    std::mt19937 random(program_seed);
    const Program original = random_program(random, {.instructions = 20 + round % 150, .across_lanes = true});
    REQUIRE(verify(original).ok());
    BlockInput in = random_input(original, random);
    in.bindings.services.sample = mix_texture_operands;
    if (round % 2 == 1) in.live = random() | uint64_t{random()} << 32;
    check_passes(original, in);
  }
}

TEST_CASE("every pass keeps the bits of programs that load and write memory, and what they leave there", "[passes]") {
  for (uint32_t round = 0; round < rounds(300); ++round) {
    const uint32_t program_seed = seed() * 700000 + round;
    CAPTURE(program_seed);
    std::mt19937 random(program_seed);
    const Program original = random_program(random, {.instructions = 20 + round % 120, .across_lanes = round % 2 == 0, .memory = true});
    REQUIRE(verify(original).ok());
    BlockInput in = random_input(original, random);
    in.bindings.services.sample = mix_texture_operands;
    if (round % 3 == 1) in.live = random() | uint64_t{random()} << 32;
    check_passes(original, in);
  }
}

TEST_CASE("random programs use every operation that has a result", "[passes]") {
  std::vector<bool> used(kOpCount, false);
  for (uint32_t round = 0; round < 300; ++round) {
    std::mt19937 random(round);
    for (const Instr& i : random_program(random, {.instructions = 200, .across_lanes = true, .memory = true}).code)
      used[static_cast<size_t>(i.op)] = true;
  }
  // The vertices of primitives are another stage's; a clock is never the same twice.
  for (const Op op : {Op::VertexInput, Op::Emit, Op::EndPrimitive, Op::Clock}) used[static_cast<size_t>(op)] = true;
  for (size_t k = 0; k < kOpCount; ++k) {
    INFO(op_info(static_cast<Op>(k)).name);
    CHECK(used[k]);
  }
}

TEST_CASE("constants fold through the operations' own code", "[passes]") {
  Program p = parsed(R"(stage compute
output GENERIC[0].x %4
output GENERIC[0].y %6
code
  %0 = Const 0x3f800000
  %1 = Const 0x40000000
  %2 = FAdd %0 %1
  %3 = FLt %0 %1
  %4 = Select %3 %2 %0
  %5 = Const 0x7f800000
  %6 = FSub %5 %5
)");
  fold_constants(p);
  remove_dead(p);
  CHECK(code_of(p) == "  %0 = Const 0x40400000\n  %1 = Const 0x7fc00000\n");
}

TEST_CASE("a product is plain where no factor can be 0 beside infinity or NaN", "[passes]") {
  Builder b(Stage::Fragment);
  const Value x = b.input({.index = 0}), y = b.input({.index = 1}), z = b.input({.index = 2});
  const Value limited = b.op(Op::FSat, {x}), one_or_zero = b.op(Op::And, {b.op(Op::FLt, {x, y}), b.f32(1)});
  const Value largest = b.f32(3e38f), fraction = b.op(Op::FMin, {b.op(Op::FFract, {x}), b.f32(0.5f)});
  uint16_t outputs = 0;
  const auto show = [&](Value v) { b.output(Semantic::Color, 0, outputs++, v); };
  const auto products = [&](Value a, Value factor) {
    show(b.op(Op::FMulZ, {a, factor}));
    show(b.op(Op::FFmaZ, {factor, a, z}));
  };
  SECTION("plain") {
    products(x, x);
    products(x, b.f32(-2));
    products(limited, b.op(Op::FNeg, {fraction}));
    products(one_or_zero, largest);
    products(b.op(Op::Select, {b.op(Op::FLt, {x, y}), largest, b.f32(4)}), y);
    Program p = b.finish();
    make_products_plain(p);
    CHECK(count(p, Op::FMulZ) + count(p, Op::FFmaZ) == 0);
    CHECK(count(p, Op::FMul) == 5);
    CHECK(count(p, Op::FFma) == 5);
  }
  SECTION("not") {
    products(x, y);
    products(x, b.f32(0));
    products(x, b.f32(std::numeric_limits<float>::infinity()));
    products(x, limited);
    products(one_or_zero, y);
    products(b.op(Op::FMax, {x, largest}), limited);      // may be infinite
    products(b.op(Op::FFract, {x}), limited);             // of infinity: NaN
    Program p = b.finish();
    make_products_plain(p);
    CHECK(count(p, Op::FMulZ) == 7);
    CHECK(count(p, Op::FFmaZ) == 7);
  }
}

TEST_CASE("signs are absorbed and neutral integer operands go", "[passes]") {
  Program p = parsed(R"(stage fragment
input GENERIC[0].x perspective center
input GENERIC[1].x perspective center
output COLOR[0].x %12
output COLOR[0].y %13
output COLOR[0].z %16
code
  %0 = Input 0
  %1 = Input 1
  %2 = FNeg %0
  %3 = FNeg %1
  %4 = FAdd %2 %1
  %5 = FSub %4 %3
  %6 = FFma %2 %3 %5
  %7 = FFma %2 %1 %6
  %8 = FNeg %7
  %9 = FFma %0 %1 %8
  %10 = FNeg %2
  %11 = FMul %2 %3
  %12 = FMul %9 %11
  %13 = FFma %10 %2 %8
  %14 = Const 0x00000000
  %15 = IAdd %14 %1
  %16 = ISub %15 %14
)");
  simplify(p);
  remove_dead(p);
  REQUIRE(verify(p).ok());
  CHECK(code_of(p) == R"(  %0 = Input 0
  %1 = Input 1
  %2 = FSub %1 %0
  %3 = FAdd %2 %1
  %4 = FFma %0 %1 %3
  %5 = FFnma %0 %1 %4
  %6 = FNeg %5
  %7 = FFms %0 %1 %5
  %8 = FMul %0 %1
  %9 = FMul %7 %8
  %10 = FFnma %0 %0 %6
)");
  CHECK(p.outputs[2].value == 1);
}

TEST_CASE("short Ifs become selects, from the inside out; others stay", "[passes]") {
  Program p = parsed(R"(stage fragment
input GENERIC[0].x perspective center
output COLOR[0].x %5
output COLOR[0].y %8
output COLOR[0].z %10
code
  %0 = Input 0
  If %0
    If %0
      %1 = FAdd %0 %0
    Else %1
    %2 = EndIf %0
    %3 = FMul %2 %2
  Else %3
    %4 = FAbs %0
  %5 = EndIf %4
  If %0
    %6 = FSin %0
  Else %6
    %7 = Const 0x00000000
  %8 = EndIf %7
  If %0
    %9 = Ddx %0
  Else %9
  %10 = EndIf %0
)");
  select_short_ifs(p);
  REQUIRE(verify(p).ok());
  CHECK(count(p, Op::If) == 2);
  CHECK(count(p, Op::Select) == 2);
}

TEST_CASE("exits with the same values merge over a few quick operations; others stay", "[passes]") {
  const auto ifs_left = [](std::string_view between, std::string_view second_value) {
    Program p = parsed(fmt::format(R"(stage fragment
input GENERIC[0].x perspective center
output COLOR[0].x %6
code
  %0 = Input 0
  %1 = Loop 0 %0
    %2 = FLt %0 %1
    If %2
      Exit 0 %1
    Else
    EndIf
    %3 = {}
    %4 = FLt %3 %0
    If %4
      Exit 0 {}
    Else
    EndIf
    %5 = FAdd %1 %3
  %6 = EndLoop 0 %5
)", between, second_value));
    merge_exits(p);
    REQUIRE(verify(p).ok());
    return count(p, Op::If);
  };
  CHECK(ifs_left("FMul %1 %1", "%1") == 1);
  CHECK(ifs_left("FMul %1 %1", "%3") == 2);
  CHECK(ifs_left("FSqrt %1", "%1") == 2);
  CHECK(ifs_left("Ddx %1", "%1") == 2);
}

TEST_CASE("equal computations are shared where they are in scope", "[passes]") {
  Program p = parsed(R"(stage fragment
input GENERIC[0].x perspective center
output COLOR[0].x %8
code
  %0 = Input 0
  %1 = FMul %0 %0
  If %0
    %2 = FMul %0 %0
    %3 = FSqrt %0
  Else %3
    %4 = FSqrt %0
  %5 = EndIf %4
  %6 = FAdd %1 %5
  %7 = FAdd %5 %1
  %8 = FSub %6 %7
)");
  share_common(p);
  CHECK(verify(p).ok());
  CHECK(count(p, Op::FMul) == 1);
  CHECK(count(p, Op::FSqrt) == 2);
  CHECK(count(p, Op::FAdd) == 1);
}

TEST_CASE("derivatives are shared only where the same lanes run", "[passes]") {
  Program p = parsed(R"(stage fragment
input GENERIC[0].x perspective center
output COLOR[0].x %5
code
  %0 = Input 0
  %1 = Ddx %0
  %2 = Ddx %0
  KillIf %0
  %3 = Ddx %0
  %4 = FAdd %1 %2
  %5 = FAdd %4 %3
)");
  share_common(p);
  CHECK(count(p, Op::Ddx) == 2);
}

TEST_CASE("joins of one value, and blocks that nobody leaves, disappear", "[passes]") {
  Program p = parsed(R"(stage fragment
input GENERIC[0].x perspective center
output COLOR[0].x %4
code
  %0 = Input 0
  %1 = Loop 0 %0
    Block 1
    %2 = EndBlock 1 %1
    If %2
      Exit 0 %2
    Else
    %3 = EndIf %2
  %4 = EndLoop 0 %3
)");
  propagate_copies(p);
  REQUIRE(verify(p).ok());
  CHECK(count(p, Op::Block) == 0);
  CHECK(p.outputs[0].value == 0);
}

TEST_CASE("dead code goes, results of regions one by one; loops stay", "[passes]") {
  Program p = parsed(R"(stage fragment
input GENERIC[0].x perspective center
output COLOR[0].x %8
code
  %0 = Input 0
  If %0
    %1 = FSin %0
  Else %1
    %2 = FCos %0
  %3 = EndIf %2
  %4 %5 = Loop 0 %0 %3
    %6 = FAdd %5 %4
    If %0
      Exit 0 %4 %5
    Else
    EndIf
  %7 %8 = EndLoop 0 %6 %5
)");
  const Program before = p;
  remove_dead(p);
  REQUIRE(verify(p).ok());
  CHECK(count(p, Op::FAdd) == 0);
  CHECK(count(p, Op::FSin) == 1);
  p.outputs.clear();
  remove_dead(p);
  REQUIRE(verify(p).ok());
  CHECK(count(p, Op::FSin) == 0);
  CHECK(count(p, Op::Loop) == 1);
  CHECK(count(p, Op::If) == 1);
}

TEST_CASE("what is uniform moves out of regions, what has effects or looks across lanes stays", "[passes]") {
  Program p = parsed(R"(stage fragment
input GENERIC[0].x perspective center
output COLOR[0].x %7
code
  %0 = Input 0
  If %0
    %1 = Const 0x00000004
    %2 = LoadConst 0 %1
    %3 = FSqrt %2
    %4 = FAdd %3 %0
    %5 = Ddx %3
    KillIf %5
  Else %4
    %6 = Const 0x00000000
  %7 = EndIf %6
)");
  hoist_uniforms(p);
  REQUIRE(verify(p).ok());
  CHECK(p.code[0].op == Op::Const);
  CHECK(p.code[1].op == Op::LoadConst);
  CHECK(p.code[2].op == Op::FSqrt);
  CHECK(p.code[3].op == Op::Const);
  CHECK(p.code[4].op == Op::Input);
  CHECK(p.code[5].op == Op::If);
  CHECK(p.code[7].op == Op::Ddx);
}

TEST_CASE("arithmetic NaNs become canonical where their bits show, and nowhere else", "[passes]") {
  const std::string_view text = R"(stage {}
input GENERIC[0].x perspective center
output {}[0].x %3
code
  %0 = Input 0
  %1 = FMul %0 %0
  %2 = FAdd %1 %0
  %3 = FNeg %2
)";
  const auto canons = [&](std::string stage, std::string output) {
    std::string source(text);
    source.replace(source.find("{}"), 2, stage);
    source.replace(source.find("{}"), 2, output);
    Program p = parsed(source);
    canonicalize_nans(p);
    CHECK(verify(p).ok());
    return count(p, Op::FCanon);
  };
  CHECK(canons("fragment", "COLOR") == 0);
  CHECK(canons("fragment", "STENCIL") == 1);
  CHECK(canons("vertex", "GENERIC") == 1);
  CHECK(canons("vertex", "POSITION") == 0);
}

TEST_CASE("bits that show are followed through joins, loops and private arrays", "[passes]") {
  Program p = parsed(R"(stage fragment
input GENERIC[0].x perspective center
array 4
output COLOR[0].x %11
code
  %0 = Input 0
  %1 = Const 0x00000000
  %2 = FAdd %0 %0
  %3 = Loop 0 %2
    %4 = FMul %3 %0
    ArrayStore 0 %1 %4
    If %0
      %5 = FSub %3 %0
      Exit 0 %5
    Else
    EndIf
  %6 = EndLoop 0 %3
  %7 = ArrayLoad 0 %1
  %8 = FRcp %0
  %9 = Select %8 %7 %6
  %10 = IAdd %9 %1
  %11 = IToF %10
)");
  canonicalize_nans(p);
  REQUIRE(verify(p).ok());
  CHECK(count(p, Op::FCanon) == 2);   // %4 and %5; %2 reaches only arithmetic, %8 is only asked whether it is 0
}
