// shader/reference.h: the reference page of the IR's operations, made from the opcode table.
#pragma once

#include <string>

namespace tessera::ir {

// Markdown: one table row an operation.
std::string opcode_reference();

}  // namespace tessera::ir
