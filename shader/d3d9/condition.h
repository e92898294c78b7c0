// shader/d3d9/condition.h: the tokens behind #if → their value.
#pragma once

#include <cstdint>
#include <span>

#include "core/result.h"
#include "shader/d3d9/lexer.h"

namespace tessera::d3d9 {

// Whole numbers, parentheses and the operators of C but ?: and the comma; a word that is no macro is 0.
Result<int64_t> evaluate_condition(std::span<const Token> tokens, SourceLoc loc);

}  // namespace tessera::d3d9
