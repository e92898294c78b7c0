// shader/chain.h: two programs of one stage, run one after the other, as one program.
// In:     programs that verify. `handed_over`: semantics of outputs of `first` that are inputs of `second`; such an
//         input that `first` does not write reads 0. All other inputs are inputs of both.
// Out:    a program that verifies, not optimised. An output of `second` takes the place of the same one of `first`;
//         kills, flags and the other outputs of `first` stay.
// Order:  all of `first` runs before `second`, which sees the lanes that are left, as one program would.
#pragma once

#include <span>

#include "shader/ir.h"

namespace tessera::ir {

Program chain(const Program& first, const Program& second, std::span<const Semantic> handed_over);

}  // namespace tessera::ir
