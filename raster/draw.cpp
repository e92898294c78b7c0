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

ViewTransform make_view(const DrawCall& call, const Viewport& viewport) {
  const RasterizerState& rasterizer = call.pipeline->desc.rasterizer;
  ViewTransform v;
  for (int i = 0; i < 3; ++i) {
    v.scale[i] = viewport.scale[i];
    v.translate[i] = viewport.translate[i];
  }
  v.clip_halfz = rasterizer.clip_halfz;
  v.depth_clip = rasterizer.depth_clip;
  v.center_offset_fx8 = rasterizer.half_pixel_center ? 0 : 128;
  if (is_in_window_space(call)) set_identity(v);
  else v.linear_words = call.pipeline->linear_words;
  set_distances(call, v);
  return v;
}

// A program that gives positions in the window sees the whole target, as one looks at it: y up.
Viewport viewport_of(const DrawCall& call, const Viewport& viewport, uint32_t width, uint32_t height) {
  if (!is_in_window_space(call)) return viewport;
  const float half_width = static_cast<float>(width) / 2, half_height = static_cast<float>(height) / 2;
  return {{half_width, -half_height, 1}, {half_width, half_height, 0}};
}

// Without depth clip, fragments beyond near and far keep the nearest depth of the viewport's range. It may end above 1,
// where only depths of floats can lie.
DepthRange depth_range_of(const RasterizerState& rasterizer, const Viewport& viewport) {
  const float scale = viewport.scale[2], translate = viewport.translate[2];
  const float near = rasterizer.clip_halfz ? translate : translate - scale, far = translate + scale;
  return {std::clamp(std::min(near, far), 0.0f, 1.0f), std::max(std::max(near, far), 0.0f)};
}

bool chooses_viewport(const DrawCall& call) { return call.viewports && call.pipeline->viewport_word != ~0u; }

const Viewport& viewport_at(const DrawCall& call, uint32_t i) {
  return i == 0 ? call.viewport : call.viewports->viewport[i];
}
const IRect& scissor_at(const DrawCall& call, uint32_t i) {
  return i == 0 ? call.scissor : call.viewports->scissor[i];
}

void set_depth_range(const DrawCall& call, DrawState& state) {
  const RasterizerState& rasterizer = call.pipeline->desc.rasterizer;
  const DepthRange first = depth_range_of(rasterizer, call.viewport);
  state.depth_min = 0;
  state.depth_ranges.clear();
  if (rasterizer.depth_clip) {   // what was clipped keeps the depths of a range beyond 1
    state.depth_max = std::max(1.0f, first.max);
    return;
  }
  state.depth_min = first.min;
  state.depth_max = first.max;
  if (!chooses_viewport(call)) return;
  for (uint32_t i = 0; i < kMaxViewports; ++i)
    state.depth_ranges.push_back(depth_range_of(rasterizer, viewport_at(call, i)));
  if (std::count(state.depth_ranges.begin(), state.depth_ranges.end(), first) == kMaxViewports)
    state.depth_ranges.clear();
}

// `state` may be a used one.
void set_draw_state(const DrawCall& call, const IRect& clip_rect, uint32_t draw_number, uint32_t query_interval,
                    const DrawContext& context, DrawState& state) {
  state.pipeline = call.pipeline;
  state.clip_rect = clip_rect;
  std::copy(std::begin(call.blend_color), std::end(call.blend_color), state.blend_color);
  std::copy(std::begin(call.stencil_ref), std::end(call.stencil_ref), state.stencil_ref);
  state.sample_mask = call.sample_mask;
  state.polygon_stipple = &call.polygon_stipple;
  set_depth_range(call, state);
  state.draw_number = draw_number;
  state.query_interval = query_interval;
  state.budget = context.budget;
  state.fragment_bindings = {};
  state.fragment_uniforms.clear();
  if (const Executable* fragment = call.pipeline->desc.fragment.get()) {
    state.fragment_views.assign(call.fragment_inputs, fragment->program(), context.null_texture.get());
    state.fragment_bindings = state.fragment_views.bindings();
    state.fragment_uniforms.resize(fragment->uniform_count());
    fragment->run_uniform(state.fragment_bindings, state.fragment_uniforms);
  }
}

bool draws_points(const DrawCall& call) {
  const RasterPrimitive made = call.pipeline->geometry.primitive;
  return made == RasterPrimitive::Points || (made == RasterPrimitive::Draw && call.info.primitive == Primitive::Points);
}

// What stages between make are lists without indices.
Assembly drawn_primitives(const DrawCall& call, const std::byte* indices) {
  const bool first = call.pipeline->desc.rasterizer.provoking_first;
  DrawInfo list;
  switch (call.pipeline->geometry.primitive) {
    case RasterPrimitive::Draw: return Assembly(call.info, first, indices, call.index_buffer.index_bytes);
    case RasterPrimitive::Points: list.primitive = Primitive::Points; break;
    case RasterPrimitive::Lines: list.primitive = Primitive::Lines; break;
    case RasterPrimitive::Triangles: list.primitive = Primitive::Triangles; break;
  }
  return Assembly(list, first, nullptr, 0);
}

// A point that is drawn is drawn whole, beyond the viewport too.
IRect point_clip_rect(const DrawCall& call, const IRect& scissor, uint32_t width, uint32_t height) {
  if (call.pipeline->desc.rasterizer.discard) return {};
  const IRect target{0, 0, int32_t(width), int32_t(height)};
  return call.pipeline->desc.rasterizer.scissor ? intersect(target, scissor) : target;
}

