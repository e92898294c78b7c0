// shader/unordered.h: finds where a program's results may depend on the order in which invocations run: the part of the
// numbers contract that no executor can keep. What only one thread sees (shared and private memory) is not part of it.
#pragma once

#include <vector>

#include "shader/ir.h"

namespace tessera::ir {

// A Diag for each finding, at the instruction that shows it: the result of an atomic operation is used, the operation
// does not commute with itself or others on its resource, or a resource is both loaded and written.
std::vector<Diag> find_unordered(const Program& program);

}  // namespace tessera::ir
