// tests/support/combiners_run.h: a setup as a whole fragment program, run by the interpreter on a few fragments.
#pragma once

#include <span>
#include <vector>

#include "combiners/evaluate.h"
#include "shader/ir.h"

namespace tessera::tests {

// Colours 0 and 1 are the fragment's, TEXCOORD[u] the coordinates of unit u, the fog coordinate is its factor.
ir::Program lower_setup(const combiners::FragmentState& state);

// One fragment a lane; at most as many as a block has. A unit gives Fragment::sample at its coordinates; where there is
// no such function, Fragment::texels whatever the coordinates.
std::vector<combiners::Color> run_lowered(const combiners::FragmentState& state, std::span<const combiners::Fragment> fragments);

}  // namespace tessera::tests
