// The interpreter against the lane-by-lane oracle, and what only a block shows: masks, helpers, budgets, derivatives.
#include <catch2/catch.hpp>

#include "shader/builder.h"
#include "shader/passes/passes.h"
#include "shader/print.h"
#include "shader/trace.h"
#include "shader/verify.h"
#include "tests/support/random.h"
#include "tests/support/random_program.h"
#include "tests/support/shader_oracle.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using namespace tessera::ir;
using namespace tessera::tests;

namespace {

LaneInput lane_of(const BlockInput& in, uint32_t lane) {
  LaneInput out;
  for (const BlockWords& words : in.inputs) out.inputs.push_back(words[lane]);
  out.constants = in.constants;
  return out;
}

Value lane_number(Builder& b) { return b.input({.semantic = Semantic::Generic, .index = 99}); }

BlockWords numbers() {
  BlockWords words;
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) words[lane] = lane;
  return words;
}

}  // namespace

TEST_CASE("random programs give what each lane gives alone, on every instruction set", "[interp]") {
  for (uint32_t round = 0; round < rounds(300); ++round) {
    const uint32_t program_seed = seed() * 100000 + round;
    std::mt19937 random(program_seed);
    Program p = random_program(random, {.instructions = 20 + round % 100});
    CAPTURE(program_seed);
    REQUIRE(verify(p).ok());
    canonicalize_nans(p);
    REQUIRE(verify(p).ok());
    BlockInput in = random_input(p, random);
    in.exec = round % 3 == 0 ? ~0ull : random() * 0x100000001ull;
    for (const SimdTarget simd : available_simd_targets()) {
      const BlockOutput out = run_block(p, in, simd);
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        if ((in.exec >> lane & 1) == 0) continue;
        const LaneOutput expected = run_lane(p, lane_of(in, lane));
        CAPTURE(lane, simd_target_name(simd));
        const bool killed = (out.result.live >> lane & 1) == 0;
        if (killed != expected.killed) CHECK(print(p) == "");
        REQUIRE(killed == expected.killed);
        for (size_t k = 0; k < p.outputs.size() && !killed; ++k) {
          if (out.outputs[k][lane] == expected.outputs[k]) continue;
          CHECK(print(p) == "");   // shows the program
          REQUIRE(out.outputs[k][lane] == expected.outputs[k]);
        }
      }
    }
  }
}

TEST_CASE("a program that only copies runs nothing", "[interp]") {
  Builder b(Stage::Vertex);
  const Value in = b.input({.index = 0}), constant = b.constant(0, 2);
  b.output(Semantic::Generic, 0, 0, in);
  b.output(Semantic::Generic, 0, 1, constant);
  b.output(Semantic::Generic, 0, 2, b.op(Op::FAdd, {constant, b.f32(1.0f)}));
  const auto executable = make_interpreter(std::make_shared<Program>(b.finish()), best_simd_target());
  CHECK(executable->is_empty());
  CHECK(executable->output_slot(0) == executable->input_slot(0));
  CHECK_FALSE(executable->output_is_uniform(0));
  CHECK(executable->output_is_uniform(1));
  CHECK(executable->output_is_uniform(2));
  BlockInput input;
  input.inputs = {numbers()};
  input.constants = {{0, 0, 0x40000000u}};
  const BlockOutput out = run_block(*executable, input);
  CHECK(out.outputs[0][17] == 17);
  CHECK(out.outputs[1][17] == 0x40000000u);
  CHECK(out.outputs[2][17] == 0x40400000u);
}

TEST_CASE("constants beyond a buffer's end, and missing buffers, read 0", "[interp]") {
  Builder b(Stage::Compute);
  const Value n = lane_number(b);
  b.output(Semantic::Generic, 0, 0, b.constant_at(0, n));
  b.output(Semantic::Generic, 0, 1, b.constant_at(5, n));
  b.output(Semantic::Generic, 0, 2, b.constant(0, 1u << 30));
  BlockInput in;
  in.inputs = {numbers()};
  in.constants = {{7, 8, 9}};
  const BlockOutput out = run_block(b.finish(), in);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    CHECK(out.outputs[0][lane] == (lane < 3 ? 7 + lane : 0));
    CHECK(out.outputs[1][lane] == 0);
    CHECK(out.outputs[2][lane] == 0);
  }
}

