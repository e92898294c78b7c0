// TGSI text → tree → text.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "shader/tgsi/lexer.h"
#include "shader/tgsi/names.h"
#include "shader/tgsi/numbers.h"
#include "shader/tgsi/parser.h"
#include "shader/tgsi/printer.h"
#include "tests/support/data.h"

using namespace tessera;
using namespace tessera::tgsi;

namespace {

// The same token: words in either case, numbers with the same float bits.
bool same_token(const Token& a, const Token& b) {
  if (a.kind != b.kind) return false;
  if (to_upper(a.text) == to_upper(b.text)) return true;
  return a.kind == Token::Kind::Number && parse_flt32(a.text) && parse_flt32(a.text) == parse_flt32(b.text);
}

// Empty, or the first difference.
std::string token_difference(std::string_view text_a, std::string_view text_b) {
  Lexer a(text_a), b(text_b);
  for (;;) {
    const Token ta = a.next(), tb = b.next();
    if (!same_token(ta, tb)) return fmt::format("line {}: '{}' against '{}'", ta.loc.line, ta.text, tb.text);
    if (ta.kind == Token::Kind::End) return {};
  }
}

std::string round_trip_difference(std::string_view text) {
  const Result<Program> program = parse(text);
  if (!program) return format_diags(program.diags(), "text", text);
  return token_difference(text, print(*program));
}

Program parse_ok(std::string_view text) {
  const Result<Program> program = parse(text);
  INFO(text);
  if (!program) FAIL(format_diags(program.diags(), "text", text));
  return *program;
}

}  // namespace

TEST_CASE("every shader of the corpus prints back to its own tokens", "[tgsi][corpus]") {
  const auto root = tests::data_path("corpus/tgsi");
  if (!root) return;
  size_t files = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root)) {
    if (entry.path().extension() != ".tgsi") continue;
    ++files;
    const std::string difference = round_trip_difference(tests::read_file(entry.path()));
    if (!difference.empty()) FAIL_CHECK(entry.path() << ": " << difference);
  }
  CHECK(files > 0);
}

TEST_CASE("every form of declaration prints back to its own tokens", "[tgsi]") {
  const char* const texts[] = {
      "FRAG\nDCL IN[1], COLOR[0], COLOR, CENTROID\nDCL IN[2].xy, GENERIC[3], PERSPECTIVE, SAMPLE\nDCL IN[3], POSITION, LINEAR",
      "VERT\nDCL IN[2]\nDCL IN[3..5], ARRAY(1)\nDCL OUT[1].xy, CLIPDIST[1]\nDCL OUT[0], POSITION, INVARIANT",
      "GEOM\nDCL IN[][1], GENERIC[4]\nDCL IN[3][2], PATCH\nDCL OUT[0], POSITION, STREAM(0, 1, 2, 3)",
      "TESS_CTRL\nDCL OUT[][2], GENERIC[7]\nDCL OUT[0], TESSOUTER",
      "COMP\nDCL TEMP[3..9], ARRAY(2), LOCAL\nDCL CONST[1][0..15]\nDCL CONST[0..7]\nDCL SV[0], VERTEXID\nDCL SAMP[0..3]\nDCL ADDR[0]",
      "FRAG\nDCL SVIEW[2], 2D_ARRAY, UINT\nDCL SVIEW[3], SHADOWCUBEARRAY, UNORM, SNORM, SINT, FLOAT",
      "COMP\nDCL IMAGE[0], 3D, PIPE_FORMAT_R32_FLOAT, WR\nDCL IMAGE[1], BUFFER, RAW\nDCL IMAGE[2], 2D, PIPE_FORMAT_NONE",
      "COMP\nDCL BUFFER[1], ATOMIC\nDCL BUFFER[0]\nDCL MEMORY[0], SHARED\nDCL MEMORY[1]\nDCL HWATOMIC[1][4..6], ARRAY(1)",
  };
  for (const char* text : texts) CHECK(round_trip_difference(text) == "");
}

