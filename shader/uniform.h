// shader/uniform.h: which values are the same in all lanes of a draw.
#pragma once

#include <vector>

#include "shader/ir.h"

namespace tessera::ir {

// By value: it is pure and computed from constants and constant buffers alone.
std::vector<bool> find_uniforms(const Program& program);

}  // namespace tessera::ir
