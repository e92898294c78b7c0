// Every pure operation against its formula, bit for bit, on every executor and instruction set; error bounds against
// libm in higher precision where a formula is an approximation.
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
    0x00000000, 0x80000000, 0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x80800000, 0x3f800000,
    0xbf800000, 0x3f000000, 0xbf000000, 0x3effffff, 0x3f7fffff, 0x3fc00000, 0x40200000, 0xc0200000,
    0x40490fdb, 0x3fc90fdb, 0x42fe0000, 0x43000000, 0xc2fc0000, 0xc3160000, 0x4b000000, 0x4b7fffff,
    0x4b800001, 0x4effffff, 0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x7f7fffff,
    0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffc00001, 0x7f800001, 0x7fa00000, 0xffffffff,
    0x7fffffff, 0x00000002, 0x00000005, 0x0000001f, 0x00000020, 0x00000021, 0x0000007f, 0x000000ff,
    0x00003c00, 0x0000fc00, 0x00007e01, 0x000003ff, 0x0000ffff, 0x00010000, 0x12345678, 0xfffffffe,
    0x33800000, 0x33000000, 0x47ffffff, 0x477ff000, 0x38800000, 0x33000001, 0x2f800000, 0x41c80000};

bool is_lane_operation(const OpInfo& info) {
  return info.is(ir::trait::Pure) && !info.is(ir::trait::ImmMask);
}

Op op_of(const OpInfo& info) { return *ir::op_from_name(info.name); }

ir::Program program_of(Op op) {
  const OpInfo& info = ir::op_info(op);
  Builder b(ir::Stage::Compute);
  std::vector<Value> args;
  for (uint32_t k = 0; k < info.arg_words; ++k) args.push_back(b.input({.index = static_cast<uint16_t>(k)}));
  std::vector<Value> results(ir::words_of(info.result));
  b.op_multi(op, args, 0, results);
  for (uint32_t k = 0; k < results.size(); ++k) b.output(ir::Semantic::Generic, k, 0, results[k]);
  return b.finish();
}

constexpr double kSpecialDoubles[] = {
    0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 0x1p-1074, 0x1.fffffp-1023, 0x1p-1022, 0x1.fffffffffffffp1023,
    0x1p31, -0x1p31, 0x1p32, 0x1p63, -0x1p63, 0x1p64, 2147483647.5, 4294967295.5, 1e-20, 3.7e18,
    0x1.fffffep127, 0x1.fffffefp127, 0x1p-149, 0x1.8p-150, 0x1.1p-127, INFINITY, -INFINITY};
constexpr uint64_t kSpecialWide[] = {
    0, 1, ~0ull, 1ull << 63, (1ull << 63) - 1, 1ull << 32, 0xffffffffu, 0x7ff8000000000000u, 0xfff8000000000001u,
    0x7ff0000000000001u, 0x7fffffbfffffffffu, 0x0020000000000001u};

uint64_t random_wide(ir::Type type, std::mt19937& random) {
  const uint32_t kind = static_cast<uint32_t>(random() % 4), pick = static_cast<uint32_t>(random());
  const uint64_t any = random() | uint64_t{random()} << 32;
  if (kind == 0) return kSpecialWide[pick % std::size(kSpecialWide)];
  if (type == ir::Type::I64) return kind == 1 ? any >> (pick & 63) : kind == 2 ? any % 100 : any;
  if (kind == 1) return any;
  if (kind == 2) return std::bit_cast<uint64_t>(kSpecialDoubles[pick % std::size(kSpecialDoubles)]);
  return (any & ~(0x7ffull << 52)) | uint64_t{1023 - 70 + pick % 140} << 52;   // of middling size
}

uint32_t random_narrow(std::mt19937& random) {
  const uint32_t bits = static_cast<uint32_t>(random());
  if ((bits & 7) == 0) return kSpecial[bits >> 8 & 63];
  return (bits & 7) < 4 ? 0x3f000000u + (bits >> 6) : static_cast<uint32_t>(random());
}

// A 64-lane block for all operand words: special values in all combinations of the first two operands, then random ones.
std::vector<BlockWords> operands(const OpInfo& info, uint32_t round, std::mt19937& random) {
  std::vector<BlockWords> in(info.arg_words);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
    for (uint32_t k = 0, word = 0; k < info.operand_count; ++k) {
      if (ir::words_of(info.operands[k]) == 2) {
        const uint64_t bits = random_wide(info.operands[k], random);
        in[word++][lane] = static_cast<uint32_t>(bits);
        in[word++][lane] = static_cast<uint32_t>(bits >> 32);
      } else {
        in[word++][lane] = round >= 64 || k > 1 ? random_narrow(random) : k == 0 ? kSpecial[lane] : kSpecial[round % 64];
      }
    }
  return in;
}

