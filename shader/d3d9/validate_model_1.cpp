// shader/d3d9/validate_model_1.cpp: the order of pixel shaders of model 1: phases, texture stages, pairs.
#include "shader/d3d9/validation.h"

#include <algorithm>

namespace tessera::d3d9 {
namespace {

constexpr uint8_t kAlphaMask = 8;

struct PadRow {
  Opcode end, pad;
  size_t count;                          // of pads before the end
};
constexpr PadRow kPads[] = {
    {Opcode::Op_texm3x2tex, Opcode::Op_texm3x2pad, 1},  {Opcode::Op_texm3x2depth, Opcode::Op_texm3x2pad, 1},
    {Opcode::Op_texm3x3tex, Opcode::Op_texm3x3pad, 2},  {Opcode::Op_texm3x3, Opcode::Op_texm3x3pad, 2},
    {Opcode::Op_texm3x3spec, Opcode::Op_texm3x3pad, 2}, {Opcode::Op_texm3x3vspec, Opcode::Op_texm3x3pad, 2},
};

bool is_pad(Opcode opcode) { return opcode == Opcode::Op_texm3x2pad || opcode == Opcode::Op_texm3x3pad; }

}  // namespace

void Validation::check_model_1() {
  if (!in_version(in::ps_1)) return;
  has_phase_ = std::ranges::any_of(p.instructions, [](const Instruction& i) { return i.opcode == Opcode::Op_phase; });
  for (size_t i = 0; i < p.instructions.size(); ++i) {
    const Instruction& inst = p.instructions[i];
    if (inst.co_issued) check_pair(p.instructions[i - 1], inst);
    check_phase(inst);
    check_texture_order(inst);
    if (in_version(in::ps_1_1_3) && opcode_info(inst.opcode).group == OpGroup::Texture) check_texture_stage(inst);
  }
  for (const Instruction* pad : pads_) fail(Rule::texture_source, pad->loc, "nothing uses this pad");
}

// One half writes alpha alone and is no dot product, the other no alpha.
void Validation::check_pair(const Instruction& first, const Instruction& second) {
  const auto computes = [](const Instruction& i) {
    return opcode_info(i.opcode).group == OpGroup::Arithmetic && i.dst_count;
  };
  bool fits = !first.co_issued && computes(first) && computes(second);
  if (fits) {
    const bool alpha_first = p.dsts(first)[0].mask == kAlphaMask;
    const Instruction &alpha = alpha_first ? first : second, &color = alpha_first ? second : first;
    fits = p.dsts(alpha)[0].mask == kAlphaMask && !(p.dsts(color)[0].mask & kAlphaMask) &&
           !opcode_info(alpha.opcode).has(trait::Color);
  }
  if (!fits) fail(Rule::bad_pair, second.loc, "these two instructions make no pair");
}

void Validation::check_phase(const Instruction& inst) {
  if (!in_version(in::ps_1_4)) return;
  const bool in_first = has_phase_ && !after_phase_;
  if (inst.opcode == Opcode::Op_phase) {
    if (after_phase_) fail(Rule::bad_phase, inst.loc, "this is the second `phase`");
    after_phase_ = true;
  }
  if (inst.opcode == Opcode::Op_bem && after_phase_) fail(Rule::bad_phase, inst.loc, "bem stands before `phase`");
  if (inst.opcode == Opcode::Op_texdepth && in_first) fail(Rule::bad_phase, inst.loc, "texdepth stands behind `phase`");
  for (const Source& src : p.srcs(inst))
    if (src.reg.file == File::Input && in_first)
      fail(Rule::bad_phase, src.reg.loc, "{} is known behind `phase` only", name(src.reg));
}

void Validation::check_texture_order(const Instruction& inst) {
  const OpGroup group = opcode_info(inst.opcode).group;
  if (inst.opcode == Opcode::Op_phase) in_arithmetic_ = false;
  const bool ends_it = inst.opcode == Opcode::Op_texdepth;   // works on what arithmetic made
  if (group == OpGroup::Texture && in_arithmetic_ && !ends_it)
    fail(Rule::texture_order, inst.loc, "{} stands behind arithmetic", opcode_info(inst.opcode).text);
  in_arithmetic_ |= group == OpGroup::Arithmetic && inst.opcode != Opcode::Op_nop;
}

void Validation::check_texture_stage(const Instruction& inst) {
  const std::string_view text = opcode_info(inst.opcode).text;
  const Register& dst = p.dsts(inst)[0].reg;
  const int stage = static_cast<int>(dst.number);
  if (inst.opcode == Opcode::Op_texkill) return;
  if (stage <= last_stage_) fail(Rule::texture_order, dst.loc, "{} stands behind a higher stage", name(dst));
  last_stage_ = std::max(last_stage_, stage);
  if (!inst.src_count) return;
  const Register& src = p.srcs(inst)[0].reg;
  if (src.file == File::Texture && src.number >= dst.number)
    fail(Rule::texture_source, src.loc, "{} reads a stage below {}", text, name(dst));
  const auto continues = [&](const Instruction* pad) {  // stages in a row, with one source
    return key(p.srcs(*pad)[0].reg) == key(src) &&
           p.dsts(*pad)[0].reg.number + 1 + (pads_.end() - std::ranges::find(pads_, pad) - 1) == dst.number;
  };
  if (is_pad(inst.opcode)) {
    pads_.push_back(&inst);
    return;
  }
  const auto row = std::ranges::find(kPads, inst.opcode, &PadRow::end);
  if (row == std::end(kPads)) return;
  const bool fits = pads_.size() == row->count && std::ranges::all_of(pads_, continues) &&
                    std::ranges::all_of(pads_, [&](const Instruction* pad) { return pad->opcode == row->pad; });
  if (!fits)
    fail(Rule::texture_source, inst.loc, "{} needs {} {} with its source in the stages before it", text, row->count,
         opcode_info(row->pad).text);
  pads_.clear();
}

}  // namespace tessera::d3d9
