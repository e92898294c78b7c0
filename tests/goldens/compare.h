// tests/goldens/compare.h: whether a register has the words that a TGSI record asks for, by the classes of its README.
#pragma once

#include <string>

#include "tests/goldens/tgsi_record.h"

namespace tessera::goldens {

// Empty, or the first difference. Lanes that are helpers or discarded are not checked.
std::string register_difference(const TgsiRecord& record, uint32_t output, const RegisterWords& got);

// The same for word `index` of "buf0" or "img0".
bool word_is_right(const TgsiRecord& record, const std::string& memory, size_t index, uint32_t want, uint32_t got);

}  // namespace tessera::goldens
