// Two programs as one: what goes from the first to the second, and what stays.
#include "shader/chain.h"

#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>

#include "shader/builder.h"
#include "shader/passes/pipeline.h"
#include "shader/verify.h"
#include "tests/support/random.h"
#include "tests/support/random_program.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using namespace tessera::ir;
using namespace tessera::tests;

namespace {

constexpr Semantic kColors[] = {Semantic::Color};

// COLOR[0].x = COLOR[0].x + COLOR[0].y * GENERIC[3].x
Program second_program() {
  Builder b(Stage::Fragment);
  const Value x = b.input({Semantic::Color, 0, 0}), y = b.input({Semantic::Color, 0, 1}), g = b.input({Semantic::Generic, 3, 0});
  b.output(Semantic::Color, 0, 0, b.op(Op::FAdd, {x, b.op(Op::FMul, {y, g})}));
  return b.finish();
}

BlockWords filled(float value) {
  BlockWords words;
  words.fill(std::bit_cast<uint32_t>(value));
  return words;
}

}  // namespace

TEST_CASE("outputs of the first program feed the second, which replaces them; inputs are shared", "[chain]") {
  Builder b(Stage::Fragment);
  const Value g = b.input({Semantic::Generic, 3, 0});
  b.output(Semantic::Color, 0, 0, b.op(Op::FMul, {g, b.f32(2)}));
  b.output(Semantic::Color, 0, 1, b.f32(10));
  b.output(Semantic::Position, 0, 2, b.f32(0.25f));
  b.kill_if(b.op(Op::FLt, {g, b.f32(0)}));
  const Program p = chain(b.finish(), second_program(), kColors);
  REQUIRE(verify(p));
  CHECK(p.inputs.size() == 1);                          // the one that both read
  CHECK(p.uses_kill);
  REQUIRE(p.outputs.size() == 3);
  BlockInput in;
  for (const Input& input : p.inputs) in.inputs.push_back(filled(input.semantic == Semantic::Generic ? 3.0f : 99.0f));
  const BlockOutput out = run_block(p, in);
  CHECK(out.outputs[0] == filled(36));                  // 2 * 3 + 10 * 3
  CHECK(out.outputs[1] == filled(10));
  CHECK(out.outputs[2] == filled(0.25f));
}

TEST_CASE("what the first program does not write reads 0", "[chain]") {
  Builder b(Stage::Fragment);
  b.output(Semantic::Color, 0, 1, b.f32(2));
  const Program p = chain(b.finish(), second_program(), kColors);
  REQUIRE(verify(p));
  BlockInput in;
  for (size_t k = 0; k < p.inputs.size(); ++k) in.inputs.push_back(filled(5));
  const BlockOutput out = run_block(p, in);
  CHECK(out.outputs[1] == filled(10));                  // 0 + 2 * 5
}

TEST_CASE("a random program behind another one gives what it gives alone", "[chain]") {
  CAPTURE(seed());
  std::mt19937 random(seed());
  for (uint32_t round = 0; round < rounds(100); ++round) {
    INFO("round " << round);
    const Program first = random_program(random, {.kill = false}), second = random_program(random, {.kill = false});
    Program p = chain(first, second, {});
    REQUIRE(verify(p));
    optimize(p);
    REQUIRE(verify(p));
    Program optimized = second;              // NaNs are canonical where an optimised program shows their bits
    optimize(optimized);
    BlockInput both, alone;
    for (size_t k = 0; k < p.inputs.size(); ++k)
      for (uint32_t& word : both.inputs.emplace_back()) word = random_word(random);
    for (const Input& input : optimized.inputs) {
      const auto at = std::find(p.inputs.begin(), p.inputs.end(), input) - p.inputs.begin();
      alone.inputs.push_back(both.inputs[static_cast<size_t>(at)]);
    }
    std::vector<uint32_t> constants(64);
    for (uint32_t& word : constants) word = random_word(random);
    both.constants = alone.constants = {constants};
    const BlockOutput got = run_block(p, both), want = run_block(optimized, alone);
    for (size_t k = 0; k < optimized.outputs.size(); ++k) {
      const Output& o = optimized.outputs[k];
      const auto same = [&](const Output& other) {
        return other.semantic == o.semantic && other.index == o.index && other.component == o.component;
      };
      const auto at = static_cast<size_t>(std::find_if(p.outputs.begin(), p.outputs.end(), same) - p.outputs.begin());
      REQUIRE(got.outputs[at] == want.outputs[k]);
    }
  }
}
