// raster/store.h: texels between a target's rows and a tile's lane order, block by block; fills for clears.
// In:     the part of a surface that lies under a tile; blocks of 64 texels in lane order (raster/lanes.h).
// Out:    the same bytes elsewhere: nothing is converted. Blocks that reach over the target's edge move only the
//         texels inside.
// Errors: none.                                       Threads: a tile's surface part has one owner.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/simd_target.h"
#include "raster/state.h"

namespace tessera::raster {

inline constexpr uint32_t kMaxTexelBytes = 32;

// The texels of one target under one tile.
struct TileSurface {
  std::byte* first = nullptr;      // the tile's first texel
  size_t pitch_bytes = 0;
  uint32_t texel_bytes = 0;
  int32_t width = 0, height = 0;   // pixels of the tile inside the target
  size_t sample_bytes = 0;         // from a texel's sample to its next
  bool streams = false;            // large, and rows start at whole cache lines: write around the caches
};

// Sample 0 of a layer, counted from the surface's first.
TileSurface tile_surface(const Surface& surface, uint32_t layer, int32_t x, int32_t y, int32_t width, int32_t height);
// The same texels of another sample.
TileSurface sample_surface(const TileSurface& first, uint32_t sample);

struct StoreKernels {
  // One block, at tile pixel (x, y).
  void (*load_block)(const TileSurface& from, int32_t x, int32_t y, std::byte* lanes);
  void (*store_block)(const TileSurface& to, int32_t x, int32_t y, const std::byte* lanes);
  // `count` blocks side by side from the tile's left edge, all inside the target.
  void (*store_row)(const TileSurface& to, int32_t y, int32_t count, const std::byte* lanes);
  // One texel over a rectangle of the tile, clipped to the target.
  void (*fill)(const TileSurface& to, const IRect& rect, const std::byte* texel);
  // One texel over the 64 lanes of a block.
  void (*fill_lanes)(std::byte* lanes, uint32_t texel_bytes, const std::byte* texel);
  // Makes all of this thread's stores visible to who is told of them.
  void (*finish)();
};
const StoreKernels& store_kernels(SimdTarget simd);

}  // namespace tessera::raster