TEST_CASE("every form of instruction prints back to its own tokens", "[tgsi]") {
  const char* const lines[] = {
      "0: ADD_SAT_PRECISE TEMP[0].xyw, -|IN[0].wzyx|, |CONST[2][ADDR[0].x+5]|", "MOV OUT[0], TEMP[ADDR[0].y-4](2).xxyy",
      "MOV TEMP[ADDR[1]], IN[ADDR[0].y][1].x", "TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz, IMM[1]",
      "TXD OUT[0], IN[0], IN[1], IN[2], SAMP[0], SHADOW2D_ARRAY", "SAMPLE_C_LZ OUT[0], IN[0], SVIEW[0].xyz, SAMP[0], -0.5",
      "LOAD TEMP[0], IMAGE[1], TEMP[3], COHERENT, VOLATILE, 2D_ARRAY, PIPE_FORMAT_R32_UINT",
      "STORE BUFFER[0].xy, IN[0].x, TEMP[0], RESTRICT", "UIF TEMP[0].x :3", "CAL :12", "BGNLOOP", "KILL", "7: ENDLOOP :2",
      "DFRACEXP TEMP[0].xy, TEMP[1], TEMP[2]", "SAMPLE_INFO TEMP[0], SVIEW[0]", "SAMPLE_INFO TEMP[0], TEMP[1], TEMP[2]",
      "MOV OUT[ADDR[1].x][ADDR[0].x+1](2).w, IN[1][2]", "MEMBAR IMM[0].x", "TXF OUT[0], IN[0], SAMP[0], BUFFER",
  };
  for (const char* line : lines) CHECK(round_trip_difference(std::string("FRAG\n") + line + "\nEND\n") == "");
}

TEST_CASE("keywords are read in either case and several statements stand on one line", "[tgsi]") {
  const Program p = parse_ok("frag dcl out[0], Color mov_sat Out[ 0 ] . Xy ,-| out[0] . wZyx| nop end");
  CHECK(p.instructions.size() == 3);
  CHECK(print(p) == "FRAG\nDCL OUT[0], COLOR\n  MOV_SAT OUT[0].xy, -|OUT[0].wzyx|\n  NOP\n  END\n");
}

TEST_CASE("short swizzles repeat their last letter and rgba is xyzw", "[tgsi]") {
  const Program p = parse_ok("FRAG\nMAD TEMP[0], IN[0].y, IN[0].xz, IN[0].bgra\nEND");
  const auto swizzle = [&](size_t i) {
    const uint8_t* s = p.sources_list[i].swizzle;
    return std::vector<int>{s[0], s[1], s[2], s[3]};
  };
  CHECK(swizzle(0) == std::vector<int>{1, 1, 1, 1});
  CHECK(swizzle(1) == std::vector<int>{0, 2, 2, 2});
  CHECK(swizzle(2) == std::vector<int>{2, 1, 0, 3});
}

TEST_CASE("a target may be named like a register file", "[tgsi]") {
  const Program p = parse_ok("FRAG\nTXF TEMP[0], TEMP[1], SAMP[0], BUFFER\nLOAD TEMP[0], BUFFER[1], TEMP[2], BUFFER\nEND");
  CHECK(p.instructions[0].target == TextureTarget::Buffer);
  CHECK(p.sources_list[2].reg.file == File::Buffer);
}

TEST_CASE("float literals keep their bits", "[tgsi]") {
  CHECK(parse_flt32("1.0") == 0x3f800000);
  CHECK(parse_flt32(".5") == 0x3f000000);
  CHECK(parse_flt32("3.") == 0x40400000);
  CHECK(parse_flt32("+1e-3") == 0x3a83126f);
  CHECK(parse_flt32("-0.0") == 0x80000000);
  CHECK(parse_flt32("0x7fc00001") == 0x7fc00001);
  CHECK(parse_flt32("340282346638528859811704183484516925440.0") == 0x7f7fffff);
  CHECK(parse_flt32("1e39") == 0x7f800000);
  CHECK(parse_flt32("-1e-60") == 0x80000000);
  CHECK(parse_flt32("1.4e-45") == 0x00000001);
  for (const char* bad : {"", "inf", "nan", "1.0f", "--1", "0x3f80000", "0x3f8000000", "1e", "e5", "1..2"})
    CHECK_FALSE(parse_flt32(bad));
}

