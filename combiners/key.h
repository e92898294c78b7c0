// combiners/key.h: the part of a setup that changes code, to find programs by.
#pragma once

#include "combiners/state.h"

namespace tessera::combiners {

// The setup without its constants (constants.h) and without what is switched off or not reached.
FragmentState code_key(const FragmentState& state);
uint64_t hash_of(const FragmentState& key);

}  // namespace tessera::combiners
