#include "combiners/evaluate.h"

#include "combiners/fog.h"
#include "combiners/scalar.h"
#include "core/math.h"

namespace tessera::combiners {
namespace {

float unit(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }      // no number gives 0

}  // namespace

Color evaluate(const FragmentState& state, const Fragment& fragment) {
  if (state.combiners.enabled) return evaluate_combiners(state, fragment);
  Color color = state.ati.enabled ? evaluate_ati(state, fragment) : evaluate_environments(state, fragment);
  for (size_t c = 0; c < 3; ++c) {
    if (state.color_sum) color[c] = clamp(color[c] + clamp(fragment.secondary[c], 0, 1), 0, 1);
    if (state.fog.enabled) color[c] = fragment.fog_factor * color[c] + (1 - fragment.fog_factor) * state.fog.color[c];
  }
  return color;
}

float fog_factor(const Fog& fog, float coordinate) {
  const float scaled = fog.density * coordinate;
  switch (fog.mode) {
    case FogMode::Linear: return unit((fog.end - coordinate) / (fog.end - fog.start));
    case FogMode::Exp: return unit(math::ex2(-scaled * kLog2E));
    case FogMode::Exp2: return unit(math::ex2(-(scaled * scaled) * kLog2E));
    case FogMode::Factor: break;
  }
  return unit(coordinate);
}

}  // namespace tessera::combiners
