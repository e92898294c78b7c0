// raster/cull.h: which triangles of a chunk may draw something, decided many at a time.
// In:     three vertices a triangle; projected vertices.
// Out:    the survivors in order, each with the union of its vertices' outside codes: 0: ready for setup, else it
//         must be clipped first. Dropped: a vertex that is not finite, all vertices outside of one plane, zero area, a
//         culled face, no pixel centre inside the bounds and the clip rectangle.
// Numbers: exact; the decisions of setup_triangle().
#pragma once

#include <cstdint>
#include <vector>

#include "core/simd_target.h"
#include "raster/setup.h"
#include "raster/vertex.h"

namespace tessera::raster {

inline constexpr uint32_t kCullPadding = 8;        // elements that the kernel may touch after the last

struct Survivors {
  std::vector<uint32_t> corner[3], triangle, code;
  // Of those that need no clipping: their pixel bounds, first and end, x in the lower half of a word and y in the upper.
  std::vector<uint32_t> bounds_first, bounds_end;
  uint32_t count = 0;
};

// `corners`: 3 * triangle_count numbers of vertices, and 3 * kCullPadding more that may be read.
void cull_triangles(const uint32_t* corners, uint32_t triangle_count, const ChunkVertices& vertices,
                    const SetupState& state, Survivors& survivors, SimdTarget simd);

}  // namespace tessera::raster
