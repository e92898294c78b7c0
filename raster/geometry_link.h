// raster/geometry_link.h: how the stages between vertex shading and clipping fit together: which word of the stage
// before feeds an input, what stream output takes, what primitives arrive at the rasterizer.
// In:     the programs and the stream output layout of a pipeline.
// Out:    GeometryLink; facts that depend on the draw's own primitive type are left to the draw.
// Errors: a Diag that names the field: a program of another stage, control without evaluation, a missing output.
// Threads: immutable once made.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/result.h"
#include "raster/state.h"
#include "raster/stream_output.h"
#include "shader/executor.h"

namespace tessera::raster {

struct GeometryPrograms {
  std::shared_ptr<const Executable> control, evaluation, geometry;   // null: no such stage
  bool operator==(const GeometryPrograms&) const = default;
};

// The primitives that arrive at the rasterizer; Draw: those of the draw.
enum class RasterPrimitive : uint8_t { Draw, Points, Lines, Triangles };

struct GeometryLink {
  // By input of the program: the word of a vertex record of the stage before; ~0u: reads 0.
  std::vector<uint32_t> control_words, evaluation_words, geometry_words;
  // By input of the evaluation program that is the patch's: the word of the patch's record.
  std::vector<uint32_t> patch_words;
  // Words of the patch's record with the levels; ~0u: not written.
  std::array<uint32_t, 4> outer_words{~0u, ~0u, ~0u, ~0u};
  std::array<uint32_t, 2> inner_words{~0u, ~0u};
  StreamLink stream;
  RasterPrimitive primitive = RasterPrimitive::Draw;
  uint32_t primitive_id_output = ~0u;            // of the geometry program
  bool has_stages = false, has_streams = false;
};

// Which output is this word, of stream 0? ~0u: none.
uint32_t find_output(const ir::Program& program, ir::Semantic semantic, uint32_t index, uint32_t component,
                     uint32_t stream = 0);

// The last program before the rasterizer.
inline const Executable& last_stage(const Executable& vertex, const GeometryPrograms& programs) {
  if (programs.geometry) return *programs.geometry;
  return programs.evaluation ? *programs.evaluation : vertex;
}

// Appends to `errors`; the link is of use only where nothing was appended.
GeometryLink link_geometry(const Executable& vertex, const GeometryPrograms& programs, const StreamLayout& layout,
                           std::vector<Diag>& errors);

}  // namespace tessera::raster
