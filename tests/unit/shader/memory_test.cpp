// Loads, stores and atomic operations on bytes, against an oracle that does one lane after the other.
#include <catch2/catch.hpp>

#include <bit>
#include <cstring>
#include <random>

#include "shader/atomic.h"
#include "shader/builder.h"
#include "shader/passes/pipeline.h"
#include "shader/print.h"
#include "shader/verify.h"
#include "tests/support/random.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using namespace tessera::ir;
using tests::BlockInput;
using tests::BlockWords;
namespace arg = ir::mem_arg;

namespace {

constexpr uint32_t kWords = 300;

struct TestMemory {
  std::vector<std::vector<uint32_t>> words;
  std::vector<MemoryView> views;

  explicit TestMemory(uint32_t count = 1) : words(count) {
    for (std::vector<uint32_t>& w : words) {
      for (uint32_t i = 0; i < kWords; ++i) w.push_back(i * 2654435761u);
      views.push_back({reinterpret_cast<std::byte*>(w.data()), kWords * 4, false});
    }
  }
  void bind(Bindings& b, MemorySpace space = MemorySpace::Buffer) const {
    b.memory[static_cast<size_t>(space)] = views;
  }
};

Input attribute(uint32_t n) { return {.semantic = Semantic::Generic, .index = static_cast<uint16_t>(n)}; }

// LOAD of `count` words from the offset in input 0; results are the outputs.
Program load_program(uint32_t first, uint32_t count, bool indexed = false) {
  Builder b(Stage::Compute);
  Value args[arg::Count];
  args[arg::X] = b.input(attribute(0));
  if (indexed) args[arg::Index] = b.input(attribute(1));
  Value words[4];
  b.memory(Op::MemLoad, {.first_word = static_cast<uint8_t>(first)}, args, {words, count});
  for (uint32_t k = 0; k < count; ++k) b.output(Semantic::Generic, k, 0, words[k]);
  return b.finish();
}

// STORE of the inputs 1 to 4 that `mask` names.
Program store_program(uint32_t mask) {
  Builder b(Stage::Fragment);
  Value args[arg::Count];
  args[arg::X] = b.input(attribute(0));
  for (uint32_t k = 0; k < 4; ++k)
    if (mask >> k & 1) args[arg::Value + k] = b.input(attribute(1 + k));
  b.memory(Op::MemStore, {}, args, {});
  return b.finish();
}

uint32_t word_at(const std::vector<uint32_t>& words, uint32_t offset, uint32_t k) {
  const uint64_t word = uint64_t{offset / 4} + k;
  return word < words.size() ? words[word] : 0;
}

// Offsets of a block: dense ones, some that leave the buffer, any.
std::vector<BlockWords> offset_blocks(std::mt19937& random) {
  std::vector<BlockWords> blocks;
  for (const uint32_t step : {0u, 4u, 16u, 20u})
    for (const uint32_t first : {0u, 4u, 8u, 40u, 180u, 940u, 1000u, 1196u, 0xfffffff0u}) {
      BlockWords& w = blocks.emplace_back();
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) w[lane] = first + lane * step;
    }
  for (int i = 0; i < 20; ++i)
    for (uint32_t& w : blocks.emplace_back())
      w = i % 4 == 0 ? static_cast<uint32_t>(random()) : static_cast<uint32_t>(random() % (kWords * 4 + 40));
  return blocks;
}

BlockWords random_words(std::mt19937& random) {
  BlockWords w;
  for (uint32_t& word : w) word = static_cast<uint32_t>(random());
  return w;
}

}  // namespace

TEST_CASE("loads give the words at their byte offsets, and 0 outside", "[memory]") {
  std::mt19937 random(tests::seed());
  const TestMemory memory;
  for (uint32_t first = 0; first < 4; ++first)
    for (uint32_t count = 1; count <= 4 - first; ++count) {
      const auto program = std::make_shared<Program>(load_program(first, count));
      for (const tests::ExecutorChoice& choice : tests::executor_choices())
        for (const BlockWords& offsets : offset_blocks(random))
          for (const uint64_t exec : {~0ull, 0x00ff00ff1234ull}) {
            BlockInput in;
            in.inputs = {offsets};
            in.exec = in.live = exec;
            memory.bind(in.bindings);
            const auto out = tests::run_block(*tests::make(choice, program), in);
            for (uint32_t k = 0; k < count; ++k)
              for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
                if (exec >> lane & 1) {
                  CAPTURE(tests::seed(), first, k, lane, offsets[lane]);
                  REQUIRE(out.outputs[k][lane] == word_at(memory.words[0], offsets[lane], first + k));
                }
          }
    }
}

