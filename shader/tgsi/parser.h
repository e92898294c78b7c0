// shader/tgsi/parser.h: TGSI text → tree.
// In:     the whole grammar, any stage, any opcode; keywords in either case.
// Out:    the tree, or every error found (at most kMaxDiags) with line, column, and a rule of diagnostics.def.
// Range:  time and memory linear in the text; texts up to 16 MiB.        Threads: pure function.
#pragma once

#include <string_view>

#include "shader/tgsi/program.h"

namespace tessera::tgsi {

inline constexpr size_t kMaxDiags = 50;

Result<Program> parse(std::string_view text);

}  // namespace tessera::tgsi
