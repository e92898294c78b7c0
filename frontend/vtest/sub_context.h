// frontend/vtest/sub_context.h: one GL context of a connection: its objects and everything that is bound and set.
// Nothing here is checked against each other; that is done when a draw is put together.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <vector>

#include "frontend/vtest/objects.h"

namespace tessera::vtest {

inline constexpr uint32_t kBindingSlots = 32;    // of each kind and stage
inline constexpr uint32_t kStageCount = 6;

// Words of the client's, or a range of a buffer; neither: reads 0.
struct ConstantBinding {
  std::vector<uint32_t> words;
  ClientResourceRef resource;
  uint32_t offset_bytes = 0, length_bytes = 0;
  uint64_t applied_writes = 0;                   // ClientResource::writes when the range was last copied
};

struct StageBindings {
  std::shared_ptr<Program> program;
  std::array<ConstantBinding, kBindingSlots> constants;
  std::array<std::shared_ptr<const SamplerView>, kBindingSlots> views;
  std::array<std::shared_ptr<const SamplerState>, kBindingSlots> samplers;
  std::bitset<kBindingSlots> changed_constants, changed_views, changed_samplers;
};

struct VertexBufferBinding {
  ClientResourceRef resource;
  uint32_t stride_bytes = 0, offset_bytes = 0;
};

struct IndexBufferBinding {
  ClientResourceRef resource;
  uint32_t index_bytes = 0, offset_bytes = 0;
};

// What has changed since it was last handed to the Context.
struct Changes {
  bool framebuffer = true, blend = true, rasterizer = true, depth_stencil_alpha = true, vertex_elements = true;
  bool vertex_buffers = true, viewport = true, scissor = true, other = true;
};

struct SubContext {
  ObjectTable objects;

  std::shared_ptr<const Blend> blend;
  std::shared_ptr<const Rasterizer> rasterizer;
  std::shared_ptr<const DepthStencilAlpha> depth_stencil_alpha;
  std::shared_ptr<const VertexElements> vertex_elements;
  std::array<StageBindings, kStageCount> stages;   // by the protocol's numbers
  std::vector<VertexBufferBinding> vertex_buffers;
  IndexBufferBinding index_buffer;

  std::array<std::shared_ptr<const Surface>, raster::kMaxColorTargets> color;
  std::shared_ptr<const Surface> depth_stencil;

  struct { uint32_t width = 0, height = 0, layers = 1, samples = 1; } empty;   // what is drawn into without surfaces

  std::array<raster::Viewport, raster::kMaxViewports> viewports = [] {
    std::array<raster::Viewport, raster::kMaxViewports> zero;
    zero.fill({{0, 0, 0}, {0, 0, 0}});
    return zero;
  }();
  std::array<raster::IRect, raster::kMaxViewports> scissors{};
  std::array<float, 4> blend_color{};
  uint8_t stencil_reference[2] = {0, 0};
  uint32_t sample_mask = ~0u, min_samples = 1;
  raster::StipplePattern polygon_stipple = raster::kSolidStipple;
  std::array<raster::ClipPlane, raster::kMaxClipPlanes> clip_planes{};

  Changes changes;

  // Everything is to be handed over again: another sub-context has used the Context.
  void mark_all_changed();
};

}  // namespace tessera::vtest
