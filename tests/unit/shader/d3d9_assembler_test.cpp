// Texts and the words that they must give, from the specification's token format; and back.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include "shader/d3d9/load.h"
#include "shader/d3d9/parser.h"
#include "shader/d3d9/preprocessor.h"
#include "shader/d3d9/printer.h"
#include "shader/d3d9/reader.h"
#include "shader/d3d9/writer.h"
#include "tests/support/d3d9_round_trip.h"

using namespace tessera;

namespace {

using Words = std::vector<uint32_t>;

struct Assembled {
  const char* text;
  Words words;                           // between the version and the end token
};

const Assembled kAssembled[] = {
    {"vs_2_0\ndcl_position v0", {0x0200001f, 0x80000000, 0x900f0000}},
    {"vs_2_0\ndef c0, 1, 0, 0, 1", {0x05000051, 0xa00f0000, 0x3f800000, 0, 0, 0x3f800000}},
    {"vs_2_0\nmova a0.x, c7.x", {0x0200002e, 0xb0010000, 0xa0000007}},
    {"vs_2_0\nmov oD0, c[a0.x + 3]", {0x03000001, 0xd00f0000, 0xa0e42003, 0xb0000000}},
    {"vs_2_0\nmov oPos, v0", {0x02000001, 0xc00f0000, 0x90e40000}},
    {"ps_2_x\n(!p0) add r2, r2, r3", {0x14000002, 0x800f0002, 0xbde41000, 0x80e40002, 0x80e40003}},
    {"VS.1.1\nMOV R0, C[A0.X + 3]", {0x00000001, 0x800f0000, 0xa0e42003}},  // no length, no address word
    {"vs_2_0\nmov r0, c5[2]", {0x02000001, 0x800f0000, 0xa0e40007}},
    {"vs_2_0\nmov r0, c[2 + 10 + 12]", {0x02000001, 0x800f0000, 0xa0e40018}},
    {"vs_2_0\nmov r0, c[5 - 2]", {0x02000001, 0x800f0000, 0xa0e40003}},
    {"vs_2_0\nmov r0, c[aL + 1]", {0x03000001, 0x800f0000, 0xa0e42001, 0xf0e40800}},
    {"vs_3_0\nmov o[a0.w + 2], r0", {0x03000001, 0xe00f2002, 0xb0ff0000, 0x80e40000}},
    {"vs_2_sw\nmov r0, c2049", {0x02000001, 0x800f0000, 0xb0e40801}},
    {"ps_1_4\ntexld r5, r2_dz", {0x00000042, 0x800f0005, 0x89e40002}},
    {"ps_1_4\ntexld r5, r2_db", {0x00000042, 0x800f0005, 0x89e40002}},
    {"ps_1_1\nmov_x4_sat r0.rgb, 1 - r1\n+mov_d2 r0.a, -v0_bx2",
     {0x00000001, 0x82170000, 0x86e40001, 0x40000001, 0x8f080000, 0x95e40000}},
    {"ps_3_0\nmov_sat_pp r0.xz, -r1_abs.wzy", {0x02000001, 0x80350000, 0x8c5b0001}},
    {"ps_3_0\ntexldp r0, v0, s3", {0x03010042, 0x800f0000, 0x90e40000, 0xa0e40803}},
    {"ps_3_0\nif_le r0.x, c1.y", {0x02060029, 0x80000000, 0xa0550001}},
    {"ps_3_0\nif !b3", {0x01000028, 0xede40803}},
    {"ps_3_0\nbreakp !p0.z", {0x01000060, 0xbdaa1000}},
    {"ps_3_0\ncallnz l2047, p0.x", {0x0200001a, 0xa0e417ff, 0xb0001000}},
    {"ps_3_0\nloop aL, i1", {0x0200001b, 0xf0e40800, 0xf0e40001}},
    {"ps_3_0\ndcl_texcoord3_centroid_pp v2.xy", {0x0200001f, 0x80030005, 0x90630002}},
    {"ps_3_0\ndcl_cube s1", {0x0200001f, 0x98000000, 0xa00f0801}},
    {"ps_3_0\ndcl s0", {0x0200001f, 0x80000000, 0xa00f0800}},
    {"ps_3_0\ndcl vFace", {0x0200001f, 0x80000000, 0x900f1001}},
    {"ps_2_0\ndcl t0.rg", {0x0200001f, 0x80000000, 0xb0030000}},
    {"vs_3_0\ndefi i1, -1, 2, 0, -2147483648", {0x05000030, 0xf00f0001, 0xffffffff, 2, 0, 0x80000000}},
    {"vs_3_0\ndefb b11, true", {0x0200002f, 0xe00f080b, 1}},
    {"vs_1_1\ndef c1, -0, .5f, 1.e1, 1.#INF", {0x00000051, 0xa00f0001, 0x80000000, 0x3f000000, 0x41200000, 0x7f800000}},
    {"vs_2_0\ndef c1, 1e-45, 3.4028235e38, 1e-50, 16777217",
     {0x05000051, 0xa00f0001, 0x00000001, 0x7f7fffff, 0, 0x4b800000}},
    {"vs_2_0 // one\nmov /* two */ r0, ; three\n r1 // \"four\n", {0x02000001, 0x800f0000, 0x80e40001}},
    {"ps_1_4\nphase\ntexdepth r5", {0x0000fffd, 0x00000057, 0x800f0005}},
    {"#define REG 1 + 2\n#define F(a, b) mov a, b\nvs_2_0\nF(r0, c[ REG ])", {0x02000001, 0x800f0000, 0xa0e40003}},
    {"#define MASK xy\nvs_2_0\nmov r0.MASK, \\\nc0", {0x02000001, 0x80030000, 0xa0e40000}},
    {"vs_2_0\n#if defined(NONE) || 2 * 3 != 6\nbroken\n#elif 1 << 2 == 4 && !defined "
     "NONE\nnop\n#else\nbroken\n#endif\nend",
     {0x00000000}},
};

std::string spell(const Words& words) { return fmt::format("{:08x}", fmt::join(words, " ")); }

}  // namespace

