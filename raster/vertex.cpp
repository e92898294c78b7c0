#include "raster/vertex.h"

#include <algorithm>
#include <cstring>

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
  if (z.size() >= size) return;
  for (std::vector<float>& c : clip) c.resize(size);
  x_fx8.resize(size);
  y_fx8.resize(size);
  z.resize(size);
  rw.resize(size);
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

bool shade_vertices(const VertexStage& stage, const VertexList& list, uint32_t* slots, ChunkVertices* vertices,
                    std::vector<float>* records) {
  const Executable& shader = *stage.pipeline->desc.vertex;
  if (vertices != nullptr) {
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
    store_varyings(stage, slots, first, count, records->data());
  }
  return true;
}

}  // namespace tessera::raster
