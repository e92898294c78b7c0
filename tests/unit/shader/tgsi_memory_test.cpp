// Memory opcodes of TGSI from text to words: files, qualifiers, handles, masks.
#include <catch2/catch.hpp>

#include <cstring>
#include <map>

#include "shader/tgsi/compile.h"
#include "tests/support/shader_run.h"

using namespace tessera;
using ir::MemorySpace;

namespace {

// Memory of each space by number, and what a program leaves in it.
struct World {
  std::map<MemorySpace, std::vector<std::vector<uint32_t>>> memory;
  std::vector<std::vector<uint32_t>> constants;
  ir::Program program;

  const std::vector<uint32_t>& buffer(uint32_t n = 0) { return memory[MemorySpace::Buffer][n]; }

  void run(const std::string& body, uint64_t lanes = 15) {
    const std::string text =
        "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL SV[0], THREAD_ID\nDCL BUFFER[0]\nDCL BUFFER[1]\nDCL TEMP[0..3]\n" +
        body + "END\n";
    Result<ir::Program> compiled = tgsi::compile(text, tgsi::Dialect::Current);
    if (!compiled) FAIL(format_diags(compiled.diags(), "test", text));
    program = std::move(*compiled);
    std::vector<std::vector<MemoryView>> views;
    views.reserve(ir::kMemorySpaces);
    tests::BlockInput in;
    for (auto& [space, buffers] : memory) {
      std::vector<MemoryView>& own = views.emplace_back();
      for (std::vector<uint32_t>& words : buffers)
        own.push_back({reinterpret_cast<std::byte*>(words.data()), static_cast<uint32_t>(words.size() * 4),
                       space == MemorySpace::Arguments});
      in.bindings.memory[static_cast<size_t>(space)] = own;
    }
    in.constants = constants;
    in.exec = in.live = lanes;
    for (const ir::Input& input : program.inputs) {
      tests::BlockWords& words = in.inputs.emplace_back();
      for (uint32_t lane = 0; lane < kBlockLanes; ++lane) words[lane] = input.component == 0 ? lane : 0;
    }
    tests::run_block(program, in);
  }
};

World with_buffers(std::vector<uint32_t> first, std::vector<uint32_t> second = std::vector<uint32_t>(8)) {
  World w;
  w.memory[MemorySpace::Buffer] = {std::move(first), std::move(second)};
  return w;
}

}  // namespace

TEST_CASE("a load's swizzle reorders the words, its mask picks results; qualifiers change nothing", "[tgsi][memory]") {
  World w = with_buffers({10, 11, 12, 13, 14, 15, 16, 17});
  w.run(
      "IMM[0] UINT32 {4, 0, 16, 0}\nLOAD TEMP[0].xz, BUFFER[0].wzyx, IMM[0].xxxx, COHERENT, VOLATILE\nMOV TEMP[0].yw, "
      "IMM[0].xxxx\n"
      "STORE BUFFER[1], IMM[0].zzzz, TEMP[0], RESTRICT\n");
  CHECK(w.buffer(1) == std::vector<uint32_t>{0, 0, 0, 0, 14, 4, 12, 4});
}

TEST_CASE("the low bits of a byte offset do not count", "[tgsi][memory]") {
  World w = with_buffers({10, 11, 12, 13});
  w.run(
      "IMM[0] UINT32 {7, 0, 3, 0}\nLOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\nSTORE BUFFER[1].x, IMM[0].zzzz, "
      "TEMP[0].xxxx\n");
  CHECK(w.buffer(1)[0] == 11);
}

TEST_CASE("an indirect buffer is picked a lane", "[tgsi][memory]") {
  World w = with_buffers({10, 11, 12, 13}, {20, 21, 22, 23});
  w.memory[MemorySpace::Buffer].push_back(std::vector<uint32_t>(4));
  w.run(
      "DCL BUFFER[2]\nDCL ADDR[0]\nIMM[0] UINT32 {1, 4, 0, 0}\nAND TEMP[0].x, SV[0].xxxx, IMM[0].xxxx\nUARL ADDR[0].x, "
      "TEMP[0].xxxx\n"
      "UMUL TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\nLOAD TEMP[2].x, BUFFER[ADDR[0].x], TEMP[1].xxxx\nSTORE BUFFER[2].x, "
      "TEMP[1].xxxx, TEMP[2].xxxx\n");
  CHECK(w.buffer(2) == std::vector<uint32_t>{10, 21, 12, 23});
}

