// Compiling takes memory and work in proportion to the text, whatever the text is: work is counted in allocated bytes.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>

#include "shader/tgsi/compile.h"
#include "shader/tgsi/parser.h"
#include "tests/support/allocations.h"
#include "tests/support/data.h"

using namespace tessera;

namespace {

std::string repeated(std::string_view text, size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

struct Measured {
  size_t peak_bytes, total_bytes;
  bool compiled;
  size_t diags;
  std::string first_id;
};

Measured measure(const std::string& text) {
  const tests::AllocationMeter meter;
  const Result<ir::Program> program = tgsi::compile(text);
  Measured m{meter.peak_bytes(), meter.total_bytes(), program.ok(), 0, {}};
  if (!program) m.diags = program.diags().size(), m.first_id = program.diags().front().id;
  return m;
}

constexpr size_t kFixed_bytes = size_t{1} << 20;      // what even an empty text may take
constexpr size_t kLargestShare = 64;                  // of the text of a real shader
constexpr size_t kHostileShare = 100;                 // of any other

// Texts of n units that hurt somebody who copies, nests or declares without limit.
std::string nops(size_t n) { return "FRAG\n" + repeated("NOP\n", n) + "END\n"; }
std::string sums(size_t n) {
  return "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n" +
         repeated("MAD TEMP[1].xy, TEMP[0], IN[0], TEMP[1]\n", n) + "MOV OUT[0], TEMP[1]\nEND\n";
}
std::string constants(size_t n) {
  return "FRAG\nDCL TEMP[0]\nDCL OUT[0], COLOR\nDCL CONST[0..4095]\n" +
         repeated("ADD TEMP[0], TEMP[0], CONST[7].wzyx\n", n) + "MOV OUT[0], TEMP[0]\nEND\n";
}
std::string branches(size_t n) {
  return "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nDCL TEMP[0]\n" +
         repeated("UIF IN[0].xxxx\nADD TEMP[0], TEMP[0], IN[0]\nENDIF\n", n) + "MOV OUT[0], TEMP[0]\nEND\n";
}
std::string loops(size_t n) {
  return "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nDCL TEMP[0]\n" +
         repeated("BGNLOOP\nUIF TEMP[0].xxxx\nBRK\nENDIF\nADD TEMP[0], TEMP[0], IN[0]\nENDLOOP\n", n) +
         "MOV OUT[0], TEMP[0]\nEND\n";
}
std::string cases(size_t n) {
  std::string text = "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nDCL TEMP[0]\n";
  for (size_t i = 0; i < std::min<size_t>(n / 4 + 1, 4096); ++i)
    text += fmt::format("IMM UINT32 {{{}, {}, {}, {}}}\n", 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
  text += "SWITCH IN[0].xxxx\n";
  for (size_t i = 0; i < n; ++i)
    text += fmt::format("CASE IMM[{}].{}\nADD TEMP[0], TEMP[0], IN[0]\n", i / 4, "xyzw"[i % 4]);
  return text + "ENDSWITCH\nMOV OUT[0], TEMP[0]\nEND\n";
}
std::string subroutines(size_t n) {
  std::string text = "FRAG\nDCL TEMP[0]\n" + repeated(fmt::format("CAL :{}\n", n + 1), n) + "END\n";
  return text + "BGNSUB\nADD TEMP[0], TEMP[0], TEMP[0]\nENDSUB\n";
}
std::string textures(size_t n) {
  std::string text =
      "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL SAMP[0..127]\nIMM[0] INT32 {1, 2, 3, 4}\n";
  for (size_t i = 0; i < n; ++i)
    text += fmt::format("TEX TEMP[1], IN[0], SAMP[{}], 2D, IMM[0].{}{}x\nADD TEMP[0], TEMP[0], TEMP[1]\n", i % 128,
                        "xyzw"[i / 128 % 4], "xyzw"[i / 512 % 4]);
  return text + "MOV OUT[0], TEMP[0]\nEND\n";
}
std::string indirect_arrays(size_t n) {
  std::string text = "FRAG\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\nDCL ADDR[0]\n";
  for (size_t i = 0; i < std::min<size_t>(n, 4096); ++i) text += fmt::format("DCL TEMP[{}], ARRAY({})\n", i, i + 1);
  for (size_t i = 0; i < n; ++i)
    text += fmt::format("MOV TEMP[ADDR[0].x]({}), IN[0]\n", i % std::min<size_t>(n, 4096) + 1);
  return text + "MOV OUT[0], TEMP[0]\nEND\n";
}

struct Family {
  const char* name;
  std::string (*make)(size_t n);
};
constexpr Family kFamilies[] = {{"nops", nops}, {"sums", sums}, {"constants", constants}, {"branches", branches},
                                {"loops", loops}, {"cases", cases}, {"subroutines", subroutines},
                                {"textures", textures}, {"indirect arrays", indirect_arrays}};

// Unfinished and oversized texts: `id` is the first complaint.
struct Refused {
  const char* id;
  std::string text;
};

std::vector<Refused> refused_texts() {
  constexpr size_t kMany = 1'000'000;
  const std::string begin = "FRAG\nDCL IN[0], GENERIC[0]\nDCL TEMP[0..4095]\n";
  std::string written = begin;
  for (size_t i = 0; i < 4000; ++i) written += fmt::format("MOV TEMP[{}], IN[0]\n", i);
  return {
      {"program_too_large", nops(kMany)},
      {"index_too_large", "FRAG\nDCL TEMP[0..4294967295]\nEND\n"},
      {"bad_index", "FRAG\nDCL TEMP[0..99999999999999999999]\nEND\n"},
      {"too_many_registers", "FRAG\nDCL TEMP[0..65535]\nEND\n"},
      {"too_many_registers", "VERT\nDCL IN[0..4095]\nEND\n"},
      {"duplicate_declaration", "FRAG\n" + repeated("DCL TEMP[0..4095]\n", 200'000) + "END\n"},
      {"duplicate_property", "FRAG\n" + repeated("PROPERTY FS_DEPTH_LAYOUT 1\n", 300'000) + "END\n"},
      {"nesting_too_deep", begin + repeated("UIF TEMP[0].x\n", 400'000) + repeated("BRK\n", 400'000) + "END\n"},
      {"nesting_too_deep", begin + repeated("BGNLOOP\n", kMany)},
      {"end_missing", begin + repeated("SWITCH TEMP[0].x\nENDSWITCH\n", 100'000)},
      {"unknown_opcode", "FRAG\n" + repeated("FOO ", kMany)},
      {"unknown_opcode", "FRAG\n" + std::string(8 << 20, 'x')},
      {"bad_immediate", "FRAG\nIMM[0] FLT32 {" + std::string(8 << 20, '9') + "x, 0, 0, 0}\nEND\n"},
      {"bad_character", std::string("FRAG\n") + std::string(1 << 20, '\0') + "END\n"},
      {"unknown_opcode", "FRAG\n" + std::string(8 << 20, '(')},
      {"program_too_large", begin + "BGNLOOP\n" + written.substr(begin.size()) +
                                repeated("UIF IN[0].x\nBRK\nENDIF\n", 15000) + "ENDLOOP\nEND\n"},
      {"program_too_large",
       begin + repeated("UIF IN[0].x\n", 120) + written.substr(begin.size()) + repeated("ENDIF\n", 120) + "END\n"},
  };
}

}  // namespace

TEST_CASE("compiling takes work and memory in proportion to the text", "[tgsi][size]") {
  for (const Family& family : kFamilies) {
    INFO(family.name);
    const std::string text = family.make(1000), longer = family.make(8000);
    const Measured one = measure(text), eight = measure(longer);
    CHECK(one.compiled);
    CHECK(eight.compiled);
    CHECK(eight.total_bytes <= 12 * one.total_bytes + kFixed_bytes);
    CHECK(eight.peak_bytes <= kHostileShare * longer.size() + kFixed_bytes);
  }
}

TEST_CASE("the largest shaders of the corpus take at most 64 times their text in memory", "[tgsi][size][corpus]") {
  const auto root = tests::data_path("corpus/tgsi");
  if (!root) return;
  std::vector<std::pair<uintmax_t, std::filesystem::path>> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root))
    if (entry.path().extension() == ".tgsi") files.emplace_back(entry.file_size(), entry.path());
  std::sort(files.rbegin(), files.rend());
  for (size_t i = 0; i < std::min<size_t>(files.size(), 100); ++i) {
    const std::string text = tests::read_file(files[i].second);
    const Measured m = measure(text);
    INFO(files[i].second << ": " << text.size() << " bytes of text, " << m.peak_bytes << " at once");
    CHECK(m.peak_bytes <= kLargestShare * text.size());
  }
}

TEST_CASE("what is too much is refused with few errors and in little memory", "[tgsi][size]") {
  for (const Refused& refused : refused_texts()) {
    INFO(refused.id << ": " << refused.text.substr(0, 120));
    const Measured m = measure(refused.text);
    CHECK_FALSE(m.compiled);
    CHECK(m.first_id == refused.id);
    CHECK(m.diags <= tgsi::kMaxDiags);
    CHECK(m.peak_bytes <= kHostileShare * refused.text.size() + (size_t{200} << 20));
  }
}

TEST_CASE("a text may break off anywhere", "[tgsi][size]") {
  const std::string text =
      "FRAG\nPROPERTY FS_COORD_ORIGIN UPPER_LEFT\nDCL IN[0].xy, GENERIC[3], PERSPECTIVE, CENTROID\nDCL OUT[0], COLOR\n"
      "DCL SVIEW[0], 2D, FLOAT\nDCL SAMP[0]\nDCL TEMP[0..7], ARRAY(1), LOCAL\nDCL ADDR[0]\nDCL IMAGE[0], 3D, WR, "
      "PIPE_FORMAT_R32_UINT\n"
      "IMM[0] INT32 {0, -1, 2, 3}\nIMM[1] FLT64 {0x1.8p3, nan}\n 0: TEX_PRECISE TEMP[0], IN[0].xyyy, SAMP[0], 2D, "
      "IMM[0].xyz\n"
      " 1: UARL ADDR[0].x, IMM[0].zzzz\n 2: MAD_SAT TEMP[ADDR[0].x-1](1).xw, -|TEMP[0].wzyx|, IN[0], IMM[1]\n"
      " 3: UIF TEMP[0].xxxx :5\n 4: CAL :8\n 5: ENDIF\n 6: MOV OUT[0], TEMP[0]\n 7: END\n 8: BGNSUB\n 9: ENDSUB\n";
  REQUIRE(tgsi::parse(text).ok());
  for (size_t length = 0; length < text.size(); ++length) {
    const auto program = tgsi::compile(std::string_view(text).substr(0, length));
    if (!program) CHECK_FALSE(program.diags().empty());
    std::string with_nul = text;
    with_nul[length] = '\0';
    CHECK_FALSE(tgsi::compile(with_nul));
  }
}