TEST_CASE("stores write the words of their mask in lane order; helpers and lanes that do not run store nothing",
          "[memory]") {
  std::mt19937 random(tests::seed());
  for (uint32_t mask = 1; mask < 16; ++mask) {
    const auto program = std::make_shared<Program>(store_program(mask));
    for (const tests::ExecutorChoice& choice : tests::executor_choices())
      for (const BlockWords& offsets : offset_blocks(random))
        for (const uint64_t live : {~0ull, 0xf0f0ff0001ffffull}) {
          BlockInput in;
          in.inputs = {offsets};
          for (uint32_t k = 0; k < 4; ++k)
            if (mask >> k & 1) in.inputs.push_back(random_words(random));
          in.live = live;
          TestMemory memory;
          std::vector<uint32_t> expected = memory.words[0];
          for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
            for (uint32_t k = 0, value = 1; k < 4; ++k)
              if (mask >> k & 1) {
                const uint64_t word = uint64_t{offsets[lane] / 4} + k;
                if ((live >> lane & 1) != 0 && word < kWords) expected[word] = in.inputs[value][lane];
                ++value;
              }
          memory.bind(in.bindings);
          tests::run_block(*tests::make(choice, program), in);
          CAPTURE(tests::seed(), mask, offsets[0], offsets[1], live);
          REQUIRE(memory.words[0] == expected);
        }
  }
}

TEST_CASE("atomic operations update in lane order and give the words from before", "[memory]") {
  std::mt19937 random(tests::seed());
  for (const MemorySpace space : {MemorySpace::Buffer, MemorySpace::Shared, MemorySpace::Counter})
    for (uint32_t kind = 0; kind <= static_cast<uint32_t>(AtomicKind::DecWrap); ++kind) {
      const auto atomic = static_cast<AtomicKind>(kind);
      Builder b(Stage::Compute);
      Value args[arg::Count], old;
      args[arg::X] = b.input(attribute(0));
      args[arg::Value] = b.input(attribute(1));
      if (atomic == AtomicKind::CompareExchange) args[arg::Value + 1] = b.input(attribute(2));
      b.memory(Op::MemAtomic, {.space = space, .atomic = atomic}, args, {&old, 1});
      b.output(Semantic::Generic, 0, 0, old);
      const Program program = b.finish();
      REQUIRE(verify(program).ok());
      BlockInput in;
      for (uint32_t k = 0; k < program.inputs.size(); ++k) in.inputs.push_back(random_words(random));
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        in.inputs[0][lane] = lane % 13 == 5 ? kWords * 4 + lane : (lane % 7) * 4;
        if (lane % 3 == 0) in.inputs[1][lane] %= 4;
      }
      in.live = ~(1ull << 20);
      TestMemory memory;
      for (uint32_t w = 0; w < 7; ++w)
        memory.words[0][w] = w % 2 ? w : std::bit_cast<uint32_t>(1.5f * static_cast<float>(w));
      std::vector<uint32_t> expected = memory.words[0];
      BlockWords expected_old{};
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
        const uint32_t word = in.inputs[0][lane] / 4;
        if (lane == 20 || word >= kWords) continue;
        expected_old[lane] = expected[word];
        expected[word] =
            updated_word(atomic, expected[word], in.inputs[1][lane], in.inputs.size() > 2 ? in.inputs[2][lane] : 0);
      }
      memory.bind(in.bindings, space);
      const auto out = tests::run_block(program, in);
      CAPTURE(tests::seed(), kind);
      CHECK(out.outputs[0] == expected_old);
      CHECK(memory.words[0] == expected);
    }
}

TEST_CASE("atomic formulas follow the instruction texts", "[memory]") {
  struct Case { AtomicKind kind; uint32_t old, value, other, result; };
  constexpr uint32_t kOne = 0x3f800000, kTwo = 0x40000000, kNan = 0x7fc00000;
  const Case cases[] = {
      {AtomicKind::Add, 0xffffffff, 2, 0, 1},          {AtomicKind::FAdd, kOne, kOne, 0, kTwo},
      {AtomicKind::FAdd, 0x7f800000, 0xff800000, 0, kNan}, {AtomicKind::FAdd, 0xffc12345, kOne, 0, kNan},
      {AtomicKind::Exchange, 1, 2, 0, 2},              {AtomicKind::And, 12, 10, 0, 8},
      {AtomicKind::Or, 12, 10, 0, 14},                 {AtomicKind::Xor, 12, 10, 0, 6},
      {AtomicKind::UMin, 0xffffffff, 1, 0, 1},         {AtomicKind::UMax, 0xffffffff, 1, 0, 0xffffffff},
      {AtomicKind::IMin, 0xffffffff, 1, 0, 0xffffffff}, {AtomicKind::IMax, 0xffffffff, 1, 0, 1},
      {AtomicKind::CompareExchange, 5, 5, 9, 9},       {AtomicKind::CompareExchange, 5, 6, 9, 5},
      {AtomicKind::IncWrap, 3, 4, 0, 4},               {AtomicKind::IncWrap, 4, 4, 0, 0},
      {AtomicKind::IncWrap, 0xffffffff, 9, 0, 0},      {AtomicKind::DecWrap, 3, 4, 0, 2},
      {AtomicKind::DecWrap, 0, 4, 0, 0},               {AtomicKind::DecWrap, 4, 4, 0, 0},
  };
  for (const Case& c : cases) {
    CAPTURE(static_cast<int>(c.kind), c.old, c.value);
    CHECK(updated_word(c.kind, c.old, c.value, c.other) == c.result);
    uint32_t word = c.old;
    CHECK(update_atomically(&word, c.kind, c.value, c.other) == c.old);
    CHECK(word == c.result);
  }
}

