// combiners/place.h: where an instruction of lowered state comes from, as the SourceLoc that it carries: line 0, and as
// column the number of a stage, unit or pass, counted from 1.
#pragma once

#include <string>

#include "combiners/state.h"
#include "core/result.h"

namespace tessera::combiners {

// Number n: general stage, texture unit or pass n; kMaxStages: the final combiner; kAfterStages: colour sum and fog.
inline constexpr uint32_t kFinalPlace = kMaxStages, kAfterStages = kMaxStages + 1;
constexpr SourceLoc place_of(uint32_t number) { return {0, number + 1}; }

// "general combiner 2", "final combiner", "texture unit 0", "pass 1", "colour sum and fog"; empty: of none of them.
std::string place_name(const FragmentState& state, SourceLoc loc);

}  // namespace tessera::combiners
