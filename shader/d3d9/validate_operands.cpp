// shader/d3d9/validate_operands.cpp: which operands, swizzles, masks and modifiers an instruction takes.
#include "shader/d3d9/validation.h"

#include <algorithm>

namespace tessera::d3d9 {
namespace {

constexpr uint8_t kBlue = 0xaa, kAlpha = 0xff, kAlphaMask = 8;
constexpr uint8_t kXyz = 0xa4, kXyw = 0xf4;                          // coordinates of ps_1_4
constexpr uint8_t kSwizzlesOf2_0[] = {0xc9, 0xd2, 0x1b};             // .yzxw .zxyw .wzyx
constexpr uint32_t kDepthRegister = 5;                               // of texdepth

}  // namespace

void Validation::check_operands() {
  for (const Instruction& inst : p.instructions) {
    const std::string_view letters = opcode_info(inst.opcode).srcs;
    for (const Destination& dst : p.dsts(inst)) check_destination(inst, dst);
    for (size_t i = 0; i < letters.size(); ++i) check_source(inst, p.srcs(inst)[i], letters[i]);
    if (inst.predicate != kNoPredicate && !opcode_info(inst.opcode).takes_predicate())
      fail(Rule::predicate_not_allowed, inst.loc, "{} takes no predicate", opcode_info(inst.opcode).text);
    check_apart(inst);
  }
}

void Validation::check_destination(const Instruction& inst, const Destination& dst) {
  const OpcodeInfo& info = opcode_info(inst.opcode);
  const bool is_address_1 = dst.reg.file == File::Address && v.model == 1;   // which has x alone
  const uint8_t allowed = is_address_1 ? 1 : info.mask;
  if ((dst.mask & ~allowed) || (dst.mask & info.required) != info.required)
    fail(Rule::destination_mask, dst.reg.loc, "{} does not take this write mask", info.text);
  check_result_modifiers(inst, dst);
  check_destination_kind(inst, dst);
}

void Validation::check_result_modifiers(const Instruction& inst, const Destination& dst) {
  const OpcodeInfo& info = opcode_info(inst.opcode);
  const auto refuse = [&](std::string_view modifier) {
    fail(Rule::instruction_modifier, inst.loc, "{} does not take {} in {}", info.text, modifier, v.name);
  };
  if (dst.saturate && (info.dsts != "D" || info.has(trait::NoSaturate) || !in_version(in::ps | in::vs_3_up)))
    refuse("_sat");
  if (dst.partial_precision && !in_version(in::ps_2_up)) refuse("_pp");
  if (dst.centroid && (info.group != OpGroup::Texture || !in_version(in::ps_2_up))) refuse("_centroid");
  if ((dst.shift > 2 || dst.shift < -1) && !in_version(in::ps_1_4)) refuse("this shift");
}

void Validation::check_destination_kind(const Instruction& inst, const Destination& dst) {
  const OpcodeInfo& info = opcode_info(inst.opcode);
  const File file = dst.reg.file;
  if (info.dsts != "D") return;
  const auto refuse = [&](std::string_view expected) {
    fail(Rule::destination_kind, dst.reg.loc, "{} writes {} in {}, found {}", info.text, expected, v.name,
         name(dst.reg));
  };
  if (inst.opcode == Opcode::Op_texdepth) {
    if (!dst.reg.is(File::Temp, kDepthRegister)) refuse("r5");
  } else if (info.group == OpGroup::Texture) {
    const File wanted = in_version(in::ps_1_1_3) ? File::Texture : File::Temp;
    if (file != wanted) refuse(file_info(wanted).text);
  } else if (file == File::Address) {
    if (v.model > 1 || inst.opcode != Opcode::Op_mov) refuse("no a0, which mova does");
  } else if (file == File::Texture && !in_version(in::ps_1_1_3)) {
    refuse("no t registers");
  }
}

void Validation::check_source(const Instruction& inst, const Source& src, char letter) {
  check_source_kind(inst, src, letter);
  check_swizzle(inst, src, letter);
  check_modifier(inst, src, letter);
}

void Validation::check_source_kind(const Instruction& inst, const Source& src, char letter) {
  const OpcodeInfo& info = opcode_info(inst.opcode);
  const auto refuse = [&](std::string_view expected) {
    fail(Rule::source_kind, src.reg.loc, "{} reads {} here in {}, found {}", info.text, expected, v.name,
         name(src.reg));
  };
  if (letter == 'X' && src.reg.file != File::Sampler) refuse("a sampler");
  if (letter == 'T' && v.model < 3 && src.reg.file != File::Texture && src.reg.file != File::Temp) refuse("t or r");
  const bool is_first = &src == &p.srcs(inst)[0];
  if (!in_version(in::ps_1_1_3) || !is_first) return;
  if (info.group == OpGroup::Texture && src.reg.file != File::Texture) refuse("t");
  if (inst.opcode == Opcode::Op_cnd && (!src.reg.is(File::Temp, 0) || src.swizzle != kAlpha)) refuse("r0.a");
}

void Validation::check_swizzle(const Instruction& inst, const Source& src, char letter) {
  const uint8_t swizzle = src.swizzle;
  const bool plain = swizzle == kIdentitySwizzle, replicate = is_replicate(swizzle);
  bool allowed = true;
  if (src.reg.file == File::Predicate) {
    allowed = replicate;
  } else if (letter == 'X') {
    allowed = plain || v.model == 3;
  } else if (in_version(in::ps_1_1_3)) {
    const bool into_alpha = inst.dst_count && p.dsts(inst)[0].mask == kAlphaMask;
    allowed = plain || swizzle == kAlpha || (swizzle == kBlue && (into_alpha || !in_version(in::ps_1_0_1)));
  } else if (in_version(in::ps_1_4)) {
    allowed = plain || (letter == 'T' ? swizzle == kXyz || swizzle == kXyw : replicate);
  } else if (in_version(in::ps_2_0)) {
    const bool named = replicate || std::ranges::find(kSwizzlesOf2_0, swizzle) != std::end(kSwizzlesOf2_0);
    allowed = plain || (letter != 'T' && named);
  }
  if (!allowed) fail(Rule::operand_swizzle, src.reg.loc, "this swizzle cannot stand here in {}", v.name);
}

void Validation::check_modifier(const Instruction& inst, const Source& src, char letter) {
  const bool divides = src.modifier == SourceModifier::DivideZ || src.modifier == SourceModifier::DivideW;
  const bool doubles = src.modifier == SourceModifier::Twice || src.modifier == SourceModifier::TwiceNegate;
  const bool is_texture = opcode_info(inst.opcode).group == OpGroup::Texture;
  bool allowed = src.modifier == SourceModifier::None || !is_texture || !in_version(in::ps_1_0_1 | in::ps_2_0);
  if (divides) allowed = letter == 'T';
  if (doubles) allowed &= in_version(in::ps_1_4);
  if (!allowed)
    fail(Rule::operand_modifier, src.reg.loc, "this modifier cannot stand here in {}", v.name);
}

void Validation::check_apart(const Instruction& inst) {
  const OpcodeInfo& info = opcode_info(inst.opcode);
  if (!info.has(trait::Apart)) return;
  const Register& dst = p.dsts(inst)[0].reg;
  for (const Source& src : p.srcs(inst))
    if (!src.reg.relative && key(src.reg) == key(dst))
      fail(Rule::destination_is_source, src.reg.loc, "{} cannot write the register that it reads", info.text);
}

}  // namespace tessera::d3d9
