// raster/viewport_mask.h: a primitive through every viewport of a mask, and layers that are relative to the viewport.
// In:     the records of the last stage's vertices, and which of its primitives are drawn, in order.
// Out:    one primitive for each viewport that its provoking vertex names, in the order of the viewports, over vertices
//         of its own: their VIEWPORT_MASK (or VIEWPORT_INDEX) word is the number of the viewport, and their LAYER word,
//         where it is relative, has the number added. So all that follows sees primitives that choose one viewport.
//         A bit beyond the last viewport does not count; without a bit nothing is drawn.
// Threads: one worker's memory.
// Source: NV_viewport_array2.
#pragma once

#include <cstdint>
#include <vector>

#include "raster/geometry_stage.h"
#include "raster/pipeline.h"

namespace tessera::raster {

class ViewportCopies {
 public:
  // `drawn` numbers primitives of `primitives`; it becomes the list with each as often as it is drawn.
  void make(const ViewportOutputs& outputs, uint32_t provoking_corner, const VertexRecords& vertices,
            const StagePrimitives& primitives, std::vector<uint32_t>& drawn);

  const VertexRecords& records() const { return records_; }
  const std::vector<uint32_t>& corners() const { return corners_; }   // of the primitives in `drawn`

 private:
  uint32_t copy(const ViewportOutputs& outputs, const VertexRecords& vertices, uint32_t vertex, uint32_t viewport);

  VertexRecords records_;
  std::vector<uint32_t> corners_, drawn_;
  std::vector<uint32_t> copies_;                 // of vertex v for viewport i: [v * kMaxViewports + i]
};

}  // namespace tessera::raster
