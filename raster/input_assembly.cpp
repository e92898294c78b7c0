#include "raster/input_assembly.h"

#include <algorithm>
#include <cstring>

namespace tessera::raster {
namespace {

uint32_t primitives_of(Primitive primitive, uint32_t vertices, uint32_t vertices_each) {
  switch (primitive) {
    case Primitive::LineStrip: return vertices < 2 ? 0 : vertices - 1;
    case Primitive::LineLoop: return vertices < 2 ? 0 : vertices;
    case Primitive::LineStripAdjacency: return vertices < 4 ? 0 : vertices - 3;
    case Primitive::TriangleStripAdjacency: return vertices < 6 ? 0 : (vertices - 4) / 2;
    default: return vertices_each == 0 ? 0 : vertices / vertices_each;
  }
}

// OpenGL 4.6, table 10.1, with vertices counted from 0: corners 0, 2, 4 are the triangle's, 1, 3, 5 stand opposite
// of the third, first and second.
uint32_t adjacency_strip_position(uint32_t t, uint32_t triangles, bool provoking_first, uint32_t corner) {
  const bool is_odd = t % 2 != 0, is_last = t + 1 == triangles;
  const uint32_t at = 2 * t;
  const uint32_t before = t == 0 ? 1 : at - 2;                     // beyond the edge that the triangle before shares
  const uint32_t after = is_last ? at + 5 : at + 6;                // beyond the edge that the next one shares
  const uint32_t even[6] = {at, before, at + 2, after, at + 4, at + 3};
  const uint32_t odd[6] = {at + 2, before, at, at + 3, at + 4, after};
  if (!is_odd) return even[corner];
  return odd[provoking_first ? (corner + 2) % 6 : corner];         // turned, so that the strip's first comes first
}

}  // namespace

uint32_t vertices_of(Primitive primitive, uint32_t patch_vertices) {
  switch (primitive) {
    case Primitive::Points: return 1;
    case Primitive::Lines:
    case Primitive::LineLoop:
    case Primitive::LineStrip: return 2;
    case Primitive::LinesAdjacency:
    case Primitive::LineStripAdjacency: return 4;
    case Primitive::TrianglesAdjacency:
    case Primitive::TriangleStripAdjacency: return 6;
    case Primitive::Patches: return patch_vertices;
    default: return 3;
  }
}

InputAssembly::InputAssembly(const DrawInfo& info, bool provoking_first, const std::byte* indices, uint32_t index_bytes)
    : primitive_(info.primitive),
      provoking_first_(provoking_first),
      indices_(indices),
      index_bytes_(index_bytes),
      start_(info.start),
      base_vertex_(indices != nullptr ? static_cast<uint32_t>(info.base_vertex) : 0),
      vertices_each_(vertices_of(info.primitive, info.patch_vertices)) {
  is_triangles_ = vertices_each_ == 3 && primitive_ != Primitive::Patches;
  if (is_triangles_) {
    triangles_ = Assembly(info, provoking_first, indices, index_bytes);
    return;
  }
  const bool restarts = indices != nullptr && info.primitive_restart;
  uint32_t first = 0;
  for (uint32_t i = 0; restarts && i < info.count; ++i)
    if (raw_index(i) == info.restart_index) {
      add_run(first, i - first);
      first = i + 1;
    }
  add_run(first, info.count - first);
}

void InputAssembly::add_run(uint32_t first, uint32_t vertices) {
  const uint32_t primitives = primitives_of(primitive_, vertices, vertices_each_);
  if (primitives == 0) return;
  runs_.push_back({first, vertices, count_});
  count_ += primitives;
}

uint32_t InputAssembly::raw_index(uint32_t position) const {
  const std::byte* from = indices_ + (size_t{start_} + position) * index_bytes_;
  uint8_t byte;
  uint16_t half;
  uint32_t word;
  switch (index_bytes_) {
    case 1: std::memcpy(&byte, from, 1); return byte;
    case 2: std::memcpy(&half, from, 2); return half;
    default: std::memcpy(&word, from, 4); return word;
  }
}

uint32_t InputAssembly::id(uint32_t position) const {
  return indices_ != nullptr ? raw_index(position) + base_vertex_ : start_ + position;
}

uint32_t InputAssembly::position_in(const Run& run, uint32_t primitive, uint32_t corner) const {
  switch (primitive_) {
    case Primitive::LineLoop: return (primitive + corner) % run.vertices;
    case Primitive::LineStrip:
    case Primitive::LineStripAdjacency: return primitive + corner;
    case Primitive::TriangleStripAdjacency:
      return adjacency_strip_position(primitive, (run.vertices - 4) / 2, provoking_first_, corner);
    default: return primitive * vertices_each_ + corner;
  }
}

void InputAssembly::assemble(uint32_t begin, uint32_t count, uint32_t* ids, std::vector<uint32_t>& scratch) const {
  if (is_triangles_) return triangles_.assemble(begin, count, ids, scratch);
  const auto after = std::ranges::upper_bound(runs_, begin, {}, &Run::primitives_before);
  auto run = after - 1;
  for (uint32_t p = begin; p < begin + count; ++p) {
    while (run + 1 != runs_.end() && p >= (run + 1)->primitives_before) ++run;
    for (uint32_t corner = 0; corner < vertices_each_; ++corner)
      *ids++ = id(run->first + position_in(*run, p - run->primitives_before, corner));
  }
}

}  // namespace tessera::raster
