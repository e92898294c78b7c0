// raster/input_assembly.h: the primitives of one instance of a draw as the stages behind the vertex program take them.
// In:     a draw's primitive type, count and indices (base vertex; primitive restart).
// Out:    vertices_each() ids a primitive: 1 to 3, 4 and 6 with adjacency, or a patch. Quads are triangles here.
// Order:  of a primitive's vertices as a geometry program sees them; with adjacency around it, as OpenGL numbers them.
// Errors: none; the caller has checked the index range. Incomplete primitives are dropped.
// Threads: immutable after construction.
// Source: OpenGL 4.6, sections 10.1 and 11.3.1.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "raster/assembly.h"
#include "raster/state.h"

namespace tessera::raster {

class InputAssembly {
 public:
  InputAssembly() = default;
  // As Assembly takes them.
  InputAssembly(const DrawInfo& info, bool provoking_first, const std::byte* indices, uint32_t index_bytes);

  uint32_t count() const { return is_triangles_ ? triangles_.triangle_count() : count_; }
  uint32_t vertices_each() const { return vertices_each_; }
  // Writes the ids of primitives [begin, begin + count) to ids[0 .. vertices_each() * count).
  void assemble(uint32_t begin, uint32_t count, uint32_t* ids, std::vector<uint32_t>& scratch) const;
  uint32_t primitive_id(uint32_t primitive) const {
    return is_triangles_ ? triangles_.primitive_id(primitive) : primitive;
  }

 private:
  // Vertices that primitive restart does not cut.
  struct Run {
    uint32_t first = 0, vertices = 0;
    uint32_t primitives_before = 0;
  };

  void add_run(uint32_t first, uint32_t vertices);
  uint32_t raw_index(uint32_t position) const;
  uint32_t id(uint32_t position) const;
  // Where vertex `corner` of a run's primitive stands in the run.
  uint32_t position_in(const Run& run, uint32_t primitive, uint32_t corner) const;

  Primitive primitive_ = Primitive::Points;
  bool provoking_first_ = false;
  bool is_triangles_ = false;
  Assembly triangles_;                           // where the primitives are triangles without adjacency; else
  const std::byte* indices_ = nullptr;
  uint32_t index_bytes_ = 0, start_ = 0, base_vertex_ = 0;
  uint32_t vertices_each_ = 1, count_ = 0;
  std::vector<Run> runs_;
};

// Vertices of a primitive of this type, with adjacency; of a patch what the draw says.
uint32_t vertices_of(Primitive primitive, uint32_t patch_vertices);

// A triangle strip's triangle, of either parity: which of its three vertices comes at `corner`. All wind alike, and the
// provoking vertex is the strip's.
constexpr uint32_t strip_corner(bool is_odd, bool provoking_first, uint32_t corner) {
  if (!is_odd) return corner;
  return provoking_first ? (corner == 0 ? 0 : 3 - corner) : (corner == 2 ? 2 : 1 - corner);
}

}  // namespace tessera::raster
