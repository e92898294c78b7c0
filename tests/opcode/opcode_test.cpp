// Every pure operation against its formula, bit for bit, on every instruction set; error bounds against libm in higher
// precision where a formula is an approximation.
#include <catch2/catch.hpp>
#include <cmath>
#include <random>

#include "shader/builder.h"
#include "tests/support/random.h"
#include "tests/support/shader_oracle.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using namespace tessera::tests;
using ir::Builder;
using ir::Op;
using ir::OpInfo;
using ir::Value;

namespace {

constexpr uint32_t kSpecial[] = {
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000,
    0x3effffff, 0x3f7fffff, 0x3fc00000, 0x40200000, 0xc0200000, 0x40490fdb, 0x3fc90fdb, 0x42fe0000, 0x43000000, 0xc2fc0000, 0xc3160000,
    0x4b000000, 0x4b7fffff, 0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x7f7fffff, 0xff7fffff,
    0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7fa00000, 0xffffffff, 0x7fffffff, 0x00000002, 0x00000005, 0x0000001f,
    0x00000020, 0x00000021, 0x0000007f, 0x000000ff, 0x00003c00, 0x0000fc00, 0x00007e01, 0x000003ff, 0x0000ffff, 0x00010000, 0x12345678,
    0xfffffffe, 0x33800000, 0x33000000, 0x47ffffff, 0x477ff000, 0x38800000, 0x33000001, 0x2f800000, 0x41c80000};

bool is_lane_operation(const OpInfo& info) {
  return info.is(ir::trait::Pure) && !info.is(ir::trait::ImmMask);
}

Op op_of(const OpInfo& info) { return *ir::op_from_name(info.name); }

ir::Program program_of(Op op, uint32_t operands) {
  Builder b(ir::Stage::Compute);
  std::vector<Value> args;
  for (uint32_t k = 0; k < operands; ++k) args.push_back(b.input({.index = static_cast<uint16_t>(k)}));
  Value result;
  b.op_multi(op, args, 0, {&result, 1});
  b.output(ir::Semantic::Generic, 0, 0, result);
  return b.finish();
}

// A 64-lane block: special operands in all combinations of the first two, random ones besides.
std::vector<BlockWords> operands(uint32_t count, uint32_t round, std::mt19937& random) {
  std::vector<BlockWords> in(count);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t bits = static_cast<uint32_t>(random());
      in[k][lane] = k == 0 ? kSpecial[lane] : k == 1 ? kSpecial[round % 64] : (bits & 1) != 0 ? kSpecial[bits >> 8 & 63] : bits;
      if (round >= 64) in[k][lane] = (bits & 7) == 0 ? kSpecial[bits >> 8 & 63] : (bits & 7) < 4 ? 0x3f000000u + (bits >> 6) : static_cast<uint32_t>(random());
    }
  return in;
}

uint32_t canonical_if_arith(const OpInfo& info, uint32_t bits) {
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return info.is(ir::trait::Arith) && nan ? 0x7fc00000u : bits;
}

}  // namespace

TEST_CASE("every operation gives the bits of its formula on every instruction set", "[opcode]") {
  std::mt19937 random(seed());
  for (size_t n = 0; n < ir::kOpCount; ++n) {
    const OpInfo& info = ir::op_info(static_cast<Op>(n));
    if (!is_lane_operation(info)) continue;
    const ir::Program program = program_of(op_of(info), info.operand_count);
    for (const SimdTarget simd : available_simd_targets()) {
      const auto executable = make_interpreter(std::make_shared<ir::Program>(program), simd);
      for (uint32_t round = 0; round < rounds(160); ++round) {
        BlockInput in;
        in.inputs = operands(info.operand_count, round, random);
        const BlockOutput out = run_block(*executable, in);
        for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
          std::vector<uint32_t> args;
          for (const BlockWords& words : in.inputs) args.push_back(words[lane]);
          const uint32_t got = canonical_if_arith(info, out.outputs[0][lane]), expected = evaluate(op_of(info), args);
          if (got == expected) continue;
          CAPTURE(seed(), info.name, simd_target_name(simd), args, round);
          REQUIRE(got == expected);
        }
      }
    }
  }
}

TEST_CASE("the table's operations have distinct names, and traits that fit together", "[opcode]") {
  for (size_t n = 0; n < ir::kOpCount; ++n) {
    const OpInfo& info = ir::op_info(static_cast<Op>(n));
    CAPTURE(info.name);
    CHECK(ir::op_from_name(info.name) == static_cast<Op>(n));
    const int kinds = info.is(ir::trait::Pure) + info.is(ir::trait::LaneCross) + info.is(ir::trait::Reads) + info.is(ir::trait::Effect) + info.is(ir::trait::Region);
    CHECK(kinds == 1);
    CHECK_FALSE((info.is(ir::trait::Arith) && info.is(ir::trait::Copy)));
    CHECK_FALSE(info.formula.empty());
  }
}

namespace {

double ulp_of(double exact) {
  int exponent;
  std::frexp(exact, &exponent);
  return std::ldexp(1.0, std::max(exponent - 24, -149));
}

struct Approximation {
  Op op;
  float from, to;
  double (*exact)(double);
  double absolute;   // an error that is also enough
};

}  // namespace

TEST_CASE("approximations stay within the table's error bounds", "[opcode]") {
  const Approximation all[] = {
      {Op::FRcp, -1000, 1000, [](double x) { return 1 / x; }, 0},
      {Op::FRsq, 0, 1e6, [](double x) { return 1 / std::sqrt(x); }, 0},
      {Op::FSqrt, 0, 1e6, [](double x) { return std::sqrt(x); }, 0},
      {Op::FEx2, -126, 127, [](double x) { return std::exp2(x); }, 0},
      {Op::FLg2, 0, 1e6, [](double x) { return std::log2(x); }, 0},
      {Op::FLg2, 0.5, 2, [](double x) { return std::log2(x); }, 0},
      {Op::FSin, -64, 64, [](double x) { return std::sin(x); }, 0x1p-24},
      {Op::FCos, -64, 64, [](double x) { return std::cos(x); }, 0x1p-24},
  };
  std::mt19937 random(seed());
  for (const Approximation& a : all) {
    const OpInfo& info = ir::op_info(a.op);
    const auto executable = make_interpreter(std::make_shared<ir::Program>(program_of(a.op, 1)), best_simd_target());
    std::uniform_real_distribution<float> argument(a.from, a.to);
    for (uint32_t round = 0; round < rounds(500); ++round) {
      BlockInput in;
      in.inputs.resize(1);
      for (uint32_t& word : in.inputs[0]) word = std::bit_cast<uint32_t>(argument(random));
      const BlockOutput out = run_block(*executable, in);
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        const float x = std::bit_cast<float>(in.inputs[0][lane]), got = std::bit_cast<float>(out.outputs[0][lane]);
        const double exact = a.exact(x), error = std::fabs(got - exact), allowed = std::max(std::max<double>(info.ulp, 0.5) * ulp_of(exact), a.absolute);
        if (error <= allowed) continue;
        CAPTURE(seed(), info.name, x, got, exact);
        REQUIRE(error <= allowed);
      }
    }
  }
}
