// Damaged texts never crash the front end: each gives a program that holds the IR's rules, or errors.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

#include "shader/tgsi/compile.h"
#include "shader/tgsi/parser.h"
#include "shader/tgsi/printer.h"
#include "shader/verify.h"
#include "tests/support/data.h"
#include "tests/support/mutations.h"
#include "tests/support/random.h"

using namespace tessera;

namespace {

const char* const kSeeds[] = {
    "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0..1]\n"
    "DCL TEMP[0..3]\nDCL TEMP[4..9], ARRAY(1), LOCAL\nDCL ADDR[0]\nDCL CONST[1][0..7]\nIMM[0] FLT32 {0.5, 1e3, -2., 0x7f800000}\n"
    "IMM[1] INT32 {0, 1, -1, 7}\n  0: TEX TEMP[0], IN[0], SAMP[ADDR[0].x], 2D, IMM[1].xyz\n  1: ARL ADDR[0].x, TEMP[0]\n"
    "  2: MOV TEMP[ADDR[0].x+4](1).xz, -|TEMP[0].wzyx|\n  3: SWITCH TEMP[0].xxxx\n  4: CASE IMM[1].xxxx\n  5: BRK\n"
    "  6: DEFAULT\n  7: MAD_SAT TEMP[1], CONST[1][ADDR[0].x-1], IMM[0], TEMP[ADDR[0].x+5](1)\n  8: ENDSWITCH\n"
    "  9: BGNLOOP\n 10: UIF TEMP[1].xxxx\n 11: BRK\n 12: ELSE\n 13: CONT\n 14: ENDIF\n 15: ENDLOOP\n 16: CAL :20\n"
    " 17: KILL_IF TEMP[1]\n 18: MOV OUT[0], TEMP[1]\n 19: END\n 20: BGNSUB\n 21: IF TEMP[1].yyyy\n 22: RET\n 23: ENDIF\n"
    " 24: DP4 TEMP[1], TEMP[2], TEMP[0]\n 25: ENDSUB\n",
    "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1].xy, GENERIC[3]\nDCL SV[0], VERTEXID\nDCL SVIEW[2], 2D_ARRAY, FLOAT\n"
    "DCL SAMP[1]\nIMM FLT64 {0x1.8p3, nan}\nIMM UINT64 {0xffffffffffffffff, 017}\nDCL TEMP[0..1]\n"
    "SAMPLE_L TEMP[0], IN[0], SVIEW[2].zyxw, SAMP[1], IN[1].xxxx\nUCMP TEMP[1], SV[0], IMM[0], -IMM[1]\nRET\n"
    "PK4UB TEMP[0].x, TEMP[1]\nMOV OUT[1].xy, TEMP[0]\nMOV OUT[0], IN[ADDR[0].x]\nEND\n",
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL SV[0], THREAD_ID\nDCL IMAGE[0], 3D, PIPE_FORMAT_R32_UINT, WR\nDCL BUFFER[0], ATOMIC\n"
    "DCL MEMORY[0], SHARED\nDCL HWATOMIC[0][0..3]\nDCL TEMP[0]\nLOAD TEMP[0], BUFFER[0], SV[0].xxxx, COHERENT\n"
    "STORE IMAGE[0].x, SV[0], TEMP[0], 3D, PIPE_FORMAT_R32_UINT\nATOMCAS TEMP[0].x, HWATOMIC[0][1], TEMP[0], TEMP[0], TEMP[0]\nEND\n",
};

void check_survives(const std::string& text) {
  if (const auto tree = tgsi::parse(text)) {
    const auto again = tgsi::parse(tgsi::print(*tree));
    if (!again) FAIL_CHECK("a printed program does not parse:\n" << text << "\n" << format_diags(again.diags(), "text"));
  }
  const auto program = tgsi::compile(text);
  if (!program) {
    CHECK_FALSE(program.diags().empty());
    return;
  }
  if (const Status rules = ir::verify(*program); !rules) FAIL_CHECK(text << "\n" << format_diags(rules.diags(), "ir"));
}

void check_mutations(const std::string& text, uint32_t seed, uint32_t count) {
  std::mt19937 random(seed);
  for (uint32_t i = 0; i < count; ++i) check_survives(tests::mutated(text, random));
}

}  // namespace

TEST_CASE("damaged texts give errors or valid programs", "[tgsi][random]") {
  CAPTURE(tests::seed());
  for (const char* text : kSeeds) check_mutations(text, tests::seed(), tests::rounds(1500));
}

TEST_CASE("damaged shaders of the corpus give errors or valid programs", "[tgsi][random][corpus]") {
  const auto root = tests::data_path("corpus/tgsi");
  if (!root) return;
  CAPTURE(tests::seed());
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root))
    if (entry.path().extension() == ".tgsi") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (uint32_t i = 0; i < files.size(); i += 37)
    check_mutations(tests::read_file(files[i]), tests::seed() + i, tests::rounds(4));
}

TEST_CASE("deep nesting is an error, not a crash", "[tgsi]") {
  for (const char* opener : {"UIF TEMP[0].x\n", "BGNLOOP\n", "SWITCH TEMP[0].x\nCASE IMM[0].x\n"}) {
    std::string text = "FRAG\nDCL TEMP[0]\nIMM[0] UINT32 {0, 1, 2, 3}\n";
    for (int i = 0; i < 100000; ++i) text += opener;
    const auto program = tgsi::compile(text + "END\n");
    REQUIRE_FALSE(program);
    CHECK(program.diags().size() <= tgsi::kMaxDiags);
  }
}
