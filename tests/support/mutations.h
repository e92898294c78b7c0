// tests/support/mutations.h: shader texts with a few damaged bytes or tokens, and any files with damaged bytes.
#pragma once

#include <random>
#include <string>

namespace tessera::tests {

std::string mutated_bytes(std::string file, std::mt19937& random);
std::string mutated(const std::string& text, std::mt19937& random);

}  // namespace tessera::tests
