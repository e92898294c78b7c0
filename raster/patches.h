// raster/patches.h: patches -> what the tessellator and the evaluation program make of them.
// In:     patches over vertex records, and each patch's number; programs ready to run.
// Out:    records of evaluated vertices; points, lines or triangles in the order of the patches.
// Errors: false where a program went over its instruction budget.
// Threads: one owner. What comes out of a patch depends on it alone.
#pragma once

#include <span>
#include <vector>

#include "raster/geometry_link.h"
#include "raster/geometry_stage.h"
#include "raster/tessellator.h"

namespace tessera::raster {

inline constexpr uint32_t kMaxPatchVertices = 32;

// What a draw brings to its patches.
struct PatchDraw {
  const PreparedStage* control = nullptr;        // its program may be null: the levels are the draw's then
  const PreparedStage* evaluation = nullptr;
  const GeometryLink* link = nullptr;
  TessLevels levels;
};

class PatchStage {
 public:
  bool run(const PatchDraw& draw, const VertexRecords& vertices, const StagePrimitives& patches,
           std::span<const uint32_t> ids, VertexRecords& out, StagePrimitives& made);
  // Points that the first `patches` patches were evaluated at.
  uint32_t points_of(uint32_t patches) const { return points_before_[patches]; }

 private:
  bool run_control(const PatchDraw& draw, const VertexRecords& vertices, const StagePrimitives& patches,
                   std::span<const uint32_t> ids);
  TessLevels levels_of(const PatchDraw& draw, uint32_t patch) const;
  const Tessellation& tessellation_of(const PatchDraw& draw, const TessLevels& levels);
  void place_point(const PatchDraw& draw, const StagePrimitives& patches, uint32_t patch, uint32_t id,
                   const TessLevels& levels, const DomainPoint& point, uint32_t* slots);
  bool evaluate(const PatchDraw& draw, uint32_t* slots, VertexRecords& out);

  SlotFile slot_file_;
  VertexRecords controlled_;                     // of each patch its vertices, and one record of the patch's own words
  std::vector<uint32_t> patch_memory_;
  uint32_t control_vertices_ = 0;                // of a patch, in controlled_; 0: no control program
  Tessellation tessellation_;
  TessLevels tessellated_;                       // that tessellation_ was made for
  bool has_tessellation_ = false;
  const VertexRecords* evaluated_from_ = nullptr;   // what the evaluation program reads: controlled_ or the vertices
  std::vector<uint32_t> points_before_;            // by patch, and of all
  // The block of points that waits to be evaluated.
  std::vector<uint32_t> lane_record_;
  uint32_t lane_vertices_ = 0;                   // of a patch
  uint32_t lanes_ = 0;
};

}  // namespace tessera::raster
