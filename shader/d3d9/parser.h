// shader/d3d9/parser.h: assembler text → program; all errors that stand in the text, one a statement.
#pragma once

#include <span>
#include <string_view>

#include "core/result.h"
#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

struct Macro { std::string_view name, value; };                          // defined before the text begins

inline constexpr size_t kMaxText_bytes = size_t{16} << 20;

bool begins_with_version(std::string_view text);                         // behind comments and directives
Result<Program> parse(std::string_view text, std::span<const Macro> macros = {});

}  // namespace tessera::d3d9
