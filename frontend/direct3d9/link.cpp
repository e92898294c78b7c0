#include "frontend/direct3d9/link.h"

#include <algorithm>

#include "shader/chain.h"
#include "shader/passes/passes.h"
#include "shader/passes/pipeline.h"

namespace tessera::direct3d9 {
namespace {

using ir::Semantic;

bool writes(const ir::Program& program, Semantic semantic, uint32_t index) {
  return std::ranges::any_of(program.outputs,
                             [&](const ir::Output& o) { return o.semantic == semantic && o.index == index; });
}

// The first component in which a vertex program gives the fog factor.
uint8_t fog_component(const ir::Program& vertex) {
  uint8_t first = 3;
  for (const ir::Output& o : vertex.outputs)
    if (o.semantic == Semantic::Fog && o.index == 0) first = std::min(first, o.component);
  return first;
}

bool is_fed(const ir::Input& in, const ir::Program& vertex) {
  const bool is_varying = in.semantic == Semantic::Color || in.semantic == Semantic::TexCoord ||
                          in.semantic == Semantic::Generic || in.semantic == Semantic::Fog;
  return !is_varying || std::ranges::any_of(vertex.outputs, [&](const ir::Output& o) {
    return o.semantic == in.semantic && o.index == in.index && o.component == in.component;
  });
}

void zero_unfed_inputs(ir::Program& fragment, const ir::Program& vertex) {
  for (ir::Instr& i : fragment.code)
    if (i.op == ir::Op::Input && !is_fed(fragment.inputs[i.imm], vertex)) i.op = ir::Op::Const, i.imm = 0;
}

// Its colour is not touched where it does not write it.
ir::Program with_ending(ir::Program fragment, Ending ending, const ir::Program& vertex) {
  if (does_nothing(ending) || !writes(fragment, Semantic::Color, 0)) return fragment;
  ending.fog_component = fog_component(vertex);
  constexpr Semantic kHandedOver[] = {Semantic::Color};
  return ir::chain(fragment, ending_program(ending), kHandedOver);
}

ir::Program with_point_limits(ir::Program vertex) {
  if (!writes(vertex, Semantic::PointSize, 0)) return vertex;
  constexpr Semantic kHandedOver[] = {Semantic::PointSize};
  return ir::chain(vertex, point_size_limits(), kHandedOver);
}

}  // namespace

Result<LinkedPrograms> link(const DrawPrograms& programs) {
  Result<ir::Program> vertex = programs.vertex ? d3d9::lower(*programs.vertex, programs.vertex_options)
                                               : Result(fixed_vertex_program(programs.fixed_vertex));
  if (!vertex) return vertex.diags();
  Result<ir::Program> pixel = programs.pixel ? d3d9::lower(*programs.pixel, programs.pixel_options)
                                             : Result(fixed_pixel_program(programs.fixed_pixel));
  if (!pixel) return pixel.diags();
  LinkedPrograms linked;
  linked.vertex = programs.limits_points ? with_point_limits(std::move(*vertex)) : std::move(*vertex);
  linked.fragment = with_ending(std::move(*pixel), programs.ending, linked.vertex);
  zero_unfed_inputs(linked.fragment, linked.vertex);
  for (ir::Program* program : {&linked.vertex, &linked.fragment}) {
    ir::optimize(*program);
    ir::drop_unread_inputs(*program);
  }
  return linked;
}

}  // namespace tessera::direct3d9
