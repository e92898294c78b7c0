// texture/astc_block.h: the configuration of an ASTC block: what its bits hold, and where.
// Source: Khronos Data Format Specification 1.4, chapter ASTC: Block mode to Data Size Determination, Illegal
//         Encodings.
#pragma once

#include <cstdint>
#include <optional>

#include "texture/astc_sequence.h"

namespace tessera::texture::astc {

inline constexpr uint32_t kMaxColorIntegers = 18;

struct Block {
  uint32_t grid_width = 0, grid_height = 0;   // of weights
  uint32_t weight_range = 0, weight_bits = 0;
  bool has_two_planes = false;
  uint32_t second_plane_channel = 0;          // that the second weight of a texel is for
  uint32_t partitions = 1, partition_seed = 0;
  uint32_t endpoint_mode[4] = {};             // by partition
  uint32_t color_first_bit = 0, color_range = 0, color_integers = 0;

  uint32_t weights() const { return grid_width * grid_height * (has_two_planes ? 2 : 1); }
};

// Bits 0 to 8 of a block of one colour.
inline bool is_void_extent(const BlockBits& bits) { return bits.get(0, 9) == 0x1fc; }

// Nothing where the encoding is illegal. Not for blocks of one colour.
std::optional<Block> parse_block(const BlockBits& bits, uint32_t block_width, uint32_t block_height);

}  // namespace tessera::texture::astc
