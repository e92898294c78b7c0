#include "tests/micro/opcode_programs.h"

#include <fmt/format.h>

#include <utility>

#include "shader/tgsi/opcodes.h"

namespace tessera::micro {
namespace {

using tgsi::OpcodeInfo;
using tgsi::OpGroup;
using tgsi::OpKind;
using tgsi::OpStages;

constexpr std::string_view kFragment =
    "FRAG\nDCL IN[0..7], GENERIC[0], PERSPECTIVE\nDCL OUT[0..7], COLOR\nDCL TEMP[0..1]\nDCL ADDR[0..7]\n"
    "DCL BUFFER[0]\nDCL SAMP[0..4]\nIMM[0] UINT32 {0, 1, 2, 8}\n";
constexpr std::string_view kViews =
    "DCL SVIEW[0], 2D, FLOAT\nDCL SVIEW[1], SHADOW2D, FLOAT\nDCL SVIEW[2], 2D_MSAA, FLOAT\n";
constexpr std::string_view kGeometry =
    "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
    "PROPERTY GS_MAX_OUTPUT_VERTICES 8\nDCL IN[][0], GENERIC[0]\nDCL OUT[0], GENERIC[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
    "MOV OUT[0], IN[0][0]\n";
constexpr std::string_view kCompute = "COMP\nPROPERTY CS_FIXED_BLOCK_WIDTH 64\n";

// Body(k) gives the instructions of copy k.
template <class Body>
std::string copies(Body body) {
  std::string text;
  for (uint32_t k = 0; k < kCopies; ++k) text += body(k);
  return text;
}

// ---- opcodes that stand alone --------------------------------------------------------------------------------------

struct Target { std::string_view name; Unit unit; };

Target target_of(std::string_view opcode) {
  if (opcode == "TEX2") return {"SHADOWCUBEARRAY", kDepthCubes};
  if (opcode == "TXB2" || opcode == "TXL2") return {"CUBEARRAY", kCubes};
  if (opcode.starts_with("SAMPLE_C")) return {"SHADOW2D", kDepth};
  if (opcode == "SAMPLE_I_MS" || opcode == "SAMPLE_POS" || opcode == "SAMPLE_INFO") return {"2D_MSAA", kSamples};
  return {"2D", kColor};
}

std::string destination(const OpcodeInfo& info, size_t which, uint32_t copy) {
  if (info.dsts[which] == 'A') return fmt::format("ADDR[{}]", copy);
  if (info.dsts[which] == 'R') return "BUFFER[0]";
  const std::string_view mask = info.dsts.size() == 1 ? "" : which == 0 ? ".xy" : ".zw";
  return fmt::format("OUT[{}]{}", copy, mask);
}

std::string source(const OpcodeInfo& info, size_t which, uint32_t copy) {
  const bool takes_immediate = info.name == "MEMBAR" || info.name == "EMIT" || info.name == "ENDPRIM";
  if (takes_immediate || (info.name == "TG4" && which == 1)) return "IMM[0].xxxx";
  switch (info.srcs[which]) {
    case 'S': return fmt::format("SAMP[{}]", static_cast<uint32_t>(target_of(info.name).unit));
    case 'V': return fmt::format("SVIEW[{}]", static_cast<uint32_t>(target_of(info.name).unit));
    case 'R': return "BUFFER[0]";
    case 'O': return fmt::format("OUT[{}]", copy);
    default: return fmt::format("IN[{}]", (copy + which * which + which) % kCopies);   // no two copies are the same
  }
}

std::string instruction(const OpcodeInfo& info, uint32_t copy) {
  std::string line(info.name);
  std::string_view separator = " ";
  const auto add = [&](const std::string& operand) {
    line += fmt::format("{}{}", std::exchange(separator, ", "), operand);
  };
  for (size_t k = 0; k < info.dsts.size(); ++k) add(destination(info, k, copy));
  for (size_t k = 0; k < info.srcs.size(); ++k) add(source(info, k, copy));
  if (info.kind == OpKind::Classic) line += fmt::format(", {}", target_of(info.name).name);
  line += "\n";
  return info.dsts.starts_with('A') ? line + fmt::format("MOV OUT[{0}], ADDR[{0}]\n", copy) : line;
}

std::string_view declarations(const OpcodeInfo& info) {
  if (info.stages == OpStages::GeometryOnly) return kGeometry;
  return info.stages == OpStages::WorkGroupOnly ? kCompute : kFragment;
}

Data data_of(const OpcodeInfo& info) {
  if (info.group == OpGroup::Memory || info.group == OpGroup::Atomic) return Data::Offsets;
  if (info.group == OpGroup::Fragment) return Data::Sparse;
  if (info.group != OpGroup::Texture) return Data::Floats;
  return info.srcs.starts_with('I') ? Data::Texels : Data::Coordinates;
}

OpcodeProgram program_of(const OpcodeInfo& info) {
  std::string declared(declarations(info));
  if (info.kind == OpKind::Sampled) declared += kViews;
  return {std::string(tgsi::op_group_name(info.group)), std::string(info.name), data_of(info),
          declared + copies([&](uint32_t k) { return instruction(info, k); }) + "END\n", declared + "END\n"};
}

// ---- opcodes that need others --------------------------------------------------------------------------------------

// Something that no pass takes out of its branch.
std::string work(uint32_t k) { return fmt::format("EX2 OUT[{0}].x, IN[{0}].xxxx\n", k); }
std::string more_work(uint32_t k) { return fmt::format("EX2 OUT[{0}].y, IN[{0}].yyyy\n", k); }

OpcodeProgram flow(std::string name, const std::string& text, const std::string& rest) {
  const std::string before(kFragment);
  return {"flow", std::move(name), Data::Sparse, before + text + "END\n", before + rest + "END\n"};
}

// A loop of kCopies turns.
std::string counted_loop(std::string_view body) {
  return fmt::format("MOV TEMP[1].x, IMM[0].xxxx\nBGNLOOP\nUSGE TEMP[1].y, TEMP[1].xxxx, IMM[0].wwww\n"
                     "UIF TEMP[1].yyyy\nBRK\nENDIF\nUADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\n{}ENDLOOP\n", body);
}

// The subroutine stands behind END: its number counts the instructions before it.
OpcodeProgram subroutine() {
  const std::string calls = copies([](uint32_t) { return fmt::format("CAL :{}\n", kCopies + 1); });
  OpcodeProgram program = flow("CAL BGNSUB RET ENDSUB", calls, copies([](uint32_t) { return work(0); }));
  program.text += "BGNSUB\n" + work(0) + "RET\nENDSUB\n";
  return program;
}

void add_flow(std::vector<OpcodeProgram>& programs) {
  const auto both = copies([](uint32_t k) { return work(k) + more_work(k); });
  for (const std::string_view op : {"IF", "UIF"})
    programs.push_back(flow(fmt::format("{} ENDIF", op), copies([&](uint32_t k) {
      return fmt::format("{} IN[{}].x\n{}ENDIF\n", op, k, work(k));
    }), copies(work)));
  programs.push_back(flow("UIF ELSE ENDIF", copies([](uint32_t k) {
    return fmt::format("UIF IN[{}].x\n{}ELSE\n{}ENDIF\n", k, work(k), more_work(k));
  }), both));
  programs.push_back(flow("SWITCH CASE BRK DEFAULT ENDSWITCH", copies([](uint32_t k) {
    return fmt::format("SWITCH IN[{}].x\nCASE IMM[0].x\n{}BRK\nDEFAULT\n{}ENDSWITCH\n", k, work(k), more_work(k));
  }), both));
  programs.push_back(flow("BGNLOOP UIF BRK ENDIF ENDLOOP", counted_loop(""), ""));
  programs.push_back(flow("UIF CONT ENDIF", counted_loop("UIF IN[0].x\nCONT\nENDIF\n"), counted_loop("")));
  programs.push_back(subroutine());
  programs.push_back(flow("NOP", copies([](uint32_t) { return "NOP\n"; }), ""));
}

// A quad ends with its last live lane, so each copy kills another one.
void add_kill(std::vector<OpcodeProgram>& programs, std::string_view opcode) {
  const std::string text = copies([&](uint32_t k) { return fmt::format("UIF IN[{}].xxxx\n{}\nENDIF\n", k, opcode); });
  const std::string before(kFragment);
  programs.push_back({"fragment", fmt::format("UIF {} ENDIF", opcode), Data::Sparse, before + text + "END\n",
                      before + "END\n"});
}

}  // namespace

std::vector<OpcodeProgram> opcode_programs() {
  std::vector<OpcodeProgram> programs;
  for (const OpcodeInfo& info : tgsi::all_opcodes()) {
    const bool stands_alone = info.group != OpGroup::Flow && info.name != "KILL" && info.name != "DEMOTE";
    if (stands_alone) programs.push_back(program_of(info));
  }
  add_flow(programs);
  for (const std::string_view opcode : {"KILL", "DEMOTE"}) add_kill(programs, opcode);
  return programs;
}

}  // namespace tessera::micro
