// shader/tgsi/lower.h: valid tree → IR. Swizzles, masks, subroutines and switches vanish here.
// Errors: opcodes and register files that the IR has no operation for yet, and programs beyond a limit.
#pragma once

#include "shader/ir.h"
#include "shader/tgsi/program.h"

namespace tessera::tgsi {

struct LowerOptions {
  Dialect dialect = Dialect::Current;
};

// `program` must have passed validate() with the same dialect.
Result<ir::Program> lower(const Program& program, const LowerOptions& options);

}  // namespace tessera::tgsi
