// combiners/evaluate.h: what one fragment becomes, computed directly from the state: the oracle for the lowering.
// In:     a legal setup, and the fragment's colours, texels or (ATI fragment shaders) coordinates, and fog factor.
// Out:    the colour before coverage and the alpha test; unclamped where the combiners leave it so.
// Numbers: binary32, each operation rounded, in the order of the specification.        Threads: pure functions.
// Source: NV_register_combiners; ARB_texture_env_combine, _crossbar, _dot3; NV_texture_env_combine4.
#pragma once

#include <functional>

#include "combiners/state.h"

namespace tessera::combiners {

struct Fragment {
  Color primary{}, secondary{};
  std::array<Color, kTextureUnits> texels{};   // filtered, by unit; parts as formats.h says
  float fog_factor = 1;                        // 1: no fog
  std::array<Color, kTextureUnits> coords{};   // s, t, r, q
  std::function<Color(uint32_t unit, const std::array<float, 3>& coord)> sample;   // the unit's texel there
};

// Combiners where they are enabled; else an ATI fragment shader or environments, then colour sum and fog.
Color evaluate(const FragmentState& state, const Fragment& fragment);

Color evaluate_combiners(const FragmentState& state, const Fragment& fragment);
Color evaluate_environments(const FragmentState& state, const Fragment& fragment);   // before colour sum and fog
Color evaluate_ati(const FragmentState& state, const Fragment& fragment);            // before them, too

// What a coordinate becomes by the mode, clamped to [0,1].
float fog_factor(const Fog& fog, float coordinate);

}  // namespace tessera::combiners
