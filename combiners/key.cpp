#include "combiners/key.h"

#include "core/hash.h"

namespace tessera::combiners {
namespace {

void add(Hasher& h, const GeneralPortion& portion) {
  for (const Input& in : portion.in) h.add_value(in.source).add_value(in.mapping).add_value(in.usage);
  const GeneralOutput& out = portion.out;
  h.add_value(out.ab).add_value(out.cd).add_value(out.sum).add_value(out.scale).add_value(out.bias);
  h.add_value(out.ab_dot).add_value(out.cd_dot).add_value(out.mux);
}

void add(Hasher& h, const AtiInstruction& instr) {
  h.add_value(instr.is_given)
      .add_value(instr.op)
      .add_value(instr.target)
      .add_value(instr.mask)
      .add_value(instr.modifiers);
  for (const AtiArgument& arg : instr.args) h.add_value(arg.source).add_value(arg.replicate).add_value(arg.modifiers);
}

void add(Hasher& h, const EnvCombine& combine) {
  h.add_value(combine.function).add_value(combine.scale);
  for (const EnvArgument& arg : combine.args) h.add_value(arg.source).add_value(arg.operand);
}

}  // namespace

FragmentState code_key(const FragmentState& state) {
  FragmentState key;
  if (state.combiners.enabled) {
    key.combiners = state.combiners;
    key.combiners.constants = {};
    for (uint32_t s = 0; s < kMaxStages; ++s) {
      if (s >= state.combiners.stage_count) key.combiners.stages[s] = {};
      key.combiners.stages[s].constants = {};
    }
  } else if (state.ati.enabled) {
    key.ati = state.ati;
    key.ati.constants = {};
  }
  for (uint32_t u = 0; u < kTextureUnits; ++u) {
    if (!state.units[u].enabled) continue;
    key.units[u] = state.units[u];
    if (state.combiners.enabled || state.ati.enabled) key.units[u].environment = {};
    key.units[u].environment.color = {};
  }
  key.color_sum = state.color_sum && !state.combiners.enabled;
  if (!state.fog.enabled) return key;
  key.fog.enabled = true;
  key.fog.mode = state.fog.mode;
  key.fog.source = state.fog.source;
  key.fog.per_vertex = state.fog.per_vertex;
  return key;
}

// What keys share for the most part (shapes, formats, fog) is left to the comparison.
uint64_t hash_of(const FragmentState& key) {
  Hasher h;
  if (key.combiners.enabled) {
    h.add_value(key.combiners.stage_count)
        .add_value(key.combiners.per_stage_constants)
        .add_value(key.combiners.color_sum_clamp);
    for (uint32_t s = 0; s < key.combiners.stage_count; ++s)
      for (const Portion p : {Portion::Rgb, Portion::Alpha}) add(h, key.combiners.stages[s].portion(p));
    for (const Input& in : key.combiners.final_combiner.in)
      h.add_value(in.source).add_value(in.mapping).add_value(in.usage);
  }
  for (uint32_t p = 0; key.ati.enabled && p < key.ati.pass_count; ++p)
    for (const AtiPair& pair : key.ati.passes[p].pairs) add(h, pair.color), add(h, pair.alpha);
  for (const TextureUnit& unit : key.units) {
    h.add_value(unit.enabled).add_value(unit.format).add_value(unit.environment.mode);
    add(h, unit.environment.rgb);
    add(h, unit.environment.alpha);
  }
  return h.value();
}

}  // namespace tessera::combiners
