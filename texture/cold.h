// texture/cold.h: the texels that the decoded copy of a compressed image leaves out.
// A copy and its blocks together may take no more memory than the decoded texels, so as many texels as the blocks take
// stay undecoded: the first block rows of level 0, which is the largest level and the one that a view at a distance does
// not read, and of the next levels where small ones leave no room. They are decoded a block at a time when they are
// read; each thread keeps the last blocks that it decoded.
// In:      a LevelImage whose first `cold_texels` are missing.    Out: texels as decompress() would have stored them.
// Errors:  none.                                               Threads: any.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/format.h"

namespace tessera::texture {

struct LevelImage;

// Where the missing texels of a level come from.
struct ColdBlocks {
  const FormatInfo* format = nullptr;   // of the blocks
  const uint8_t* blocks = nullptr;      // of the view's first slice
  size_t row_bytes = 0, slice_bytes = 0;
  uint32_t level = 0, first_slice = 0;  // of the view, in the image
  bool is_whole = false;                // to the end of the level: what lies behind it may not be in memory either
  uint64_t copy = 0;                    // Decoded::number
};

inline constexpr size_t kMaxDecodedTexel_bytes = 8;

// Texels `index[0 .. lanes)` of the level, missing or not, side by side.
void collect_texels(const LevelImage& level, const uint32_t* index, size_t lanes, size_t texel_bytes, uint8_t* out);

}  // namespace tessera::texture
