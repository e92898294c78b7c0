// raster/clip.h: a triangle or a line cut by the planes w > 0, near, far, those of the guard band, and user distances.
// In:     three vertices of a chunk, at least one of them outside of a plane, all finite.
// Out:    a convex polygon of vertices of the chunk; new vertices are appended to it, records included.
// Range:  a plane adds one vertex to a convex polygon, but rounding may bend it: room is for one at every second edge.
// Numbers: every plane is taken in every clipped triangle, and an edge is walked from its inside to its outside
//         vertex: what becomes of an edge depends on its two ends alone, so triangles that share it stay together.
//         t = d_in / (d_in - d_out); a new value is a + t * (b - a); both in double, rounded once to float. For values
//         that vary linearly in the window t becomes t * w_out / w.
// Source: Sutherland and Hodgman, Reentrant polygon clipping, 1974.
#pragma once

#include <cstdint>
#include <vector>

#include "raster/vertex.h"

namespace tessera::raster {

inline constexpr uint32_t kMaxClipVertices = 1314;   // 3 * 1.5^15

struct ClipPolygon {
  uint32_t vertex[kMaxClipVertices];
  bool on_user_plane[kMaxClipVertices];  // the edge from vertex i to the next lies on a user's plane, which made it
  uint32_t count = 0;                    // below 3: nothing is left
};

// `stride`: words a record. A new vertex that is not finite empties the polygon.
ClipPolygon clip_triangle(const ViewTransform& view, const uint32_t corners[3], ChunkVertices& vertices,
                          std::vector<float>& records, uint32_t stride, SimdTarget simd);

// The part of a line inside all planes, from ends[0] to ends[1]; false: nothing is left, or it is not finite.
bool clip_line(const ViewTransform& view, uint32_t ends[2], ChunkVertices& vertices, std::vector<float>& records,
               uint32_t stride, SimdTarget simd);

}  // namespace tessera::raster
