// raster/tile_setup.h: a tile's triangles, one after the other, those set up that the front has left to the tile.
// In:     a range of Chunk::binned.
// Out:    pointers to SetupTriangles; a group at a time, while it stays in the first cache.
// Threads: one owner.
#pragma once

#include <cstdint>
#include <span>

#include "core/simd_target.h"
#include "raster/frame.h"
#include "raster/setup.h"

namespace tessera::raster {

class TileSetup {
 public:
  static constexpr uint32_t kGroup = 32;

  // At most kGroup triangles, in order. They stay until the next call but one; before that, the caller must have done
  // with those of which is_used_next() is true.
  std::span<const SetupTriangle* const> group(const Chunk& chunk, const uint32_t* binned, uint32_t count,
                                              SimdTarget simd);
  // Does the next group take the triangle's place?
  bool is_used_next(const SetupTriangle* triangle) const {
    const SetupTriangle* const first = ready_[next_];
    return triangle >= first && triangle < first + kGroup;
  }

 private:
  void set_up(const Chunk& chunk, uint32_t first, uint32_t end, SimdTarget simd);

  SetupTriangle ready_[2][kGroup];
  uint32_t next_ = 0;                            // the half that the next group takes
  const SmallTriangle* small_[kGroup] = {};      // of the group, those to be set up
  uint32_t corner_[3][kGroup + kSetupPadding] = {};
  const SetupTriangle* list_[kGroup] = {};
};

// One of a chunk's small triangles, as a tile sets it up.
SetupTriangle set_up(const Chunk& chunk, const SmallTriangle& triangle);

}  // namespace tessera::raster
