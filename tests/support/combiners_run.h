// tests/support/combiners_run.h: a setup lowered to IR and run by the interpreter on a few fragments.
#pragma once

#include <span>
#include <vector>

#include "combiners/evaluate.h"
#include "shader/ir.h"

namespace tessera::tests {

// Colours 0 and 1 are the fragment's, generic u the texel of unit u, the fog coordinate its factor; writes colour 0.
ir::Program lower_setup(const combiners::FragmentState& state);

// One fragment a lane; at most as many as a block has.
std::vector<combiners::Color> run_lowered(const combiners::FragmentState& state, std::span<const combiners::Fragment> fragments);

}  // namespace tessera::tests
