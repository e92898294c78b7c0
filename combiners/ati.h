// combiners/ati.h: an ATI fragment shader → IR.
#pragma once

#include "combiners/lowering.h"

namespace tessera::combiners {

// The fragment's colour after the last pass, in [0,1]; colour sum and fog follow (fragment.h).
Rgba lower_ati(Lowering& low, const FragmentValues& fragment);

}  // namespace tessera::combiners
