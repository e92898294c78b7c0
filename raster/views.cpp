#include "raster/views.h"

#include <bit>

namespace tessera::raster {
namespace {

constexpr uint8_t kNone = 255;

void extend(std::vector<ViewRun>& runs, uint32_t end, uint32_t viewport) {
  if (runs.empty() || runs.back().viewport != viewport) runs.push_back({end, viewport});
  runs.back().end = end;
}

void copy_vertex(uint32_t from, uint32_t to, uint32_t stride, ChunkVertices& vertices, std::vector<float>& records) {
  vertices.resize(to + 1);
  for (std::vector<float>& c : vertices.clip) c[to] = c[from];
  for (uint32_t i = 0; i < kMaxClipPlanes; ++i)
    if (vertices.distances >> i & 1) vertices.distance[i][to] = vertices.distance[i][from];
  for (std::vector<float>* words : {&vertices.point_size, &vertices.edge_flag}) {
    if (words->size() <= from) continue;
    if (words->size() <= to) words->resize(size_t{to} + 1);
    (*words)[to] = (*words)[from];
  }
  for (uint32_t word = 0; word < stride; ++word) records.push_back(records[size_t{from} * stride + word]);
}

}  // namespace

// The vertex itself for the first viewport that asks for it, for others a copy.
uint32_t ViewSplit::vertex_for(uint32_t vertex, uint32_t viewport, uint32_t stride, ChunkVertices& vertices,
                               std::vector<float>& records) {
  if (viewport_of_[vertex] == kNone) viewport_of_[vertex] = uint8_t(viewport);
  if (viewport_of_[vertex] == viewport) return vertex;
  if (copies_.empty()) copies_.assign(viewport_of_.size() * kMaxViewports, ~0u);
  uint32_t& copy = copies_[size_t{vertex} * kMaxViewports + viewport];
  if (copy != ~0u) return copy;
  copy = vertices.count;
  copy_vertex(vertex, copy, stride, vertices, records);
  viewport_of_.push_back(uint8_t(viewport));
  return copy;
}

void ViewSplit::assign(const PreparedDraw& draw, std::span<uint32_t> corners, uint32_t triangle_count,
                       ChunkVertices& chunk_vertices, std::vector<float>& records) {
  triangles.clear();
  vertices.clear();
  const uint32_t word = draw.pipeline->viewport_word;
  if (word == ~0u) {
    extend(triangles, triangle_count, 0);
    return extend(vertices, chunk_vertices.count, 0);
  }
  const auto stride = uint32_t(draw.pipeline->varying_outputs.size());
  const uint32_t provoking = draw.assembly.provoking_corner(), each = draw.assembly.corner_count();
  viewport_of_.assign(chunk_vertices.count, kNone);
  copies_.clear();
  for (uint32_t t = 0; t < triangle_count; ++t) {
    uint32_t* const corner = corners.data() + size_t{each} * t;
    const uint32_t named = std::bit_cast<uint32_t>(records[size_t{corner[provoking]} * stride + word]);
    const uint32_t viewport = named < kMaxViewports ? named : 0;
    extend(triangles, t + 1, viewport);
    for (uint32_t i = 0; i < each; ++i) corner[i] = vertex_for(corner[i], viewport, stride, chunk_vertices, records);
  }
  for (uint32_t v = 0; v < chunk_vertices.count; ++v)
    extend(vertices, v + 1, viewport_of_[v] == kNone ? 0 : viewport_of_[v]);
}

}  // namespace tessera::raster
