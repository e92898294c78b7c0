// frontend/context_programs.cpp: which programs a draw runs: its shaders, with fixed-function state behind them.
#include <fmt/format.h>

#include <algorithm>

#include "combiners/check.h"
#include "combiners/constants.h"
#include "combiners/key.h"
#include "frontend/context_impl.h"

namespace tessera {

Status Context::set_fixed_function(const combiners::FragmentState& state) {
  if (Status s = combiners::check(state); !s) return s;
  Impl& own = *impl_;
  own.pipeline_dirty |= !own.fixed_function;
  own.fixed_function = state;
  const auto words = combiners::constant_words(state);
  const auto shared = std::make_shared<const std::vector<uint32_t>>(words.begin(), words.end());
  static_assert(combiners::kConstantBuffer >= kMaxConstantBuffers);
  for (StageState* stage : {&own.vertex, &own.evaluation, &own.fragment}) {
    if (stage->constants.size() <= combiners::kConstantBuffer) stage->constants.resize(combiners::kConstantBuffer + 1);
    stage->constants[combiners::kConstantBuffer] = shared;
  }
  return Done{};
}

void Context::unset_fixed_function() {
  impl_->pipeline_dirty |= impl_->fixed_function.has_value();
  impl_->fixed_function.reset();
}

// The shaders, and fixed-function state behind or in place of the fragment shader.
Result<LinkedPrograms> Context::Impl::link_programs(const LinkedPrograms& shaders) {
  const combiners::FragmentState& state = linked_state;
  if (shaders.fragment && !state.combiners.enabled) {
    const bool has_units = std::any_of(state.units.begin(), state.units.end(), [](const auto& u) { return u.enabled; });
    if (state.ati.enabled || has_units)
      return error("fixed_function: register combiners, colour sum and fog follow a fragment shader; texture "
                   "environments and an ATI fragment shader take its place");
  }
  if (geometry.shader && state.fog.enabled && state.fog.per_vertex)
    return error("fixed_function.fog.per_vertex: a geometry shader's vertices have no end at which their factor could be "
                 "computed");
  return device.impl_->fixed_function.get(shaders, state);
}

StageState& Context::Impl::last_vertex_stage() {
  return geometry.shader ? geometry : evaluation.shader ? evaluation : vertex;
}

Status Context::Impl::prepare_programs() {
  if (!vertex.shader) return error("vertex shader: none is set");
  if (fixed_function) {                    // its units change with the textures
    combiners::FragmentState state = combiners::code_key(*fixed_function);
    for (uint32_t u = 0; u < combiners::kTextureUnits; ++u)
      if (state.units[u].enabled)
        if (Status s = complete_unit(state.units[u], fragment.views[u], fragment.samplers[u]); !s)
          return error(fmt::format("fixed_function.units[{}]: {}", u, s.diags().front().text));
    pipeline_dirty |= state != linked_state;
    linked_state = std::move(state);
  }
  if (!pipeline_dirty) return Done{};
  StageState& last = last_vertex_stage();
  LinkedPrograms programs = {last.shader->executable(), fragment.shader ? fragment.shader->executable() : nullptr};
  if (fixed_function) {
    Result<LinkedPrograms> linked = link_programs(programs);
    if (!linked) return linked.diags();
    programs = std::move(*linked);
  }
  for (StageState* stage : {&vertex, &control, &evaluation, &geometry, &fragment}) {
    std::shared_ptr<const Executable> program = stage == &last       ? programs.vertex
                                                : stage == &fragment ? programs.fragment
                                                : stage->shader      ? stage->shader->executable()
                                                                     : nullptr;
    if (stage->program == program) continue;
    stage->program = std::move(program);
    stage->bound_dirty = true;
  }
  return Done{};
}

}  // namespace tessera
