#include "texture/astc_block.h"

#include <iterator>

namespace tessera::texture::astc {
namespace {

// The size and the range of the grid of weights, from the 11 bits of the block mode. False where it is reserved.
bool parse_mode(const BlockBits& bits, Block& block) {
  const uint32_t a = bits.get(5, 2), b = bits.get(7, 2), low = bits.get(0, 2), high = bits.get(2, 2);
  uint32_t range, precise = bits.get(9, 1);
  block.has_two_planes = bits.get(10, 1) != 0;
  const auto grid = [&](uint32_t width, uint32_t height) { block.grid_width = width, block.grid_height = height; };
  if (low != 0) {
    range = low << 1 | bits.get(4, 1);
    switch (high) {
      case 0: grid(b + 4, a + 2); break;
      case 1: grid(b + 8, a + 2); break;
      case 2: grid(a + 2, b + 8); break;
      default:
        if (b < 2) grid(a + 2, b + 6);
        else grid(b - 2 + 2, a + 2);
    }
  } else {
    if (high == 0) return false;
    range = high << 1 | bits.get(4, 1);
    switch (b) {
      case 0: grid(12, a + 2); break;
      case 1: grid(a + 2, 12); break;
      case 2:   // the bits of precision and planes are the height
        grid(a + 6, bits.get(9, 2) + 6);
        precise = 0;
        block.has_two_planes = false;
        break;
      default:
        if (a > 1) return false;
        grid(a == 0 ? 6 : 10, a == 0 ? 10 : 6);
    }
  }
  if (range < 2) return false;
  block.weight_range = range - 2 + 6 * precise;
  return true;
}

bool check_weights(Block& block, uint32_t block_width, uint32_t block_height) {
  if (block.grid_width > block_width || block.grid_height > block_height || block.weights() > 64) return false;
  block.weight_bits = kWeightRanges[block.weight_range].sequence_bits(block.weights());
  return block.weight_bits >= 24 && block.weight_bits <= 96;
}

// The endpoint mode of each partition; gives how many of its bits stand below the weights.
uint32_t parse_endpoint_modes(const BlockBits& bits, Block& block) {
  if (block.partitions == 1) {
    block.endpoint_mode[0] = bits.get(13, 4);
    return 0;
  }
  const uint32_t selector = bits.get(23, 2), first_bits = bits.get(25, 4);
  if (selector == 0) {
    for (uint32_t& mode : block.endpoint_mode) mode = first_bits;
    return 0;
  }
  // A class bit a partition, then two bits a partition that choose within the class.
  const uint32_t n = block.partitions, extra = 3 * n - 4;
  const uint32_t all = first_bits | bits.get(128 - block.weight_bits - extra, extra) << 4;
  for (uint32_t i = 0; i < n; ++i)
    block.endpoint_mode[i] = (selector - 1 + (all >> i & 1)) << 2 | (all >> (n + 2 * i) & 3);
  return extra;
}

// The widest range of colours that fits between the configuration and the weights.
bool choose_color_range(Block& block, uint32_t end_bit) {
  for (uint32_t i = 0; i < block.partitions; ++i) block.color_integers += 2 * (block.endpoint_mode[i] / 4 + 1);
  if (block.color_integers > kMaxColorIntegers || end_bit < block.color_first_bit) return false;
  while (block.color_range < std::size(kColorRanges) &&
         kColorRanges[block.color_range].sequence_bits(block.color_integers) > end_bit - block.color_first_bit)
    ++block.color_range;
  return block.color_range < std::size(kColorRanges);
}

}  // namespace

std::optional<Block> parse_block(const BlockBits& bits, uint32_t block_width, uint32_t block_height) {
  Block block;
  if (!parse_mode(bits, block) || !check_weights(block, block_width, block_height)) return std::nullopt;
  block.partitions = bits.get(11, 2) + 1;
  if (block.partitions == 4 && block.has_two_planes) return std::nullopt;
  if (block.partitions > 1) block.partition_seed = bits.get(13, 10);
  block.color_first_bit = block.partitions == 1 ? 17 : 29;
  uint32_t end_bit = 128 - block.weight_bits - parse_endpoint_modes(bits, block);
  if (block.has_two_planes) {
    end_bit -= 2;
    block.second_plane_channel = bits.get(end_bit, 2);
  }
  if (!choose_color_range(block, end_bit)) return std::nullopt;
  return block;
}

}  // namespace tessera::texture::astc
