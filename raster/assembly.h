// raster/assembly.h: the points, lines or triangles of one instance of a draw, as one, two or three vertex ids each.
// In:     a draw's primitive type, count and indices (8, 16 or 32 bits; base vertex; primitive restart).
// Out:    corner_count() ids a primitive. The corner whose flat attributes hold is the same in every one (first or
//         last); a triangle's winding is the primitive's. Vertices that are only adjacent are left out.
// Errors: none; the caller has checked the index range. Incomplete primitives are dropped.
// Threads: immutable after construction.
// Source: OpenGL 4.6, sections 10.1 and 13.4 (provoking vertices).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "raster/state.h"

namespace tessera::raster {

class Assembly {
 public:
  Assembly() = default;
  // `indices`: the index buffer's first byte that counts (before info.start); null when not indexed.
  Assembly(const DrawInfo& info, bool provoking_first, const std::byte* indices, uint32_t index_bytes);

  uint32_t corner_count() const { return corner_count_; }      // 1: points, 2: lines, 3: triangles
  uint32_t triangle_count() const { return triangle_count_; }  // of points and lines, too
  uint32_t provoking_corner() const { return provoking_first_ ? 0 : corner_count_ - 1; }
  // Writes the ids of triangles [begin, begin + count) to ids[0 .. corner_count() * count).
  void assemble(uint32_t begin, uint32_t count, uint32_t* ids, std::vector<uint32_t>& scratch) const;
  uint32_t primitive_id(uint32_t triangle) const;

  // Bit e: the edge from corner e to the next is one of the quad or polygon that the triangle is a part of.
  uint32_t boundary_edges(uint32_t triangle) const;
  bool has_edge_flags() const;                       // separate triangles, quads and polygons
  // Does the stipple of lines begin anew: at each separate line, at the first of a strip, at each polygon?
  bool begins_stipple(uint32_t primitive) const;
  // Some line's stipple continues that of the primitive before.
  bool continues_stipple() const;
  bool ends_lines(uint32_t line) const;              // no other line goes on where this one ends

  static bool is_supported(Primitive primitive);

 private:
  // A stretch of vertices that primitive restart does not cut.
  struct Run {
    uint32_t first = 0;              // position of its first vertex in the draw
    uint32_t triangles_before = 0;   // of all runs before it
    uint32_t triangles = 0;
  };

  Run make_run(uint32_t first, uint32_t count);
  void find_runs();
  std::span<const Run> runs() const;
  size_t run_of(uint32_t triangle) const;
  uint32_t raw_index(uint32_t position) const;
  void load_ids(uint32_t position, uint32_t count, uint32_t* ids) const;
  void assemble_run(const Run& run, uint32_t begin, uint32_t count, uint32_t* ids,
                    std::vector<uint32_t>& scratch) const;

  Primitive primitive_ = Primitive::Triangles;
  uint32_t corner_count_ = 3;
  bool provoking_first_ = false;
  bool restart_ = false;
  uint32_t restart_index_ = 0;
  const std::byte* indices_ = nullptr;
  uint32_t index_bytes_ = 0;
  uint32_t start_ = 0, count_ = 0;
  uint32_t base_vertex_ = 0;         // added modulo 2^32
  uint32_t triangle_count_ = 0;
  Run whole_;                        // without restart
  std::vector<Run> runs_;            // with restart
};

}  // namespace tessera::raster