TEST_CASE("an index picks the buffer a lane; beyond the bound ones loads give 0", "[memory]") {
  const TestMemory memory(3);
  const Program program = load_program(0, 2, true);
  BlockInput in;
  in.inputs.resize(2);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
    in.inputs[0][lane] = lane * 4, in.inputs[1][lane] = lane % 5 == 4 ? ~0u : lane % 5;
  memory.bind(in.bindings);
  const auto out = tests::run_block(program, in);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane)
    for (uint32_t k = 0; k < 2; ++k)
      CHECK(out.outputs[k][lane] == (lane % 5 < 3 ? memory.words[lane % 5][lane + k] : 0));
}

TEST_CASE("read-only memory keeps its words, and its atomic operations give 0", "[memory]") {
  TestMemory memory;
  memory.views[0].is_read_only = true;
  const std::vector<uint32_t> before = memory.words[0];
  BlockInput in;
  in.inputs.assign(2, BlockWords{});
  memory.bind(in.bindings);
  tests::run_block(store_program(1), in);
  CHECK(memory.words[0] == before);
}

TEST_CASE("a load between two stores sees the first; passes keep their order", "[memory]") {
  Builder b(Stage::Compute);
  Value args[arg::Count], first, second;
  args[arg::X] = b.u32(8);
  b.memory(Op::MemLoad, {}, args, {&first, 1});
  args[arg::Value] = b.u32(77);
  b.memory(Op::MemStore, {}, args, {});
  args[arg::Value] = {};
  b.memory(Op::MemLoad, {}, args, {&second, 1});
  args[arg::Value] = b.u32(78);
  b.memory(Op::MemStore, {}, args, {});
  b.output(Semantic::Generic, 0, 0, first);
  b.output(Semantic::Generic, 1, 0, second);
  Program program = b.finish();
  optimize(program);
  TestMemory memory;
  const uint32_t before = memory.words[0][2];
  BlockInput in;
  memory.bind(in.bindings);
  const auto out = tests::run_block(program, in);
  CHECK(out.outputs[0][0] == before);
  CHECK(out.outputs[1][0] == 77);
  CHECK(memory.words[0][2] == 78);
}

TEST_CASE("memory operations print and read back, and wrong ones are refused", "[memory]") {
  const std::string text = R"(stage compute
flag writes_memory
flag uses_barrier
block_size 8 4 1
memory_op Buffer binding 3 first_word 1
memory_op Image binding 2 target Tex2DArray format R32_UINT atomic CompareExchange
memory_op Shared binding 0
code
  %0 = Const 0x00000004
  %1 %2 %3 = MemLoad 0 %0 _ _ _ %0 _ _ _ _
  %4 = MemAtomic 1 %0 %0 %0 _ _ %1 %2 _ _
  MemStore 2 %0 _ _ _ _ %4 _ _ %3
  %5 %6 %7 %8 = MemSize 1 _ _ _ _ _ _ _ _ _
  MemFence
  Barrier
)";
  const Result<Program> program = parse(text);
  REQUIRE(program.ok());
  CHECK(print(*program) == text);

  struct Case { const char* text; const char* part; };
  const Case cases[] = {
      {"code\n  MemFence 0\n", "a value such as %7"},
      {"code\n  %0 = Const 1\n  MemStore 0 %0 _ _ _ _ %0 _ _ _\n", "memory operation 0; there are 0"},
      {"memory_op Buffer binding 0\ncode\n  %0 = MemLoad 0 _ _ _ _ _ _ _ _ _\n", "has no address"},
      {"memory_op Buffer binding 0\ncode\n  %0 = Const 1\n  %1 = MemLoad 0 %0\n", "takes 9 operands"},
      {"memory_op Buffer binding 0 first_word 3\ncode\n  %0 = Const 1\n  %1 %2 = MemLoad 0 %0 _ _ _ _ _ _ _ _\n",
       "results here"},
      {"memory_op Buffer binding 0\ncode\n  %0 = Const 1\n  %1 = MemAtomic 0 %0 _ _ _ _ _ _ _ _\n", "has no operand"},
      {"memory_op Buffer binding 0\ncode\n  %0 = Const 1\n  %1 = MemAtomic 0 %0 _ _ _ _ %0 %0 _ _\n",
       "takes two operands"},
      {"memory_op Buffer binding 0 atomic Nonsense\ncode\n", "an atomic operation"},
      {"memory_op Image binding 0 target Tex2D format NONSENSE\ncode\n", "a format is expected"},
  };
  for (const Case& c : cases) {
    const Result<Program> refused = parse(c.text);
    CAPTURE(c.text);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.diags()[0].text.find(c.part) != std::string::npos);
  }
}
