// combiners/final.h: the final combiner → IR; and all stages with it.
#pragma once

#include "combiners/registers.h"

namespace tessera::combiners {

// min(1, A B + (1 - A) C + D), and G. Adds the two pseudo registers to `registers`.
Rgba lower_final(Lowering& low, Registers& registers);

// The fragment's colour after the combiners.
Rgba lower_combiners(Lowering& low, const FragmentValues& fragment);

}  // namespace tessera::combiners