TEST_CASE("a register in place of a buffer holds its number", "[tgsi][memory]") {
  World w = with_buffers({10, 11, 12, 13});
  w.run(
      "IMM[0] UINT32 {1, 4, 0, 100}\nIMG2HND TEMP[3].xy, BUFFER[1]\nUMUL TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\nMOV "
      "TEMP[2].x, IMM[0].zzzz\n"
      "LOAD TEMP[0].x, TEMP[2].xxxx, TEMP[1].xxxx\nATOMUADD TEMP[0].y, TEMP[2].xxxx, TEMP[1].xxxx, IMM[0].wwww\n"
      "STORE TEMP[3].x, TEMP[1].xxxx, TEMP[0].xxxx\nRESQ TEMP[0].z, TEMP[2].xxxx\n");
  CHECK(w.buffer(0) == std::vector<uint32_t>{110, 111, 112, 113});
  CHECK(std::vector<uint32_t>(w.buffer(1).begin(), w.buffer(1).begin() + 4) == std::vector<uint32_t>{10, 11, 12, 13});
}

TEST_CASE("an atomic counter is the word that its register names", "[tgsi][memory]") {
  World w = with_buffers(std::vector<uint32_t>(4));
  w.memory[MemorySpace::Counter] = {{}, {1, 2, 3, 4}};
  w.run(
      "DCL HWATOMIC[1][0..3]\nIMM[0] UINT32 {8, 4, 5, 0}\nATOMUADD TEMP[0].x, HWATOMIC[1][2], IMM[0].xxxx, "
      "IMM[0].zzzz\n"
      "LOAD TEMP[0].y, HWATOMIC[1][3], IMM[0].xxxx\nUMUL TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[0].x, "
      "TEMP[1].xxxx, TEMP[0].xxxx\n");
  CHECK(w.memory[MemorySpace::Counter][1] == std::vector<uint32_t>{1, 2, 23, 4});
  CHECK(w.buffer(0) == std::vector<uint32_t>{3, 8, 13, 18});
}

TEST_CASE("private memory is each lane's own, and atomic operations work on it", "[tgsi][memory]") {
  struct Case { const char* op; uint32_t old, value, other, result; };
  const Case cases[] = {{"ATOMUADD", 5, 3, 0, 8},
                        {"ATOMFADD", 0x3f800000, 0x3f800000, 0, 0x40000000},
                        {"ATOMXCHG", 5, 3, 0, 3},
                        {"ATOMAND", 12, 10, 0, 8},
                        {"ATOMOR", 12, 10, 0, 14},
                        {"ATOMXOR", 12, 10, 0, 6},
                        {"ATOMUMIN", 0xffffffff, 3, 0, 3},
                        {"ATOMUMAX", 0xffffffff, 3, 0, 0xffffffff},
                        {"ATOMIMIN", 0xffffffff, 3, 0, 0xffffffff},
                        {"ATOMIMAX", 0xffffffff, 3, 0, 3},
                        {"ATOMCAS", 5, 5, 9, 9},
                        {"ATOMCAS", 5, 6, 9, 5},
                        {"ATOMINC_WRAP", 3, 4, 0, 4},
                        {"ATOMINC_WRAP", 4, 4, 0, 0},
                        {"ATOMDEC_WRAP", 3, 4, 0, 2},
                        {"ATOMDEC_WRAP", 0, 4, 0, 0},
                        {"ATOMDEC_WRAP", 4, 4, 0, 0}};
  for (const Case& c : cases) {
    World w = with_buffers(std::vector<uint32_t>(12));
    const bool is_cas = std::string_view(c.op) == "ATOMCAS";
    w.run("DCL MEMORY[0], PRIVATE\nIMM[0] UINT32 {4, 12, " + std::to_string(c.old) + ", 0}\nIMM[1] UINT32 {" +
          std::to_string(c.value) + ", " + std::to_string(c.other) +
          ", 0, 0}\nSTORE MEMORY[0].x, IMM[0].xxxx, IMM[0].zzzz\n" + c.op +
          " TEMP[0].x, MEMORY[0], IMM[0].xxxx, IMM[1].xxxx" + (is_cas ? ", IMM[1].yyyy" : "") +
          "\nLOAD TEMP[0].y, MEMORY[0].xxxx, IMM[0].xxxx\nLOAD TEMP[0].z, MEMORY[0], IMM[0].wwww\n"
          "UMUL TEMP[1].x, SV[0].xxxx, IMM[0].yyyy\nSTORE BUFFER[0].xyz, TEMP[1].xxxx, TEMP[0]\n");
    CAPTURE(c.op, c.old);
    for (uint32_t lane = 0; lane < 4; ++lane) {
      CHECK(w.buffer(0)[lane * 3] == c.old);
      CHECK(w.buffer(0)[lane * 3 + 1] == c.result);
      CHECK(w.buffer(0)[lane * 3 + 2] == 0);   // the word at byte 8
    }
  }
}

