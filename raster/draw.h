// raster/draw.h: a recorded draw, and what is worked out once before its vertices run.
// In:     a DrawCall that check_draw() accepted.
// Out:    PreparedDraw: uniform words, the fetch plan, assembly, transforms; DrawState, which tiles read.
// Threads: prepare_draw() may run for many draws at once; after it a PreparedDraw is immutable and shared.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "raster/assembly.h"
#include "raster/fetch.h"
#include "raster/geometry_front.h"
#include "raster/renderer.h"
#include "raster/shape_setup.h"
#include "raster/vertex.h"

namespace tessera::raster {

// What is the same for all draws of a renderer.
struct DrawContext {
  SimdTarget simd{};
  uint32_t budget = 0;                                         // RendererOptions::instruction_budget
  std::shared_ptr<const texture::BoundTexture> null_texture;   // for bindings without one
};

// One viewport of a draw, with its scissor.
struct DrawView {
  ViewTransform view;
  SetupState setup;
  IRect point_rect;                                  // of ShapeState
};

struct PreparedDraw {
  std::shared_ptr<DrawState> state;                  // changed by prepare_draw() alone
  std::shared_ptr<const Pipeline> pipeline;
  std::unique_ptr<const PreparedGeometry> geometry;  // of draws with stages between vertex shading and clipping
  FetchPlan fetch;
  Assembly assembly;
  ViewTransform view;                                // of viewport 0
  std::array<ClipPlane, kMaxClipPlanes> clip_planes{};
  SetupState setup;                                  // of viewport 0
  ShapeState shape;                                  // of viewport 0
  bool plain_triangles = true;                       // filled ones that need no Shape: the fast way
  bool has_shapes = false;                           // every primitive of its chunks has a Shape
  std::vector<DrawView> views;                       // all viewports, where the program chooses one
  StageViews vertex_views;                           // what the bindings point into
  Bindings vertex_bindings;
  std::vector<uint32_t> vertex_uniforms;
  uint32_t instance_count = 1;
  uint32_t layers = 1;                               // of the targets
  uint32_t draw_number = 0;

  void release() { state.reset(), pipeline.reset(), geometry.reset(); }
  uint64_t triangle_count() const { return uint64_t{assembly.triangle_count()} * instance_count; }
  // What jobs count: triangles, or what the stages between take.
  uint64_t primitive_count() const {
    return geometry ? uint64_t{geometry->input.count()} * instance_count : triangle_count();
  }
  // Nothing of it can be seen, whatever its triangles are.
  bool draws_nothing() const {
    return (views.empty() && setup.clip_rect.empty()) ||
           (assembly.corner_count() == 3 && setup.cull_positive && setup.cull_negative);
  }
  // A line's stipple depends on the lines before it: the chunks of the draw are built one after the other.
  bool is_sequential() const { return shape.line_stipple && !plain_triangles && assembly.continues_stipple(); }
  const ViewTransform& view_of(uint32_t viewport) const { return views.empty() ? view : views[viewport].view; }
  const SetupState& setup_of(uint32_t viewport) const { return views.empty() ? setup : views[viewport].setup; }
  const IRect& point_rect_of(uint32_t viewport) const {
    return views.empty() ? shape.point_rect : views[viewport].point_rect;
  }
};

// Target, scissor and viewport: the pixels that the draw may touch.
IRect draw_clip_rect(const DrawCall& call, uint32_t width, uint32_t height);

// `draw` may be a used one; what it held is replaced, its memory reused, its state too where nothing else refers to
// it. `call` must outlive the use of both.
void prepare_draw(const DrawCall& call, const Framebuffer& target, uint32_t draw_number, const DrawContext& context,
                  PreparedDraw& draw, uint32_t query_interval = kNoInterval);

}  // namespace tessera::raster
