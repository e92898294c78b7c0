// tests/support/mutations.h: shader texts with a few damaged bytes or tokens.
#pragma once

#include <random>
#include <string>

namespace tessera::tests {

std::string mutated(const std::string& text, std::mt19937& random);

}  // namespace tessera::tests
