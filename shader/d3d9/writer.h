// shader/d3d9/writer.h: program → bytecode. What came from a text gives the words that Direct3D's assembler gives.
#pragma once

#include <vector>

#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

std::vector<uint32_t> write(const Program& program);                     // from the version to the end token

}  // namespace tessera::d3d9
