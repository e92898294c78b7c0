// shader/d3d9/validate_dataflow.cpp: temporaries are written before they are read.
//
// In the order of the text: a write in a branch counts for all that follows; a call writes what its subroutine does.
#include "shader/d3d9/validation.h"

namespace tessera::d3d9 {
namespace {

constexpr uint8_t none = 0, x = 1, w = 8, xy = 3, xyz = 7, xyw = 11, xyzw = 15, yz = 6, yw = 10;

struct Reads {
  Opcode opcode;
  uint8_t masks[4];
};
constexpr Reads kReads[] = {
#define READS(name, ...) {Opcode::Op_##name, {__VA_ARGS__}},
#include "shader/d3d9/ops.def"
};

const Reads* reads_of(Opcode opcode) {
  for (const Reads& row : kReads)
    if (row.opcode == opcode) return &row;
  return nullptr;
}

uint8_t through(uint8_t swizzle, uint8_t components) {
  uint32_t out = 0;
  for (uint32_t k = 0; k < 4; ++k)
    if (components >> k & 1) out |= 1u << component_of(swizzle, k);
  return static_cast<uint8_t>(out);
}

}  // namespace

// Of a texture's coordinate, a gradient among them: what its kind has, and what the instruction takes besides.
uint8_t Validation::coordinates_read(const Instruction& inst, const Source& src) const {
  if (inst.opcode == Opcode::Op_texld_1_4)
    return src.modifier == SourceModifier::DivideW ? xyw : src.modifier == SourceModifier::DivideZ ? xyz : xy;
  const SamplerType type = sampler_type(p.srcs(inst)[1].reg);
  const bool is_deep = type == SamplerType::Cube || type == SamplerType::Volume;
  const uint8_t coordinate = is_deep ? xyz : type == SamplerType::OneD ? x : xy;
  const bool takes_w =
      inst.opcode == Opcode::Op_texldp || inst.opcode == Opcode::Op_texldb || inst.opcode == Opcode::Op_texldl;
  return takes_w ? coordinate | w : coordinate;
}

uint8_t Validation::components_read(const Instruction& inst, size_t source) const {
  const OpcodeInfo& info = opcode_info(inst.opcode);
  const Source& src = p.srcs(inst)[source];
  const char letter = info.srcs[source];
  uint8_t components = inst.dst_count ? p.dsts(inst)[0].mask : xyzw;
  if (const Reads* reads = reads_of(inst.opcode)) components = reads->masks[source];
  else if (letter == 'S') components = w;
  else if (info.group == OpGroup::Texture && letter != 'X' && inst.opcode != Opcode::Op_texcrd &&
           !in_version(in::ps_1_1_3))
    components = coordinates_read(inst, src);
  return through(src.swizzle, components);
}

void Validation::check_read(const Instruction& inst, const Register& reg, uint8_t components) {
  if (reg.file != File::Temp || !components) return;
  const auto at = written_.find(key(reg));
  const uint8_t missing = components & ~(at == written_.end() ? none : at->second);
  if (!missing) return;
  fail(Rule::read_before_write, reg.loc, "{} reads {}, of which not all was written", opcode_info(inst.opcode).text,
       name(reg));
  written_[key(reg)] |= missing;         // one diagnosis a component
}

// texkill needs three components in every text, though it tests four from ps_2_0 on.
void Validation::check_reads(const Instruction& inst) {
  if (inst.opcode == Opcode::Op_texkill || inst.opcode == Opcode::Op_texdepth) {
    check_read(inst, p.dsts(inst)[0].reg, inst.opcode == Opcode::Op_texkill ? xyz : xy);
    return;
  }
  for (size_t i = 0; i < inst.src_count; ++i) check_read(inst, p.srcs(inst)[i].reg, components_read(inst, i));
}

void Validation::note_writes(const Instruction& inst) {
  if (inst.opcode == Opcode::Op_call || inst.opcode == Opcode::Op_callnz) {
    for (const auto& [reg, mask] : written_by_[p.srcs(inst)[0].reg.number]) written_[reg] |= mask;
    return;
  }
  if (inst.opcode == Opcode::Op_texkill) return;
  for (const Destination& dst : p.dsts(inst))
    if (dst.reg.file == File::Temp) written_[key(dst.reg)] |= dst.mask;
}

// From the last subroutine to the first, since calls lead forward.
void Validation::note_subroutines() {
  size_t end = p.instructions.size();
  for (size_t i = end; i-- > 0;) {
    if (p.instructions[i].opcode != Opcode::Op_label) continue;
    written_.clear();
    for (size_t k = i + 1; k < end; ++k) note_writes(p.instructions[k]);
    written_by_[p.srcs(p.instructions[i])[0].reg.number] = written_;
    end = i;
  }
  written_.clear();
}

// Both halves of a pair read before either writes.
void Validation::check_dataflow() {
  note_subroutines();
  const Instruction* first = nullptr;
  for (size_t i = 0; i < p.instructions.size(); ++i) {
    const Instruction& inst = p.instructions[i];
    const bool pair_follows = i + 1 < p.instructions.size() && p.instructions[i + 1].co_issued;
    check_reads(inst);
    if (first) note_writes(*first);
    first = nullptr;
    if (pair_follows) first = &inst;
    else note_writes(inst);
  }
}

}  // namespace tessera::d3d9
