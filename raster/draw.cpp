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
  return v;
}

StageViews make_views(const StageInputs& inputs, const ir::Program& program, const DrawContext& context) {
  StageViews views;
  views.constants.reserve(inputs.constants.size());
  for (const auto& words : inputs.constants)
    views.constants.push_back(words ? ConstantBuffer{words->data(), uint32_t(words->size())} : ConstantBuffer{});
  const size_t bindings = program.texture_bindings.size();
  views.textures.reserve(bindings);
  for (size_t i = 0; i < bindings; ++i) {
    const bool bound = i < inputs.textures.size() && inputs.textures[i];
    views.textures.push_back(bound ? inputs.textures[i].get() : context.null_texture.get());
  }
  return views;
}

Bindings make_bindings(const StageViews& views) {
  Bindings b;
  b.constants = views.constants;
  b.textures = views.textures;
  b.services.sample = texture::sample_block;
  return b;
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
                                                 const DrawContext& context) {
  auto state = std::make_shared<DrawState>();
  state->pipeline = call.pipeline;
  state->clip_rect = clip_rect;
  std::copy(std::begin(call.blend_color), std::end(call.blend_color), state->blend_color);
  std::copy(std::begin(call.stencil_ref), std::end(call.stencil_ref), state->stencil_ref);
  state->sample_mask = call.sample_mask;
  set_depth_range(call, *state);
  state->draw_number = draw_number;
  state->budget = context.budget;
  if (const Executable* fragment = call.pipeline->desc.fragment.get()) {
    StageViews views = make_views(call.fragment_inputs, fragment->program(), context);
    state->constant_views = std::move(views.constants);
    state->texture_views = std::move(views.textures);
    state->constant_data = call.fragment_inputs.constants;
    state->textures = call.fragment_inputs.textures;
    state->fragment_bindings.constants = state->constant_views;
    state->fragment_bindings.textures = state->texture_views;
    state->fragment_bindings.services.sample = texture::sample_block;
    state->fragment_uniforms.resize(fragment->uniform_count());
    fragment->run_uniform(state->fragment_bindings, state->fragment_uniforms);
  }
  return state;
}

}  // namespace

IRect draw_clip_rect(const DrawCall& call, uint32_t width, uint32_t height) {
  const RasterizerState& rasterizer = call.pipeline->desc.rasterizer;
  const Viewport& viewport = call.viewport;
  const Span x = viewport_span(viewport.scale[0], viewport.translate[0], rasterizer.half_pixel_center, int32_t(width));
  const Span y = viewport_span(viewport.scale[1], viewport.translate[1], rasterizer.half_pixel_center, int32_t(height));
  const IRect rect{x.begin, y.begin, x.end, y.end};
  return rasterizer.scissor ? intersect(rect, call.scissor) : rect;
}

std::unique_ptr<const PreparedDraw> prepare_draw(const DrawCall& call, const Framebuffer& target, uint32_t draw_number,
                                                 const DrawContext& context) {
  const PipelineDesc& desc = call.pipeline->desc;
  const IRect clip_rect = draw_clip_rect(call, target.width, target.height);
  const std::byte* indices =
      call.info.indexed ? call.index_buffer.storage->data() + call.index_buffer.offset_bytes : nullptr;
  auto draw = std::make_unique<PreparedDraw>(PreparedDraw{
      .state = make_draw_state(call, clip_rect, draw_number, context),
      .pipeline = call.pipeline,
      .fetch = make_fetch_plan(*desc.vertex, desc.elements, call.vertex_buffers, call.info),
      .assembly = Assembly(call.info, desc.rasterizer.provoking_first, indices, call.index_buffer.index_bytes),
      .view = make_view(call),
      .setup = make_setup_state(desc.rasterizer, call.viewport, desc.depth_format, clip_rect),
      .vertex_views = make_views(call.vertex_inputs, desc.vertex->program(), context),
      .vertex_bindings = {},
      .vertex_uniforms = std::vector<uint32_t>(desc.vertex->uniform_count()),
      .instance_count = call.info.instance_count,
      .draw_number = draw_number});
  draw->vertex_bindings = make_bindings(draw->vertex_views);
  desc.vertex->run_uniform(draw->vertex_bindings, draw->vertex_uniforms);
  return draw;
}

}  // namespace tessera::raster
