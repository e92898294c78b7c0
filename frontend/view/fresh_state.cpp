#include "frontend/view/fresh_state.h"

namespace tessera::view {
namespace {

Status unset_targets(Context& context) {
  for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i)
    if (Status s = context.set_color_target(i, {}); !s) return s;
  return context.set_depth_target({});
}

Status unset_programs(Context& context) {
  context.unset_fragment_shader();
  context.unset_fixed_function();
  for (const ir::Stage stage : {ir::Stage::TessCtrl, ir::Stage::TessEval, ir::Stage::Geometry})
    if (Status s = context.unset_shader(stage); !s) return s;
  if (Status s = context.set_stream_output({}); !s) return s;
  return context.set_stream_targets({});
}

void unset_states(Context& context) {
  context.set_blend({});
  context.set_rasterizer({});
  context.set_depth_stencil_alpha({});
  context.set_blend_color({});
  context.set_stencil_reference(0, 0);
  context.set_sample_mask(~0u);
  context.set_min_samples(1);
  context.set_clip_planes({});
  context.set_polygon_stipple(raster::kSolidStipple);
  context.set_scissor({});
  context.unset_viewport();
}

}  // namespace

Status use_fresh_state(Context& context) {
  unset_states(context);
  if (Status s = unset_targets(context); !s) return s;
  if (Status s = unset_programs(context); !s) return s;
  return context.set_render_condition(nullptr);
}

}  // namespace tessera::view
