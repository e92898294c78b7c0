// combiners/environment.h: facts about texture environments that the evaluator and the lowering decide alike.
#pragma once

#include "combiners/state.h"

namespace tessera::combiners {

constexpr bool is_combine(EnvMode mode) { return mode == EnvMode::Combine || mode == EnvMode::Combine4; }

// What the classic modes do with a base format: whether they change colour and alpha at all.
struct ClassicParts { bool color, alpha; };
constexpr ClassicParts classic_parts(EnvMode mode, BaseFormat format) {
  const bool is_full = format == BaseFormat::Rgb || format == BaseFormat::Rgba;
  if (mode == EnvMode::Decal) return {is_full, false};      // undefined for the others: nothing changes
  switch (format) {
    case BaseFormat::Alpha: return {false, true};
    case BaseFormat::Luminance:
    case BaseFormat::Rgb: return {true, false};
    case BaseFormat::LuminanceAlpha:
    case BaseFormat::Intensity:
    case BaseFormat::Rgba: return {true, true};
    default: return {false, false};                         // no colours
  }
}

// Arguments that a function of COMBINE uses.
constexpr size_t argument_count(EnvFunction function) {
  if (function == EnvFunction::Replace) return 1;
  return function == EnvFunction::Interpolate ? 3 : 2;
}

// The unit that a source names, or kTextureUnits.
constexpr uint32_t unit_of(EnvSource source) {
  const uint32_t unit = to_token(source) - to_token(EnvSource::Texture0);
  return unit < kTextureUnits ? unit : kTextureUnits;
}

// False: a COMBINE unit uses the texture of a disabled unit, and passes the incoming colour on.
bool can_combine(const FragmentState& state, const TextureEnvironment& env);

}  // namespace tessera::combiners
