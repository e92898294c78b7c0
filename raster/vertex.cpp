#include "raster/vertex.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/scalar.h"

namespace tessera::raster {
namespace {

constexpr uint32_t kMaxVector = 8;
constexpr float kDefaultPosition[4] = {0, 0, 0, 1};

uint64_t first_lanes(uint32_t count) { return count >= kBlockLanes ? ~0ull : (1ull << count) - 1; }

void store_positions(const VertexStage& stage, const uint32_t* slots, uint32_t first, uint32_t count,
                     ChunkVertices& vertices) {
  const Executable& shader = *stage.pipeline->desc.vertex;
  for (uint32_t c = 0; c < 4; ++c) {
    const uint32_t output = stage.pipeline->position_output[c];
    float* to = vertices.clip[c].data() + first;
    if (output == ~0u)
      std::fill(to, to + count, kDefaultPosition[c]);
    else
      std::memcpy(to, slots + size_t{shader.output_slot(output)} * kBlockLanes, count * sizeof(float));
  }
}

// The words of CLIPVERTEX or POSITION in lanes; null: the default.
using PositionLanes = std::array<const float*, 4>;
PositionLanes clip_vertex_lanes(const VertexStage& stage, const uint32_t* slots) {
  const Executable& shader = *stage.pipeline->desc.vertex;
  PositionLanes lanes{};
  for (uint32_t c = 0; c < 4; ++c)
    if (const uint32_t output = stage.pipeline->clip_vertex_output[c]; output != ~0u)
      lanes[c] = reinterpret_cast<const float*>(slots + size_t{shader.output_slot(output)} * kBlockLanes);
  return lanes;
}

float plane_distance(const ClipPlane& plane, const PositionLanes& position, uint32_t lane) {
  const auto at = [&](uint32_t c) { return position[c] ? position[c][lane] : kDefaultPosition[c]; };
  float sum = plane[0] * at(0);
  for (uint32_t c = 1; c < 4; ++c) sum = scalar::fma(plane[c], at(c), sum);
  return sum;
}

void store_distances(const VertexStage& stage, const uint32_t* slots, uint32_t first, uint32_t count,
                     ChunkVertices& vertices) {
  const Pipeline& pipeline = *stage.pipeline;
  const PositionLanes position = clip_vertex_lanes(stage, slots);
  for (uint32_t i = 0; i < kMaxClipPlanes; ++i) {
    if ((vertices.distances >> i & 1) == 0) continue;
    float* to = vertices.distance[i].data() + first;
    const uint32_t output = pipeline.distance_output[i];
    if (!pipeline.writes_distances)
      for (uint32_t lane = 0; lane < count; ++lane) to[lane] = plane_distance(stage.clip_planes[i], position, lane);
    else if (output == ~0u)
      std::fill(to, to + count, 0.0f);
    else
      std::memcpy(to, slots + size_t{pipeline.desc.vertex->output_slot(output)} * kBlockLanes, count * sizeof(float));
  }
}

// One word of a vertex; ~0u: nothing is stored.
void store_word(const Executable& shader, uint32_t output, const uint32_t* slots, uint32_t first, uint32_t count,
                std::vector<float>& to) {
  if (output == ~0u) return;
  if (to.size() < size_t{first} + count) to.resize(size_t{first} + kBlockLanes);
  std::memcpy(to.data() + first, slots + size_t{shader.output_slot(output)} * kBlockLanes, count * sizeof(float));
}

void store_varyings(const VertexStage& stage, const uint32_t* slots, uint32_t first, uint32_t count, float* records) {
  const std::vector<uint32_t>& outputs = stage.pipeline->varying_outputs;
  const Executable& shader = *stage.pipeline->desc.vertex;
  const size_t stride = outputs.size();
  for (size_t word = 0; word < stride; ++word) {
    const uint32_t* from = slots + size_t{shader.output_slot(outputs[word])} * kBlockLanes;
    float* to = records + first * stride + word;
    for (uint32_t lane = 0; lane < count; ++lane) std::memcpy(to + lane * stride, from + lane, sizeof(float));
  }
}

}  // namespace

void ChunkVertices::resize(uint32_t new_count) {
  const size_t size = size_t{new_count} + kMaxVector;   // a vector may begin at the last vertex
  count = new_count;
  for (uint32_t i = 0; i < kMaxClipPlanes; ++i)
    if ((distances >> i & 1) != 0 && distance[i].size() < size) distance[i].resize(size);
  if (window.size() < size) window.resize(size);
  if (code.size() >= size) return;
  for (std::vector<float>& c : clip) c.resize(size);
  code.resize(size);
}

float ViewTransform::distance(uint32_t plane, const float position[4]) const {
  const float x = position[0], y = position[1], z = position[2], w = position[3];
  switch (plane) {
    case 0: return w - kMinW;
    case 1: return clip_halfz ? z : z + w;
    case 2: return w - z;
    case 3: return w * (kGuardBand_px + translate[0]) + x * scale[0];
    case 4: return w * (kGuardBand_px - translate[0]) - x * scale[0];
    case 5: return w * (kGuardBand_px + translate[1]) + y * scale[1];
    default: return w * (kGuardBand_px - translate[1]) - y * scale[1];
  }
}

void to_clip_space(ChunkVertices& vertices, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < first + count; ++i) {
    const float w = 1.0f / vertices.clip[3][i];
    for (uint32_t c = 0; c < 3; ++c) vertices.clip[c][i] *= w;
    vertices.clip[3][i] = w;
  }
}

bool shade_vertices(const VertexStage& stage, const VertexList& list, uint32_t* slots, ChunkVertices* vertices,
                    std::vector<float>* records) {
  const Executable& shader = *stage.pipeline->desc.vertex;
  if (vertices != nullptr) {
    vertices->distances = stage.view->clip_distances | stage.view->cull_distances;
    vertices->resize(list.count);
    records->resize(list.count * stage.pipeline->varying_outputs.size());
  }
  for (uint32_t first = 0; first < list.count; first += kBlockLanes) {
    const uint32_t count = std::min(kBlockLanes, list.count - first);
    fetch_block(*stage.fetch, list.id.data() + first, list.instance.data() + first, count, slots);
    BlockArgs args;
    args.bindings = stage.bindings;
    args.exec = args.live = first_lanes(count);
    args.budget = stage.budget;
    if (!shader.is_empty() && shader.run(slots, args).over_budget) return false;
    if (vertices == nullptr) continue;
    store_positions(stage, slots, first, count, *vertices);
    if (stage.view->window_space) to_clip_space(*vertices, first, count);
    if (vertices->distances != 0) store_distances(stage, slots, first, count, *vertices);
    store_word(shader, stage.pipeline->point_size_output, slots, first, count, vertices->point_size);
    store_word(shader, stage.pipeline->edge_flag_output, slots, first, count, vertices->edge_flag);
    store_varyings(stage, slots, first, count, records->data());
  }
  return true;
}

}  // namespace tessera::raster
