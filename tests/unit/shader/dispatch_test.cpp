// Grids of work groups: ids, sizes, barriers, shared memory, and what is refused.
#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "shader/dispatch.h"
#include "shader/executor_choice.h"
#include "shader/tgsi/compile.h"

using namespace tessera;

namespace {

std::shared_ptr<const Executable> compile(const std::string& text, ExecutorKind kind = ExecutorKind::Interpreter) {
  Result<ir::Program> program = tgsi::compile(text, tgsi::Dialect::Current);
  if (!program) FAIL(format_diags(program.diags(), "test", text));
  return make_executable(kind, std::make_shared<const ir::Program>(std::move(*program)), best_simd_target());
}

std::vector<uint32_t> run(const Executable& executable, const Grid& grid, std::vector<uint32_t> words,
                          uint32_t threads) {
  const Status ok = check_grid(executable.program(), grid);
  if (!ok) FAIL(ok.diags()[0].text);
  TaskArena arena(threads);
  const MemoryView view{reinterpret_cast<std::byte*>(words.data()), static_cast<uint32_t>(words.size() * 4), false};
  Bindings bindings;
  bindings.memory[static_cast<size_t>(ir::MemorySpace::Buffer)] = {&view, 1};
  REQUIRE(run_grid(executable, grid, bindings, 0, arena).ok());
  return words;
}

// Runs `text` with BUFFER[0] of `words`; gives the buffer afterwards, which is the same on both executors.
std::vector<uint32_t> run(const std::string& text, const Grid& grid, const std::vector<uint32_t>& words,
                          uint32_t threads = 2) {
  const std::vector<uint32_t> interpreted = run(*compile(text), grid, words, threads);
  REQUIRE(run(*compile(text, ExecutorKind::Jit), grid, words, threads) == interpreted);
  return interpreted;
}

}  // namespace

TEST_CASE("every invocation of a grid has its thread and block id, whatever the shape of groups", "[dispatch]") {
  using Size3 = std::array<uint32_t, 3>;
  struct Shape { Size3 block, groups; };
  const Shape shapes[] = {{{1, 1, 1}, {5, 1, 1}},  {{3, 1, 1}, {7, 2, 1}},  {{4, 4, 2}, {2, 3, 2}},
                          {{64, 1, 1}, {3, 1, 1}}, {{10, 7, 3}, {2, 2, 2}}, {{1024, 1, 1}, {2, 1, 1}},
                          {{6, 1, 1}, {300, 1, 1}}};
  for (const Shape& s : shapes) {
    const uint32_t total = s.block[0] * s.block[1] * s.block[2] * s.groups[0] * s.groups[1] * s.groups[2];
    const std::string text = R"(COMP
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL SV[2], BLOCK_SIZE
DCL SV[3], GRID_SIZE
DCL SV[4], WORK_DIM
DCL BUFFER[0]
DCL TEMP[0..3]
IMM[0] UINT32 {32, 16, 1000, 0}
UMAD TEMP[0].xyz, SV[1], SV[2], SV[0]
UMUL TEMP[1].xyz, SV[2], SV[3]
UMAD TEMP[2].x, TEMP[0].zzzz, TEMP[1].yyyy, TEMP[0].yyyy
UMAD TEMP[2].x, TEMP[2].xxxx, TEMP[1].xxxx, TEMP[0].xxxx
UMUL TEMP[2].x, TEMP[2].xxxx, IMM[0].xxxx
UMAD TEMP[3].xyz, SV[1], IMM[0].zzzz, SV[0]
MOV TEMP[3].w, SV[4].xxxx
STORE BUFFER[0], TEMP[2].xxxx, TEMP[3]
UADD TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy
UMAD TEMP[3].xyz, SV[2], IMM[0].zzzz, SV[3]
STORE BUFFER[0], TEMP[2].xxxx, TEMP[3]
END
)";
    Grid grid;
    grid.groups = s.groups;
    grid.block = s.block;
    grid.dimensions = 2;
    const auto words = run(text, grid, std::vector<uint32_t>(total * 8, 0xcccccccc), 3);
    const Size3 whole = {s.block[0] * s.groups[0], s.block[1] * s.groups[1], s.block[2] * s.groups[2]};
    for (uint32_t n = 0; n < total; ++n) {
      const Size3 at = {n % whole[0], n / whole[0] % whole[1], n / whole[0] / whole[1]};
      for (size_t d = 0; d < 3; ++d) {
        CAPTURE(n, d, s.block[0], s.groups[0]);
        REQUIRE(words[n * 8 + d] == at[d] / s.block[d] * 1000 + at[d] % s.block[d]);
        REQUIRE(words[n * 8 + 4 + d] == s.block[d] * 1000 + s.groups[d]);
      }
      REQUIRE(words[n * 8 + 3] == 2);
    }
  }
}

