#include "combiners/environment.h"

namespace tessera::combiners {
namespace {

bool has_sources(const FragmentState& state, const EnvCombine& combine) {
  for (size_t a = 0; a < argument_count(combine.function); ++a) {
    const uint32_t unit = unit_of(combine.args[a].source);
    if (unit < kTextureUnits && !state.units[unit].enabled) return false;
  }
  return true;
}

}  // namespace

bool can_combine(const FragmentState& state, const TextureEnvironment& env) {
  return has_sources(state, env.rgb) && (env.rgb.function == EnvFunction::Dot3Rgba || has_sources(state, env.alpha));
}

}  // namespace tessera::combiners
