// shader/d3d9/constant_table.h: the comment that compilers leave → names of constants.
#pragma once

#include <span>
#include <vector>

#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

// Of a comment's words; empty where it is no constant table or an offset of it leads outside.
std::vector<NamedConstant> read_constant_table(std::span<const uint32_t> comment);

}  // namespace tessera::d3d9
