// One text for each rule of diagnostics.def that breaks it, and where.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <set>

#include "shader/tgsi/compile.h"
#include "shader/tgsi/diagnostics.h"
#include "shader/tgsi/parser.h"

using namespace tessera;

namespace {

struct Broken {
  const char* id;
  SourceLoc loc;
  std::string text;
};

std::string repeated(const std::string& text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

// A subroutine that calls the next one, `count` of them.
std::string call_chain(int count) {
  std::string text = "FRAG\nCAL :2\nEND\n";
  for (int i = 0; i < count; ++i) text += fmt::format("BGNSUB\nCAL :{}\nENDSUB\n", 5 + 3 * i);
  return text + "BGNSUB\nENDSUB\n";
}

// Subroutines that each call the next one twice: 2^count instructions when put in place.
std::string call_tree(int count) {
  std::string text = "FRAG\nCAL :2\nEND\n";
  for (int i = 0; i < count; ++i) text += fmt::format("BGNSUB\nCAL :{0}\nCAL :{0}\nENDSUB\n", 6 + 4 * i);
  return text + "BGNSUB\nENDSUB\n";
}

const char kGeometry[] = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 4\n";

// Rules of the text, of declarations and of properties.
std::vector<Broken> broken_declarations() {
  return {
      {"bad_character", {2, 4}, "FRAG\nEND\r\n"},
      {"bad_stage", {1, 1}, "FRAGMENT\nEND\n"},
      {"unknown_opcode", {2, 1}, "FRAG\nFOO\nEND\n"},
      {"expected_token", {2, 8}, "FRAG\nIMM[0] FLT16 {0, 0, 0, 0}\nEND\n"},
      {"unknown_file", {2, 5}, "FRAG\nDCL TMP[0]\nEND\n"},
      {"bad_index", {4, 22}, "FRAG\nDCL TEMP[0]\nDCL ADDR[0]\nMOV TEMP[ADDR[0].x + 1], TEMP[0]\nEND\n"},
      {"index_too_large", {2, 10}, "FRAG\nDCL TEMP[65536]\nEND\n"},
      {"bad_range", {2, 10}, "FRAG\nDCL TEMP[3..1]\nEND\n"},
      {"bad_mask", {3, 13}, "FRAG\nDCL TEMP[0]\nMOV TEMP[0].yx, TEMP[0]\nEND\n"},
      {"bad_swizzle", {3, 22}, "FRAG\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0].xyq\nEND\n"},
      {"bad_modifier", {3, 15}, "FRAG\nDCL TEMP[0]\nMOV TEMP[0], |-TEMP[0]|\nEND\n"},
      {"operand_count", {3, 32}, "FRAG\nDCL TEMP[0]\nMUL TEMP[0], TEMP[0], TEMP[0], TEMP[0]\nEND\n"},
      {"target_missing", {4, 1}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], TEMP[0], SAMP[0]\nEND\n"},
      {"word_not_allowed", {3, 23}, "FRAG\nDCL TEMP[0]\nMOV TEMP[0], TEMP[0], 2D\nEND\n"},
      {"unknown_word", {2, 14}, "FRAG\nDCL TEMP[0], GLOBAL\nEND\n"},
      {"too_many_offsets", {4, 68}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], TEMP[0], SAMP[0], 2D, IMM[0], IMM[0], IMM[0], IMM[0], IMM[0]\nEND\n"},
      {"unknown_semantic", {2, 13}, "FRAG\nDCL OUT[0], COLOUR\nEND\n"},
      {"unknown_property", {2, 10}, "FRAG\nPROPERTY FS_COLOUR 1\nEND\n"},
      {"bad_property_value", {2, 26}, "FRAG\nPROPERTY FS_COORD_ORIGIN MIDDLE\nEND\n"},
      {"unknown_target", {2, 15}, "FRAG\nDCL SVIEW[0], 4D, FLOAT\nEND\n"},
      {"unknown_format", {2, 19}, "FRAG\nDCL IMAGE[0], 2D, PIPE_FORMAT_R33_UINT\nEND\n"},
      {"immediate_number", {2, 5}, "FRAG\nIMM[1] FLT32 {0, 0, 0, 0}\nEND\n"},
      {"array_id_zero", {2, 20}, "FRAG\nDCL TEMP[0], ARRAY(0)\nEND\n"},
      {"bad_immediate", {2, 22}, "FRAG\nIMM[0] UINT32 {0, 1, -2, 3}\nEND\n"},
      {"file_not_declarable", {2, 5}, "FRAG\nDCL IMM[0]\nEND\n"},
      {"declaration_after_code", {3, 5}, "FRAG\nNOP\nDCL TEMP[0]\nEND\n"},
      {"duplicate_declaration", {3, 5}, "FRAG\nDCL TEMP[0..3]\nDCL TEMP[3]\nEND\n"},
      {"duplicate_semantic", {3, 5}, "FRAG\nDCL OUT[0], COLOR\nDCL OUT[1], COLOR\nEND\n"},
      {"duplicate_array", {3, 5}, "FRAG\nDCL TEMP[0], ARRAY(1)\nDCL TEMP[1], ARRAY(1)\nEND\n"},
      {"array_place", {2, 5}, "FRAG\nDCL SAMP[0..3], ARRAY(1)\nEND\n"},
      {"array_place", {4, 14}, "FRAG\nDCL TEMP[0]\nDCL CONST[1][0]\nMOV TEMP[0], CONST[1](1)[0]\nEND\n"},
      {"semantic_place", {2, 5}, "FRAG\nDCL OUT[0], GENERIC[0]\nEND\n"},
      {"semantic_place", {2, 5}, "VERT\nDCL SV[0], FACE\nEND\n"},
      {"semantic_index", {2, 5}, "FRAG\nDCL OUT[0..3], COLOR[5]\nEND\n"},
      {"semantic_missing", {2, 5}, "FRAG\nDCL OUT[0]\nEND\n"},
      {"stage_mismatch", {2, 5}, "VERT\nDCL IN[0], GENERIC[0]\nEND\n"},
      {"stage_mismatch", {2, 5}, "VERT\nDCL IN[0], INVARIANT\nEND\n"},
      {"stage_mismatch", {2, 10}, "FRAG\nPROPERTY NUM_CLIPDIST_ENABLED 1\nEND\n"},
      {"stage_mismatch", {3, 17}, "FRAG\nDCL TEMP[0]\nLOAD TEMP[0].x, MEMORY[0], TEMP[0]\nEND\n"},
      {"vertex_outside", {5, 5}, std::string(kGeometry) + "DCL IN[3][0], GENERIC[0]\nEND\n"},
      {"dimension_missing", {2, 5}, "GEOM\nDCL IN[0], GENERIC[0]\nEND\n"},
      {"dimension_not_allowed", {2, 5}, "FRAG\nDCL TEMP[0][1]\nEND\n"},
      {"too_many_registers", {2, 5}, "FRAG\nDCL SAMP[128]\nEND\n"},
      {"too_many_registers", {2, 5}, "FRAG\nDCL CONSTBUF[32]\nEND\n"},
      {"too_many_registers", {4098, 1}, "FRAG\n" + repeated("IMM UINT32 {0, 0, 0, 0}\n", 4097) + "END\n"},
      {"property_range", {2, 10}, "FRAG\nPROPERTY FS_DEPTH_LAYOUT 5\nEND\n"},
      {"property_primitive", {2, 10}, "GEOM\nPROPERTY GS_INPUT_PRIMITIVE QUADS\nEND\n"},
      {"property_primitive", {2, 10}, "TESS_EVAL\nPROPERTY TES_PRIM_MODE 5\nEND\n"},
      {"property_missing", {1, 1}, "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nEND\n"},
      {"property_missing", {1, 1}, "TESS_CTRL\nEND\n"},
      {"property_missing", {2, 10}, "COMP\nPROPERTY CS_FIXED_BLOCK_HEIGHT 4\nEND\n"},
      {"duplicate_property", {3, 10}, "FRAG\nPROPERTY FS_DEPTH_LAYOUT 1\nPROPERTY FS_DEPTH_LAYOUT 2\nEND\n"},
      {"block_too_large", {3, 10}, "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\nPROPERTY CS_FIXED_BLOCK_HEIGHT 17\nEND\n"},
      {"too_many_distances", {3, 10}, "VERT\nPROPERTY NUM_CLIPDIST_ENABLED 5\nPROPERTY NUM_CULLDIST_ENABLED 4\nEND\n"},
      {"mixed_sampling", {6, 1}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nTEX TEMP[0], TEMP[0], SAMP[0], 2D\nSAMPLE TEMP[0], TEMP[0], SVIEW[0], SAMP[0]\nEND\n"},
  };
}

// Rules of operands, instructions, flow, and of what is too much.
std::vector<Broken> broken_code() {
  return {
      {"undeclared_register", {3, 14}, "FRAG\nDCL TEMP[0]\nMOV TEMP[0], TEMP[1]\nEND\n"},
      {"undeclared_array", {3, 5}, "FRAG\nDCL TEMP[0]\nMOV TEMP[0](7), TEMP[0]\nEND\n"},
      {"index_outside_array", {4, 5}, "FRAG\nDCL TEMP[0..3], ARRAY(1)\nDCL TEMP[4]\nMOV TEMP[4](1), TEMP[0]\nEND\n"},
      {"vertex_outside", {7, 14}, std::string(kGeometry) + "DCL IN[][0], GENERIC[0]\nDCL TEMP[0]\nMOV TEMP[0], IN[2][0]\nEND\n"},
      {"not_writable", {3, 5}, "FRAG\nDCL CONST[0]\nMOV CONST[0], CONST[0]\nEND\n"},
      {"not_writable", {4, 19}, "COMP\nDCL TEMP[0]\nDCL CONSTBUF[0]\nATOMUADD TEMP[0], CONSTBUF[0], TEMP[0], TEMP[0]\nEND\n"},
      {"not_writable", {4, 7}, "FRAG\nDCL TEMP[0]\nDCL CONSTBUF[0..1]\nSTORE CONSTBUF[TEMP[0].x], TEMP[0], TEMP[0]\nEND\n"},
      {"not_writable", {4, 7}, "COMP\nDCL MEMORY[0], INPUT\nDCL TEMP[0]\nSTORE MEMORY[0], TEMP[0], TEMP[0]\nEND\n"},
      {"not_readable", {4, 14}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nMOV TEMP[0], SAMP[0]\nEND\n"},
      {"operand_file", {4, 5}, "FRAG\nDCL TEMP[0]\nDCL ADDR[0]\nMOV ADDR[0], TEMP[0]\nEND\n"},
      {"operand_file", {4, 15}, "FRAG\nDCL TEMP[0]\nDCL CONSTBUF[0]\nRESQ TEMP[0], CONSTBUF[0]\nEND\n"},
      {"literal_not_allowed", {3, 14}, "FRAG\nDCL TEMP[0]\nMOV TEMP[0], 1.0\nEND\n"},
      {"modifier_not_allowed", {3, 23}, "FRAG\nDCL TEMP[0]\nAND TEMP[0], TEMP[0], |TEMP[0]|\nEND\n"},
      {"saturate_not_allowed", {3, 1}, "FRAG\nDCL TEMP[0]\nAND_SAT TEMP[0], TEMP[0], TEMP[0]\nEND\n"},
      {"pair_mask", {3, 6}, "FRAG\nDCL TEMP[0]\nDADD TEMP[0].x, TEMP[0], TEMP[0]\nEND\n"},
      {"address_register", {4, 14}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nMOV TEMP[0], TEMP[SAMP[0].x]\nEND\n"},
      {"indirect_not_allowed", {4, 6}, "FRAG\nDCL TEMP[0]\nDCL ADDR[0..1]\nUARL ADDR[ADDR[0].x], TEMP[0]\nEND\n"},
      {"indirect_not_allowed", {5, 18}, "FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nDCL ADDR[0]\nFBFETCH TEMP[0], OUT[ADDR[0].x]\nEND\n"},
      {"indirect_not_allowed", {4, 15}, "COMP\nDCL MEMORY[0..1], SHARED\nDCL TEMP[0]\nLOAD TEMP[0], MEMORY[TEMP[0].x], TEMP[0]\nEND\n"},
      {"opcode_stage", {3, 1}, "VERT\nDCL TEMP[0]\nDDX TEMP[0], TEMP[0]\nEND\n"},
      {"target_not_allowed", {4, 1}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTXP TEMP[0], TEMP[0], SAMP[0], 2D_ARRAY\nEND\n"},
      {"target_not_allowed", {2, 5}, "FRAG\nDCL IMAGE[0], SHADOW2D\nEND\n"},
      {"target_not_allowed", {5, 29}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nDCL SVIEW[0], 3D, FLOAT\nSAMPLE_C TEMP[0], TEMP[0],  SVIEW[0], SAMP[0], TEMP[0]\nEND\n"},
      {"view_type", {5, 28}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, UINT\nSAMPLE_C TEMP[0], TEMP[0], SVIEW[0], SAMP[0], TEMP[0]\nEND\n"},
      {"target_not_allowed", {4, 1}, "FRAG\nDCL TEMP[0]\nDCL IMAGE[0], 2D, WR\nATOMAND TEMP[0], IMAGE[0], TEMP[0], TEMP[0], SHADOW2D\nEND\n"},
      {"image_word", {4, 1}, "FRAG\nDCL TEMP[0]\nDCL BUFFER[0]\nLOAD TEMP[0], BUFFER[0], TEMP[0], 2D\nEND\n"},
      {"image_not_writable", {4, 7}, "FRAG\nDCL TEMP[0]\nDCL IMAGE[0], 2D\nSTORE IMAGE[0], TEMP[0], TEMP[0]\nEND\n"},
      {"image_not_writable", {4, 7}, "FRAG\nDCL TEMP[0]\nDCL IMAGE[0], 2D\nSTORE IMAGE[TEMP[0].x], TEMP[0], TEMP[0]\nEND\n"},
      {"format_mismatch", {4, 15}, "FRAG\nDCL TEMP[0]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT\nLOAD TEMP[0], IMAGE[0], TEMP[0], 2D, PIPE_FORMAT_R32_SINT\nEND\n"},
      {"atomic_format", {4, 19}, "FRAG\nDCL TEMP[0]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_FLOAT, WR\nATOMUADD TEMP[0], IMAGE[0], TEMP[0], TEMP[0]\nEND\n"},
      {"constant_operand", {6, 6}, std::string(kGeometry) + "DCL TEMP[0]\nEMIT TEMP[0].xxxx\nEND\n"},
      {"constant_range", {6, 9}, std::string(kGeometry) + "IMM[0] UINT32 {0, 4, 0, 0}\nENDPRIM IMM[0].yyyy\nEND\n"},
      {"target_mismatch", {5, 23}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nTEX TEMP[0], TEMP[0], SAMP[0], 3D\nEND\n"},
      {"target_mismatch", {5, 15}, "FRAG\nDCL TEMP[0]\nDCL IMAGE[0], 2D\nDCL IMAGE[1], 3D\nLOAD TEMP[0], IMAGE[TEMP[0].x], TEMP[0]\nEND\n"},
      {"offset_not_allowed", {4, 36}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nTEX TEMP[0], TEMP[0], SAMP[0], 2D, TEMP[0].xyz\nEND\n"},
      {"offset_not_allowed", {5, 36}, "FRAG\nDCL TEMP[0]\nDCL SAMP[0]\nIMM[0] FLT32 {1, 1, 1, 1}\nTEX TEMP[0], TEMP[0], SAMP[0], 2D, IMM[0].xyz\nEND\n"},
      {"end_missing", {3, 1}, "FRAG\nNOP\n"},
      {"unbalanced_flow", {4, 1}, "FRAG\nDCL TEMP[0]\nIF TEMP[0].x\nENDLOOP\nENDIF\nEND\n"},
      {"break_outside", {2, 1}, "FRAG\nBRK\nEND\n"},
      {"case_outside", {4, 1}, "FRAG\nDCL TEMP[0]\nSWITCH TEMP[0].x\nNOP\nENDSWITCH\nEND\n"},
      {"case_value", {4, 6}, "FRAG\nDCL TEMP[0]\nSWITCH TEMP[0].x\nCASE TEMP[0].x\nENDSWITCH\nEND\n"},
      {"case_value", {5, 6}, "FRAG\nDCL TEMP[0]\nIMM[0] FLT32 {1, 1, 1, 1}\nSWITCH TEMP[0].x\nCASE IMM[0].x\nENDSWITCH\nEND\n"},
      {"call_label", {2, 1}, "FRAG\nCAL :0\nEND\n"},
      {"recursive_call", {5, 1}, "FRAG\nCAL :2\nEND\nBGNSUB\nCAL :2\nENDSUB\n"},
      {"nesting_too_deep", {131, 1}, "FRAG\nDCL TEMP[0]\n" + repeated("UIF TEMP[0].x\n", 129) + repeated("ENDIF\n", 129) + "END\n"},
      {"nesting_too_deep", {5, 1}, call_chain(65)},
      {"program_too_large", {81, 1}, call_tree(20)},
      {"text_too_long", {1, 1}, std::string((16 << 20) + 1, ' ')},
  };
}

}  // namespace

TEST_CASE("every rule is reported with its id, line and column", "[tgsi]") {
  std::vector<Broken> texts = broken_declarations();
  for (Broken& broken : broken_code()) texts.push_back(std::move(broken));
  std::set<std::string> seen;
  for (const Broken& broken : texts) {
    INFO(broken.id << "\n" << broken.text.substr(0, 300));
    const auto program = tgsi::compile(broken.text);
    REQUIRE_FALSE(program);
    const Diag& first = program.diags().front();
    CHECK(first.id == broken.id);
    CHECK(fmt::format("{}:{}", first.loc.line, first.loc.column) == fmt::format("{}:{}", broken.loc.line, broken.loc.column));
    CHECK_FALSE(first.text.empty());
    seen.insert(first.id);
  }
  for (const tgsi::RuleInfo& rule : tgsi::all_rules()) {
    INFO(rule.id);
    CHECK(seen.contains(std::string(rule.id)));
  }
}

TEST_CASE("no two rules say the same in other words", "[tgsi]") {
  std::set<std::string_view> ids, texts;
  for (const tgsi::RuleInfo& rule : tgsi::all_rules()) {
    INFO(rule.id);
    CHECK(ids.insert(rule.id).second);
    CHECK(texts.insert(rule.text).second);
  }
}