TEST_CASE("texts assemble to the words of the token format", "[d3d9]") {
  for (const Assembled& row : kAssembled) {
    INFO(row.text);
    const auto program = d3d9::parse(row.text);
    if (!program) FAIL(format_diags(program.diags(), "shader", row.text));
    const Words words = d3d9::write(*program);
    CHECK(spell(Words(words.begin() + 1, words.end() - 1)) == spell(row.words));
    CHECK(words.front() == d3d9::version_info(program->version).word);
    CHECK(words.back() == 0xffff);
    CHECK(tests::d3d9_text_problem(row.text).empty());
  }
}

TEST_CASE("what is printed is as short as the language allows", "[d3d9]") {
  const char* text =
      "ps_3_0\ndcl_texcoord3_pp_centroid v0.xy\ndcl_2d s0\ndef c0, 0.5, -1, 1e+20, 0x7fc00001\ndefb b0, true\n"
      "(!p0.x) mov_sat r0.xz, -v0_abs.wzy\ntexldb r1, v[aL + 2], s0\nsetp_gt p0, r0.x, c0\nif !p0.y\nendif\n";
  const auto program = d3d9::parse(text);
  if (!program) FAIL(format_diags(program.diags(), "shader", text));
  CHECK(d3d9::print(*program) == text);
}

TEST_CASE("a shader is known by its content, not by its name", "[d3d9]") {
  CHECK(d3d9::is_shader("// a comment\n#define A\nps.2.x\n"));
  CHECK(d3d9::is_shader(std::string_view("\x00\x02\xff\xff\xff\xff\x00\x00", 8)));
  CHECK_FALSE(d3d9::is_shader("VERT\nEND\n"));
  CHECK_FALSE(d3d9::is_shader(""));
  CHECK_FALSE(d3d9::is_shader(std::string_view("\xff\xff", 2)));
}

TEST_CASE("macros defined by the caller are put in", "[d3d9]") {
  const d3d9::Macro macros[] = {{"DEST", "r0"}, {"FIVE", "2 + 3"}};
  const auto program = d3d9::parse("vs_2_0\nmov DEST, c[FIVE]\n", macros);
  REQUIRE(program);
  CHECK(program->sources[0].reg.number == 5);
}

TEST_CASE("the preprocessor follows the rules of C", "[d3d9]") {
  const std::pair<const char*, const char*> rows[] = {
      {"#define a(x) x a\na(1)", "1 a"},                              // a name within its own expansion stays
      {"#define f(x) g(x)\n#define g(x) x+f\nf(1)(2)", "1+f(2)"},
      {"#define j(a, b) a##b\nj(r, 1)", "r1"},
      {"#define s(x) #x\ns(a  +b)", "\"a +b\""},
      {"#define e()\n#undef e\ne()", "e()"},
      {"#define o (1)\no", "(1)"},                                    // a space: an object, not parameters
      {"#if 0\n#if 1\n#else\n#endif\n#elif 2 > 1 ? 0\n", nullptr},
      {"#ifndef q\nx\n#else\ny\n#endif", "x"},
      {"#if -1 < 0 && ~0 == -1 && (7 % 4 ^ 1) == 2\nx\n#endif", "x"},
  };
  for (const auto& [text, want] : rows) {
    INFO(text);
    const auto got = d3d9::preprocess(text);
    CHECK(got.ok() == (want != nullptr));
    if (got && want) CHECK(*got == want);
  }
}

TEST_CASE("comments of bytecode are kept, and the constant table's names known", "[d3d9]") {
  // A table with two names: `light` of c4 and c5, `map` of s1; offsets count from the word after the tag.
  const Words table = {0x42415443, 28, 0, 0xffff0200, 2, 28, 0, 0,
                       84, 4u << 16 | 2, 2, 68, 0,      // name, register 4 of floats, count 2, type, no default
                       90, 1u << 16 | 3, 1, 68, 0,
                       3u << 16 | 1, 4u << 16 | 1, 1, 0,   // a vector of 4 floats
                       0x6867696c, 0x616d0074, 0x00000070};
  Words words = {0xffff0200, 0x0001fffe, 0xdeadbeef, 0xfffe | static_cast<uint32_t>(table.size()) << 16};
  words.insert(words.end(), table.begin(), table.end());
  words.insert(words.end(), {0x02000001, 0x800f0800, 0xa0e40000, 0x0000fffe, 0x0000ffff});
  const auto program = d3d9::read(words);
  REQUIRE(program);
  CHECK(spell(d3d9::write(*program)) == spell(words));
  REQUIRE(program->constants.size() == 2);
  CHECK(program->constants[0].name == "light");
  CHECK(program->constants[0].file == d3d9::File::Const);
  CHECK(program->constants[0].first == 4);
  CHECK(program->constants[0].count == 2);
  CHECK(program->constants[0].columns == 4);
  CHECK(program->constants[1].name == "map");
  CHECK(program->constants[1].file == d3d9::File::Sampler);
  CHECK(d3d9::print(*program).find("// c4 to c5 light\n") != std::string::npos);
  for (size_t i = 4; i < 4 + table.size(); ++i) {                      // any offset may be wrong
    for (uint32_t value : {0u, 3u, 0xffffffffu, 0x7fffffffu, 0x61616161u}) {
      Words damaged = words;
      damaged[i] = value;
      INFO(i << " " << value);
      CHECK(tests::d3d9_words_problem(damaged).empty());
    }
  }
}