TEST_CASE("subgroups are four consecutive invocations of a group", "[dispatch]") {
  const std::string text = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 6
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL SV[2], SUBGROUP_INVOCATION
DCL BUFFER[0]
DCL TEMP[0..2]
IMM[0] UINT32 {6, 4, 1, 0}
UMAD TEMP[0].x, SV[1].xxxx, IMM[0].xxxx, SV[0].xxxx
SHL TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
READ_FIRST TEMP[1].x, SV[0].xxxx
MOV TEMP[1].y, SV[2].xxxx
BALLOT TEMP[2].xy, IMM[0].zzzz
MOV TEMP[1].z, TEMP[2].xxxx
STORE BUFFER[0].xyz, TEMP[0].xxxx, TEMP[1]
END
)";
  Grid grid;
  grid.groups = {9, 1, 1};
  const auto words = run(text, grid, std::vector<uint32_t>(9 * 6 * 4));
  for (uint32_t n = 0; n < 9 * 6; ++n) {
    const uint32_t thread = n % 6;
    CAPTURE(n);
    CHECK(words[n * 4] == thread / 4 * 4);
    CHECK(words[n * 4 + 1] == thread % 4);
    CHECK(words[n * 4 + 2] == (thread < 4 ? 15u : 3u));
  }
}

TEST_CASE("a barrier in a loop lets each turn see what the whole group stored in the turn before", "[dispatch]") {
  // A sum over the group by halving: turn k adds the word 2^k places further on.
  const std::string text = R"(COMP
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL SV[2], BLOCK_SIZE
DCL MEMORY[0], SHARED
DCL BUFFER[0]
DCL TEMP[0..4]
IMM[0] UINT32 {4, 1, 0, 2}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
UMAD TEMP[0].y, SV[1].xxxx, SV[2].xxxx, SV[0].xxxx
STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].yyyy
USHR TEMP[1].x, SV[2].xxxx, IMM[0].yyyy
BGNLOOP
  BARRIER
  USEQ TEMP[2].x, TEMP[1].xxxx, IMM[0].zzzz
  UIF TEMP[2].xxxx
    BRK
  ENDIF
  USLT TEMP[2].x, SV[0].xxxx, TEMP[1].xxxx
  UIF TEMP[2].xxxx
    UMAD TEMP[3].x, TEMP[1].xxxx, IMM[0].xxxx, TEMP[0].xxxx
    LOAD TEMP[3].x, MEMORY[0], TEMP[3].xxxx
    LOAD TEMP[4].x, MEMORY[0], TEMP[0].xxxx
    UADD TEMP[4].x, TEMP[4].xxxx, TEMP[3].xxxx
    STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[4].xxxx
  ENDIF
  USHR TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy
ENDLOOP
USEQ TEMP[2].x, SV[0].xxxx, IMM[0].zzzz
UIF TEMP[2].xxxx
  LOAD TEMP[3].x, MEMORY[0], IMM[0].zzzz
  UMUL TEMP[4].x, SV[1].xxxx, IMM[0].xxxx
  STORE BUFFER[0].x, TEMP[4].xxxx, TEMP[3].xxxx
ENDIF
END
)";
  for (const uint32_t size : {4u, 64u, 128u, 512u, 1024u}) {
    Grid grid;
    grid.groups = {5, 1, 1};
    grid.block = {size, 1, 1};
    grid.shared_bytes = size * 4;
    const auto words = run(text, grid, std::vector<uint32_t>(5));
    for (uint32_t group = 0; group < 5; ++group) {
      CAPTURE(size, group);
      CHECK(words[group] == size * (2 * group * size + size - 1) / 2);
    }
  }
}

TEST_CASE("blocks that have returned do not hold up a barrier", "[dispatch]") {
  const std::string text = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 256
DCL SV[0], THREAD_ID
DCL MEMORY[0], SHARED
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {4, 128, 0, 127}
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
STORE MEMORY[0].x, TEMP[0].xxxx, SV[0].xxxx
USGE TEMP[1].x, SV[0].xxxx, IMM[0].yyyy
UIF TEMP[1].xxxx
  RET
ENDIF
BARRIER
UADD TEMP[0].y, IMM[0].wwww, -SV[0].xxxx
UMUL TEMP[0].y, TEMP[0].yyyy, IMM[0].xxxx
LOAD TEMP[1].x, MEMORY[0], TEMP[0].yyyy
STORE BUFFER[0].x, TEMP[0].xxxx, TEMP[1].xxxx
END
)";
  const auto words = run(text, {}, std::vector<uint32_t>(128));
  for (uint32_t n = 0; n < 128; ++n) CHECK(words[n] == 127 - n);
}

