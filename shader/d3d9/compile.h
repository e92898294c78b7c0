// shader/d3d9/compile.h: text or bytecode → checked, lowered and optimised IR, in one call.
#pragma once

#include <string_view>

#include "shader/d3d9/lower.h"

namespace tessera::d3d9 {

Result<ir::Program> compile(std::string_view content, const LowerOptions& options = {});

}  // namespace tessera::d3d9
