#include "raster/draw.h"

#include <algorithm>
#include <cmath>

#include "texture/view.h"

namespace tessera::raster {
namespace {

// The pixels whose centres lie between two window coordinates, as the fill rule decides for a rectangle.
struct Span { int32_t begin, end; };

Span viewport_span(float scale, float translate, bool half_pixel_center, int32_t size) {
  const double center = half_pixel_center ? 0.5 : 0.0;
  const double low = double(translate) - std::fabs(double(scale)), high = double(translate) + std::fabs(double(scale));
  const auto pixel = [&](double edge) { return int32_t(std::clamp(std::ceil(edge - center), 0.0, double(size))); };
  return {pixel(low), pixel(high)};
}

IRect intersect(const IRect& a, const IRect& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

bool is_in_window_space(const DrawCall& call) { return last_program(call.pipeline->desc).window_space_position; }

void set_identity(ViewTransform& v) {
  std::fill_n(v.scale, 3, 1.0f);
  std::fill_n(v.translate, 3, 0.0f);
  v.clip_halfz = v.window_space = true;
  v.depth_clip = false;
}

// Which distances of a vertex clip and cull.
void set_distances(const DrawCall& call, ViewTransform& v) {
  const Pipeline& pipeline = *call.pipeline;
  const uint8_t enabled = pipeline.desc.rasterizer.clip_plane_enable;
  const auto first = [](uint32_t count) { return (1u << count) - 1; };
  const ir::Program& program = last_program(pipeline.desc);
  if (pipeline.writes_distances) {
    v.clip_distances = static_cast<uint8_t>(enabled & first(program.clip_distances));
    v.cull_distances = static_cast<uint8_t>(first(program.cull_distances) << program.clip_distances);
    return;
  }
  for (uint32_t i = 0; i < kMaxClipPlanes && !program.prohibits_clip_planes; ++i)
    if (call.clip_planes[i] != ClipPlane{}) v.clip_distances |= static_cast<uint8_t>(enabled & 1u << i);
}

ViewTransform make_view(const DrawCall& call) {
  const RasterizerState& rasterizer = call.pipeline->desc.rasterizer;
  ViewTransform v;
  for (int i = 0; i < 3; ++i) {
    v.scale[i] = call.viewport.scale[i];
    v.translate[i] = call.viewport.translate[i];
  }
  v.clip_halfz = rasterizer.clip_halfz;
  v.depth_clip = rasterizer.depth_clip;
  v.center_offset_fx8 = rasterizer.half_pixel_center ? 0 : 128;
  if (is_in_window_space(call)) set_identity(v);
  set_distances(call, v);
  return v;
}

// A program that gives positions in the window sees the whole target, as one looks at it: y up.
Viewport viewport_of(const DrawCall& call, uint32_t width, uint32_t height) {
  if (!is_in_window_space(call)) return call.viewport;
  const float half_width = static_cast<float>(width) / 2, half_height = static_cast<float>(height) / 2;
  return {{half_width, -half_height, 1}, {half_width, half_height, 0}};
}

// Without depth clip, fragments beyond near and far keep the nearest depth of the viewport's range.
void set_depth_range(const DrawCall& call, DrawState& state) {
  if (call.pipeline->desc.rasterizer.depth_clip) return;
  const float scale = call.viewport.scale[2], translate = call.viewport.translate[2];
  const float near = call.pipeline->desc.rasterizer.clip_halfz ? translate : translate - scale, far = translate + scale;
  state.depth_min = std::clamp(std::min(near, far), 0.0f, 1.0f);
  state.depth_max = std::clamp(std::max(near, far), 0.0f, 1.0f);
}

std::shared_ptr<const DrawState> make_draw_state(const DrawCall& call, const IRect& clip_rect, uint32_t draw_number,
                                                 uint32_t query_interval, const DrawContext& context) {
  auto state = std::make_shared<DrawState>();
  state->pipeline = call.pipeline;
  state->clip_rect = clip_rect;
  std::copy(std::begin(call.blend_color), std::end(call.blend_color), state->blend_color);
  std::copy(std::begin(call.stencil_ref), std::end(call.stencil_ref), state->stencil_ref);
  state->sample_mask = call.sample_mask;
  set_depth_range(call, *state);
  state->draw_number = draw_number;
  state->query_interval = query_interval;
  state->budget = context.budget;
  if (const Executable* fragment = call.pipeline->desc.fragment.get()) {
    state->fragment_inputs = call.fragment_inputs;
    state->fragment_views.assign(state->fragment_inputs, fragment->program(), context.null_texture.get());
    state->fragment_bindings = state->fragment_views.bindings();
    state->fragment_uniforms.resize(fragment->uniform_count());
    fragment->run_uniform(state->fragment_bindings, state->fragment_uniforms);
  }
  return state;
}

}  // namespace

IRect draw_clip_rect(const DrawCall& call, uint32_t width, uint32_t height) {
  const RasterizerState& rasterizer = call.pipeline->desc.rasterizer;
  if (rasterizer.discard) return {};
  const Viewport viewport = viewport_of(call, width, height);
  const Span x = viewport_span(viewport.scale[0], viewport.translate[0], rasterizer.half_pixel_center, int32_t(width));
  const Span y = viewport_span(viewport.scale[1], viewport.translate[1], rasterizer.half_pixel_center, int32_t(height));
  const IRect rect{x.begin, y.begin, x.end, y.end};
  return rasterizer.scissor ? intersect(rect, call.scissor) : rect;
}

void prepare_draw(const DrawCall& call, const Framebuffer& target, uint32_t draw_number, const DrawContext& context,
                  PreparedDraw& draw, uint32_t query_interval) {
  const PipelineDesc& desc = call.pipeline->desc;
  const Executable& vertex = *desc.vertex;
  const IRect clip_rect = draw_clip_rect(call, target.width, target.height);
  const std::byte* indices =
      call.info.indexed ? call.index_buffer.storage->data() + call.index_buffer.offset_bytes : nullptr;
  draw.state = make_draw_state(call, clip_rect, draw_number, query_interval, context);
  draw.pipeline = call.pipeline;
  make_fetch_plan(vertex, desc.elements, call.vertex_buffers, call.info, draw.fetch);
  draw.assembly = Assembly(call.info, desc.rasterizer.provoking_first, indices, call.index_buffer.index_bytes);
  draw.view = make_view(call);
  draw.clip_planes = call.clip_planes;
  draw.setup = make_setup_state(desc.rasterizer, viewport_of(call, target.width, target.height), desc.depth_format,
                                clip_rect, call.pipeline->samples->box);
  draw.vertex_views.assign(call.vertex_inputs, vertex.program(), context.null_texture.get());
  draw.vertex_bindings = draw.vertex_views.bindings();
  draw.vertex_uniforms.resize(vertex.uniform_count());
  vertex.run_uniform(draw.vertex_bindings, draw.vertex_uniforms);
  draw.instance_count = call.info.instance_count;
  draw.draw_number = draw_number;
  draw.geometry = call.pipeline->has_geometry_stages ? prepare_geometry(call, context) : nullptr;
}

}  // namespace tessera::raster
