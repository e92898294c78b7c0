// shader/print.h: the IR as text, and text back to the same IR.
//
//     stage fragment
//     flag uses_kill
//     input GENERIC[3].x perspective center          in the order of Op::Input's numbers
//     texture_binding 0 0                            view, sampler
//     texture_op Sample Tex2D binding 0
//     array 16                                       words of a private array
//     output COLOR[0].x %7
//     code
//       %0 = Const 0x3f800000
//       %1 = Input 0
//       %2 = FLt %1 %0 @3:7                          the place in the front end's source
//       If %2
//         ...
//
// One statement a line, words separated by spaces, everything from a `;` on is a comment. The immediate stands behind
// the opcode; an absent operand of Texture is `_`.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"
#include "shader/ir.h"

namespace tessera::ir {

std::string print(const Program& program);
std::string print(const Program& program, const Instr& instr);   // `%2 = FLt %1 %0`: without its place
// The program has passed verify(). Errors name line and column.
Result<Program> parse(std::string_view text);

}  // namespace tessera::ir