TEST_CASE("a killed lane stays a helper and its quad runs on; a quad without live lanes stops", "[interp]") {
  Builder b(Stage::Fragment);
  const Value n = lane_number(b);
  b.kill_if(b.op(Op::ULt, {n, b.u32(6)}));                 // quad 0, and half of quad 1
  b.output(Semantic::Color, 0, 0, b.op(Op::IsHelper, {}));
  b.output(Semantic::Color, 0, 1, b.op(Op::Ddx, {b.op(Op::UToF, {n})}));
  BlockInput in;
  in.inputs = {numbers()};
  in.live = ~0ull << 1 >> 1;
  const BlockOutput out = run_block(b.finish(), in);
  CHECK(out.result.live == (in.live & ~0x3full));
  CHECK(out.outputs[0][5] == ~0u);
  CHECK(out.outputs[0][6] == 0);
  CHECK(out.outputs[0][63] == ~0u);
  CHECK(out.outputs[1][6] == 0x3f800000u);
}

TEST_CASE("derivatives are right minus left and lower minus upper", "[interp]") {
  Builder b(Stage::Fragment);
  const Value x = b.op(Op::UToF, {lane_number(b)}), square = b.op(Op::FMul, {x, x});
  b.output(Semantic::Color, 0, 0, b.op(Op::Ddx, {square}));
  b.output(Semantic::Color, 0, 1, b.op(Op::Ddy, {square}));
  BlockInput in;
  in.inputs = {numbers()};
  const Program p = b.finish();
  for (const SimdTarget simd : available_simd_targets()) {
    const BlockOutput out = run_block(p, in, simd);
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const auto at = [](uint32_t l) { return static_cast<float>(l * l); };
      CHECK(std::bit_cast<float>(out.outputs[0][lane]) == at(lane | 1) - at(lane & ~1u));
      CHECK(std::bit_cast<float>(out.outputs[1][lane]) == at(lane | 2) - at(lane & ~2u));
    }
  }
}

TEST_CASE("a derivative beside lanes that took the other way sees what the quad's way computed for them", "[interp]") {
  // Lanes 0 and 1 of each quad take the first half; the value joined there is also that of lanes 2 and 3 until they arrive.
  Builder b(Stage::Fragment);
  const Value n = lane_number(b), place = b.op(Op::And, {n, b.u32(3)});
  const Var v = b.var(b.u32(0)), d = b.var(b.u32(0));
  b.begin_if(b.op(Op::ULt, {place, b.u32(2)}));
  const Region block = b.begin_block();
  b.write(v, b.op(Op::UToF, {n}));
  b.begin_if(b.op(Op::IEq, {n, b.u32(1000)}));
  b.exit(block);
  b.end_if();
  b.end_block();
  b.write(d, b.op(Op::Ddy, {b.read(v)}));
  b.end_if();
  b.output(Semantic::Color, 0, 0, b.read(d));
  BlockInput in;
  in.inputs = {numbers()};
  const BlockOutput out = run_block(b.finish(), in);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) CHECK(out.outputs[0][lane] == ((lane & 3) < 2 ? 0x40000000u : 0));
}

TEST_CASE("subgroup operations look at the running lanes of the quad", "[interp]") {
  Builder b(Stage::Fragment);
  const Value n = lane_number(b), place = b.op(Op::And, {n, b.u32(3)});
  const Value odd = b.op(Op::And, {n, b.u32(1)});
  Var results[6];
  for (Var& r : results) r = b.var(b.u32(77));
  b.begin_if(b.op(Op::INe, {place, b.u32(0)}));             // lanes 1, 2, 3 of each quad
  b.write(results[0], b.op(Op::VoteAny, {b.op(Op::IEq, {place, b.u32(0)})}));
  b.write(results[1], b.op(Op::VoteAll, {place}));
  b.write(results[2], b.op(Op::VoteEq, {odd}));
  b.write(results[3], b.op(Op::Ballot, {odd}));
  b.write(results[4], b.op(Op::ReadFirst, {n}));
  b.write(results[5], b.op(Op::ReadLane, {n, b.u32(7)}));
  b.end_if();
  for (uint32_t k = 0; k < 6; ++k) b.output(Semantic::Color, k, 0, b.read(results[k]));
  BlockInput in;
  in.inputs = {numbers()};
  const Program p = b.finish();
  for (const SimdTarget simd : available_simd_targets()) {
    const BlockOutput out = run_block(p, in, simd);
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const uint32_t quad = lane & ~3u, expected[] = {0, ~0u, 0, 0b1010, quad + 1, quad + 3};
      for (uint32_t k = 0; k < 6; ++k) CHECK(out.outputs[k][lane] == (lane == quad ? 77 : expected[k]));
    }
  }
}

