#include "texture/cold.h"

#include <algorithm>
#include <cstring>

#include "texture/block_codec.h"
#include "texture/bound.h"

namespace tessera::texture {
namespace {

// The blocks that a thread decoded last: as many as an 8 x 8 square of neighbours, in which no two meet in one place.
struct DecodedBlocks {
  static constexpr uint32_t kSide = 8;
  struct Block {
    uint64_t copy = 0;                  // 0: empty
    uint32_t level = 0, slice = 0, row = 0, column = 0;
    alignas(16) std::byte texels[kMaxBlock_bytes];
  };
  Block blocks[kSide * kSide];

  const std::byte* get(const ColdBlocks& cold, uint32_t slice, uint32_t row, uint32_t column) {
    Block& block = blocks[(row + slice) % kSide * kSide + column % kSide];
    const uint32_t in_image = cold.first_slice + slice;
    if (block.copy == cold.copy && block.level == cold.level && block.slice == in_image && block.row == row &&
        block.column == column)
      return block.texels;
    block.copy = cold.copy;
    block.level = cold.level;
    block.slice = in_image;
    block.row = row;
    block.column = column;
    block_codec(cold.format->codec)
        .decode(*cold.format,
                cold.blocks + slice * cold.slice_bytes + row * cold.row_bytes + column * size_t{cold.format->block_bytes},
                block.texels);
    return block.texels;
  }
};

thread_local DecodedBlocks decoded_blocks;

}  // namespace

void collect_texels(const LevelImage& level, const uint32_t* index, size_t lanes, size_t texel_bytes, uint8_t* out) {
  const ColdBlocks& cold = *level.cold;
  for (size_t lane = 0; lane < lanes; ++lane, out += texel_bytes) {
    uint32_t i = index[lane];
    if (cold.is_whole) i = std::min(i, level.cold_texels - 1);   // the neighbour of the last one has no weight
    if (i >= level.cold_texels) {
      std::memcpy(out, level.texels + i * texel_bytes, texel_bytes);
      continue;
    }
    const uint32_t slice = i / level.slice_texels, in_slice = i % level.slice_texels;
    const uint32_t x = in_slice % level.row_texels, y = in_slice / level.row_texels;
    const uint32_t width = cold.format->block_width, height = cold.format->block_height;
    const std::byte* block = decoded_blocks.get(cold, slice, y / height, x / width);
    std::memcpy(out, block + (y % height * width + x % width) * texel_bytes, texel_bytes);
  }
}

}  // namespace tessera::texture
