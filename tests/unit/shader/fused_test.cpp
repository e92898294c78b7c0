// Chains of operations, and comparisons with their Ifs, give in one step what they give in several.
#include <catch2/catch.hpp>

#include "shader/builder.h"
#include "shader/interp.h"
#include "tests/support/random.h"
#include "tests/support/random_program.h"
#include "tests/support/shader_oracle.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using namespace tessera::ir;
using namespace tessera::tests;

namespace {

// The chain with an input of its own for every operand. `swapped`: the carried value is the second operand of links
// whose first two may change places.
Program program_of(const interp::FusedStep& chain, bool swapped, bool zero_wins) {
  Builder b(Stage::Fragment);
  uint16_t inputs = 0;
  Value carried;
  for (size_t k = 0; k < chain.count; ++k) {
    const interp::FusedLink& link = chain.links[k];
    const Op op = !zero_wins ? link.op : link.op == Op::FMul ? Op::FMulZ : link.op == Op::FFma ? Op::FFmaZ : link.op;
    std::vector<Value> args(op_info(link.op).arg_words);
    for (Value& arg : args) arg = b.input({.index = inputs++});
    const bool may_swap = link.op == Op::FMul || link.op == Op::FAdd || link.op == Op::FFma;
    if (k > 0) args[link.operand == 0 && swapped && may_swap ? 1 : link.operand] = carried;
    b.op_multi(op, args, 0, {&carried, 1});
  }
  b.output(Semantic::Color, 0, 0, carried);       // of whose bits only that they are NaN matters
  return b.finish();
}

// One half or both change the result.
Program program_of_if(Op comparison, bool has_second_half) {
  Builder b(Stage::Vertex);
  const Value x = b.input({.index = 0}), y = b.input({.index = 1});
  const Var v = b.var(x);
  b.begin_if(b.op(comparison, {x, y}));
  b.write(v, b.op(Op::IMul, {y, b.op(Op::IMul, {y, x})}));
  if (has_second_half) {
    b.begin_else();
    b.write(v, b.op(Op::IAdd, {x, y}));
  }
  b.end_if();
  b.output(Semantic::Generic, 0, 0, b.read(v));
  return b.finish();
}

bool is_nan(uint32_t word) { return (word & 0x7fffffffu) > 0x7f800000u; }

void check_against_lanes(const Program& p, std::mt19937& random, SimdTarget simd) {
  BlockInput in;
  in.inputs.resize(p.inputs.size());
  for (BlockWords& words : in.inputs)
    for (uint32_t& word : words) word = random_word(random);
  in.exec = random() * 0x100000001ull;
  const BlockOutput out = run_block(p, in, simd);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    if ((in.exec >> lane & 1) == 0) continue;
    LaneInput one;
    for (const BlockWords& words : in.inputs) one.inputs.push_back(words[lane]);
    const LaneOutput expected = run_lane(p, one);
    for (size_t k = 0; k < p.outputs.size(); ++k) {
      const bool both_nan = is_nan(out.outputs[k][lane]) && is_nan(expected.outputs[k]);
      if (both_nan && p.outputs[k].semantic == Semantic::Color) continue;
      REQUIRE(out.outputs[k][lane] == expected.outputs[k]);
    }
  }
}

size_t code_words(const Program& p, SimdTarget simd, interp::Fusing fusing) {
  return interp::write_steps(p, interp::assign_slots(p), interp::step_table(simd), fusing).code.size();
}

}  // namespace

