// tests/support/fixed_function_text.h: fixed-function state as a section of a scene file, for reading it back.
#pragma once

#include <string>

#include "combiners/state.h"
#include "core/result.h"

namespace tessera::tests {

// The section without a name, of the kind that is enabled; numbers as bits, so that none is lost.
std::string scene_section(const combiners::FragmentState& state);
// The state of a scene that has this section.
Result<combiners::FragmentState> read_scene_section(const std::string& section);
// What two setups must have in common to give the same colours: switched-off parts, and constants that nobody reads, do not count.
bool same_effect(const combiners::FragmentState& a, const combiners::FragmentState& b);

}  // namespace tessera::tests
