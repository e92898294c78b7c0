// combiners/fog.h: the fog factor → IR; 1: no fog.
#pragma once

#include "combiners/lowering.h"

namespace tessera::combiners {

inline constexpr float kLog2E = 1.44269504f;

// What a coordinate becomes by the mode, in [0,1]: the bits of fog_factor() in evaluate.h. No number gives 0.
ir::Value lower_fog_factor(Lowering& low, ir::Value coordinate);

}  // namespace tessera::combiners
