#include "tests/support/random_tgsi.h"

#include <fmt/format.h>

#include <string_view>

#include "shader/tgsi/opcodes.h"

namespace tessera::tests {
namespace {

using tgsi::OpcodeInfo;
using tgsi::OpGroup;
using tgsi::OpKind;

constexpr std::string_view kStages[] = {
    "FRAG\nDCL IN[0..1], GENERIC[0], PERSPECTIVE\nDCL IN[2], ARRAY(1), GENERIC[2], LINEAR, CENTROID\nDCL OUT[0], COLOR\n"
    "DCL OUT[1], POSITION\nDCL SV[0], SAMPLEID\n",
    "VERT\nDCL IN[0..1]\nDCL IN[2], ARRAY(1)\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL SV[0], VERTEXID\n",
    "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 4\nDCL SV[0], THREAD_ID\nDCL MEMORY[0], SHARED\nDCL MEMORY[1], PRIVATE\n"
    "DCL MEMORY[2], INPUT\n",
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE LINES\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\nPROPERTY GS_MAX_OUTPUT_VERTICES 4\n"
    "DCL IN[][0..1], GENERIC[0]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0], STREAM(0, 1, 2, 3)\nDCL SV[0], INVOCATIONID\n",
    "TESS_CTRL\nPROPERTY TCS_VERTICES_OUT 3\nDCL IN[][0..1], GENERIC[0]\nDCL OUT[][0], GENERIC[0]\nDCL OUT[1], PATCH\n"
    "DCL SV[0], INVOCATIONID\n",
    "TESS_EVAL\nPROPERTY TES_PRIM_MODE 4\nDCL IN[][0], GENERIC[0]\nDCL IN[1], PATCH\nDCL OUT[0], POSITION\n"
    "DCL OUT[1], GENERIC[0]\nDCL SV[0], TESSCOORD\n"};
constexpr std::string_view kShared =
    "DCL TEMP[0..3]\nDCL TEMP[4..7], ARRAY(1)\nDCL ADDR[0..1]\nDCL CONST[0..3]\nDCL CONST[1][0..3]\nDCL SAMP[0..2]\n"
    "DCL BUFFER[0..1]\nDCL CONSTBUF[0..1]\nDCL HWATOMIC[0][0..3]\nDCL IMAGE[0], 2D, PIPE_FORMAT_R32_UINT, WR\n"
    "IMM[0] FLT32 {0.5, -1, 2, 0}\nIMM[1] INT32 {0, 1, -1, 3}\n";

constexpr std::string_view kTargets[] = {"BUFFER",     "1D",       "2D",       "3D",         "CUBE",
                                         "RECT",       "1D_ARRAY", "2D_ARRAY", "CUBEARRAY",  "SHADOW1D",
                                         "SHADOW2D",   "SHADOWRECT", "SHADOWCUBE", "SHADOW1D_ARRAY", "SHADOW2D_ARRAY",
                                         "SHADOWCUBEARRAY", "2D_MSAA", "2D_ARRAY_MSAA", "UNKNOWN"};
constexpr std::string_view kValues[] = {
    "TEMP[0]", "TEMP[1]", "TEMP[3]", "TEMP[ADDR[0].x+4](1)", "TEMP[ADDR[1].y]", "IMM[0]", "IMM[1]", "IMM[ADDR[0].x]",
    "CONST[0]", "CONST[1][ADDR[0].z-1]", "CONST[ADDR[0].x][2]", "IN[0]", "IN[1]", "IN[0][0]", "IN[1][1]", "IN[ADDR[0].x]",
    "IN[ADDR[0].x](1)", "IN[ADDR[0].x][ADDR[0].y]", "SV[0]", "OUT[0]", "OUT[1]", "OUT[0][0]", "ADDR[0]"};
constexpr std::string_view kResources[] = {
    "BUFFER[0]", "BUFFER[ADDR[0].x]", "IMAGE[0]", "IMAGE[1]", "IMAGE[ADDR[0].x]", "MEMORY[0]", "MEMORY[1]", "MEMORY[2]",
    "HWATOMIC[0][1]", "HWATOMIC[0][ADDR[0].x]", "CONSTBUF[0]", "CONSTBUF[ADDR[0].x]", "TEMP[0]"};
constexpr std::string_view kSamplers[] = {"SAMP[0]", "SAMP[2]", "SAMP[ADDR[0].x]", "TEMP[1]"};
constexpr std::string_view kViews[] = {"SVIEW[0]", "SVIEW[1].yxzw", "SVIEW[ADDR[0].x]", "TEMP[0]"};
constexpr std::string_view kDestinations[] = {"TEMP[0]", "TEMP[2]", "TEMP[ADDR[0].y+4](1)", "OUT[0]", "OUT[1]", "NULL[0]",
                                              "OUT[ADDR[0].x]", "OUT[ADDR[0].x][0]"};
constexpr std::string_view kMasks[] = {"", "", ".x", ".xy", ".zw", ".yw"};
constexpr std::string_view kSwizzles[] = {"", "", ".xxxx", ".wzyx", ".y"};

uint32_t below(uint32_t n, std::mt19937& random) { return static_cast<uint32_t>(random() % n); }
bool one_in(uint32_t n, std::mt19937& random) { return below(n, random) == 0; }

template <size_t N>
std::string_view pick(const std::string_view (&from)[N], std::mt19937& random) { return from[below(N, random)]; }

std::string destination(char type, std::mt19937& random) {
  std::string_view name = pick(kDestinations, random);
  if (type == 'A') name = "ADDR[0]";
  if (type == 'R') name = pick(kResources, random);
  return fmt::format("{}{}", name, pick(kMasks, random));
}

std::string source(char type, std::mt19937& random) {
  if (one_in(12, random)) type = "SVRNOF"[below(6, random)];
  switch (type) {
    case 'S': return std::string(pick(kSamplers, random));
    case 'V': return std::string(pick(kViews, random));
    case 'R': return std::string(pick(kResources, random));
    case 'O': return "OUT[0]";
    default: break;
  }
  const std::string_view sign = one_in(6, random) ? "-" : "";
  return fmt::format("{}{}{}", sign, pick(kValues, random), pick(kSwizzles, random));
}

std::string instruction(const OpcodeInfo& info, std::mt19937& random) {
  std::string text(info.name);
  if (one_in(8, random)) text += "_SAT";
  std::string_view separator = " ";
  const auto add = [&](const std::string& operand) { text += fmt::format("{}{}", separator, operand), separator = ", "; };
  for (const char type : info.dsts) add(destination(type, random));
  const bool takes_immediate = info.name == "EMIT" || info.name == "ENDPRIM" || info.name == "MEMBAR";
  for (const char type : info.srcs) add(takes_immediate ? "IMM[1].xxxx" : source(type, random));
  const bool may_have_target = info.kind == OpKind::Memory && one_in(2, random);
  if (info.kind == OpKind::Classic || may_have_target) add(std::string(pick(kTargets, random)));
  const bool may_have_offset = info.kind == OpKind::Classic || info.kind == OpKind::Sampled;
  if (may_have_offset && one_in(4, random)) add(one_in(3, random) ? "TEMP[0].xyz" : "IMM[1].xyz");
  return text + "\n";
}

}  // namespace

std::string random_tgsi(std::mt19937& random) {
  std::string text(pick(kStages, random));
  text += kShared;
  text += fmt::format("DCL IMAGE[1], {}, WR\n", one_in(2, random) ? "2D" : "3D");
  for (uint32_t view = 0; view < 2; ++view) text += fmt::format("DCL SVIEW[{}], {}, FLOAT\n", view, pick(kTargets, random));
  const bool in_branch = one_in(3, random);
  if (in_branch) text += "UIF IMM[1].yyyy\n";
  for (uint32_t n = 1 + below(3, random); n > 0;) {
    const OpcodeInfo& info = tgsi::all_opcodes()[below(static_cast<uint32_t>(tgsi::all_opcodes().size()), random)];
    if (info.group == OpGroup::Flow) continue;
    text += instruction(info, random);
    --n;
  }
  return text + (in_branch ? "ENDIF\nEND\n" : "END\n");
}

}  // namespace tessera::tests
