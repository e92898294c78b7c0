#include "combiners/fragment.h"

#include "combiners/ati.h"
#include "combiners/final.h"
#include "combiners/texenv.h"

namespace tessera::combiners {
namespace {

void add_secondary(Lowering& low, Rgba& color, const FragmentValues& fragment) {
  for (size_t c = 0; c < 3; ++c) color[c] = low.clamp_unit(low.add(color[c], low.clamp_unit(fragment.secondary[c])));
}

// f C + (1 - f) fog colour
void apply_fog(Lowering& low, Rgba& color, const FragmentValues& fragment) {
  const ir::Value f = fragment.fog_factor;
  const Rgba fog = low.color(kFogColor);
  for (size_t c = 0; c < 3; ++c) color[c] = low.add(low.mul(f, color[c]), low.mul(low.one_minus(f), fog[c]));
}

}  // namespace

Rgba lower_fragment(ir::Builder& builder, const FragmentState& state, const FragmentValues& fragment,
                    uint32_t constant_buffer) {
  Lowering low(builder, state, constant_buffer);
  if (state.combiners.enabled) return lower_combiners(low, fragment);
  Rgba color = state.ati.enabled ? lower_ati(low, fragment) : lower_environments(low, fragment);
  low.begin(kAfterStages);
  if (state.color_sum) add_secondary(low, color, fragment);
  if (state.fog.enabled) apply_fog(low, color, fragment);
  return color;
}

}  // namespace tessera::combiners
