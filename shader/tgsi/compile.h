// shader/tgsi/compile.h: TGSI text → checked, lowered and optimised IR: what a pipeline needs, in one call.
#pragma once

#include <string_view>

#include "shader/ir.h"
#include "shader/tgsi/program.h"

namespace tessera::tgsi {

Result<ir::Program> compile(std::string_view text, Dialect dialect = Dialect::Current);

}  // namespace tessera::tgsi
