// One text or bytecode for each rule of diagnostics.def that breaks it, and where.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <set>

#include "shader/d3d9/diagnostics.h"
#include "shader/d3d9/parser.h"
#include "shader/d3d9/reader.h"
#include "shader/d3d9/validate.h"

using namespace tessera;

namespace {

struct BrokenText {
  const char* id;
  SourceLoc loc;
  std::string text;
};

struct BrokenWords {
  const char* id;
  uint32_t offset;
  std::vector<uint32_t> words;
};

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// Macros that double what they are given: 2^40 tokens.
std::string doubling_macros() {
  std::string text = "ps_2_0\n#define M0 nop nop\n";
  for (int i = 1; i <= 40; ++i) text += fmt::format("#define M{} M{} M{}\n", i, i - 1, i - 1);
  return text + "M40\n";
}

// Refused by the assembler.
std::vector<BrokenText> broken_texts() {
  return {
      {"text_too_long", {1, 1}, std::string((16 << 20) + 1, ' ')},
      {"text_too_long", {43, 1}, doubling_macros()},
      {"bad_character", {2, 9}, "ps_2_0\nmov r0, @\n"},
      {"bad_character", {2, 9}, "ps_2_0\nmov r0, \x80\n"},
      {"open_comment", {2, 4}, "ps_2_0\nmov/* r0, r1\n"},
      {"bad_directive", {2, 1}, "ps_2_0\n#foo\n"},
      {"bad_directive", {2, 1}, "ps_2_0\n#error out of order\n"},
      {"bad_directive", {2, 2}, "ps_2_0\n#define 1\n"},
      {"bad_directive", {2, 2}, "ps_2_0\n#line zero\n"},
      {"open_condition", {2, 2}, "ps_2_0\n#if 1\n"},
      {"open_condition", {2, 2}, "ps_2_0\n#endif\n"},
      {"open_condition", {4, 2}, "ps_2_0\n#if 0\n#else\n#else\n#endif\n"},
      {"bad_condition", {2, 5}, "ps_2_0\n#if )\n#endif\n"},
      {"bad_condition", {2, 2}, "ps_2_0\n#if 1 / 0\n#endif\n"},
      {"bad_macro_call", {3, 1}, "ps_2_0\n#define F(a) a\nF(mov r0\n"},
      {"bad_macro_call", {3, 9}, "ps_2_0\n#define F(a) a\nmov r0, F(c0, c1)\n"},
      {"expected_version", {1, 1}, "mov r0, r1\n"},
      {"expected_version", {1, 1}, "vs_4_0\n"},
      {"expected_token", {2, 8}, "ps_2_0\ndef c0 1, 2, 3, 4\n"},
      {"unknown_instruction", {2, 1}, "ps_2_0\nfoo r0\n"},
      {"operand_count", {2, 11}, "ps_2_0\nmov r0, r1, r2\n"},
      {"operand_count", {3, 1}, "ps_2_0\nadd r0, r1\nmov r0, r1\n"},
      {"comparison_missing", {2, 1}, "ps_3_0\nsetp p0, r0, r1\n"},
      {"unknown_modifier", {2, 1}, "ps_3_0\nmov_foo r0, r1\n"},
      {"unknown_modifier", {2, 9}, "ps_1_4\nmov r0, r1_foo\n"},
      {"unknown_register", {2, 9}, "ps_3_0\nmov r0, q1\n"},
      {"unknown_register", {2, 9}, "ps_3_0\nmov r0, r\n"},
      {"bad_index", {2, 15}, "vs_3_0\nadd r0, v0[aL - 3], r2\n"},
      {"bad_index", {2, 11}, "vs_3_0\nmov r0, c[1.5]\n"},
      {"bad_mask", {2, 8}, "ps_2_0\nmov r0.yx, r1\n"},
      {"bad_swizzle", {2, 12}, "ps_2_0\nmov r0, r1.abq\n"},
      {"bad_swizzle", {2, 12}, "ps_2_0\nmov r0, r1.xyzwx\n"},
      {"bad_number", {2, 10}, "ps_3_0\ndefi i0, 1.5, 0, 0, 0\n"},
      {"bad_number", {2, 15}, "ps_3_0\ndefi i0, -1, --1, 0, 0\n"},
      {"bad_number", {2, 9}, "ps_3_0\ndef c0, 1e99, 0, 0, 0\n"},
      {"text_after_end", {2, 5}, "ps_2_0\nend mov\n"},
      {"wrong_version", {2, 1}, "ps_2_0\nslt r0, r0, r1\n"},
      {"register_not_in_version", {2, 9}, "vs_1_1\nmov r0, s0\n"},
      {"register_number", {2, 9}, "vs_3_0\nmov r0, v17\n"},
      {"register_number", {2, 9}, "vs_3_0\nmov r0, c[2 - 3]\n"},
      {"not_writable", {2, 5}, "ps_2_0\nmov c0, r0\n"},
      {"not_readable", {2, 9}, "ps_2_0\nmov r0, oC0\n"},
      {"operand_kind", {2, 4}, "ps_3_0\nif r0\nendif\n"},
      {"relative_not_allowed", {2, 9}, "vs_3_0\nmov r0, r0[a0.x]\n"},
      {"bad_address", {2, 9}, "ps_3_0\nmov r0, v[a0.x]\n"},
      {"bad_address", {2, 9}, "vs_1_1\nmov r0, c[a0.y]\n"},
      {"modifier_not_allowed", {2, 1}, "vs_3_0\nmov_pp r0, r1\n"},
      {"modifier_not_allowed", {2, 1}, "ps_1_3\nmov_x2_x2 r0, r1\n"},
      {"modifier_not_allowed", {2, 1}, "ps_3_0\ndcl_texcoord0_sat v0\n"},
      {"source_modifier_not_allowed", {2, 9}, "ps_2_0\nmov r0, r1_x2\n"},
      {"source_modifier_not_allowed", {2, 12}, "ps_1_4\ntexld r5, -r2_dz\n"},
      {"source_modifier_not_allowed", {2, 9}, "ps_1_4\nmov r2, 2 - r0\n"},
      {"co_issue_not_allowed", {3, 1}, "vs_1_1\nadd r0, r0, r1\n+add r0, r0, r1\n"},
      {"co_issue_not_allowed", {2, 1}, "ps_1_1\n+mov r0, c0\n"},
      {"predicate_not_allowed", {2, 2}, "vs_1_1\n(p0) add r0, r0, v0\n"},
      {"bad_declaration", {2, 1}, "ps_2_x\ndcl_texcoord t0\n"},
      {"bad_declaration", {2, 1}, "ps_3_0\ndcl_texcoord16 v0\n"},
      {"bad_declaration", {2, 1}, "ps_3_0\ndcl_2d v0\n"},
      {"bad_definition", {2, 6}, "vs_3_0\ndefi c0, 1, 2, 3, 4\n"},
  };
}

// Assembled, and refused by the validator.
std::vector<BrokenText> broken_programs() {
  return {
      {"register_number", {3, 10}, "vs_3_0\ndcl_position o0\nmov o0, -c256\n"},
      {"register_number", {2, 16}, "vs_2_0\nm4x4 oPos, c0, c254\n"},
      {"declaration_after_code", {3, 1}, "ps_2_0\nmov oC0, c0\ndef c0, 1, 1, 1, 1\n"},
      {"duplicate_declaration", {3, 5}, "ps_2_0\ndcl t0\ndcl t0\nmov oC0, t0\n"},
      {"duplicate_declaration", {3, 1}, "vs_2_0\ndcl_position v0\ndcl_position v1\nmov oPos, v0\n"},
      {"undeclared_register", {2, 10}, "ps_2_0\nmov oC0, t0\n"},
      {"bad_usage", {2, 1}, "ps_3_0\ndcl_position v0\nmov oC0, v0\n"},
      {"bad_usage", {2, 1}, "vs_3_0\ndcl_position o0.xyz\nmov o0, c0\n"},
      {"position_missing", {3, 1}, "vs_2_0\nmov oD0, c0\n"},
      {"read_before_write", {2, 10}, "ps_2_0\nmov oC0, r0\n"},
      {"read_before_write", {3, 10}, "ps_2_0\nmov r0.xyz, c0\nmov oC0, r0\n"},
      {"operand_swizzle", {2, 10}, "ps_2_0\nmov oC0, c0.xyxy\n"},
      {"operand_swizzle", {2, 9}, "ps_1_3\nmov r0, c0.r\n"},
      {"operand_modifier", {3, 9}, "ps_1_1\ntex t0\nmul r0, t0_x2, t0\n"},
      {"operand_modifier", {2, 9}, "ps_1_4\nmov r0, c0_dz\n"},
      {"instruction_modifier", {2, 1}, "vs_2_0\nmov_sat oPos, c0\n"},
      {"instruction_modifier", {2, 1}, "ps_1_1\nmov_x8 r0, c0\n"},
      {"destination_mask", {2, 5}, "ps_3_0\ncrs r0, c0, c1\nmov oC0, c0\n"},
      {"destination_kind", {2, 5}, "vs_2_0\nmov a0.x, c0\nmov oPos, c0\n"},
      {"source_kind", {3, 9}, "ps_1_1\ntex t0\ncnd r0, c0, t0, t0\n"},
      {"source_kind", {3, 15}, "ps_2_0\ndcl t0\ntexld r0, t0, c1\nmov oC0, r0\n"},
      {"destination_is_source", {3, 9}, "ps_3_0\nmov r0, c0\nnrm r0, r0\nmov oC0, r0\n"},
      {"predicate_not_allowed", {2, 1}, "ps_3_0\n(p0.x) setp_gt p0, c0, c1\nmov oC0, c0\n"},
      {"open_block", {2, 1}, "ps_3_0\nif b0\nmov oC0, c0\n"},
      {"open_block", {3, 1}, "ps_3_0\nrep i0\nendif\nendrep\nmov oC0, c0\n"},
      {"open_block", {4, 1}, "ps_3_0\nif b0\nelse\nelse\nendif\nmov oC0, c0\n"},
      {"not_in_loop", {2, 1}, "ps_3_0\nbreak\nmov oC0, c0\n"},
      {"not_in_loop", {2, 11}, "vs_2_0\nmov oPos, c[aL]\n"},
      {"bad_label", {4, 1}, "vs_3_0\ndcl_position o0\nmov o0, c0\nlabel l0\nret\n"},
      {"bad_label", {5, 1}, "vs_2_0\nmov oPos, c0\nret\nlabel l0\n"},
      {"bad_call", {4, 6}, "vs_3_0\ndcl_position o0\nmov o0, c0\ncall l0\n"},
      {"bad_call", {5, 6}, "vs_2_0\nmov oPos, c0\nret\nlabel l0\ncall l0\nret\n"},
      {"nesting_too_deep", {3, 1}, "vs_2_0\nrep i0\nrep i0\nmov oPos, c0\nendrep\nendrep\n"},
      {"nesting_too_deep", {37, 1}, "vs_2_0\nmov oPos, c0\n" + repeated("if b0\nendif\n", 17)},
      {"too_many_slots", {10, 1}, "ps_1_1\n" + repeated("mov r0, c0\n", 9)},
      {"too_many_slots", {6, 1}, "ps_1_2\ntex t0\n" + repeated("cmp r0, t0, c0, c1\n", 4)},
      {"texture_order", {3, 1}, "ps_1_1\nmov r0, c0\ntex t0\n"},
      {"texture_order", {3, 5}, "ps_1_1\ntex t1\ntex t0\nmov r0, t0\n"},
      {"texture_source", {3, 12}, "ps_1_1\ntex t0\ntexbem t1, t2\nmov r0, t1\n"},
      {"texture_source", {3, 1}, "ps_1_1\ntex t0\ntexm3x2tex t1, t0\nmov r0, t1\n"},
      {"bad_pair", {3, 1}, "ps_1_1\nmov r0, c0\n+mov r1, c1\n"},
      {"bad_phase", {4, 1}, "ps_1_4\ntexld r0, t0\nphase\nphase\nmov r0, c0\n"},
      {"bad_phase", {2, 9}, "ps_1_4\nmov r0, v0\nphase\nmov r0, c0\n"},
  };
}

// Refused by the strict validator alone.
std::vector<BrokenText> strictly_broken_programs() {
  return {
      {"color_missing", {3, 1}, "ps_2_0\nmov r0, c0\n"},
      {"scalar_swizzle", {2, 9}, "ps_2_0\nrcp r0, c0\nmov oC0, r0\n"},
      {"read_ports", {2, 1}, "vs_2_0\nadd oPos, c0, c1\n"},
      {"output_by_mov", {2, 5}, "ps_2_0\nadd oC0, c0, c0\n"},
      {"output_by_mov", {4, 5}, "ps_3_0\nmov oC0, c0\nmov oDepth, c0.x\nmov oDepth, c0.x\n"},
      {"gradient_in_branch", {5, 1},
       "ps_3_0\ndcl_2d s0\ndcl_texcoord v0\nif_gt c0.x, c1.x\ntexld r0, v0, s0\nendif\nmov oC0, c0\n"},
      {"dependent_reads", {8, 1},
       "ps_2_0\ndcl t0.xy\ndcl_2d s0\ntexld r0, t0, s0\n" + repeated("texld r0, r0, s0\n", 4) + "mov oC0, r0\n"},
  };
}

constexpr uint32_t kPs2 = 0xffff0200, kVs2 = 0xfffe0200, kEnd = 0xffff;

std::vector<BrokenWords> broken_words() {
  return {
      {"truncated", 0, {}},
      {"unknown_version", 0, {0x43425844}},
      {"truncated", 1, {kPs2}},
      {"truncated", 1, {kPs2, 0x02000001, 0x800f0000}},
      {"truncated", 1, {kPs2, 0x0004fffe, 0, 0, kEnd}},
      {"truncated", 3, {0xffff0101, 0x00000001, 0x800f0000}},
      {"words_after_end", 2, {kPs2, kEnd, 0}},
      {"unknown_opcode", 1, {kPs2, 0x4b, kEnd}},
      {"unknown_opcode", 1, {kPs2, 0x77, kEnd}},
      {"reserved_bits", 1, {kPs2, 0x22000001, 0x800f0000, 0x80e40000, kEnd}},
      {"reserved_bits", 1, {kPs2, 0x8000fffe, kEnd}},
      {"reserved_bits", 2, {kPs2, 0x02000001, 0x000f0000, 0x80e40000, kEnd}},
      {"reserved_bits", 2, {kPs2, 0x02000001, 0x808f0000, 0x80e40000, kEnd}},
      {"reserved_bits", 3, {kPs2, 0x02000001, 0x800f0000, 0x8ee40000, kEnd}},
      {"reserved_bits", 2, {kPs2, 0x0200001f, 0xb8000000, 0xa00f0800, kEnd}},
      {"length_mismatch", 1, {kPs2, 0x03000001, 0x800f0000, 0x80e40000, 0x80e40000, kEnd}},
      {"length_mismatch", 1, {kPs2, 0x01000001, 0x800f0000, 0x80e40000, kEnd}},
      {"length_mismatch", 1, {0xffff0101, 0x02000001, 0x800f0000, 0x80e40000, kEnd}},
      {"unknown_register_type", 3, {kPs2, 0x02000001, 0x800f0000, 0x80e41000, kEnd}},
      {"wrong_version", 1, {kPs2, 0x0300000c, 0x800f0000, 0x80e40000, 0x80e40000, kEnd}},
      {"register_number", 3, {kPs2, 0x02000001, 0x800f0000, 0xa0e40020, kEnd}},
      {"relative_not_allowed", 3, {kVs2, 0x03000001, 0x800f0000, 0x80e42000, 0xb0000000, kEnd}},
      {"bad_address", 4, {kVs2, 0x03000001, 0x800f0000, 0xa0e42000, 0x80e40000, kEnd}},
      {"source_modifier_not_allowed", 3, {kPs2, 0x02000001, 0x800f0000, 0x82e40000, kEnd}},
      {"co_issue_not_allowed", 1, {kPs2, 0x42000001, 0x800f0000, 0x80e40000, kEnd}},
      {"predicate_not_allowed", 3, {0xffff0101, 0x10000001, 0x800f0000, 0xb0e40000, 0x80e40000, kEnd}},
      {"bad_definition", 3, {kVs2, 0x0200002f, 0xe00f0800, 2, kEnd}},
  };
}

std::set<std::string> seen;

void check_first(const std::vector<Diag>& diags, std::string_view id, SourceLoc loc) {
  REQUIRE_FALSE(diags.empty());
  INFO(format_diags(diags, "shader"));
  CHECK(diags.front().id == id);
  CHECK(fmt::format("{}:{}", diags.front().loc.line, diags.front().loc.column) ==
        fmt::format("{}:{}", loc.line, loc.column));
  seen.insert(diags.front().id);
}

void check_programs(const std::vector<BrokenText>& rows, bool strict) {
  for (const BrokenText& broken : rows) {
    INFO(broken.id << "\n" << broken.text);
    const auto program = d3d9::parse(broken.text);
    REQUIRE(program);
    if (strict) CHECK(d3d9::validate(*program).empty());
    check_first(d3d9::validate(*program, {.strict = strict}), broken.id, broken.loc);
  }
}

}  // namespace

