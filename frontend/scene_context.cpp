#include "frontend/scene_context.h"

namespace tessera::scene {

void use_state(Context& context, const State& state) {
  context.set_blend(state.blend);
  context.set_rasterizer(state.rasterizer);
  context.set_depth_stencil_alpha(state.depth_stencil_alpha);
  context.set_blend_color(state.blend_color);
  context.set_stencil_reference(state.stencil_reference[0], state.stencil_reference[1]);
  context.set_sample_mask(state.sample_mask);
  context.set_min_samples(state.min_samples);
  context.set_clip_planes(state.clip_planes);
  context.set_tessellation_levels(state.tessellation_levels.outer, state.tessellation_levels.inner);
  context.set_polygon_stipple(state.polygon_stipple);
}

Status use_views(Context& context, const State& state, uint32_t width, uint32_t height) {
  const std::array<float, 4> whole = {0, 0, static_cast<float>(width), static_cast<float>(height)};
  for (uint32_t i = 0; i < raster::kMaxViewports; ++i) {
    const View& view = state.views[i];
    const auto [x, y, view_width, view_height] = view.viewport.value_or(whole);
    if (Status s = context.set_viewport_rect_at(i, x, y, view_width, view_height, view.depth_near, view.depth_far); !s)
      return s;
    if (Status s = context.set_scissor_at(i, view.scissor); !s) return s;
  }
  return Done{};
}

}  // namespace tessera::scene
