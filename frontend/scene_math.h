// frontend/scene_math.h: the value lists of [constants]: numbers, matrices, expressions of both → words of registers.
//
//     2*pi  1/3  sqrt(2)                              numbers: one word each
//     perspective(60, 4/3, 0.1, 100) * look_at(...)   a matrix: 16 words, row by row
//
// A blank or a comma ends a value, unless an operator with a blank behind it follows: "1 -2" are two values, "1 - 2"
// and "1-2" one. Computed in double by additions, multiplications, divisions and square roots, sines with core/math:
// the same bits on every machine.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tessera::scene {

// `loc` is the place of the text's first character.
Result<std::vector<uint32_t>> evaluate_values(std::string_view text, SourceLoc loc);

}  // namespace tessera::scene
