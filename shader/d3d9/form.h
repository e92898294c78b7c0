// shader/d3d9/form.h: rules of a single statement that hold in text and bytecode alike: which registers, modifiers,
// indexes and usages a version has. What the assembler of the time let pass is left to the validator.
#pragma once

#include "shader/d3d9/diagnostics.h"
#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

// Each looks at the last one of its list. False, with one diagnosis: it broke a rule.
bool check_declaration_form(const Program& program, DiagList& diags);
bool check_definition_form(const Program& program, Opcode opcode, DiagList& diags);   // def, defi or defb
bool check_instruction_form(const Program& program, DiagList& diags);

}  // namespace tessera::d3d9
