// texture/constants.h: integer constants of the innermost filters, in memory whose contents the compiler does not know.
// Why: it builds known integer vectors in general registers at each use, two operations on the port that shuffles need;
// a broadcast from memory needs only a load.
#pragma once

#include <cstdint>

namespace tessera::texture {

struct FilterConstants {
  int32_t one = 1;
  int32_t weight_mask = 255;                // weights in 1/256
  int32_t rounded_half = 0x4b400000 + 128;  // small_int's bias and half a texel in 1/256
  // For byte shuffles: the lowest byte of a word as each of its 16-bit halves. Then 256 - f of the low half is ~f + 257.
  alignas(16) uint8_t low_byte_twice[16] = {0, 128, 0, 128, 4, 128, 4, 128, 8, 128, 8, 128, 12, 128, 12, 128};
  uint32_t low_half = 0x0000ffffu, complement = 257;
  uint32_t low_bytes = 0x00ff00ffu, high_bytes = 0xff00ff00u, top_bits = 0x80808080u;
};
extern const FilterConstants kFilterConstants;

}  // namespace tessera::texture
