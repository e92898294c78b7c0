#include "combiners/scalar.h"

namespace tessera::combiners {
namespace {

using Rgb = std::array<float, 3>;

// By place in the table of registers; Discard is a register that nobody reads.
struct RegisterSet {
  std::array<Color, kTokens<Register>.size()> colors{};

  Color& operator[](Register r) { return colors[index_of(r)]; }
  const Color& operator[](Register r) const { return colors[index_of(r)]; }
};

RegisterSet load(const FragmentState& state, const Fragment& f) {
  RegisterSet set;
  set[Register::Fog] = {state.fog.color[0], state.fog.color[1], state.fog.color[2], state.fog.enabled ? f.fog_factor : 1};
  set[Register::Primary] = f.primary;
  set[Register::Secondary] = f.secondary;
  for (size_t unit = 0; unit < kTextureUnits; ++unit)
    if (state.units[unit].enabled)
      set.colors[index_of(Register::Texture0) + unit] = expand(f.texels[unit], state.units[unit].format);
  set[Register::Spare0][3] = set[Register::Texture0][3];
  for (Color& color : set.colors)
    for (float& c : color) c = clamp(c, -1, 1);
  return set;
}

void load_constants(RegisterSet& set, const std::array<Color, 2>& constants) {
  set[Register::Constant0] = constants[0];
  set[Register::Constant1] = constants[1];
}

float map(float e, Mapping mapping) {
  const float t = at_least(e, 0);
  switch (mapping) {
    case Mapping::UnsignedIdentity: return t;
    case Mapping::UnsignedInvert: return 1 - at_most(t, 1);
    case Mapping::ExpandNormal: return 2 * t - 1;
    case Mapping::ExpandNegate: return -2 * t + 1;
    case Mapping::HalfBiasNormal: return t - 0.5f;
    case Mapping::HalfBiasNegate: return -t + 0.5f;
    case Mapping::SignedIdentity: return e;
    case Mapping::SignedNegate: return -e;
  }
  return 0;
}

Rgb read_rgb(const RegisterSet& set, const Input& in) {
  const Color& c = set[in.source];
  if (in.usage == Usage::Alpha) return {map(c[3], in.mapping), map(c[3], in.mapping), map(c[3], in.mapping)};
  return {map(c[0], in.mapping), map(c[1], in.mapping), map(c[2], in.mapping)};
}

float read_alpha(const RegisterSet& set, const Input& in) {
  return map(set[in.source][in.usage == Usage::Blue ? 2 : 3], in.mapping);
}

float scaled(float x, const GeneralOutput& out) {
  const float bias = out.bias == Bias::NegativeHalf ? -0.5f : 0.0f;
  const float scale = out.scale == Scale::Two ? 2.0f : out.scale == Scale::Four ? 4.0f : out.scale == Scale::Half ? 0.5f : 1.0f;
  return clamp((x + bias) * scale, -1, 1);
}

Rgb product(const Rgb& a, const Rgb& b, bool is_dot) {
  const Rgb p = {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
  const float dot = (p[0] + p[1]) + p[2];
  return is_dot ? Rgb{dot, dot, dot} : p;
}

// Writes component `c` of the three outputs.
void write(RegisterSet& set, const GeneralOutput& out, size_t c, float ab, float cd, bool takes_cd) {
  const float third = out.mux ? (takes_cd ? cd : ab) : ab + cd;
  set[out.ab][c] = scaled(ab, out);
  set[out.cd][c] = scaled(cd, out);
  set[out.sum][c] = scaled(third, out);
}

void run_stage(RegisterSet& set, const GeneralStage& stage) {
  const RegisterSet before = set;         // all is read before anything is written
  const bool takes_cd = before[Register::Spare0][3] >= 0.5f;
  const auto& [rgb, alpha, constants] = stage;
  const Rgb ab = product(read_rgb(before, rgb.in[0]), read_rgb(before, rgb.in[1]), rgb.out.ab_dot);
  const Rgb cd = product(read_rgb(before, rgb.in[2]), read_rgb(before, rgb.in[3]), rgb.out.cd_dot);
  for (size_t c = 0; c < 3; ++c) write(set, rgb.out, c, ab[c], cd[c], takes_cd);
  write(set, alpha.out, 3, read_alpha(before, alpha.in[0]) * read_alpha(before, alpha.in[1]),
        read_alpha(before, alpha.in[2]) * read_alpha(before, alpha.in[3]), takes_cd);
}

Color run_final(RegisterSet& set, const RegisterCombiners& combiners) {
  const auto& in = combiners.final_combiner.in;
  const Rgb e = read_rgb(set, in[4]), f = read_rgb(set, in[5]);
  for (size_t c = 0; c < 3; ++c) {
    set[Register::ETimesF][c] = e[c] * f[c];
    const float sum = at_least(set[Register::Spare0][c], 0) + at_least(set[Register::Secondary][c], 0);
    set[Register::Spare0PlusSecondary][c] = combiners.color_sum_clamp ? at_most(sum, 1) : sum;
  }
  const Rgb a = read_rgb(set, in[0]), b = read_rgb(set, in[1]), c = read_rgb(set, in[2]), d = read_rgb(set, in[3]);
  Color out;
  for (size_t k = 0; k < 3; ++k) out[k] = at_most((a[k] * b[k] + (1 - a[k]) * c[k]) + d[k], 1);
  out[3] = read_alpha(set, in[6]);
  return out;
}

}  // namespace

Color evaluate_combiners(const FragmentState& state, const Fragment& fragment) {
  const RegisterCombiners& combiners = state.combiners;
  RegisterSet set = load(state, fragment);
  for (uint32_t s = 0; s < combiners.stage_count; ++s) {
    load_constants(set, combiners.per_stage_constants ? combiners.stages[s].constants : combiners.constants);
    run_stage(set, combiners.stages[s]);
  }
  load_constants(set, combiners.constants);
  return run_final(set, combiners);
}

}  // namespace tessera::combiners
