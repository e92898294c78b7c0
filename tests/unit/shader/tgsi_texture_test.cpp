// Which texture opcode works on which target: each of them with each target, against the specification's table.
#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "shader/tgsi/compile.h"

using namespace tessera;

namespace {

constexpr std::string_view kTargets[] = {
    "BUFFER", "1D", "2D", "3D", "CUBE", "RECT", "1D_ARRAY", "2D_ARRAY", "CUBEARRAY", "SHADOW1D", "SHADOW2D", "SHADOWRECT",
    "SHADOWCUBE", "SHADOW1D_ARRAY", "SHADOW2D_ARRAY", "SHADOWCUBEARRAY", "2D_MSAA", "2D_ARRAY_MSAA", "UNKNOWN"};

struct Row {
  std::string_view opcode, operands;
  bool takes_all;                  // but the targets named, else only those
  std::string_view targets;
};

constexpr std::string_view kNoFilter = "BUFFER 2D_MSAA 2D_ARRAY_MSAA UNKNOWN";
constexpr std::string_view kNoFilterOrSecond = "BUFFER SHADOWCUBEARRAY 2D_MSAA 2D_ARRAY_MSAA UNKNOWN";
constexpr std::string_view kWithW = "1D 2D 3D CUBE 1D_ARRAY 2D_ARRAY SHADOW1D SHADOW2D SHADOW1D_ARRAY";
constexpr std::string_view kFetched = "BUFFER 1D 2D 3D RECT 1D_ARRAY 2D_ARRAY 2D_MSAA 2D_ARRAY_MSAA";

constexpr Row kClassic[] = {
    {"TEX", "TEMP[1], SAMP[0]", true, kNoFilterOrSecond},
    {"TXP", "TEMP[1], SAMP[0]", false, "1D 2D 3D CUBE RECT SHADOW1D SHADOW2D SHADOWRECT"},
    {"TXB", "TEMP[1], SAMP[0]", false, kWithW},
    {"TXL", "TEMP[1], SAMP[0]", false, kWithW},
    {"TEX_LZ", "TEMP[1], SAMP[0]", true, kNoFilterOrSecond},
    {"TEX2", "TEMP[1], TEMP[2], SAMP[0]", false, "SHADOWCUBEARRAY"},
    {"TXB2", "TEMP[1], TEMP[2], SAMP[0]", false, "CUBEARRAY SHADOWCUBE SHADOW2D_ARRAY SHADOWCUBEARRAY"},
    {"TXL2", "TEMP[1], TEMP[2], SAMP[0]", false, "CUBEARRAY SHADOWCUBE SHADOW2D_ARRAY"},
    {"TXD", "TEMP[1], TEMP[2], TEMP[3], SAMP[0]", true, kNoFilterOrSecond},
    {"TXF", "TEMP[1], SAMP[0]", false, kFetched},
    {"TXF_LZ", "TEMP[1], SAMP[0]", false, kFetched},
    {"TXQ", "TEMP[1], SAMP[0]", true, "UNKNOWN"},
    {"TXQS", "SAMP[0]", true, "UNKNOWN"},
    {"TG4", "TEMP[1], TEMP[2], SAMP[0]", false,
     "2D CUBE RECT 2D_ARRAY CUBEARRAY SHADOW2D SHADOWRECT SHADOWCUBE SHADOW2D_ARRAY SHADOWCUBEARRAY"},
    {"LODQ", "TEMP[1], SAMP[0]", true, kNoFilter}};

constexpr Row kSampled[] = {
    {"SAMPLE", "TEMP[1], SVIEW[0], SAMP[0]", true, kNoFilter},
    {"SAMPLE_B", "TEMP[1], SVIEW[0], SAMP[0], TEMP[2]", true, kNoFilter},
    {"SAMPLE_C", "TEMP[1], SVIEW[0], SAMP[0], TEMP[2]", true, "BUFFER 3D 2D_MSAA 2D_ARRAY_MSAA UNKNOWN"},
    {"SAMPLE_C_LZ", "TEMP[1], SVIEW[0], SAMP[0], 0.5", true, "BUFFER 3D 2D_MSAA 2D_ARRAY_MSAA UNKNOWN"},
    {"SAMPLE_D", "TEMP[1], SVIEW[0], SAMP[0], TEMP[2], TEMP[3]", true, kNoFilter},
    {"SAMPLE_L", "TEMP[1], SVIEW[0], SAMP[0], TEMP[2]", true, kNoFilter},
    {"SAMPLE_I", "TEMP[1], SVIEW[0]", true,
     "CUBE CUBEARRAY SHADOWCUBE SHADOWCUBEARRAY 2D_MSAA 2D_ARRAY_MSAA UNKNOWN"},
    {"SAMPLE_I_MS", "TEMP[1], SVIEW[0], TEMP[2]", false, "2D_MSAA 2D_ARRAY_MSAA"},
    {"GATHER4", "TEMP[1], SVIEW[0], SAMP[0]", false, "2D CUBE RECT 2D_ARRAY CUBEARRAY"},
    {"SVIEWINFO", "TEMP[1], SVIEW[0]", true, "UNKNOWN"},
    {"SAMPLE_POS", "SVIEW[0], TEMP[1]", true, "UNKNOWN"},
    {"SAMPLE_INFO", "SVIEW[0]", true, "UNKNOWN"},
    {"LOD", "TEMP[1], SVIEW[0], SAMP[0]", true, kNoFilter}};

bool names(std::string_view list, std::string_view target) {
  return fmt::format(" {} ", list).find(fmt::format(" {} ", target)) != std::string::npos;
}

void check(const Row& row, std::string_view target, const std::string& declaration, std::string_view written) {
  const std::string text = fmt::format("FRAG\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\nDCL SAMP[0]\n{}{} TEMP[0], {}{}\n"
                                       "MOV OUT[0], TEMP[0]\nEND\n", declaration, row.opcode, row.operands, written);
  INFO(text);
  const auto program = tgsi::compile(text);
  CHECK(program.ok() == (names(row.targets, target) != row.takes_all));
  if (!program) CHECK(program.diags().front().id == "target_not_allowed");
}

}  // namespace

TEST_CASE("each texture opcode takes the targets of its row, and refuses the others by name", "[tgsi][texture]") {
  for (const std::string_view target : kTargets) {
    for (const Row& row : kClassic) check(row, target, "", fmt::format(", {}", target));
    for (const Row& row : kSampled) check(row, target, fmt::format("DCL SVIEW[0], {}, FLOAT\n", target), "");
  }
}