TEST_CASE("shared memory begins as zeros in every group, and ends at its size", "[dispatch]") {
  const std::string text = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 64
DCL SV[0], BLOCK_ID
DCL SV[1], THREAD_ID
DCL MEMORY[0], SHARED
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {8, 1, 0, 256}
ATOMUADD TEMP[0].x, MEMORY[0], IMM[0].zzzz, IMM[0].yyyy
ATOMUADD TEMP[0].y, MEMORY[0], IMM[0].wwww, IMM[0].yyyy
BARRIER
LOAD TEMP[1].x, MEMORY[0], IMM[0].zzzz
LOAD TEMP[1].y, MEMORY[0], IMM[0].wwww
UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
STORE BUFFER[0].xy, TEMP[0].xxxx, TEMP[1]
END
)";
  Grid grid;
  grid.groups = {40, 1, 1};
  grid.shared_bytes = 256;
  const auto words = run(text, grid, std::vector<uint32_t>(80, 9));
  for (uint32_t group = 0; group < 40; ++group) {
    CHECK(words[group * 2] == 64);
    CHECK(words[group * 2 + 1] == 0);   // byte 256 is outside
  }
}

TEST_CASE("atomic sums over a large grid are complete on any number of threads", "[dispatch]") {
  const std::string text = R"(COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 100
DCL SV[0], THREAD_ID
DCL BUFFER[0]
DCL TEMP[0]
IMM[0] UINT32 {0, 1, 4, 0}
ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy
ATOMUMAX TEMP[0].x, BUFFER[0], IMM[0].zzzz, SV[0].xxxx
END
)";
  Grid grid;
  grid.groups = {100, 10, 1};
  for (const uint32_t threads : {1u, 2u, 5u}) {
    const auto words = run(text, grid, {0, 0}, threads);
    CHECK(words[0] == 100000);
    CHECK(words[1] == 99);
  }
}

TEST_CASE("a program reads the words that a dispatch passes, as many as it says it takes", "[dispatch]") {
  const auto text = [](const std::string& property) {
    return "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 1\n" + property +
           "DCL SV[0], CS_USER_DATA_AMD\nDCL BUFFER[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
           "STORE BUFFER[0], IMM[0].xxxx, SV[0]\nEND\n";
  };
  Grid grid;
  grid.user_data = {7, 0xdeadbeef, 0, 9};
  const std::vector<uint32_t> before(4, 1);
  CHECK(run(text(""), grid, before) == std::vector<uint32_t>{7, 0xdeadbeef, 0, 9});
  CHECK(run(text("PROPERTY CS_USER_DATA_COMPONENTS_AMD 2\n"), grid, before) ==
        std::vector<uint32_t>{7, 0xdeadbeef, 0, 0});
  CHECK(run(text(""), {}, before) == std::vector<uint32_t>(4, 0));
  CHECK_FALSE(tgsi::compile(text("PROPERTY CS_USER_DATA_COMPONENTS_AMD 5\n"), tgsi::Dialect::Current));
}

TEST_CASE("grids that a program cannot run on are refused with the field's name", "[dispatch]") {
  const auto open = compile("COMP\nEND\n"), fixed = compile("COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 8\nEND\n");
  struct Case { const std::shared_ptr<const Executable>& program; Grid grid; const char* part; };
  const Case cases[] = {
      {open, {}, "block.x: the program leaves it open"},
      {open, {.block = {1025, 1, 1}}, "block.x: at most 1024, found 1025"},
      {open, {.block = {1, 1, 65}}, "block.z: at most 64, found 65"},
      {open, {.block = {64, 32, 1}}, "block: at most 1024 invocations, found 2048"},
      {fixed, {.block = {4, 1, 1}}, "block.x: the program fixes 8, found 4"},
      {fixed, {.groups = {65536, 1, 1}}, "groups.x: expected 1 to 65535, found 65536"},
      {fixed, {.groups = {3, 0, 3}}, "groups.y: expected 1 to 65535, found 0"},
      {fixed, {.groups = {65535, 65535, 65535}}, "groups: at most"},
      {fixed, {.dimensions = 4}, "dimensions: expected 1 to 3, found 4"},
      {fixed, {.shared_bytes = 65540}, "shared_bytes: at most 65536, found 65540"},
  };
  for (const Case& c : cases) {
    const Status refused = check_grid(c.program->program(), c.grid);
    CAPTURE(c.part);
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.diags()[0].text.starts_with(c.part));
  }
}

TEST_CASE("an endless loop fails the dispatch when there is a budget", "[dispatch]") {
  const ExecutorKind kind = GENERATE(ExecutorKind::Interpreter, ExecutorKind::Jit);
  const auto executable = compile("COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 256\nBGNLOOP\nBARRIER\nENDLOOP\nEND\n", kind);
  TaskArena arena(2);
  const Status failed = run_grid(*executable, {.groups = {10, 1, 1}}, {}, 50, arena);
  REQUIRE_FALSE(failed.ok());
  CHECK(failed.diags()[0].id == "instruction-budget");
}
