// tests/support/random_tgsi.h: TGSI programs of a few random instructions: any opcode, with operands that often fit it.
#pragma once

#include <random>
#include <string>

namespace tessera::tests {

std::string random_tgsi(std::mt19937& random);

}  // namespace tessera::tests