TEST_CASE("the budget counts each lane's back-edges", "[interp]") {
  // Lane n turns n times.
  Builder b(Stage::Compute);
  const Value n = lane_number(b);
  const Var i = b.var(b.u32(0));
  const Region loop = b.begin_loop();
  b.begin_if(b.op(Op::UGe, {b.read(i), n}));
  b.exit(loop);
  b.end_if();
  b.write(i, b.op(Op::IAdd, {b.read(i), b.u32(1)}));
  b.end_loop();
  b.output(Semantic::Generic, 0, 0, b.read(i));
  const Program p = b.finish();
  BlockInput in;
  in.inputs = {numbers()};
  for (const uint32_t budget : {0u, 63u, 64u, 1000u}) {
    in.budget = budget;
    const BlockOutput out = run_block(p, in);
    CHECK_FALSE(out.result.over_budget);
    CHECK(out.outputs[0] == numbers());
  }
  for (const uint32_t budget : {1u, 2u, 31u, 62u}) {
    in.budget = budget;
    CHECK(run_block(p, in).result.over_budget);
  }
}

TEST_CASE("the budget counts turns of all loops together, for each lane by itself", "[interp]") {
  // In each outer turn another lane turns the inner loop 10 times: no lane has more than 64 + 10.
  Builder b(Stage::Compute);
  const Value n = lane_number(b);
  const Var outer = b.var(b.u32(0)), inner = b.var(b.u32(0));
  const Region loop = b.begin_loop();
  b.begin_if(b.op(Op::UGe, {b.read(outer), b.u32(64)}));
  b.exit(loop);
  b.end_if();
  b.begin_if(b.op(Op::IEq, {b.read(outer), n}));
  const Region own = b.begin_loop();
  b.begin_if(b.op(Op::UGe, {b.read(inner), b.u32(10)}));
  b.exit(own);
  b.end_if();
  b.write(inner, b.op(Op::IAdd, {b.read(inner), b.u32(1)}));
  b.end_loop();
  b.end_if();
  b.write(outer, b.op(Op::IAdd, {b.read(outer), b.u32(1)}));
  b.end_loop();
  b.output(Semantic::Generic, 0, 0, b.read(inner));
  const Program p = b.finish();
  BlockInput in;
  in.inputs = {numbers()};
  in.budget = 74;
  CHECK_FALSE(run_block(p, in).result.over_budget);
  in.budget = 73;
  CHECK(run_block(p, in).result.over_budget);
}

TEST_CASE("an endless loop ends at the budget", "[interp]") {
  Builder b(Stage::Fragment);
  b.begin_loop();
  b.end_loop();
  b.output(Semantic::Color, 0, 0, b.u32(1));
  BlockInput in;
  in.budget = 1000;
  CHECK(run_block(b.finish(), in).result.over_budget);
}

TEST_CASE("values that a loop exchanges each turn do not overwrite each other", "[interp]") {
  Builder b(Stage::Compute);
  const Value n = lane_number(b);
  const Var x = b.var(b.u32(1)), y = b.var(b.u32(2)), z = b.var(b.u32(3)), i = b.var(b.u32(0));
  const Region loop = b.begin_loop();
  b.begin_if(b.op(Op::UGe, {b.read(i), n}));
  b.exit(loop);
  b.end_if();
  const Value old = b.read(x);
  b.write(x, b.read(y));
  b.write(y, b.read(z));
  b.write(z, old);
  b.write(i, b.op(Op::IAdd, {b.read(i), b.u32(1)}));
  b.end_loop();
  b.output(Semantic::Generic, 0, 0, b.read(x));
  b.output(Semantic::Generic, 1, 0, b.read(y));
  b.output(Semantic::Generic, 2, 0, b.read(z));
  BlockInput in;
  in.inputs = {numbers()};
  const BlockOutput out = run_block(b.finish(), in);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
    for (uint32_t k = 0; k < 3; ++k) CHECK(out.outputs[k][lane] == (lane + k) % 3 + 1);
}

