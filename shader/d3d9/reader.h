// shader/d3d9/reader.h: bytecode → program. Every word is checked before it is used: any words are safe to read.
#pragma once

#include <span>

#include "core/result.h"
#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

Result<Program> read(std::span<const uint32_t> words);                   // from the version to the end token

}  // namespace tessera::d3d9
