// shader/d3d9/printer.h: program → assembler text, which assembles to the same bytecode, comments aside.
#pragma once

#include <string>

#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

std::string print(const Program& program);

}  // namespace tessera::d3d9
