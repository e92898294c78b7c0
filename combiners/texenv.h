// combiners/texenv.h: the texture environments of all enabled units → IR.
#pragma once

#include "combiners/lowering.h"

namespace tessera::combiners {

// The fragment's colour after the last unit, in [0,1]; colour sum and fog follow (fragment.h).
Rgba lower_environments(Lowering& low, const FragmentValues& fragment);

}  // namespace tessera::combiners
