// tests/support/d3d9_round_trip.h: what must hold of any Direct3D 9 shader, correct or damaged. Each gives what is
// wrong, or an empty text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tessera::tests {

// "word 3: expected 80e40000, found the end"
std::string difference(std::span<const uint32_t> want, std::span<const uint32_t> got);

// Words that are read are written back as they were; printed and assembled they are the same, comments aside.
std::string d3d9_words_problem(std::span<const uint32_t> words);

// A text that assembles gives words that hold the above. One that does not gives errors with places in the text.
std::string d3d9_text_problem(std::string_view text);

}  // namespace tessera::tests
