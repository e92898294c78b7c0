// raster/geometry_shader.h: primitives -> those that a geometry program emits.
// In:     primitives over vertex records, and the number of each; the program ready to run.
// Out:    a record for each emitted vertex; points, lines or triangles, each with its stream, in the order of the input
//         primitives, their invocations, and emission. Strips are taken apart; incomplete primitives are dropped.
// Errors: false where the program went over its instruction budget.
// Threads: one owner.
#pragma once

#include <span>

#include "raster/geometry_link.h"
#include "raster/geometry_stage.h"
#include "shader/emitted.h"

namespace tessera::raster {

class GeometryStage {
 public:
  bool run(const PreparedStage& stage, const GeometryLink& link, bool provoking_first, const VertexRecords& vertices,
           const StagePrimitives& primitives, std::span<const uint32_t> ids, VertexRecords& out, StagePrimitives& made);

 private:
  void collect(uint32_t lane, uint32_t source, bool provoking_first, VertexRecords& out, StagePrimitives& made);

  SlotFile slot_file_;
  EmittedVertices emitted_;
  std::vector<uint32_t> lane_record_;
};

}  // namespace tessera::raster