TEST_CASE("double literals take every form of the C library in any locale", "[tgsi]") {
  CHECK(parse_flt64("0.1") == 0x3fb999999999999aull);
  CHECK(parse_flt64("-2.5e-300") == 0x81bac9a7b3b7302full);
  CHECK(parse_flt64("0x1.8p3") == 0x4028000000000000ull);
  CHECK(parse_flt64("-0X1P-1074") == 0x8000000000000001ull);
  CHECK(parse_flt64("inf") == 0x7ff0000000000000ull);
  CHECK(parse_flt64("-INFINITY") == 0xfff0000000000000ull);
  CHECK(parse_flt64("nan") == 0x7ff8000000000000ull);
  CHECK(parse_flt64("1e400") == 0x7ff0000000000000ull);
  CHECK(parse_flt64("1e-400") == 0);
  CHECK_FALSE(parse_flt64("1,5"));
  CHECK_FALSE(parse_flt64("+-1"));
}

TEST_CASE("64-bit integers are read with base 0", "[tgsi]") {
  CHECK(parse_int64("-9223372036854775808") == 0x8000000000000000ull);
  CHECK(parse_int64("0x10") == 16);
  CHECK(parse_int64("017") == 15);
  CHECK(parse_uint64("18446744073709551615") == ~0ull);
  CHECK(parse_uint64("-1") == ~0ull);
  CHECK_FALSE(parse_int64("9223372036854775808"));
  CHECK_FALSE(parse_uint64("18446744073709551616"));
  CHECK_FALSE(parse_int64("08"));
}

TEST_CASE("64-bit immediates fill the pairs, low word first", "[tgsi]") {
  const Program p = parse_ok("FRAG\nIMM[0] FLT64 {1.5, inf}\nIMM INT64 {-1, 0x100000002}\nEND");
  CHECK(p.immediates[0].words[1] == 0x3ff80000);
  CHECK(p.immediates[0].words[3] == 0x7ff00000);
  CHECK(p.immediates[1].words[0] == ~0u);
  CHECK(p.immediates[1].words[2] == 2);
  CHECK(p.immediates[1].words[3] == 1);
  CHECK(round_trip_difference("FRAG IMM[0] FLT64 {1.5, -inf} IMM UINT64 {18446744073709551615, 0} END") == "");
}

TEST_CASE("every opcode of the table is found by its name", "[tgsi]") {
  CHECK(all_opcodes().size() == 251);
  for (size_t i = 0; i < all_opcodes().size(); ++i) {
    const auto found = opcode_from_name(all_opcodes()[i].name);
    REQUIRE(found);
    CHECK(static_cast<size_t>(*found) == i);
  }
  CHECK_FALSE(opcode_from_name("NOSUCH"));
  CHECK_FALSE(opcode_from_name(""));
}

TEST_CASE("all errors of a text are found, each with its place", "[tgsi]") {
  const Result<Program> p = parse("FRAG\nDCL TEMP[0..1]\nMUL TEMP[0], TEMP[1]\nFOO TEMP[0]\nMOV TEMP[0].zx, TEMP[1]\nEND\n");
  REQUIRE_FALSE(p);
  REQUIRE(p.diags().size() == 3);
  CHECK(p.diags()[0].loc == SourceLoc{3, 1});
  CHECK(p.diags()[0].text == "MUL takes 1 destination and 2 sources, found 2 operands");
  CHECK(p.diags()[1].loc == SourceLoc{4, 1});
  CHECK(p.diags()[1].id == "unknown_opcode");
  CHECK(p.diags()[2].loc == SourceLoc{5, 13});
  CHECK(p.diags()[2].id == "bad_mask");
}

TEST_CASE("a text with an error a line gives a bounded list", "[tgsi]") {
  std::string text = "FRAG\n";
  for (int i = 0; i < 1000; ++i) text += "BAD\n";
  const Result<Program> p = parse(text);
  REQUIRE_FALSE(p);
  CHECK(p.diags().size() == kMaxDiags);
}
