#include "raster/tile_setup.h"

#include <algorithm>

namespace tessera::raster {
namespace {

void copy_origin(const SmallTriangle& from, SetupTriangle& to) {
  to.provoking = from.provoking;
  to.primitive_id = from.primitive_id;
  to.layer = from.layer & 0xfff;
  to.viewport = from.viewport & 0xf;
}

}  // namespace

std::span<const SetupTriangle* const> TileSetup::group(const Chunk& chunk, const uint32_t* binned, uint32_t count,
                                                       SimdTarget simd) {
  SetupTriangle* const ready = ready_[next_];
  uint32_t small = 0;
  for (uint32_t i = 0; i < count; ++i) {
    if ((binned[i] & Chunk::kSmall) == 0) {
      list_[i] = &chunk.triangles[binned[i]];
      continue;
    }
    const SmallTriangle& t = chunk.small[binned[i] & ~Chunk::kSmall];
    for (int c = 0; c < 3; ++c) corner_[c][small] = t.vertex[c];
    small_[small] = &t;
    list_[i] = &ready[small++];
  }
  // What the kernel reads beyond the last triangle must be vertices that exist.
  for (auto& c : corner_) std::fill_n(c + small, kSetupPadding, c[0]);
  for (uint32_t first = 0; first < small;) {       // as far as one viewport goes
    uint32_t end = first + 1;
    while (end < small && small_[end]->viewport == small_[first]->viewport) ++end;
    set_up(chunk, first, end, simd);
    first = end;
  }
  if (small != 0) next_ ^= 1;
  return {list_, count};
}

void TileSetup::set_up(const Chunk& chunk, uint32_t first, uint32_t end, SimdTarget simd) {
  const uint32_t* const corner[3] = {corner_[0] + first, corner_[1] + first, corner_[2] + first};
  SetupTriangle* const ready = ready_[next_] + first;
  setup_triangles(corner, end - first, chunk.window.data(), chunk.draw->setup_of(small_[first]->viewport), ready, simd);
  for (uint32_t i = first; i < end; ++i) copy_origin(*small_[i], ready_[next_][i]);
}

SetupTriangle set_up(const Chunk& chunk, const SmallTriangle& triangle) {
  SetupTriangle t;
  WinVertex v[3];
  for (int i = 0; i < 3; ++i) v[i] = chunk.window[t.vertex[i] = triangle.vertex[i]];
  setup_triangle(v, chunk.draw->setup_of(triangle.viewport), t);
  copy_origin(triangle, t);
  return t;
}

}  // namespace tessera::raster