uint32_t canonical_if_arith(const OpInfo& info, uint32_t bits) {
  const bool nan = (bits & 0x7fffffffu) > 0x7f800000u;
  return info.is(ir::trait::Arith) && nan ? 0x7fc00000u : bits;
}

}  // namespace

TEST_CASE("every operation gives the bits of its formula on every executor and instruction set", "[opcode]") {
  std::mt19937 random(seed());
  for (size_t n = 0; n < ir::kOpCount; ++n) {
    const OpInfo& info = ir::op_info(static_cast<Op>(n));
    if (!is_lane_operation(info)) continue;
    const ir::Program program = program_of(op_of(info));
    for (const ExecutorChoice& choice : executor_choices()) {
      const auto executable = make(choice, std::make_shared<ir::Program>(program));
      for (uint32_t round = 0; round < rounds(160); ++round) {
        BlockInput in;
        in.inputs = operands(info, round, random);
        const BlockOutput out = run_block(*executable, in);
        for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
          std::vector<uint32_t> args;
          for (const BlockWords& words : in.inputs) args.push_back(words[lane]);
          std::vector<uint32_t> got;
          for (const BlockWords& words : out.outputs) got.push_back(canonical_if_arith(info, words[lane]));
          const std::vector<uint32_t> expected = evaluate_words(op_of(info), args);
          if (got == expected) continue;
          CAPTURE(seed(), info.name, choice.name(), args, round);
          REQUIRE(got == expected);
        }
      }
    }
  }
}

TEST_CASE("quotients are right beside every whole number, however close", "[opcode]") {
  std::mt19937 random(seed());
  for (const SimdTarget simd : available_simd_targets()) {
    const auto divide = make_interpreter(std::make_shared<ir::Program>(program_of(Op::UDiv)), simd);
    for (uint32_t round = 0; round < rounds(4000); ++round) {
      BlockInput in;
      in.inputs.resize(2);
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        const uint32_t divisor = std::max(1u, static_cast<uint32_t>(random()) >> (random() & 31));
        const uint32_t quotient = static_cast<uint32_t>(random()) % (~0u / divisor + 1ull) >> (random() & 31);
        in.inputs[0][lane] = divisor * quotient - (lane & 1);       // a whole number, or just below one
        in.inputs[1][lane] = divisor;
      }
      const BlockOutput out = run_block(*divide, in);
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        const uint32_t expected = in.inputs[0][lane] / in.inputs[1][lane];
        if (out.outputs[0][lane] == expected) continue;
        CAPTURE(seed(), simd_target_name(simd), in.inputs[0][lane], in.inputs[1][lane]);
        REQUIRE(out.outputs[0][lane] == expected);
      }
    }
  }
}

TEST_CASE("the table's operations have distinct names, and traits that fit together", "[opcode]") {
  for (size_t n = 0; n < ir::kOpCount; ++n) {
    const OpInfo& info = ir::op_info(static_cast<Op>(n));
    CAPTURE(info.name);
    CHECK(ir::op_from_name(info.name) == static_cast<Op>(n));
    const int kinds = info.is(ir::trait::Pure) + info.is(ir::trait::LaneCross) + info.is(ir::trait::Reads) +
                      info.is(ir::trait::Effect) + info.is(ir::trait::Region);
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
    const auto executable = make_interpreter(std::make_shared<ir::Program>(program_of(a.op)), best_simd_target());
    std::uniform_real_distribution<float> argument(a.from, a.to);
    for (uint32_t round = 0; round < rounds(500); ++round) {
      BlockInput in;
      in.inputs.resize(1);
      for (uint32_t& word : in.inputs[0]) word = std::bit_cast<uint32_t>(argument(random));
      const BlockOutput out = run_block(*executable, in);
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        const float x = std::bit_cast<float>(in.inputs[0][lane]), got = std::bit_cast<float>(out.outputs[0][lane]);
        const double exact = a.exact(x), error = std::fabs(got - exact),
                     allowed = std::max(std::max<double>(info.ulp, 0.5) * ulp_of(exact), a.absolute);
        if (error <= allowed) continue;
        CAPTURE(seed(), info.name, x, got, exact);
        REQUIRE(error <= allowed);
      }
    }
  }
}