TEST_CASE("arguments and constant buffers are loaded by byte offset", "[tgsi][memory]") {
  World w = with_buffers(std::vector<uint32_t>(4));
  w.memory[MemorySpace::Arguments] = {{7, 8}};
  w.constants = {{}, {30, 31, 32, 33}};
  w.run(
      "DCL MEMORY[0], INPUT\nDCL CONSTBUF[1]\nIMM[0] UINT32 {4, 0, 8, 0}\nLOAD TEMP[0].x, MEMORY[0], IMM[0].xxxx\n"
      "LOAD TEMP[0].y, CONSTBUF[1].xxxx, IMM[0].zzzz\nLOAD TEMP[0].z, MEMORY[0].xxxx, "
      "IMM[0].yyyy\n"
      "STORE BUFFER[0].xyz, IMM[0].yyyy, TEMP[0]\n");
  CHECK(w.buffer(0) == std::vector<uint32_t>{8, 32, 7, 0});
}

TEST_CASE("a constant buffer is picked a lane; beyond the declared ones loads give 0", "[tgsi][memory]") {
  World w = with_buffers(std::vector<uint32_t>(4));
  w.constants = {{10, 11}, {20, 21}, {30, 31}, {40, 41}};
  w.run(
      "DCL CONSTBUF[1..2]\nDCL ADDR[0]\nIMM[0] UINT32 {4, 0, 0, 0}\nUARL ADDR[0].x, SV[0].xxxx\n"
      "LOAD TEMP[0].x, CONSTBUF[ADDR[0].x].xxxx, IMM[0].xxxx\nUMUL TEMP[1].x, SV[0].xxxx, IMM[0].xxxx\n"
      "STORE BUFFER[0].x, TEMP[1].xxxx, TEMP[0]\n");
  CHECK(w.buffer(0) == std::vector<uint32_t>{0, 21, 31, 0});
}

TEST_CASE("the size of a buffer is in x, and 0 where nothing is bound", "[tgsi][memory]") {
  World w = with_buffers(std::vector<uint32_t>(4), std::vector<uint32_t>(7));
  w.run(
      "DCL BUFFER[5]\nIMM[0] UINT32 {0, 9, 9, 9}\nMOV TEMP[0], IMM[0].yyyy\nRESQ TEMP[0].xy, BUFFER[1]\nRESQ "
      "TEMP[0].w, BUFFER[5]\n"
      "STORE BUFFER[0], IMM[0].xxxx, TEMP[0]\n");
  CHECK(w.buffer(0) == std::vector<uint32_t>{28, 0, 9, 0});
}

TEST_CASE("a register in place of a sampler names a unit", "[tgsi][memory]") {
  const auto program = tgsi::compile(
      "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nDCL SAMP[2..3]\nDCL TEMP[0..1]\nSAMP2HND TEMP[0].xy, SAMP[3], "
      "2D\n"
      "TEX OUT[0], IN[0], TEMP[0], 2D\nEND\n",
      tgsi::Dialect::Current);
  if (!program) FAIL(program.diags()[0].text);
  REQUIRE(program->texture_bindings.size() >= 1);
  CHECK(program->texture_bindings.back().view == 3);
}

TEST_CASE("facts of memory reach the program: writes, barriers, the size of a group", "[tgsi][memory]") {
  World w = with_buffers(std::vector<uint32_t>(4));
  w.run("IMM[0] UINT32 {0, 0, 0, 0}\nLOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\n");
  CHECK_FALSE(w.program.writes_memory);
  CHECK_FALSE(w.program.uses_barrier);
  CHECK(w.program.block_size == std::array<uint32_t, 3>{4, 1, 1});
  w.run("IMM[0] UINT32 {0, 0, 0, 31}\nMEMBAR IMM[0].wwww\nBARRIER\nSTORE BUFFER[0].x, IMM[0].xxxx, IMM[0].wwww\n");
  CHECK(w.program.writes_memory);
  CHECK(w.program.uses_barrier);
}
