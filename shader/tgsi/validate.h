// shader/tgsi/validate.h: the rules that a text must keep beyond its grammar, each with an id of diagnostics.def.
// Lowering relies on all of them: validate before lower().
#pragma once

#include <vector>

#include "shader/tgsi/program.h"

namespace tessera::tgsi {

// Every broken rule with its place, at most kMaxDiags; empty: the program is valid.
std::vector<Diag> validate(const Program& program, Dialect dialect);

}  // namespace tessera::tgsi
