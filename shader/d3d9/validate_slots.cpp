// shader/d3d9/validate_slots.cpp: instructions against the version's slots.
#include "shader/d3d9/validation.h"

namespace tessera::d3d9 {

// Where texture instructions have slots of their own, each takes one; those of ps_1_4 begin anew at `phase`.
void Validation::check_slots() {
  constexpr uint32_t kMaxCmp = 3;        // of ps_1_2 and ps_1_3
  uint64_t slots = 0, texture = 0;
  uint32_t cmp = 0;
  bool reported = false;
  for (const Instruction& inst : p.instructions) {
    const OpcodeInfo& info = opcode_info(inst.opcode);
    const size_t sampler = info.srcs.find('X');
    const bool is_cube =
        sampler != std::string_view::npos && sampler_type(p.srcs(inst)[sampler].reg) == SamplerType::Cube;
    if (inst.opcode == Opcode::Op_phase) slots = texture = 0;
    else if (v.texture_slots && info.group == OpGroup::Texture) ++texture;
    else if (!inst.co_issued) slots += slots_of(inst.opcode, p.version, is_cube);
    cmp += inst.opcode == Opcode::Op_cmp;
    const bool too_many = (v.slots != kNoLimit && slots > v.slots) || texture > v.texture_slots ||
                          (cmp > kMaxCmp && in_version(in::ps_1_2_3));
    if (too_many && !reported)
      fail(Rule::too_many_slots, inst.loc, "{} does not fit in the slots of {}", info.text, v.name);
    reported |= too_many;
  }
}

}  // namespace tessera::d3d9
