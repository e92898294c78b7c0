// tests/support/random.h: seeds and sizes of random tests. Fixed by default, so that a run repeats; tests/long.sh asks
// for more rounds with a new seed through the environment:
//     TESSERA_SEED=N   another seed          TESSERA_LONG=N   N times the rounds
//
//     std::mt19937 random(seed());   CAPTURE(seed());
//     for (uint32_t i = 0; i < rounds(1000); ++i) ...
#pragma once

#include <cstdint>

namespace tessera::tests {

uint32_t seed(uint32_t fixed = 1);
uint32_t rounds(uint32_t usual);

}  // namespace tessera::tests
