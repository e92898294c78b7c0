// shader/tgsi/parse_declaration.h: what stands before the code: DCL, IMM and PROPERTY statements, behind their first word.
#pragma once

#include "shader/tgsi/cursor.h"
#include "shader/tgsi/program.h"

namespace tessera::tgsi {

bool parse_declaration(Cursor& c, Declaration& dcl);
bool parse_immediate(Cursor& c, const Token& imm_word, uint32_t count_before, Immediate& imm);
bool parse_property(Cursor& c, Property& property);

}  // namespace tessera::tgsi
