// raster/reuse.h: which vertices a run of triangles needs, each of them once.
// In:     vertex ids, three a triangle, instance by instance.
// Out:    the list of distinct (instance, id) pairs; each corner then holds a position in that list.
// Source: the list stands in order of (instance, id) where ids are dense, in order of first use where not.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tessera::raster {

struct VertexList {
  std::vector<uint32_t> id, instance;
  uint32_t count = 0;                // of both; the vectors may be longer
};

struct InstanceRun {
  uint32_t instance = 0;
  uint32_t corners_end = 0;          // its corners end here and begin where the run before ends
};

// Memory that collect_vertices() keeps between calls.
struct ReuseScratch {
  std::vector<uint8_t> used;
  std::vector<uint32_t> number;
  std::vector<uint64_t> key;
};

void collect_vertices(std::span<uint32_t> corners, std::span<const InstanceRun> runs, VertexList& list,
                      ReuseScratch& scratch);

}  // namespace tessera::raster
