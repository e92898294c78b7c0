#include "combiners/program.h"

#include <algorithm>

#include "combiners/fog.h"
#include "combiners/fragment.h"
#include "shader/chain.h"
#include "shader/passes/passes.h"
#include "shader/passes/pipeline.h"

namespace tessera::combiners {
namespace {

using ir::Semantic;
using ir::TextureTarget;
using ir::Value;

// ---- textures ----------------------------------------------------------------------------------------------------

// By Shape: what is sampled, with and without a comparison, by how many coordinates.
struct ShapeInfo {
  TextureTarget plain, compared;
  uint32_t coords;
  bool is_direction;                         // q has no meaning
};
constexpr ShapeInfo kShapes[] = {
    {TextureTarget::Tex1D, TextureTarget::Shadow1D, 1, false},
    {TextureTarget::Tex2D, TextureTarget::Shadow2D, 2, false},
    {TextureTarget::Tex3D, TextureTarget::Tex3D, 3, false},
    {TextureTarget::Cube, TextureTarget::Cube, 3, true},
    {TextureTarget::Rect, TextureTarget::ShadowRect, 2, false},
};
const ShapeInfo& shape_of(const TextureUnit& unit) { return kShapes[static_cast<size_t>(unit.shape)]; }

// The texel of a unit at s, t, r; r is also what a depth is compared with.
Rgba sample(ir::Builder& b, const TextureUnit& unit, uint32_t number, const Rgb& coord) {
  const ShapeInfo& shape = shape_of(unit);
  const bool compares = unit.format == BaseFormat::DepthCompared;
  ir::TextureOp op;
  op.target = compares ? shape.compared : shape.plain;
  op.binding = static_cast<uint16_t>(b.texture_binding(number, number));
  std::array<Value, ir::tex_arg::Count> args;
  for (uint32_t c = 0; c < shape.coords; ++c) args[ir::tex_arg::S + c] = coord[c];
  if (compares && shape.compared != shape.plain) args[ir::tex_arg::Ref] = coord[2];
  Rgba texel;
  b.texture(op, args, texel.data());
  return texel;
}

// ---- what comes in -----------------------------------------------------------------------------------------------

Rgba color_input(ir::Builder& b, bool is_written, uint16_t index, float otherwise) {
  Rgba color;
  for (uint8_t c = 0; c < 4; ++c)
    color[c] = is_written ? b.input({.semantic = Semantic::Color, .index = index, .component = c,
                                     .interpolation = ir::Interpolation::Color})
                          : b.f32(otherwise);
  return color;
}

Rgba coordinate_input(ir::Builder& b, const VertexOutputs::Coordinate& from, uint16_t unit) {
  Rgba coord;
  for (uint8_t c = 0; c < 4; ++c)
    coord[c] = from.components >> c & 1 ? b.input({.semantic = from.semantic, .index = unit, .component = c})
                                        : b.f32(c == 3 ? 1.0f : 0.0f);
  return coord;
}

Value fog_factor_input(ir::Builder& b, Lowering& low, const VertexOutputs& vertex) {
  const Fog& fog = low.state.fog;
  const bool reads_depth = fog.source == FogSource::Depth && !fog.per_vertex;
  const Value input = reads_depth ? low.divide(low.number(1), b.input({.semantic = Semantic::Position, .component = 3}))
                      : vertex.fog ? b.input({.semantic = Semantic::Fog}) : low.number(0);
  return fog.per_vertex ? low.clamp_unit(input) : lower_fog_factor(low, input);
}

Rgb projected(Lowering& low, const TextureUnit& unit, const Rgba& coord, bool has_q) {
  const bool divides = has_q && !shape_of(unit).is_direction;
  Rgb out = {coord[0], coord[1], coord[2]};
  if (divides)
    for (Value& c : out) c = low.divide(c, coord[3]);
  return out;
}

// ---- programs ----------------------------------------------------------------------------------------------------

ir::Program stage_program(const FragmentState& state, const VertexOutputs& vertex) {
  ir::Builder b(ir::Stage::Fragment);
  Lowering low(b, state, kConstantBuffer);
  FragmentValues in;
  in.primary = color_input(b, vertex.primary, 0, 1);
  in.secondary = color_input(b, vertex.secondary, 1, 0);
  if (state.fog.enabled) in.fog_factor = fog_factor_input(b, low, vertex);
  in.sample = [&](uint32_t unit, const Rgb& coord) { return sample(b, state.units[unit], unit, coord); };
  const bool samples_here = state.combiners.enabled || !state.ati.enabled;   // an ATI fragment shader does so itself
  for (uint16_t u = 0; u < kTextureUnits; ++u) {
    const TextureUnit& unit = state.units[u];
    in.coords[u] = coordinate_input(b, vertex.coords[u], u);
    if (unit.enabled && samples_here)
      in.texels[u] = in.sample(u, projected(low, unit, in.coords[u], vertex.coords[u].components >> 3 & 1));
  }
  const Rgba color = lower_fragment(b, state, in, kConstantBuffer);
  for (uint32_t c = 0; c < 4; ++c) b.output(Semantic::Color, 0, c, color[c]);
  return b.finish();
}

ir::Program finished(ir::Program program) {
  ir::optimize(program);
  ir::drop_unread_inputs(program);
  return program;
}

}  // namespace

VertexOutputs outputs_of(const ir::Program& vertex) {
  VertexOutputs out;
  for (const Semantic semantic : {Semantic::Generic, Semantic::TexCoord})         // the second one wins
    for (const ir::Output& o : vertex.outputs) {
      if (o.semantic != semantic || o.index >= kTextureUnits) continue;
      VertexOutputs::Coordinate& coord = out.coords[o.index];
      if (coord.semantic != semantic) coord = {semantic, 0};
      coord.components = static_cast<uint8_t>(coord.components | 1u << o.component);
    }
  for (const ir::Output& o : vertex.outputs) {
    out.primary |= o.semantic == Semantic::Color && o.index == 0;
    out.secondary |= o.semantic == Semantic::Color && o.index == 1;
    out.fog |= o.semantic == Semantic::Fog;
  }
  return out;
}

ir::Program fragment_program(const FragmentState& state, const VertexOutputs& vertex) {
  ir::Program program = stage_program(state, vertex);
  program.color0_writes_all = true;
  return finished(std::move(program));
}

ir::Program fragment_program_after(const ir::Program& shader, const FragmentState& state, const VertexOutputs& vertex) {
  VertexOutputs with_colors = vertex;
  with_colors.primary = with_colors.secondary = true;          // the shader's
  constexpr Semantic kHandedOver[] = {Semantic::Color};
  return finished(ir::chain(shader, stage_program(state, with_colors), kHandedOver));
}

ir::Program vertex_program_with_fog(const ir::Program& vertex, const FragmentState& state) {
  ir::Builder b(vertex.stage);
  Lowering low(b, state, kConstantBuffer);
  const bool reads_depth = state.fog.source == FogSource::Depth;
  const Value coordinate =
      reads_depth ? b.input({.semantic = Semantic::Position, .component = 3}) : b.input({.semantic = Semantic::Fog});
  b.output(Semantic::Fog, 0, 0, lower_fog_factor(low, coordinate));
  constexpr Semantic kHandedOver[] = {Semantic::Position, Semantic::Fog};
  return finished(ir::chain(vertex, b.finish(), kHandedOver));
}

}  // namespace tessera::combiners
