#include "shader/d3d9/printer.h"

#include <fmt/format.h>

#include <iterator>

#include "shader/d3d9/names.h"
#include "shader/d3d9/numbers.h"

namespace tessera::d3d9 {
namespace {

constexpr std::string_view kComponents = "xyzw";

class Printer {
 public:
  explicit Printer(const Program& program) : p(program) {}

  std::string run();

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void statement(const Statement& s);
  void declaration(const Declaration& d);
  void definition(const Definition& d);
  void instruction(const Instruction& inst);
  void comment(const Comment& c);
  void constants();

  void modifiers(const Destination& dst);
  void mask(uint8_t mask);
  void swizzle(uint8_t swizzle);
  void reg(const Register& reg);
  void destination(const Destination& dst);
  void source(const Source& src);

  const Program& p;
  std::string out_;
};

void Printer::modifiers(const Destination& dst) {
  static constexpr std::string_view kShifts[] = {"_d8", "_d4", "_d2", "", "_x2", "_x4", "_x8"};
  put("{}{}{}{}", kShifts[dst.shift + 3], dst.saturate ? "_sat" : "", dst.partial_precision ? "_pp" : "",
      dst.centroid ? "_centroid" : "");
}

void Printer::mask(uint8_t mask) {
  if (mask == 0xf) return;
  out_ += '.';
  for (size_t c = 0; c < 4; ++c)
    if (mask >> c & 1) out_ += kComponents[c];
}

// Without the letters at the end that only repeat.
void Printer::swizzle(uint8_t swizzle) {
  if (swizzle == kIdentitySwizzle) return;
  uint32_t count = 4;
  while (count > 1 && component_of(swizzle, count - 1) == component_of(swizzle, count - 2)) --count;
  out_ += '.';
  for (uint32_t k = 0; k < count; ++k) out_ += kComponents[component_of(swizzle, k)];
}

void Printer::reg(const Register& r) {
  if (!r.relative) {
    out_ += register_name(r.file, r.number);
    return;
  }
  put("{}[{}", file_info(r.file).text, register_name(r.address, 0));
  swizzle(r.address_swizzle);
  if (r.number) put(" + {}", r.number);
  out_ += ']';
}

void Printer::destination(const Destination& dst) {
  reg(dst.reg);
  mask(dst.mask);
}

void Printer::source(const Source& src) {
  const ModifierInfo& info = modifier_info(src.modifier);
  out_ += info.before;
  reg(src.reg);
  if (!info.after.empty()) put("_{}", info.after);
  swizzle(src.swizzle);
}

void Printer::declaration(const Declaration& d) {
  out_ += opcode_info(Opcode::Op_dcl).text;
  if (d.kind == Declaration::Kind::Semantic) put("_{}", name_of(d.usage));
  if (d.kind == Declaration::Kind::Semantic && d.usage_index) put("{}", d.usage_index);
  if (d.kind == Declaration::Kind::Sampler && d.sampler != SamplerType::None) put("_{}", name_of(d.sampler));
  modifiers(d.dst);
  out_ += ' ';
  destination(d.dst);
}

void Printer::definition(const Definition& d) {
  const DefinitionInfo& info = definition_info(d.reg.file);
  put("{} {}", opcode_info(info.opcode).text, register_name(d.reg.file, d.reg.number));
  for (size_t i = 0; i < info.words; ++i)
    put(", {}", info.file == File::ConstBool  ? (d.words[i] ? "true" : "false")
                : info.file == File::ConstInt ? integer_text(d.words[i])
                                              : float_text(d.words[i]));
}

void Printer::instruction(const Instruction& inst) {
  const OpcodeInfo& info = opcode_info(inst.opcode);
  if (inst.co_issued) out_ += "+ ";
  if (const Source* predicate = p.predicate(inst)) {
    out_ += '(';
    source(*predicate);
    out_ += ") ";
  }
  out_ += info.text;
  if (inst.comparison != Comparison::None) put("_{}", name_of(inst.comparison));
  if (inst.dst_count) modifiers(p.dsts(inst)[0]);
  std::string_view before = " ";
  for (const Destination& dst : p.dsts(inst)) {
    out_ += before;
    destination(dst);
    before = ", ";
  }
  for (const Source& src : p.srcs(inst)) {
    out_ += before;
    source(src);
    before = ", ";
  }
}

void Printer::comment(const Comment& c) { put("// a comment of {} words", c.words.size()); }

void Printer::statement(const Statement& s) {
  switch (s.kind) {
    case Statement::Kind::Declaration: declaration(p.declarations[s.index]); break;
    case Statement::Kind::Definition: definition(p.definitions[s.index]); break;
    case Statement::Kind::Instruction: instruction(p.instructions[s.index]); break;
    case Statement::Kind::Comment: comment(p.comments[s.index]); break;
  }
  out_ += '\n';
}

// What a compiler called its registers. Only printable letters are certain to stay in the line.
void Printer::constants() {
  for (const NamedConstant& constant : p.constants) {
    put("// {} ", register_name(constant.file, constant.first));
    if (constant.count > 1) put("to {} ", register_name(constant.file, constant.first + constant.count - 1u));
    for (char c : constant.name) out_ += c > ' ' && c < 0x7f && c != '\\' ? c : '?';
    out_ += '\n';
  }
}

std::string Printer::run() {
  put("{}\n", version_info(p.version).name);
  constants();
  for (const Statement& s : p.order) statement(s);
  return std::move(out_);
}

}  // namespace

std::string print(const Program& program) { return Printer(program).run(); }

}  // namespace tessera::d3d9
