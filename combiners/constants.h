// combiners/constants.h: the colours of a setup and the numbers of its fog as words of a constant buffer, so that new
// ones need no new code.
#pragma once

#include "combiners/state.h"

namespace tessera::combiners {

// Behind the buffers that a shader can name.
inline constexpr uint32_t kConstantBuffer = 16;

// Places: four words each.
inline constexpr uint32_t kGlobalConstants = 0;                                   // two
inline constexpr uint32_t kStageConstants = kGlobalConstants + 2;                 // two a stage
inline constexpr uint32_t kEnvironmentColors = kStageConstants + 2 * kMaxStages;  // one a unit
inline constexpr uint32_t kFogColor = kEnvironmentColors + kTextureUnits;
inline constexpr uint32_t kFogParameters = kFogColor + 1;                         // density, start, end
inline constexpr uint32_t kAtiConstantColors = kFogParameters + 1;
inline constexpr uint32_t kConstantPlaces = kAtiConstantColors + kAtiConstants;

std::array<uint32_t, 4 * kConstantPlaces> constant_words(const FragmentState& state);

}  // namespace tessera::combiners
