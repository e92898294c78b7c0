// raster/views.h: which viewport each primitive of a chunk goes through, where the program chooses one of sixteen.
// In:     the corners of a chunk's triangles; the records of its shaded vertices, with VIEWPORT_INDEX in them.
// Out:    runs of triangles, and of vertices, of one viewport each. A primitive goes through the viewport that its
//         provoking vertex names (a number beyond the last: viewport 0). A vertex that primitives of several viewports
//         share is told apart: corners of later viewports point to copies of it, appended to the vertices.
// Threads: a ViewSplit is one worker's memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "raster/draw.h"
#include "raster/vertex.h"

namespace tessera::raster {

// Begins where the run before ends.
struct ViewRun {
  uint32_t end = 0;
  uint32_t viewport = 0;
};

struct ViewSplit {
  std::vector<ViewRun> triangles, vertices;

  // Of `triangle_count` triangles (lines, points), in order. Without VIEWPORT_INDEX one run of viewport 0 each.
  void assign(const PreparedDraw& draw, std::span<uint32_t> corners, uint32_t triangle_count, ChunkVertices& vertices,
              std::vector<float>& records);

 private:
  uint32_t vertex_for(uint32_t vertex, uint32_t viewport, uint32_t stride, ChunkVertices& vertices,
                      std::vector<float>& records);

  std::vector<uint8_t> viewport_of_;                 // of each vertex
  std::vector<uint32_t> copies_;                     // of vertex v through viewport i: [v * kMaxViewports + i]
};

}  // namespace tessera::raster
