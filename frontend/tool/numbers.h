// frontend/tool/numbers.h: numbers on the command line as words: 1.5, 0x3fc00000 (bits), 3i, 3u; lists of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tessera::tool {

std::optional<uint32_t> read_unsigned(std::string_view text, int base = 10);
std::optional<uint32_t> read_word(std::string_view text);
std::vector<std::string_view> split(std::string_view text, char separator);
Result<std::vector<uint32_t>> read_words(std::string_view text);   // separated by commas

}  // namespace tessera::tool
