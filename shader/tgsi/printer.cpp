#include "shader/tgsi/printer.h"

#include <fmt/format.h>

#include <iterator>

#include "shader/tgsi/names.h"
#include "shader/tgsi/numbers.h"

namespace tessera::tgsi {
namespace {

constexpr char kLetters[] = "xyzw";

class Printer {
 public:
  explicit Printer(const Program& program) : program_(program) {}
  std::string run();

 private:
  template <class... Args>
  void put(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void put_property(const Property& p);
  void put_declaration(const Declaration& d);
  void put_details(const Declaration& d);
  void put_immediate(const Immediate& imm, size_t number);
  void put_instruction(const Instruction& inst);
  void put_suffixes(const Instruction& inst);
  void put_source(const Source& src);
  void put_register(const Register& reg);
  void put_index(const Index& index);
  void put_mask(uint8_t mask, bool written);
  std::string_view separator() { return std::exchange(first_operand_, false) ? " " : ", "; }

  const Program& program_;
  std::string out_;
  bool first_operand_ = true;
};

std::string Printer::run() {
  put("{}\n", name_of(kStageNames, program_.stage));
  for (const Statement& s : program_.order) {
    switch (s.kind) {
      case Statement::Kind::Property: put_property(program_.properties[s.index]); break;
      case Statement::Kind::Declaration: put_declaration(program_.declarations[s.index]); break;
      case Statement::Kind::Immediate: put_immediate(program_.immediates[s.index], s.index); break;
      case Statement::Kind::Instruction: put_instruction(program_.instructions[s.index]); break;
    }
    out_ += '\n';
  }
  return std::move(out_);
}

void Printer::put_property(const Property& p) {
  const Names values = property_value_names(property_values(static_cast<uint32_t>(p.name)));
  put("PROPERTY {} ", name_of(kPropertyNames, p.name));
  if (values.empty())
    put("{}", p.value);
  else
    put("{}", values[p.value]);
}

void Printer::put_declaration(const Declaration& d) {
  put("DCL {}", name_of(kFileNames, d.file));
  if (d.dimension_kind == Declaration::Dimension::Empty) out_ += "[]";
  if (d.dimension_kind == Declaration::Dimension::Number) put("[{}]", d.dimension);
  if (d.first == d.last)
    put("[{}]", d.first);
  else
    put("[{}..{}]", d.first, d.last);
  put_mask(d.usage_mask, d.usage_written);
  if (d.array_id) put(", ARRAY({})", d.array_id);
  put_details(d);
}

// The parts that depend on the file, in the order that reference texts have them.
void Printer::put_details(const Declaration& d) {
  if (d.semantic) put(", {}", name_of(kSemanticNames, d.semantic->name));
  if (d.semantic && d.semantic->index_written) put("[{}]", d.semantic->index);
  if (d.streams) put(", STREAM({}, {}, {}, {})", (*d.streams)[0], (*d.streams)[1], (*d.streams)[2], (*d.streams)[3]);
  if (d.target) put(", {}", name_of(kTargetNames, *d.target));
  for (uint32_t i = 0; i < d.view_type_count; ++i) put(", {}", name_of(kViewTypeNames, d.view_types[i]));
  if (d.raw) put(", RAW");
  if (d.format) put(", PIPE_FORMAT_{}", format_info(*d.format).name);
  if (d.writable) put(", WR");
  if (d.atomic) put(", ATOMIC");
  if (d.memory) put(", {}", name_of(kMemoryKindNames, *d.memory));
  if (d.interpolation) put(", {}", name_of(kInterpolationNames, *d.interpolation));
  if (d.location) put(", {}", name_of(kLocationNames, *d.location));
  if (d.invariant) put(", INVARIANT");
  if (d.local) put(", LOCAL");
}

void Printer::put_immediate(const Immediate& imm, size_t number) {
  out_ += "IMM";
  if (imm.number_written) put("[{}]", number);
  put(" {} {{", name_of(kImmediateTypeNames, imm.type));
  const bool pairs = imm.type == ImmediateType::Flt64 || imm.type == ImmediateType::Int64 || imm.type == ImmediateType::Uint64;
  for (uint32_t i = 0; i < 4; i += pairs ? 2 : 1) {
    const uint32_t word = imm.words[i];
    const uint64_t pair = pairs ? word | uint64_t{imm.words[i + 1]} << 32 : 0;
    if (i) out_ += ", ";
    switch (imm.type) {
      case ImmediateType::Flt32: out_ += print_flt32(word); break;
      case ImmediateType::Uint32: put("{}", word); break;
      case ImmediateType::Int32: put("{}", static_cast<int32_t>(word)); break;
      case ImmediateType::Flt64: out_ += print_flt64(pair); break;
      case ImmediateType::Int64: put("{}", static_cast<int64_t>(pair)); break;
      case ImmediateType::Uint64: put("{}", pair); break;
    }
  }
  out_ += '}';
}

void Printer::put_instruction(const Instruction& inst) {
  if (inst.number)
    put("{:>3}: ", *inst.number);
  else
    out_ += "  ";
  put("{}{}{}", opcode_info(inst.opcode).name, inst.saturate ? "_SAT" : "", inst.precise ? "_PRECISE" : "");
  first_operand_ = true;
  for (const Destination& dst : program_.dsts(inst)) {
    out_ += separator();
    put_register(dst.reg);
    put_mask(dst.mask, dst.mask_written);
  }
  for (const Source& src : program_.srcs(inst)) {
    out_ += separator();
    put_source(src);
  }
  put_suffixes(inst);
}

void Printer::put_suffixes(const Instruction& inst) {
  for (size_t i = 0; i < kQualifierNames.size(); ++i)
    if (inst.qualifiers >> i & 1) put("{}{}", separator(), kQualifierNames[i]);
  if (inst.target) put("{}{}", separator(), name_of(kTargetNames, *inst.target));
  if (inst.format) put("{}PIPE_FORMAT_{}", separator(), format_info(*inst.format).name);
  for (const Offset& offset : program_.offsets(inst)) {
    out_ += separator();
    put_register(offset.reg);
    if (offset.swizzle_written)
      put(".{}{}{}", kLetters[offset.swizzle[0]], kLetters[offset.swizzle[1]], kLetters[offset.swizzle[2]]);
  }
  if (inst.label) put(" :{}", *inst.label);
}

void Printer::put_source(const Source& src) {
  if (src.literal) {
    out_ += print_flt32(*src.literal);
    return;
  }
  if (src.negate) out_ += '-';
  if (src.absolute) out_ += '|';
  put_register(src.reg);
  if (src.letters) out_ += '.';
  for (uint32_t i = 0; i < src.letters; ++i) out_ += kLetters[src.swizzle[i]];
  if (src.absolute) out_ += '|';
}

void Printer::put_register(const Register& reg) {
  put("{}", name_of(kFileNames, reg.file));
  if (reg.two_dimensional) put_index(reg.dimension);
  put_index(reg.index);
}

void Printer::put_index(const Index& index) {
  if (index.indirect) {
    put("[{}[{}]", name_of(kFileNames, index.file), index.reg);
    if (index.component_written) put(".{}", kLetters[index.component]);
    if (index.value) put("{:+}", index.value);
    out_ += ']';
  } else {
    put("[{}]", index.value);
  }
  if (index.array_id) put("({})", index.array_id);
}

void Printer::put_mask(uint8_t mask, bool written) {
  if (!written) return;
  out_ += '.';
  for (uint32_t i = 0; i < 4; ++i)
    if (mask >> i & 1) out_ += kLetters[i];
}

}  // namespace

std::string print(const Program& program) { return Printer(program).run(); }

}  // namespace tessera::tgsi