TEST_CASE("a trace reports each turn of a loop with the lanes that ran it, and changes nothing", "[interp]") {
  Builder b(Stage::Compute);
  const Value n = lane_number(b);
  const Var i = b.var(b.u32(0));
  const Region loop = b.begin_loop();
  b.begin_if(b.op(Op::UGe, {b.read(i), n}));
  b.exit(loop);
  b.end_if();
  b.write(i, b.op(Op::IAdd, {b.read(i), b.u32(1)}));
  b.end_loop();
  b.output(Semantic::Generic, 0, 0, b.op(Op::IMul, {b.read(i), n}));
  const auto executable = make_interpreter(std::make_shared<Program>(b.finish()), best_simd_target());
  struct alignas(64) Slot { uint32_t words[kBlockLanes]; };
  std::vector<Slot> memory(executable->slot_count());
  std::vector<uint32_t> uniforms(executable->uniform_count());
  const Bindings bindings;
  executable->run_uniform(bindings, uniforms);
  executable->load_uniforms(uniforms, memory[0].words);
  const BlockWords lanes = numbers();
  std::copy(lanes.begin(), lanes.end(), memory[executable->input_slot(0)].words);
  BlockArgs args;
  args.bindings = &bindings;
  uint32_t turns = 0, products = 0;
  const BlockResult result = run_traced(*executable, memory[0].words, args, [&](const TraceStep& step) {
    const Op op = executable->program().code[step.instr].op;
    if (op == Op::IAdd) {
      ++turns;
      CHECK(step.exec == ~0ull << turns);
      CHECK(step.results[0][63] == turns);
    }
    if (op == Op::IMul) {
      ++products;
      CHECK(step.exec == ~0ull);
      CHECK(step.results[0][5] == 25);
    }
  });
  CHECK(turns == 63);
  CHECK(products == 1);
  CHECK(result.live == ~0ull);
  CHECK(memory[executable->output_slot(0)].words[9] == 81);
}

namespace {

// "Samples" the coordinate itself, doubled; remembers what it was asked for.
struct FakeTexture {
  mutable uint64_t exec = 0;
  mutable uint32_t calls = 0;
};

void fake_sample(const void* texture, const SampleArgs& args) {
  const auto& t = *static_cast<const FakeTexture*>(texture);
  t.exec = args.exec;
  ++t.calls;
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    args.out[0][lane] = 2 * args.coord[0][lane];
    args.out[1][lane] = args.coord[1][lane];
    args.out[2][lane] = args.lod ? args.lod[lane] : 1234;
    args.out[3][lane] = args.ref ? args.ref[lane] : 5678;
  }
}

}  // namespace

TEST_CASE("a texture operation runs once a block, for whole quads", "[interp]") {
  Builder b(Stage::Fragment);
  const Value n = lane_number(b);
  Value args[tex_arg::Count], results[4];
  args[tex_arg::S] = n;
  args[tex_arg::T] = b.op(Op::IAdd, {n, b.u32(100)});
  args[tex_arg::Lod] = b.u32(3);
  Var sums[4];
  for (Var& v : sums) v = b.var(b.u32(0));
  b.begin_if(b.op(Op::ULt, {n, b.u32(5)}));
  b.texture({.kind = TextureKind::SampleLod, .binding = static_cast<uint16_t>(b.texture_binding(3, 3))}, args, results);
  for (uint32_t k = 0; k < 4; ++k) b.write(sums[k], results[k]);
  b.end_if();
  for (uint32_t k = 0; k < 4; ++k) b.output(Semantic::Color, 0, k, b.read(sums[k]));
  const auto program = std::make_shared<const Program>(b.finish());
  for (const ExecutorChoice& choice : executor_choices()) {
    CAPTURE(choice.name());
    const FakeTexture texture;
    const void* textures[] = {&texture};
    BlockInput in;
    in.inputs = {numbers()};
    in.bindings.textures = textures;
    in.bindings.services.sample = fake_sample;
    const BlockOutput out = run_block(*make(choice, program), in);
    CHECK(texture.calls == 1);
    CHECK(texture.exec == 0xff);
    for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
      const bool ran = lane < 5;
      CHECK(out.outputs[0][lane] == (ran ? 2 * lane : 0));
      CHECK(out.outputs[1][lane] == (ran ? lane + 100 : 0));
      CHECK(out.outputs[2][lane] == (ran ? 3 : 0));
      CHECK(out.outputs[3][lane] == (ran ? 5678 : 0));
    }
  }
}
