// frontend/vtest/sub_context.h: one GL context of a connection: its objects and everything that is bound and set.
// Nothing here is checked against each other; that is done when a draw is put together.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <set>
#include <vector>

#include "frontend/vtest/objects.h"

namespace tessera::vtest {

inline constexpr uint32_t kBindingSlots = 32;    // of each kind and stage
inline constexpr uint32_t kStageCount = 6;
inline constexpr uint32_t kComputeStage = 5;     // by the protocol's numbers

// Words of the client's, or a range of a buffer; neither: reads 0.
struct ConstantBinding {
  std::vector<uint32_t> words;
  ClientResourceRef resource;
  uint32_t offset_bytes = 0, length_bytes = 0;
  uint64_t applied_writes = 0;                   // ClientResource::writes when the range was last copied
  MemoryShare memory;                            // of `words`
};

struct MemoryBinding {
  ClientResourceRef resource;
  uint32_t offset_bytes = 0, length_bytes = 0;
};

struct ImageBinding {
  ClientResourceRef resource;
  ShaderImage image;
};

struct StageBindings {
  std::shared_ptr<Program> program;
  std::array<ConstantBinding, kBindingSlots> constants;
  std::array<std::shared_ptr<const SamplerView>, kBindingSlots> views;
  std::array<std::shared_ptr<const SamplerState>, kBindingSlots> samplers;
  std::array<MemoryBinding, kBindingSlots> buffers;
  std::array<ImageBinding, kBindingSlots> images;
  std::bitset<kBindingSlots> changed_constants, changed_views, changed_samplers, changed_buffers, changed_images;
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
  bool vertex_buffers = true, viewport = true, scissor = true, stream_targets = true, other = true;
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

  std::array<float, 4> outer_levels{};
  std::array<float, 2> inner_levels{};

  // Stream output: the targets that are bound, and the lists of targets that were bound before. The protocol does not tell
  // beginning from going on: a list that was seen goes on where it stopped.
  std::vector<std::shared_ptr<const StreamTarget>> stream_targets;
  std::set<std::vector<uint32_t>> seen_target_lists;
  std::vector<std::weak_ptr<const StreamTarget>> ended_targets;   // in the order of their end

  std::shared_ptr<const Query> condition;
  bool is_condition_inverted = false;

  Changes changes;

  // Everything is to be handed over again: another sub-context has used the Context.
  void mark_all_changed();
};

}  // namespace tessera::vtest
