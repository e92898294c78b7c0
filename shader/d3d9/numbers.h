// shader/d3d9/numbers.h: literals of a text ↔ their bits.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::d3d9 {

// Bits of a float: decimals to the nearest, 1.#INF, 1.#QNAN, or 0x and its eight digits for any other NaN.
std::optional<uint32_t> float_bits(std::string_view text, bool negative);
std::optional<uint32_t> integer_bits(std::string_view text, bool negative);

std::string float_text(uint32_t bits);                                   // which gives the same bits
std::string integer_text(uint32_t bits);

}  // namespace tessera::d3d9
