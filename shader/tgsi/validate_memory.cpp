// shader/tgsi/validate_memory.cpp: rules of loads, stores and atomics: what is written, in which format and target.
#include "shader/tgsi/validation.h"

namespace tessera::tgsi {
namespace {

constexpr uint32_t kVertexStreams = 4, kBarrierBits = 5;

// Opcodes whose only operand is known when the program is compiled: the number of a stream, or a set of bits.
uint32_t constant_limit(Opcode op) {
  if (op == Opcode::Op_EMIT || op == Opcode::Op_ENDPRIM) return kVertexStreams;
  return op == Opcode::Op_MEMBAR ? 1u << kBarrierBits : 0;
}

bool takes_float(Opcode op) { return op == Opcode::Op_ATOMFADD || op == Opcode::Op_ATOMXCHG; }

bool is_atomic_format(Format format, Opcode op) {
  if (takes_float(op) && format == Format::R32_FLOAT) return true;
  return op != Opcode::Op_ATOMFADD && (format == Format::R32_UINT || format == Format::R32_SINT);
}

}  // namespace

void Validation::check_memory() {
  for (const Instruction& inst : p.instructions) {
    if (const uint32_t limit = constant_limit(inst.opcode)) check_constant_operand(inst, limit);
    if (opcode_info(inst.opcode).kind != OpKind::Memory) continue;
    const bool stores = inst.opcode == Opcode::Op_STORE;
    const Register& resource = stores ? p.dsts(inst)[0].reg : p.srcs(inst)[0].reg;
    check_resource(inst, resource, stores || opcode_info(inst.opcode).group == OpGroup::Atomic);
  }
}

void Validation::check_constant_operand(const Instruction& inst, uint32_t limit) {
  const Source& src = p.srcs(inst)[0];
  const Immediate* imm = integer_immediate(src);
  if (!imm) return fail(Rule::constant_operand, src.loc, "expected an integer immediate without modifiers");
  if (const uint32_t value = imm->words[src.swizzle[0]]; value >= limit)
    fail(Rule::constant_range, src.loc, "the operand of {} is from 0 to {}, found {}", op_name(inst), limit - 1, value);
}

void Validation::check_resource(const Instruction& inst, const Register& resource, bool is_written) {
  const bool is_image = resource.file == File::Image;
  const bool is_handle = !is_image && resource.file != File::Buffer && resource.file != File::Memory &&
                         resource.file != File::HwAtomic && resource.file != File::ConstBuf;
  if (resource.file == File::Memory && p.stage != Stage::Compute)
    fail(Rule::stage_mismatch, resource.loc, "MEMORY is not for {} programs", name_of(kStageNames, p.stage));
  const Declaration* d = resource.file == File::Memory && !resource.index.indirect
                             ? declared(File::Memory, 0, static_cast<uint32_t>(resource.index.value))
                             : nullptr;
  if (is_written && d && d->memory == MemoryKind::Input)
    fail(Rule::not_writable, resource.loc, "MEMORY[{}] is INPUT, which is not written", resource.index.value);
  if (is_written && resource.file == File::ConstBuf)
    fail(Rule::not_writable, resource.loc, "CONSTBUF registers are not written");
  if (inst.opcode == Opcode::Op_RESQ && resource.file == File::ConstBuf)
    fail(Rule::operand_file, resource.loc, "RESQ takes a BUFFER, IMAGE or MEMORY here, found CONSTBUF");
  if ((inst.target || inst.format) && !is_image && !is_handle)
    fail(Rule::image_word, inst.loc, "{} has no texture target and no format", file_name(resource.file));
  if (!is_image) return;
  if (resource.index.indirect) check_some_image(inst, resource, is_written);
  else check_image(inst, resource, is_written);
}

// Of the images that an index may name, those of the instruction's target count.
void Validation::check_some_image(const Instruction& inst, const Register& resource, bool is_written) {
  const Declaration* writable = nullptr;
  std::optional<TextureTarget> target = inst.target;
  for (const Declaration& d : p.declarations) {
    if (d.file != File::Image) continue;
    if (!target) target = d.target;
    if (d.target == target && d.writable) writable = &d;
    if (!inst.target && d.target != target)
      return fail(Rule::target_mismatch, resource.loc,
                  "images are declared as {} and {}: expected a target behind the operands",
                  name_of(kTargetNames, *target), name_of(kTargetNames, *d.target));
  }
  if (target && is_written && !writable)
    fail(Rule::image_not_writable, resource.loc, "no {} IMAGE is declared with WR", name_of(kTargetNames, *target));
}

void Validation::check_image(const Instruction& inst, const Register& resource, bool is_written) {
  const Declaration* d = declared(File::Image, 0, static_cast<uint32_t>(resource.index.value));
  if (!d) return;
  if (is_written && !d->writable)
    fail(Rule::image_not_writable, resource.loc, "IMAGE[{}] is not declared with WR", resource.index.value);
  if (inst.format && d->format && *inst.format != *d->format)
    fail(Rule::format_mismatch, resource.loc, "IMAGE[{}] is declared with {}, found {}", resource.index.value,
         format_info(*d->format).name, format_info(*inst.format).name);
  const std::optional<Format> format = inst.format ? inst.format : d->format;
  if (opcode_info(inst.opcode).group == OpGroup::Atomic && format && !is_atomic_format(*format, inst.opcode))
    fail(Rule::atomic_format, resource.loc, "{} does not work on {}", op_name(inst), format_info(*format).name);
}

}  // namespace tessera::tgsi
