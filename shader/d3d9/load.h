// shader/d3d9/load.h: a file's content, text or bytecode, → program.
#pragma once

#include <string_view>
#include <vector>

#include "core/result.h"
#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

bool is_bytecode(std::string_view content);                              // begins with the word of a stage
bool is_shader(std::string_view content);                                // bytecode, or text that begins with a version
std::vector<uint32_t> words_of(std::string_view content);  // little-endian; a rest below 4 bytes is dropped
Result<Program> load(std::string_view content);

}  // namespace tessera::d3d9