TEST_CASE("each chain of operations gives in one step what it gives in several", "[interp]") {
  std::mt19937 random(seed());
  CAPTURE(seed());
  for (const SimdTarget simd : available_simd_targets())
    for (const interp::FusedStep& chain : interp::step_table(simd).fused)
      for (const uint32_t form : {0u, 1u, 2u, 3u}) {
        const bool swapped = form & 1, zero_wins = form & 2;
        const Program p = program_of(chain, swapped, zero_wins);
        CAPTURE(simd_target_name(simd), op_info(chain.links[0].op).name, op_info(chain.links[1].op).name, chain.count,
                zero_wins);
        // A step less for each link: its address, the carried value's place as a result and as an operand.
        const size_t saved = (chain.count - 1u) * (interp::kStepWords + 2);
        CHECK(code_words(p, simd, interp::Fusing::Off) - code_words(p, simd, interp::Fusing::On) == saved);
        for (uint32_t round = 0; round < rounds(3); ++round) check_against_lanes(p, random, simd);
      }
}

TEST_CASE("an If with its comparison chooses the lanes that the comparison chooses", "[interp]") {
  std::mt19937 random(seed());
  CAPTURE(seed());
  for (const SimdTarget simd : available_simd_targets())
    for (const Op op : {Op::FLt, Op::FGe, Op::FEq, Op::FNe, Op::ILt, Op::IGe, Op::ULt, Op::UGe, Op::IEq, Op::INe})
      for (const bool has_second_half : {false, true}) {
        const Program p = program_of_if(op, has_second_half);
        CAPTURE(simd_target_name(simd), op_info(op).name, has_second_half);
        CHECK(code_words(p, simd, interp::Fusing::On) < code_words(p, simd, interp::Fusing::Off));
        for (uint32_t round = 0; round < rounds(20); ++round) check_against_lanes(p, random, simd);
      }
}

TEST_CASE("vectors are normalised in one step, whatever values they have", "[interp]") {
  std::mt19937 random(seed());
  CAPTURE(seed());
  for (const SimdTarget simd : available_simd_targets())
    for (const uint32_t form : {0u, 1u, 2u, 3u, 7u}) {
      const bool has_dot = form & 1, zero_wins = form & 2, has_plain_square = form & 4;
      const Op multiply = zero_wins ? Op::FMulZ : Op::FMul, multiply_add = zero_wins ? Op::FFmaZ : Op::FFma;
      Builder b(Stage::Fragment);
      Value x[3];
      for (uint16_t k = 0; k < 3; ++k) x[k] = b.input({.index = k});
      Value square = b.input({.index = 3});
      if (has_dot) {
        square = b.op(has_plain_square ? Op::FMul : multiply, {x[0], x[0]});
        for (const Value& v : {x[1], x[2]})
          square = b.op(has_plain_square ? Op::FFma : multiply_add, {v, v, square});
      }
      const Value scale = b.op(Op::FRsq, {square});
      for (uint32_t k = 0; k < 3; ++k) {
        const Value product = k == 1 ? b.op(multiply, {scale, x[k]}) : b.op(multiply, {x[k], scale});
        b.output(Semantic::Color, 0, k, product);
      }
      const Program p = b.finish();
      CAPTURE(simd_target_name(simd), has_dot, zero_wins, has_plain_square);
      const size_t operations = has_dot ? 7 : 4, operand_words = has_dot ? 3 + 9 : 3 + 4;
      CHECK(code_words(p, simd, interp::Fusing::On) == operand_words + 2 * interp::kStepWords);
      CHECK(code_words(p, simd, interp::Fusing::Off) > operations * interp::kStepWords);
      for (uint32_t round = 0; round < rounds(20); ++round) check_against_lanes(p, random, simd);
    }
}

TEST_CASE("a value that somebody else asks for is not carried", "[interp]") {
  Builder b(Stage::Vertex);
  const Value x = b.input({.index = 0}), y = b.input({.index = 1});
  const Value product = b.op(Op::FMul, {x, y}), sum = b.op(Op::FAdd, {product, x});
  b.output(Semantic::Generic, 0, 0, sum);
  b.output(Semantic::Generic, 0, 1, product);
  const Program p = b.finish();
  const SimdTarget simd = best_simd_target();
  CHECK(code_words(p, simd, interp::Fusing::On) == code_words(p, simd, interp::Fusing::Off));
}
