#include "raster/viewport_mask.h"

#include <algorithm>
#include <bit>

namespace tessera::raster {
namespace {

constexpr uint32_t kNone = ~0u;

// The viewports that a vertex names, as bits. An index beyond the last is viewport 0.
uint32_t viewports_of(const ViewportOutputs& outputs, const uint32_t* record) {
  if (outputs.has_mask()) return record[outputs.mask] & ((1u << kMaxViewports) - 1);
  const uint32_t index = record[outputs.index];
  return 1u << (index < kMaxViewports ? index : 0);
}

}  // namespace

uint32_t ViewportCopies::copy(const ViewportOutputs& outputs, const VertexRecords& vertices, uint32_t vertex,
                              uint32_t viewport) {
  uint32_t& known = copies_[size_t{vertex} * kMaxViewports + viewport];
  if (known != kNone) return known;
  known = records_.count;
  uint32_t* const to = records_.append(1);
  std::copy_n(vertices.at(vertex), vertices.stride, to);
  to[outputs.viewport_output()] = viewport;
  if (outputs.layer_is_relative && outputs.layer != kNone) to[outputs.layer] += viewport;
  return known;
}

void ViewportCopies::make(const ViewportOutputs& outputs, uint32_t provoking_corner, const VertexRecords& vertices,
                          const StagePrimitives& primitives, std::vector<uint32_t>& drawn) {
  records_.begin(vertices.stride);
  corners_.clear();
  drawn_.clear();
  copies_.assign(size_t{vertices.count} * kMaxViewports, kNone);
  const uint32_t each = primitives.vertices_each;
  for (const uint32_t primitive : drawn) {
    const uint32_t* const corner = primitives.vertex.data() + size_t{primitive} * each;
    for (uint32_t left = viewports_of(outputs, vertices.at(corner[provoking_corner])); left != 0; left &= left - 1) {
      const auto viewport = static_cast<uint32_t>(std::countr_zero(left));
      for (uint32_t i = 0; i < each; ++i) corners_.push_back(copy(outputs, vertices, corner[i], viewport));
      drawn_.push_back(primitive);
    }
  }
  drawn.swap(drawn_);
}

}  // namespace tessera::raster
