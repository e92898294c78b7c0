// combiners/evaluate.h: what one fragment becomes, computed directly from the state: the oracle for the lowering.
// In:     a legal setup, and the fragment's colours, texels and fog factor.
// Out:    the colour before coverage and the alpha test; unclamped where the combiners leave it so.
// Numbers: binary32, each operation rounded, in the order of the specification.        Threads: pure functions.
// Source: NV_register_combiners; ARB_texture_env_combine, _crossbar, _dot3; NV_texture_env_combine4.
#pragma once

#include "combiners/state.h"

namespace tessera::combiners {

struct Fragment {
  Color primary{}, secondary{};
  std::array<Color, kTextureUnits> texels{};   // filtered, by unit; parts as formats.h says
  float fog_factor = 1;                        // 1: no fog
};

// Combiners where they are enabled; else environments, colour sum, fog.
Color evaluate(const FragmentState& state, const Fragment& fragment);

Color evaluate_combiners(const FragmentState& state, const Fragment& fragment);
Color evaluate_environments(const FragmentState& state, const Fragment& fragment);   // before colour sum and fog

}  // namespace tessera::combiners