TEST_CASE("every rule for Direct3D 9 shaders is reported with its id and place", "[d3d9]") {
  seen.clear();
  for (const BrokenText& broken : broken_texts()) {
    INFO(broken.id << "\n" << broken.text.substr(0, 300));
    const auto program = d3d9::parse(broken.text);
    REQUIRE_FALSE(program);
    check_first(program.diags(), broken.id, broken.loc);
  }
  for (const BrokenWords& broken : broken_words()) {
    INFO(fmt::format("{} {:08x}", broken.id, fmt::join(broken.words, " ")));
    const auto program = d3d9::read(broken.words);
    REQUIRE_FALSE(program);
    check_first(program.diags(), broken.id, d3d9::word_loc(broken.offset));
  }
  check_programs(broken_programs(), false);
  check_programs(strictly_broken_programs(), true);
  for (const d3d9::RuleInfo& rule : d3d9::all_rules()) {
    INFO(rule.id);
    CHECK(seen.contains(std::string(rule.id)));
  }
}

TEST_CASE("each broken statement of an assembler text is reported once", "[d3d9]") {
  const auto program = d3d9::parse("ps_2_0\nfoo r0\nmov r0, q0, r1\nmov r0, c0\nadd r0\n r1\nmov oC0, r9z\n");
  REQUIRE_FALSE(program);
  std::string ids;
  for (const Diag& diag : program.diags()) ids += fmt::format("{}:{} ", diag.loc.line, diag.id);
  CHECK(ids == "2:unknown_instruction 3:unknown_register 6:operand_count 7:unknown_register ");
}

TEST_CASE("software vertex processing has more constants than hardware", "[d3d9]") {
  const auto program = d3d9::parse("vs_2_0\nmov oPos, c8191\n");
  REQUIRE(program);
  CHECK(d3d9::validate(*program).size() == 1);
  CHECK(d3d9::validate(*program, {.software_vertices = true}).empty());
}

TEST_CASE("#line changes the lines that errors name", "[d3d9]") {
  const auto program = d3d9::parse("ps_2_0\n#line 100 \"a.psh\"\n\nfoo r0\n");
  REQUIRE_FALSE(program);
  CHECK(program.diags().front().loc == SourceLoc{101, 1});
}
