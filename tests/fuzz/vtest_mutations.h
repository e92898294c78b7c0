// tests/fuzz/vtest_mutations.h: changes of a vtest stream that keep its framing, so that what lies behind them is reached:
// a word of a command becomes another, a command goes, comes twice, or changes places.
#pragma once

#include <cstdint>
#include <span>

namespace tessera::tests {

// Changes the first `size` bytes of `room`: a byte, then requests. Gives the new size; 0: nothing could be changed.
size_t mutate_stream(std::span<uint8_t> room, size_t size, uint32_t seed);

}  // namespace tessera::tests