IRect clip_rect_of(const DrawCall& call, const Viewport& given, const IRect& scissor, uint32_t width, uint32_t height) {
  const RasterizerState& rasterizer = call.pipeline->desc.rasterizer;
  if (rasterizer.discard) return {};
  if (draws_points(call)) return point_clip_rect(call, scissor, width, height);
  const Viewport viewport = viewport_of(call, given, width, height);
  const Span x = viewport_span(viewport.scale[0], viewport.translate[0], rasterizer.half_pixel_center, int32_t(width));
  const Span y = viewport_span(viewport.scale[1], viewport.translate[1], rasterizer.half_pixel_center, int32_t(height));
  const IRect rect{x.begin, y.begin, x.end, y.end};
  return rasterizer.scissor ? intersect(rect, scissor) : rect;
}

void make_views(const DrawCall& call, const Framebuffer& target, PreparedDraw& draw) {
  const PipelineDesc& desc = call.pipeline->desc;
  const auto view_at = [&](uint32_t i) {
    const Viewport& viewport = viewport_at(call, i);
    const IRect clip_rect = clip_rect_of(call, viewport, scissor_at(call, i), target.width, target.height);
    return DrawView{make_view(call, viewport),
                    make_setup_state(desc.rasterizer, viewport_of(call, viewport, target.width, target.height),
                                     desc.depth_format, clip_rect, call.pipeline->samples->box),
                    point_clip_rect(call, scissor_at(call, i), target.width, target.height)};
  };
  const DrawView first = view_at(0);
  draw.view = first.view;
  draw.setup = first.setup;
  draw.views.clear();
  for (uint32_t i = 0; i < kMaxViewports && chooses_viewport(call); ++i) draw.views.push_back(view_at(i));
}

ShapeState make_shape_state(const DrawCall& call, const SetupState& setup, const IRect& point_rect) {
  const RasterizerState& r = call.pipeline->desc.rasterizer;
  ShapeState s;
  s.setup = setup;
  s.point_rect = point_rect;
  s.multisample = call.pipeline->desc.samples > 1 && r.multisample;
  s.point_smooth = r.point_smooth && !s.multisample;
  s.line_smooth = r.line_smooth && !s.multisample;
  s.poly_smooth = r.poly_smooth && !s.multisample;
  s.point_quad = r.point_quad;
  s.point_size = clamp_point_size(r.point_size);
  s.line_width = clamp_line_width(r.line_width);
  s.line_last_pixel = r.line_last_pixel;
  s.line_stipple = r.line_stipple;
  s.stipple_pattern = r.line_stipple_pattern;
  s.stipple_factor = r.line_stipple_factor;
  return s;
}

// What the draw's primitives are drawn as, and what that takes.
void set_shapes(const DrawCall& call, const Framebuffer& target, DrawState& state, PreparedDraw& draw) {
  const RasterizerState& r = call.pipeline->desc.rasterizer;
  draw.shape = make_shape_state(call, draw.setup, point_clip_rect(call, call.scissor, target.width, target.height));
  const ShapeState& s = draw.shape;
  const uint32_t corners = draw.assembly.corner_count();
  const auto fills_as = [&](FillMode mode) { return corners == 3 && (r.fill_front == mode || r.fill_back == mode); };
  const bool points = corners == 1 || fills_as(FillMode::Point), lines = corners == 2 || fills_as(FillMode::Line);
  const bool polygons = fills_as(FillMode::Fill);
  draw.has_shapes = (points && s.shapes_points()) || (lines && s.shapes_lines()) ||
                    (polygons && (s.poly_smooth || r.poly_stipple));
  draw.plain_triangles = !points && !lines && !draw.has_shapes;
  state.smooth =
      (points && s.point_smooth && !s.point_quad) || (lines && s.line_smooth) || (polygons && s.poly_smooth);
  if (!state.smooth) return;
  draw.setup.samples = draw.shape.setup.samples = smooth_pattern().box;
  for (DrawView& view : draw.views) view.setup.samples = smooth_pattern().box;
}

}  // namespace

IRect draw_clip_rect(const DrawCall& call, uint32_t width, uint32_t height) {
  return clip_rect_of(call, call.viewport, call.scissor, width, height);
}

void prepare_draw(const DrawCall& call, const Framebuffer& target, uint32_t draw_number, const DrawContext& context,
                  PreparedDraw& draw, uint32_t query_interval) {
  const PipelineDesc& desc = call.pipeline->desc;
  const Executable& vertex = *desc.vertex;
  const std::byte* indices =
      call.info.indexed ? call.index_buffer.storage->data() + call.index_buffer.offset_bytes : nullptr;
  if (draw.state.use_count() != 1) draw.state = std::make_shared<DrawState>();
  DrawState& state = *draw.state;
  set_draw_state(call, draw_clip_rect(call, target.width, target.height), draw_number, query_interval, context, state);
  draw.pipeline = call.pipeline;
  make_fetch_plan(vertex, desc.elements, call.vertex_buffers, call.info, draw.fetch);
  draw.fetch.simd = context.simd;
  draw.assembly = drawn_primitives(call, indices);
  make_views(call, target, draw);
  draw.clip_planes = call.clip_planes;
  set_shapes(call, target, state, draw);
  state.setup = draw.setup;
  state.setups.clear();
  for (const DrawView& view : draw.views) state.setups.push_back(view.setup);
  draw.vertex_views.assign(call.vertex_inputs, vertex.program(), context.null_texture.get());
  draw.vertex_bindings = draw.vertex_views.bindings();
  draw.vertex_uniforms.resize(vertex.uniform_count());
  vertex.run_uniform(draw.vertex_bindings, draw.vertex_uniforms);
  draw.instance_count = call.info.instance_count;
  draw.layers = target.layers;
  draw.draw_number = draw_number;
  draw.geometry = call.pipeline->has_geometry_stages ? prepare_geometry(call, context) : nullptr;
}

}  // namespace tessera::raster
