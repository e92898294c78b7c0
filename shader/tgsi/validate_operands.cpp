// shader/tgsi/validate_operands.cpp: rules of registers, modifiers and masks, by the operand types of ops.def.
#include "shader/tgsi/validation.h"

namespace tessera::tgsi {
namespace {

bool is_any(char type, std::string_view types) { return types.find(type) != std::string_view::npos; }
bool is_pair(char type) { return is_any(type, "DLQ"); }
bool is_integer(char type) { return is_any(type, "IUi"); }
bool names_resource(char type) { return is_any(type, "SVRNO"); }

// Files whose registers hold words that can be read.
bool holds_values(File file) {
  switch (file) {
    case File::Const:
    case File::In:
    case File::Out:
    case File::Temp:
    case File::Addr:
    case File::Imm:
    case File::Sv: return true;
    default: return false;
  }
}

bool is_resource(File file) {
  return file == File::Buffer || file == File::Image || file == File::Memory || file == File::HwAtomic ||
         file == File::ConstBuf;
}

std::string register_text(File file, uint32_t index) { return fmt::format("{}[{}]", name_of(kFileNames, file), index); }

}  // namespace

void Validation::check_operands() {
  for (const Instruction& inst : p.instructions) {
    const OpcodeInfo& info = opcode_info(inst.opcode);
    for (uint32_t i = 0; i < inst.dst_count; ++i) check_destination(inst, p.dsts(inst)[i], info.dsts[i]);
    for (uint32_t i = 0; i < inst.src_count; ++i) check_source(inst, i);
    if (inst.saturate && (info.dsts.empty() || !is_any(info.dsts[0], "FB")))
      fail(Rule::saturate_not_allowed, inst.loc, "{} has no 32-bit float result to saturate", info.name);
  }
}

void Validation::check_destination(const Instruction& inst, const Destination& dst, char type) {
  const File file = dst.reg.file;
  if (type == 'R') {
    if (!is_resource(file) && !holds_values(file))
      return fail(Rule::operand_file, dst.reg.loc, "{} takes a BUFFER, IMAGE or MEMORY here, found {}", op_name(inst),
                  file_name(file));
  } else if (file == File::Addr || type == 'A') {
    if (file != File::Addr || type != 'A')
      return fail(Rule::operand_file, dst.reg.loc,
                  "ARL, ARR and UARL write ADDR registers and nothing else does, found {} {}", op_name(inst),
                  file_name(file));
  } else if (file != File::Temp && file != File::Out && file != File::Null) {
    return fail(Rule::not_writable, dst.reg.loc, "{} registers are not written", file_name(file));
  }
  check_register(dst.reg);
  if (is_pair(type) && ((dst.mask & 3) % 3 != 0 || (dst.mask >> 2) % 3 != 0))
    fail(Rule::pair_mask, dst.reg.loc, "{} writes 64-bit values: expected the mask xy, zw or xyzw", op_name(inst));
}

void Validation::check_source(const Instruction& inst, uint32_t i) {
  const Source& src = p.srcs(inst)[i];
  const char type = opcode_info(inst.opcode).srcs[i];
  if (src.literal) {
    if (!(is_compared_sample(inst.opcode) && i == 3))
      fail(Rule::literal_not_allowed, src.loc, "expected a register, found a number");
    return;
  }
  if (!check_source_file(inst, src, type)) return;
  check_register(src.reg);
  check_modifiers(src, type);
}

bool Validation::check_source_file(const Instruction& inst, const Source& src, char type) {
  const File file = src.reg.file;
  const auto wants = [&](std::string_view what) {
    fail(Rule::operand_file, src.loc, "{} takes {} here, found {}", op_name(inst), what, file_name(file));
    return false;
  };
  switch (type) {
    case 'S': return file == File::Samp || holds_values(file) || wants("a SAMP register or a handle");
    case 'R':
      return is_resource(file) || holds_values(file) ||
             wants("a BUFFER, IMAGE, MEMORY or HWATOMIC register or a handle");
    case 'N': return file == File::In || wants("an IN register");
    case 'V': {
      const bool target = inst.opcode == Opcode::Op_SAMPLE_POS || inst.opcode == Opcode::Op_SAMPLE_INFO;
      return file == File::Sview || (target && file == File::Temp) || wants("an SVIEW register");
    }
    case 'O': {
      if (file == File::Out && src.reg.index.indirect) {
        fail(Rule::indirect_not_allowed, src.loc, "{} names its output by number", op_name(inst));
        return false;
      }
      const Declaration* d =
          file == File::Out ? declared(File::Out, 0, static_cast<uint32_t>(src.reg.index.value)) : nullptr;
      return (d && d->semantic && d->semantic->name == Semantic::Color) || wants("a COLOR output");
    }
    default: break;
  }
  if (holds_values(file)) return true;
  fail(Rule::not_readable, src.loc, "{} registers are not read", file_name(file));
  return false;
}

void Validation::check_modifiers(const Source& src, char type) {
  if (!src.negate && !src.absolute) return;
  if (names_resource(type) || is_pair(type))
    fail(Rule::modifier_not_allowed, src.loc, "this operand takes no modifiers");
  else if (is_integer(type) && src.absolute)
    fail(Rule::modifier_not_allowed, src.loc, "an integer operand takes no absolute value");
}

void Validation::check_register(const Register& reg) {
  check_index(reg, reg.index);
  if (reg.two_dimensional) check_index(reg, reg.dimension);
  check_brackets(reg);
  if (reg.two_dimensional && reg.dimension.array_id)
    fail(Rule::array_place, reg.loc, "an array id stands behind the last bracket");
  if (reg.file == File::Null || reg.file == File::Memory) return;   // shared memory may be used without a declaration
  if (reg.index.array_id) check_array(reg, reg.index);
  const bool buffered = reg.file == File::Const || reg.file == File::HwAtomic;
  const bool any_dimension = reg.two_dimensional && (reg.dimension.indirect || !buffered);
  if (reg.index.indirect || (buffered && any_dimension)) {
    if (reg.file != File::Imm && !is_declared_[static_cast<size_t>(reg.file)])
      fail(Rule::undeclared_register, reg.loc, "no {} register is declared", file_name(reg.file));
    return;
  }
  const uint32_t index = static_cast<uint32_t>(reg.index.value);
  const uint32_t dimension = buffered && reg.two_dimensional ? static_cast<uint32_t>(reg.dimension.value) : 0;
  const bool known =
      reg.file == File::Imm ? index < p.immediates.size() : declared(reg.file, dimension, index) != nullptr;
  if (!known) fail(Rule::undeclared_register, reg.loc, "{} is not declared", register_text(reg.file, index));
}

// The register that an index comes from.
void Validation::check_index(const Register& reg, const Index& index) {
  if (!index.indirect) return;
  if (reg.file == File::Addr || reg.file == File::Null || reg.file == File::Memory)
    return fail(Rule::indirect_not_allowed, reg.loc, "{} registers are not indexed indirectly", file_name(reg.file));
  if (!holds_values(index.file))
    return fail(Rule::address_register, reg.loc, "an index is not read from {}", file_name(index.file));
  const bool known =
      index.file == File::Imm ? index.reg < p.immediates.size() : declared(index.file, 0, index.reg) != nullptr;
  if (!known) fail(Rule::undeclared_register, reg.loc, "{} is not declared", register_text(index.file, index.reg));
}

void Validation::check_array(const Register& reg, const Index& index) {
  const Declaration* d = array(reg.file, index.array_id);
  if (!d)
    return fail(Rule::undeclared_array, reg.loc, "no declaration of {} has array id {}", file_name(reg.file),
                index.array_id);
  const uint32_t number = static_cast<uint32_t>(index.value);
  if (!index.indirect && (number < d->first || number > d->last))
    fail(Rule::index_outside_array, reg.loc, "{} lies outside array {}, which is {}..{}",
         register_text(reg.file, number), index.array_id, d->first, d->last);
}

// Two brackets: what each vertex of a primitive has. A primitive's number may be written either way.
bool Validation::is_per_vertex(const Register& reg) const {
  if (reg.index.indirect) return has_vertices_[static_cast<size_t>(reg.file)];
  const Declaration* d = declared(reg.file, 0, static_cast<uint32_t>(reg.index.value));
  if (!d || (d->semantic && d->semantic->name == Semantic::PrimitiveId)) return reg.two_dimensional;
  return d->dimension_kind != Declaration::Dimension::None;
}

void Validation::check_brackets(const Register& reg) {
  const bool buffered = reg.file == File::Const || reg.file == File::HwAtomic || reg.file == File::ConstBuf;
  if (buffered) return;
  // Tessellation texts keep the vertex bracket of outputs that their writer made temporaries, and lose it where that
  // is copied back: the invocation's own vertex is meant.
  if ((reg.file == File::Temp || reg.file == File::Out) && p.stage == Stage::TessCtrl) return;
  const bool vertices = (reg.file == File::In || reg.file == File::Out) && is_per_vertex(reg);
  if (reg.two_dimensional && !vertices)
    fail(Rule::dimension_not_allowed, reg.loc, "{} takes one bracket, found two", file_name(reg.file));
  if (!reg.two_dimensional && vertices && !reg.index.indirect)
    fail(Rule::dimension_missing, reg.loc, "expected a bracket for the vertex before that of the register");
  if (reg.two_dimensional && vertices && !reg.dimension.indirect)
    if (const auto vertex = static_cast<uint32_t>(reg.dimension.value); vertex >= vertex_count(reg.file))
      fail(Rule::vertex_outside, reg.loc, "{} has vertices 0 to {}, found {}", file_name(reg.file),
           vertex_count(reg.file) - 1, vertex);
}

const Immediate* Validation::integer_immediate(const Source& src) const {
  if (src.literal || src.reg.file != File::Imm || src.reg.index.indirect || src.negate || src.absolute) return nullptr;
  const auto number = static_cast<size_t>(src.reg.index.value);
  if (number >= p.immediates.size()) return nullptr;
  const Immediate& imm = p.immediates[number];
  return imm.type == ImmediateType::Int32 || imm.type == ImmediateType::Uint32 ? &imm : nullptr;
}

}  // namespace tessera::tgsi
