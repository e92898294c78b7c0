// texture/astc_sequence.h: ASTC's integer sequences, and what their integers mean as weights and as colours.
// Range:  at most 64 integers a sequence.                     Threads: pure functions.
// Source: Khronos Data Format Specification 1.4, chapter ASTC: Integer Sequence Encoding, Endpoint and Weight
//         Unquantization.
#pragma once

#include <cstdint>

#include "texture/block_codec.h"

namespace tessera::texture::astc {

// Integers of up to 3 * 2^bits or 5 * 2^bits values: a trit or a quint above `bits` bits; or bits alone.
struct IntegerRange {
  uint8_t trits = 0, quints = 0, bits = 0;
  uint32_t sequence_bits(uint32_t count) const {
    return count * bits + (trits ? (8 * count + 4) / 5 : 0) + (quints ? (7 * count + 2) / 3 : 0);
  }
};

// The ranges of colours, widest first; their index is what unquantize_color takes.
inline constexpr IntegerRange kColorRanges[] = {{0, 0, 8}, {1, 0, 6}, {0, 1, 5}, {0, 0, 7}, {1, 0, 5}, {0, 1, 4},
                                                {0, 0, 6}, {1, 0, 4}, {0, 1, 3}, {0, 0, 5}, {1, 0, 3}, {0, 1, 2},
                                                {0, 0, 4}, {1, 0, 2}, {0, 1, 1}, {0, 0, 3}, {1, 0, 1}};
// The ranges of weights: six of low precision, six of high.
inline constexpr IntegerRange kWeightRanges[] = {{0, 0, 1}, {1, 0, 0}, {0, 0, 2}, {0, 1, 0}, {1, 0, 1}, {0, 0, 3},
                                                 {0, 1, 1}, {1, 0, 2}, {0, 0, 4}, {0, 1, 2}, {1, 0, 3}, {0, 0, 5}};

// `count` integers from bit `first` on; bits beyond the sequence's own count as 0.
void read_sequence(const BlockBits& bits, uint32_t first, IntegerRange range, uint32_t count, uint8_t* values);

uint8_t unquantize_color(uint32_t range, uint32_t value);    // to 0..255
uint8_t unquantize_weight(uint32_t range, uint32_t value);   // to 0..64

}  // namespace tessera::texture::astc
