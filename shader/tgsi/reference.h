// shader/tgsi/reference.h: the page about every TGSI opcode, from ops.def, meanings.def and what the lowering does.
#pragma once

#include <string>

namespace tessera::tgsi {

// Markdown: a table a group of opcodes. OPCODES.md is this text.
std::string opcode_reference();

}  // namespace tessera::tgsi
