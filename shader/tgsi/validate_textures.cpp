// shader/tgsi/validate_textures.cpp: which texture opcode works on which target, and what may be offset.
#include "shader/tgsi/targets.h"
#include "shader/tgsi/validation.h"

namespace tessera::tgsi {
namespace {

using T = TextureTarget;
constexpr uint32_t bit(T target) { return 1u << static_cast<uint32_t>(target); }
template <class... Targets>
constexpr uint32_t set(Targets... targets) { return (bit(targets) | ... | 0u); }

constexpr uint32_t kMsaa = set(T::Tex2DMsaa, T::Tex2DArrayMsaa);
constexpr uint32_t kBuffer = bit(T::Buffer), kRect = set(T::Rect, T::ShadowRect);
constexpr uint32_t kCubes = set(T::Cube, T::CubeArray, T::ShadowCube, T::ShadowCubeArray);
constexpr uint32_t kArrays =
    set(T::Tex1DArray, T::Tex2DArray, T::CubeArray, T::Shadow1DArray, T::Shadow2DArray, T::ShadowCubeArray);
constexpr uint32_t kShadow =
    set(T::Shadow1D, T::Shadow2D, T::ShadowRect, T::ShadowCube, T::Shadow1DArray, T::Shadow2DArray, T::ShadowCubeArray);
constexpr uint32_t kAll = bit(T::Unknown) - 1;
constexpr uint32_t kFiltered = kAll & ~(kMsaa | kBuffer);
constexpr uint32_t kFourCoordinates = set(T::ShadowCube, T::CubeArray, T::Shadow2DArray, T::ShadowCubeArray);

// The targets of a texture opcode, from the table 'Where a texture opcode may be used'.
uint32_t targets_of(Opcode op) {
  switch (op) {
    case Opcode::Op_TEX:
    case Opcode::Op_TEX_LZ: return kFiltered & ~bit(T::ShadowCubeArray);
    case Opcode::Op_TXP: return kFiltered & ~(bit(T::ShadowCube) | kArrays);   // real texts project cubes too
    case Opcode::Op_TXB:
    case Opcode::Op_TXL: return kFiltered & ~(kRect | kFourCoordinates);
    case Opcode::Op_TEX2: return bit(T::ShadowCubeArray);
    case Opcode::Op_TXB2: return set(T::CubeArray, T::ShadowCube, T::Shadow2DArray, T::ShadowCubeArray);
    case Opcode::Op_TXL2: return set(T::CubeArray, T::ShadowCube, T::Shadow2DArray);
    case Opcode::Op_TXD: return kFiltered & ~bit(T::ShadowCubeArray);
    case Opcode::Op_TXF:
    case Opcode::Op_TXF_LZ: return kAll & ~(kCubes | kShadow);
    case Opcode::Op_TG4:
      return set(T::Tex2D, T::Tex2DArray, T::Cube, T::CubeArray, T::Rect, T::Shadow2D, T::Shadow2DArray, T::ShadowCube,
                 T::ShadowCubeArray, T::ShadowRect);
    case Opcode::Op_LODQ: return kFiltered;
    case Opcode::Op_SAMPLE:
    case Opcode::Op_SAMPLE_B:
    case Opcode::Op_SAMPLE_D:
    case Opcode::Op_SAMPLE_L:
    case Opcode::Op_LOD: return kFiltered;
    case Opcode::Op_SAMPLE_C:
    case Opcode::Op_SAMPLE_C_LZ: return kFiltered & ~bit(T::Tex3D);
    case Opcode::Op_GATHER4: return set(T::Tex2D, T::Tex2DArray, T::Cube, T::CubeArray, T::Rect);
    case Opcode::Op_SAMPLE_I: return kAll & ~(kCubes | kMsaa);
    case Opcode::Op_SAMPLE_I_MS: return kMsaa;
    default: return opcode_info(op).kind == OpKind::Memory ? kAll & ~kShadow : kAll;
  }
}

bool takes_offsets(Opcode op, T target) {
  switch (op) {
    case Opcode::Op_TXQ:
    case Opcode::Op_TXQS:
    case Opcode::Op_LODQ:
    case Opcode::Op_SAMP2HND:
    case Opcode::Op_SVIEWINFO:
    case Opcode::Op_SAMPLE_POS:
    case Opcode::Op_SAMPLE_INFO:
    case Opcode::Op_LOD: return false;
    default: return !(bit(target) & (kCubes | kBuffer | kMsaa));
  }
}

bool is_gather(Opcode op) { return op == Opcode::Op_TG4 || op == Opcode::Op_GATHER4; }

}  // namespace

void Validation::check_textures() {
  const Instruction *classic = nullptr, *sampled = nullptr;
  for (const Instruction& inst : p.instructions) {
    const OpKind kind = opcode_info(inst.opcode).kind;
    if (kind == OpKind::Classic) classic = &inst;
    if (kind == OpKind::Sampled) sampled = &inst;
    if (inst.target) check_target(inst);
    if (inst.target) check_declared_target(inst);
    if (kind == OpKind::Sampled) check_view_target(inst);
    if (inst.offset_count) check_texel_offsets(inst);
    const bool mixed = kind == OpKind::Classic ? sampled != nullptr : kind == OpKind::Sampled && classic;
    if (mixed)
      return fail(Rule::mixed_sampling, inst.loc, "{} and {} are not used in one program", op_name(*classic),
                  op_name(*sampled));
  }
}

void Validation::check_target(const Instruction& inst) {
  if (!(targets_of(inst.opcode) & bit(*inst.target)))
    fail(Rule::target_not_allowed, inst.loc, "{} does not work on {}", op_name(inst),
         name_of(kTargetNames, *inst.target));
}

// SVIEW[i] describes SAMP[i]; a comparison is up to the instruction.
void Validation::check_declared_target(const Instruction& inst) {
  for (const Source& src : p.srcs(inst)) {
    const File file = src.reg.file == File::Samp ? File::Sview : src.reg.file;
    if (src.literal || (file != File::Sview && file != File::Image) || src.reg.index.indirect) continue;
    const Declaration* d = declared(file, 0, static_cast<uint32_t>(src.reg.index.value));
    if (d && d->target && shadow_target(*d->target) != shadow_target(*inst.target))
      fail(Rule::target_mismatch, src.loc, "{}[{}] is declared as {}, found {}", file_name(file), src.reg.index.value,
           name_of(kTargetNames, *d->target), name_of(kTargetNames, *inst.target));
  }
}

// Comparisons are of floats: no view of integers has a result to compare.
void Validation::check_view_target(const Instruction& inst) {
  for (const Source& src : p.srcs(inst)) {
    if (src.literal || src.reg.file != File::Sview || src.reg.index.indirect) continue;
    const Declaration* d = declared(File::Sview, 0, static_cast<uint32_t>(src.reg.index.value));
    if (!d) continue;
    if (!(targets_of(inst.opcode) & bit(*d->target)))
      fail(Rule::target_not_allowed, src.loc, "{} does not work on {}", op_name(inst),
           name_of(kTargetNames, *d->target));
    const bool is_integer = d->view_types[0] == ViewType::Sint || d->view_types[0] == ViewType::Uint;
    if (is_compared_sample(inst.opcode) && is_integer)
      fail(Rule::view_type, src.loc, "{} compares floats, the view is {}", op_name(inst),
           name_of(kViewTypeNames, d->view_types[0]));
  }
}

void Validation::check_texel_offsets(const Instruction& inst) {
  const T target = inst.target.value_or(T::Tex2D);
  if (!takes_offsets(inst.opcode, target) || (inst.offset_count > 1 && !is_gather(inst.opcode)))
    return fail(Rule::offset_not_allowed, inst.loc, "{} on {} takes {}", op_name(inst), name_of(kTargetNames, target),
                inst.offset_count > 1 ? "one texel offset" : "no texel offsets");
  for (const Offset& offset : p.offsets(inst)) {
    if (offset.reg.index.indirect || offset.reg.two_dimensional)
      return fail(Rule::offset_not_allowed, offset.reg.loc, "a texel offset is a register with a number");
    check_register(offset.reg);
    if (offset.reg.file != File::Imm) {
      if (!is_gather(inst.opcode) || offset.reg.file == File::Samp)
        fail(Rule::offset_not_allowed, offset.reg.loc, "expected an immediate as texel offset, found {}",
             file_name(offset.reg.file));
      continue;
    }
    check_offset_values(offset);
  }
}

void Validation::check_offset_values(const Offset& offset) {
  const auto number = static_cast<size_t>(offset.reg.index.value);
  if (number >= p.immediates.size()) return;
  const Immediate& imm = p.immediates[number];
  if (imm.type != ImmediateType::Int32 && imm.type != ImmediateType::Uint32)
    return fail(Rule::offset_not_allowed, offset.reg.loc, "expected an integer immediate, found {}",
                name_of(kImmediateTypeNames, imm.type));
  for (const uint8_t c : offset.swizzle)
    if (const auto value = static_cast<int32_t>(imm.words[c]); value < -128 || value > 127)
      return fail(Rule::offset_not_allowed, offset.reg.loc, "a texel offset is from -128 to 127, found {}", value);
}

}  // namespace tessera::tgsi
