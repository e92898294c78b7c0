// shader/verify.h: the rules of the IR, checked from the opcode table.
// Every Diag names an instruction by its number in Program::code (line, from 1). A program that a front end built and
// a pass has changed holds them always; a program that was read from text is checked before it is used.
#pragma once

#include "core/result.h"
#include "shader/ir.h"

namespace tessera::ir {

Status verify(const Program& program);

}  // namespace tessera::ir
