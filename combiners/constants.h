// combiners/constants.h: the colours of a setup as words of a constant buffer, so that a new colour needs no new code.
#pragma once

#include "combiners/state.h"

namespace tessera::combiners {

// Places: four words each.
inline constexpr uint32_t kGlobalConstants = 0;                                   // two
inline constexpr uint32_t kStageConstants = kGlobalConstants + 2;                 // two a stage
inline constexpr uint32_t kEnvironmentColors = kStageConstants + 2 * kMaxStages;  // one a unit
inline constexpr uint32_t kFogColor = kEnvironmentColors + kTextureUnits;
inline constexpr uint32_t kConstantPlaces = kFogColor + 1;

std::array<uint32_t, 4 * kConstantPlaces> constant_words(const FragmentState& state);

}  // namespace tessera::combiners
