// combiners/program.h: the fixed-function fragment stage as whole programs.
//   Without a shader: the units' textures at the interpolated coordinates, then lower_fragment(); writes COLOR[0], for
//   all targets. After a shader: the same, but the shader's COLOR[0] and COLOR[1] are the primary and secondary colour,
//   0 where it does not write them, and the result takes the place of its COLOR[0]; kills and other outputs stay.
// In:     a legal setup (code_key() of it gives the same program), what the vertex program writes.
// Out:    programs that verify, optimised; constants in buffer kConstantBuffer.        Threads: pure functions.
// Inputs: COLOR[0], COLOR[1] (not written: 1, 1, 1, 1 and 0, 0, 0, 0), TEXCOORD[u] for unit u or, where the vertex
//         program has none, GENERIC[u]; FOG[0].x. Coordinates are divided by q where the vertex program writes one.
#pragma once

#include "combiners/lowering.h"

namespace tessera::combiners {

struct VertexOutputs {
  struct Coordinate {
    ir::Semantic semantic = ir::Semantic::TexCoord;
    uint8_t components = 0;                  // bit c: component c is written
    bool operator==(const Coordinate&) const = default;
  };
  bool primary = false, secondary = false, fog = false;
  std::array<Coordinate, kTextureUnits> coords;
  bool operator==(const VertexOutputs&) const = default;
};
VertexOutputs outputs_of(const ir::Program& vertex);

ir::Program fragment_program(const FragmentState& state, const VertexOutputs& vertex);
ir::Program fragment_program_after(const ir::Program& shader, const FragmentState& state, const VertexOutputs& vertex);

// The vertex program with FOG[0].x made the fog factor of what it was, or of POSITION.w: for fog.per_vertex.
ir::Program vertex_program_with_fog(const ir::Program& vertex, const FragmentState& state);

}  // namespace tessera::combiners
