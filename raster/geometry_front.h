// raster/geometry_front.h: the stages of a job between its indices and clipping, for draws with tessellation, a
// geometry program or stream output: vertex shading -> patches -> geometry program, each for the whole job.
// In:     a PreparedDraw with `geometry` (also where primitives go through several viewports), and a range of its input primitives, counted through all instances.
// Out:    the primitives for the rasterizer over vertices of the chunk; what goes to stream output.
// Errors: false where a program went over its instruction budget.
// Threads: one worker's memory. What comes out depends on the range alone.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/counters.h"
#include "raster/geometry_inputs.h"
#include "raster/geometry_shader.h"
#include "raster/input_assembly.h"
#include "raster/patches.h"
#include "raster/reuse.h"
#include "raster/vertex.h"
#include "raster/viewport_mask.h"

namespace tessera::raster {

struct DrawCall;
struct DrawContext;
struct PreparedDraw;

struct PreparedGeometry {
  InputAssembly input;
  PreparedStage control, evaluation, geometry;
  TessLevels levels;
  StreamTargets targets;
  bool writes_streams = false;
  bool provoking_first = false;
  uint32_t chunk_primitives = 1;                 // input primitives of a job
};

std::unique_ptr<PreparedGeometry> prepare_geometry(const DrawCall& call, const DrawContext& context);

class GeometryFront {
 public:
  bool run(const PreparedDraw& draw, uint64_t begin, uint64_t end, Counters& counters);

  // Of the primitives that arrive at the rasterizer.
  uint32_t count() const { return static_cast<uint32_t>(drawn_.size()); }
  uint32_t source(uint32_t primitive) const { return last_->source[drawn_[primitive]]; }   // from the job's first on
  uint32_t primitive_id(uint32_t primitive) const;
  uint32_t count_before(uint32_t source) const;  // those of the input primitives before
  // Vertices of the chunk, one, two or three of each.
  void corners(std::vector<uint32_t>& corners) const;
  void fill_vertices(const PreparedDraw& draw, ChunkVertices& vertices, std::vector<float>& varyings) const;

  // What the input primitives before `source_end` bring, by stream, and what of it is streamed out; null: nothing.
  std::array<uint32_t, kVertexStreams> generated(uint32_t source_end) const;
  void count_stages(const PreparedDraw& draw, uint32_t source_end, Counters& counters) const;
  std::unique_ptr<StreamCapture> capture(const PreparedDraw& draw, uint32_t source_end) const;

 private:
  void assemble(const PreparedDraw& draw, uint64_t begin, uint64_t end);
  bool shade(const PreparedDraw& draw, Counters& counters);
  void leave_out_adjacency(bool keeps_adjacency);

  SlotFile slot_file_;
  std::vector<uint32_t> ids_, scratch_;          // ids_: the number of each input primitive
  std::vector<InstanceRun> runs_;
  VertexList list_;
  ReuseScratch reuse_;
  PatchStage patches_;
  GeometryStage geometry_;
  VertexRecords vertex_records_, patch_records_, geometry_records_;
  StagePrimitives vertex_primitives_, patch_primitives_, geometry_primitives_;
  ViewportCopies copies_;                        // where primitives go through several viewports
  const VertexRecords* records_ = nullptr;       // of the last stage
  const StagePrimitives* last_ = nullptr;
  const VertexRecords* drawn_records_ = nullptr; // what the drawn ones are of
  std::vector<uint32_t> drawn_;                  // those of stream 0, each as often as it is drawn
  uint32_t primitive_id_output_ = ~0u;
};

}  // namespace tessera::raster
