#include "shader/tgsi/reference.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "shader/opcodes.h"
#include "shader/tgsi/lower.h"
#include "shader/tgsi/opcodes.h"
#include "shader/tgsi/parser.h"
#include "shader/tgsi/validate.h"

namespace tessera::tgsi {
namespace {

using ir::Op;

// The rows of ops.def that are one IR operation: how often, and which.
struct Single {
  std::string_view how;
  Op op = {};
};
constexpr Single kSingles[] = {
#define OP(name, group, signature, stages, kind, lowering) lowering,
#define EACH(op) {"each channel", Op::op}
#define SCALAR(op) {"once, from x to all channels", Op::op}
#define PAIRS(op) {"xy and zw; 32-bit words in x and z", Op::op}
#define PACKED(op) {"xy and zw; 32-bit words in x and y", Op::op}
#define BY(handler) {}
#define FLOW {}
#include "shader/tgsi/ops.def"
#undef OP
#undef EACH
#undef SCALAR
#undef PAIRS
#undef PACKED
#undef BY
#undef FLOW
};

struct Meaning {
  Opcode opcode;
  std::string_view text;
};
constexpr Meaning kMeanings[] = {
#define MEANING(opcode, text) {Opcode::Op_##opcode, text},
#include "shader/tgsi/meanings.def"
#undef MEANING
};
static_assert(std::is_sorted(std::begin(kMeanings), std::end(kMeanings),
                             [](const Meaning& a, const Meaning& b) { return a.opcode < b.opcode; }));

constexpr bool has_meaning(Opcode opcode) {
  return std::any_of(std::begin(kMeanings), std::end(kMeanings), [&](const Meaning& m) { return m.opcode == opcode; });
}
constexpr bool every_opcode_has_one_meaning() {
  for (size_t k = 0; k < std::size(kSingles); ++k)
    if (has_meaning(static_cast<Opcode>(k)) == !kSingles[k].how.empty()) return false;
  return true;
}
static_assert(every_opcode_has_one_meaning());

std::string_view type_name(char letter) {
  switch (letter) {
    case 'F': return "float";
    case 'I':
    case 'i': return "int";
    case 'U': return "uint";
    case 'B': return "bits";
    case 'D': return "double";
    case 'L': return "int64";
    case 'Q': return "uint64";
    case 'A': return "ADDR";
    case 'S': return "SAMP";
    case 'V': return "SVIEW";
    case 'R': return "resource";
    case 'N': return "IN";
    case 'O': return "OUT";
    default: return {};
  }
}

std::string operands(const OpcodeInfo& info) {
  std::string text;
  for (size_t k = 0; k < info.dsts.size(); ++k) text += fmt::format("{}{}", k ? ", " : "", type_name(info.dsts[k]));
  if (!info.dsts.empty()) text += " = ";
  for (size_t k = 0; k < info.srcs.size(); ++k)
    text += fmt::format("{}{} {}{}", k ? ", " : "", "abcde"[k], type_name(info.srcs[k]),
                        k < info.min_srcs ? "" : " (may be left out)");
  constexpr std::string_view kBehind[] = {"", ", target, offsets", ", offsets", ", qualifiers, target, format",
                                          ":label"};
  return text + std::string(kBehind[static_cast<size_t>(info.kind)]);
}

std::string_view stages(OpStages where) {
  constexpr std::string_view kNames[] = {"all", "FRAG", "GEOM", "COMP, TESS_CTRL"};
  return kNames[static_cast<size_t>(where)];
}

// ---- what the lowering makes of an opcode: a program with it is lowered ------------------------------------------

constexpr uint32_t kFirstSource = 1, kLine = 15;   // TEMP[1] is source a; the line where the instruction stands

std::string source_register(char type, size_t k) {
  if (type == 'S') return "SAMP[0]";
  if (type == 'V') return "SVIEW[0]";
  if (type == 'R') return "BUFFER[0]";
  if (type == 'N') return "IN[0]";
  return type == 'O' ? "OUT[0]" : fmt::format("TEMP[{}]", kFirstSource + k);
}

std::string sample_program(const OpcodeInfo& info, std::string_view target) {
  const bool one_constant = info.name == "EMIT" || info.name == "ENDPRIM" || info.name == "MEMBAR";
  std::string line(info.name);
  std::string_view separator = " ";
  const auto add = [&](std::string_view operand) {
    line += fmt::format("{}{}", separator, operand);
    separator = ", ";
  };
  for (const char type : info.dsts) add(type == 'A' ? "ADDR[0]" : type == 'R' ? "BUFFER[0]" : "TEMP[0]");
  for (size_t k = 0; k < info.srcs.size(); ++k) {
    const bool is_constant = one_constant || (info.name == "TG4" && k == 1);
    add(is_constant ? "IMM[0].xxxx" : source_register(info.srcs[k], k));
  }
  if (info.kind == OpKind::Classic) add(target);
  std::string_view begin = "FRAG\n\n\n\nDCL IN[0], GENERIC[0]\nDCL OUT[0], COLOR\n";
  if (info.stages == OpStages::GeometryOnly)
    begin = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE POINTS\n"
            "PROPERTY GS_MAX_OUTPUT_VERTICES 4\nDCL IN[][0], GENERIC[0]\nDCL OUT[0], POSITION\n";
  if (info.stages == OpStages::WorkGroupOnly) begin = "COMP\n\n\n\n\n\n";
  return fmt::format(
      "{}DCL TEMP[0..9]\nDCL ADDR[0]\nDCL SAMP[0]\nDCL SVIEW[0], {}, FLOAT\nDCL BUFFER[0]\nDCL CONST[0]\n"
      "IMM[0] UINT32 {{0, 0, 0, 0}}\n\n{}\nEND\n",
      begin, target, line);
}

// The IR operations, in their order, each once. Empty: the program cannot be lowered.
std::string lowered_operations(const OpcodeInfo& info, Dialect dialect) {
  for (const std::string_view target : {"2D", "2D_MSAA", "CUBEARRAY", "SHADOWCUBEARRAY"}) {
    const Result<Program> tree = parse(sample_program(info, target));
    if (!tree || !validate(*tree, dialect).empty()) continue;
    const Result<ir::Program> program = lower(*tree, {dialect});
    if (!program) return {};
    std::vector<std::string_view> names;
    for (const ir::Instr& i : program->code) {
      const std::string_view name = ir::op_info(i.op).name;
      if (i.loc.line == kLine && i.op != Op::Const && std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
    }
    return names.empty() ? "no operation" : fmt::format("{}", fmt::join(names, " "));
  }
  return {};
}

std::string lowering(const OpcodeInfo& info, const Single& single) {
  if (!single.how.empty()) return fmt::format("{}, {}", ir::op_info(single.op).name, single.how);
  if (info.group == OpGroup::Flow) return "control flow";
  const std::string current = lowered_operations(info, Dialect::Current),
                    old = lowered_operations(info, Dialect::Tgsi2007);
  if (current.empty()) return "not yet";
  return current == old ? current : fmt::format("{}; 2007: {}", current, old);
}

// A bar would end the cell.
std::string cell(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

std::string meaning(Opcode opcode) {
  if (const Single& single = kSingles[static_cast<size_t>(opcode)]; !single.how.empty())
    return cell(ir::op_info(single.op).formula);
  const auto at =
      std::find_if(std::begin(kMeanings), std::end(kMeanings), [&](const Meaning& m) { return m.opcode == opcode; });
  return cell(at->text);
}

constexpr std::string_view kIntroduction = R"(# TGSI opcodes

Made by `tessera shader reference tgsi` from `ops.def`, `meanings.def`, `../opcodes.def` and the lowering itself; a
test compares.

Every opcode belongs to both dialects, `current` and `2007`; where the older text means something else, the row says
so. a, b, c, d, e are the sources after swizzle and modifiers. A meaning without a channel letter holds for each
channel of the mask; for doubles and 64-bit integers, for each of the pairs xy and zw, low word first. ~0 is
0xffffffff. Nothing is undefined: what the instruction texts leave open has the value that stands here, or in the
page of the operation that the opcode becomes ([../OPCODES.md](../OPCODES.md)), with its error bound. `_SAT` clamps a
float result to 0..1, NaN to 0.
)";

}  // namespace

std::string opcode_reference() {
  std::string page(kIntroduction);
  OpGroup group = OpGroup::Misc;
  for (size_t k = 0; k < all_opcodes().size(); ++k) {
    const OpcodeInfo& info = all_opcodes()[k];
    if (k == 0 || info.group != group)
      page += fmt::format("\n## {}\n\n| opcode | operands | stages | meaning | lowering |\n|---|---|---|---|---|\n",
                          op_group_name(info.group));
    group = info.group;
    page += fmt::format("| {} | {} | {} | {} | {} |\n", info.name, operands(info), stages(info.stages),
                        meaning(static_cast<Opcode>(k)), lowering(info, kSingles[k]));
  }
  return page;
}

}  // namespace tessera::tgsi
