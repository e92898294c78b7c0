// Machine code against the interpreter, bit for bit: random programs, all at once and from barrier to barrier.
#include <catch2/catch.hpp>

#include "shader/builder.h"
#include "shader/jit.h"
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

// Memory that a program writes; each run begins with the same words.
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

uint64_t random_lanes(std::mt19937& random) { return random() | uint64_t{random()} << 32; }

uint64_t whole_quads(uint64_t lanes) {
  lanes |= lanes >> 1;
  lanes |= lanes >> 2;
  return (lanes & 0x1111111111111111u) * 15;
}

void check_same(const Program& p, BlockInput in) {
  const auto program = std::make_shared<const Program>(p);
  const auto jit = make_jit(program);
  REQUIRE(jit);
  const TestMemory expected_memory(in.bindings);
  const BlockOutput expected = run_block(*make_interpreter(program, SimdTarget::Avx2), in);
  const TestMemory memory(in.bindings);
  const BlockOutput got = run_block(*jit, in);
  REQUIRE(got.result.over_budget == expected.result.over_budget);
  if (got.result.over_budget) return;
  REQUIRE(got.result.live == expected.result.live);
  REQUIRE(memory.words == expected_memory.words);
  for (size_t k = 0; k < expected.outputs.size(); ++k)
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
      if ((expected.result.live & in.exec) >> lane & 1)
        if (got.outputs[k][lane] != expected.outputs[k][lane]) {
          CAPTURE(k, lane, got.outputs[k][lane], expected.outputs[k][lane], print(p));
          REQUIRE(got.outputs[k][lane] == expected.outputs[k][lane]);
        }
}

void check_random(const RandomProgramOptions& options, uint32_t program_seed, bool optimized) {
  CAPTURE(program_seed, optimized);
  std::mt19937 random(program_seed);
  Program p = random_program(random, options);
  BlockInput in = random_input(p, random);
  in.bindings.services.sample = mix_texture_operands;
  if (random() % 2 == 0) in.exec = whole_quads(random_lanes(random) & random_lanes(random));
  if (random() % 2 == 0) in.live = random_lanes(random);
  in.live &= in.exec;
  if (random() % 4 == 0) in.budget = 1 + random() % 4;
  if (optimized) optimize(p);
  else canonicalize_nans(p);
  REQUIRE(verify(p).ok());
  check_same(p, in);
}

bool is_refused() {
  if (jit_refusal().empty()) return false;
  WARN("SKIPPED: no JIT: " << jit_refusal());
  return true;
}

}  // namespace

TEST_CASE("machine code gives the bits of the interpreter for random programs", "[jit][random]") {
  if (is_refused()) return;
  for (uint32_t round = 0; round < rounds(600); ++round)
    check_random({.instructions = 10 + round % 150, .across_lanes = round % 3 == 1, .memory = round % 3 == 2},
                 seed() * 900000 + round, round % 2 == 0);
}

TEST_CASE("products in which 0 wins have the bits of the definition, however many stand together", "[jit][random]") {
  if (is_refused()) return;
  constexpr uint16_t kInputs = 9;
  for (uint32_t round = 0; round < rounds(300); ++round) {
    const uint32_t program_seed = seed() * 920000 + round;
    CAPTURE(program_seed);
    std::mt19937 random(program_seed);
    Builder b(Stage::Vertex);
    std::vector<Value> values;
    for (uint16_t i = 0; i < kInputs; ++i) values.push_back(b.input({.index = i}));
    const auto any = [&] { return values[random() % values.size()]; };
    for (uint32_t k = 0; k < 30; ++k) {
      const Value last = values.back();
      switch (random() % 6) {
        case 0: values.push_back(b.op(Op::FMulZ, {any(), any()})); break;
        case 1: values.push_back(b.op(Op::FFmaZ, {any(), any(), any()})); break;
        case 2: values.push_back(b.op(Op::FAdd, {any(), any()})); break;
        default: values.push_back(b.op(Op::FFmaZ, {any(), any(), last})); break;   // a chain
      }
    }
    for (uint16_t k = 0; k < 8; ++k) b.output(Semantic::Generic, k, 0, any());
    Program p = b.finish();
    if (round % 2 == 0) optimize(p);
    else canonicalize_nans(p);
    BlockInput in = random_input(p, random);
    constexpr uint32_t kSpecial[] = {0,           0x80000000u, 0x7f800000u, 0xff800000u,
                                     0x7fc00000u, 1,           0x7f7fffffu, 0x3f800000u};
    for (BlockWords& words : in.inputs)
      for (uint32_t& word : words)
        if (random() % 4 == 0) word = kSpecial[random() % std::size(kSpecial)];
    check_same(p, in);
  }
}

TEST_CASE("machine code keeps many values at once", "[jit][random]") {
  if (is_refused()) return;
  for (uint32_t round = 0; round < rounds(60); ++round)
    check_random({.instructions = 100 + round % 60 * 4, .inputs = 12, .variables = 5 + round % 60, .outputs = 20},
                 seed() * 910000 + round, round % 2 == 0);
}
