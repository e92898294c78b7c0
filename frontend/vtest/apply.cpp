#include "frontend/vtest/apply.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace tessera::vtest {
namespace {

enum Stage : uint32_t { kVertex = 0, kFragment, kGeometry, kTessCtrl, kTessEval };
constexpr uint32_t kDrawStages[] = {kVertex, kFragment, kGeometry, kTessCtrl, kTessEval};

void take_over(Session& session, SubContext& sub) {
  if (session.applied == &sub) return;
  sub.mark_all_changed();
  session.applied = &sub;
}

Attachment attachment_of(const std::shared_ptr<const Surface>& surface) {
  if (!surface) return {};
  return {.resource = surface->resource->resource,
          .level = surface->level,
          .layer = surface->first_layer,
          .format = surface->format,
          .layers = surface->last_layer - surface->first_layer + 1};
}

// The words of a buffer's range; behind its end they are missing, and read 0.
std::vector<uint32_t> words_of_range(const ConstantBinding& binding) {
  const std::shared_ptr<Storage>& storage = binding.resource->resource->storage();
  const uint64_t size = binding.resource->desc.width;
  const uint64_t offset = std::min<uint64_t>(binding.offset_bytes, size);
  const uint64_t length = std::min<uint64_t>({binding.length_bytes, size - offset, uint64_t{kMaxConstantWords} * 4});
  std::vector<uint32_t> words((length + 3) / 4);
  if (length > 0) std::memcpy(words.data(), storage->data() + offset, length);
  return words;
}

Status apply_constants(Session& session, ir::Stage stage, StageBindings& bindings) {
  for (uint32_t i = 0; i < kMaxConstantBuffers; ++i) {
    ConstantBinding& binding = bindings.constants[i];
    const bool is_stale = binding.resource && binding.applied_writes != binding.resource->writes;
    if (!bindings.changed_constants[i] && !is_stale) continue;
    bindings.changed_constants.reset(i);
    if (!binding.resource || !binding.resource->resource) {
      if (Status s = session.context.set_constants(stage, i, std::span<const uint32_t>(binding.words)); !s) return s;
      continue;
    }
    binding.applied_writes = binding.resource->writes;
    const std::vector<uint32_t> words = words_of_range(binding);
    if (Status s = session.context.set_constants(stage, i, std::span<const uint32_t>(words)); !s) return s;
  }
  return Done{};
}

Status apply_textures(Session& session, ir::Stage stage, StageBindings& bindings) {
  for (uint32_t unit = 0; unit < kBindingSlots; ++unit) {
    if (bindings.changed_views[unit]) {
      const auto& view = bindings.views[unit];
      if (Status s = session.context.set_texture(stage, unit, view ? view->view : TextureView{}); !s) return s;
      bindings.changed_views.reset(unit);
    }
    if (bindings.changed_samplers[unit]) {
      const auto& sampler = bindings.samplers[unit];
      if (Status s = session.context.set_sampler(stage, unit, sampler ? sampler->sampler : texture::Sampler{}); !s)
        return s;
      bindings.changed_samplers.reset(unit);
    }
  }
  return Done{};
}

// Buffers and images that programs write.
Status apply_memory(Session& session, ir::Stage stage, StageBindings& bindings) {
  for (uint32_t slot = 0; slot < kBindingSlots; ++slot) {
    if (bindings.changed_buffers[slot]) {
      const MemoryBinding& binding = bindings.buffers[slot];
      BufferRange range;
      if (binding.resource && binding.resource->resource && binding.offset_bytes <= binding.resource->desc.width)
        range = {.resource = binding.resource->resource,
                 .offset_bytes = binding.offset_bytes,
                 .size_bytes = std::min(binding.length_bytes, binding.resource->desc.width - binding.offset_bytes)};
      if (Status s = session.context.set_memory(stage, ir::MemorySpace::Buffer, slot, range); !s) return s;
      bindings.changed_buffers.reset(slot);
    }
    if (bindings.changed_images[slot]) {
      if (Status s = session.context.set_image(stage, slot, bindings.images[slot].image); !s) return s;
      bindings.changed_images.reset(slot);
    }
  }
  return Done{};
}

Status apply_stage(Session& session, SubContext& sub, uint32_t number) {
  const ir::Stage stage = *stage_from_number(number);
  StageBindings& bindings = sub.stages[number];
  if (Status s = apply_constants(session, stage, bindings); !s) return s;
  if (Status s = apply_textures(session, stage, bindings); !s) return s;
  return apply_memory(session, stage, bindings);
}

// The program that vertices come from last; it says what stream output writes.
const Program& last_program(const SubContext& sub) {
  for (const uint32_t number : {kGeometry, kTessEval})
    if (sub.stages[number].program) return *sub.stages[number].program;
  return *sub.stages[kVertex].program;
}

Status apply_programs(Session& session, SubContext& sub) {
  Context& context = session.context;
  const auto& vertex = sub.stages[kVertex].program;
  const auto& fragment = sub.stages[kFragment].program;
  if (!vertex || !vertex->shader) return error("no vertex shader that works is bound");
  if (Status s = context.set_shader(vertex->shader); !s) return s;
  for (const uint32_t number : {kGeometry, kTessCtrl, kTessEval}) {
    const auto& program = sub.stages[number].program;
    if (program && !program->shader) return error("a shader between vertices and fragments does not work");
    if (Status s = program ? context.set_shader(program->shader) : context.unset_shader(*stage_from_number(number)); !s)
      return s;
  }
  static const raster::StreamLayout none;
  const bool streams = !sub.stream_targets.empty();
  if (Status s = context.set_stream_output(streams ? last_program(sub).stream_output : none); !s) return s;
  if (fragment && fragment->shader) return context.set_shader(fragment->shader);
  if (!sub.rasterizer || !sub.rasterizer->state.discard) return error("no fragment shader that works is bound");
  context.unset_fragment_shader();
  return Done{};
}

Status apply_vertex_input(Session& session, SubContext& sub) {
  if (sub.changes.vertex_elements) {
    static const std::vector<raster::VertexElement> none;
    const auto& elements = sub.vertex_elements ? sub.vertex_elements->elements : none;
    if (Status s = session.context.set_vertex_elements(elements); !s) return s;
  }
  if (!sub.changes.vertex_buffers) return Done{};
  for (uint32_t slot = 0; slot < kMaxVertexBuffers; ++slot) {
    const VertexBufferBinding binding = slot < sub.vertex_buffers.size() ? sub.vertex_buffers[slot] : VertexBufferBinding{};
    const bool has_vertices = binding.resource && binding.resource->resource &&
                              binding.offset_bytes <= binding.resource->desc.width;
    if (Status s = has_vertices ? session.context.set_vertex_buffer(slot, binding.resource->resource,
                                                                    binding.stride_bytes, binding.offset_bytes)
                                : session.context.set_vertex_buffer(slot, session.no_vertices, 0); !s)
      return s;
  }
  return Done{};
}

Status apply_views(Context& context, const SubContext& sub) {
  for (uint32_t i = 0; i < raster::kMaxViewports; ++i) {
    if (sub.changes.viewport)
      if (Status s = context.set_viewport_at(i, sub.viewports[i]); !s) return s;
    if (sub.changes.scissor)
      if (Status s = context.set_scissor_at(i, sub.scissors[i]); !s) return s;
  }
  return Done{};
}

// The protocol's front_ccw is seen in rows, after the viewport; the Context's in clip space, y up.
raster::RasterizerState rasterizer_of(const SubContext& sub) {
  raster::RasterizerState state = sub.rasterizer ? sub.rasterizer->state : raster::RasterizerState{};
  const float* scale = sub.viewports[0].scale;
  const bool turns_over = (scale[0] < 0) == (scale[1] < 0);
  state.front_ccw = state.front_ccw != turns_over;
  return state;
}

// OpenGL dithers unless it is told not to, and leaves to us what that means: targets of 8 bits a channel are not dithered.
raster::BlendState blend_of(const SubContext& sub) {
  raster::BlendState state = sub.blend ? sub.blend->state : raster::BlendState{};
  state.dither = state.dither && std::ranges::any_of(sub.color, [](const std::shared_ptr<const Surface>& surface) {
    return surface && format_info(surface->format).field[0].bits < 8;
  });
  return state;
}

void apply_state(Context& context, const SubContext& sub) {
  const Changes& changes = sub.changes;
  if (changes.blend) context.set_blend(blend_of(sub));
  if (changes.rasterizer || changes.viewport) context.set_rasterizer(rasterizer_of(sub));
  if (changes.depth_stencil_alpha)
    context.set_depth_stencil_alpha(sub.depth_stencil_alpha ? sub.depth_stencil_alpha->state
                                                            : raster::DepthStencilAlphaState{});
  if (!changes.other) return;
  context.set_blend_color(sub.blend_color);
  context.set_stencil_reference(sub.stencil_reference[0], sub.stencil_reference[1]);
  context.set_polygon_stipple(sub.polygon_stipple);
  context.set_sample_mask(sub.sample_mask);
  context.set_min_samples(sub.min_samples);
  context.set_clip_planes(sub.clip_planes);
  context.set_tessellation_levels(sub.outer_levels, sub.inner_levels);
}

Status apply_framebuffer(Session& session, SubContext& sub) {
  if (!sub.changes.framebuffer) return Done{};
  sub.changes.blend = true;                          // blend_of() looks at the targets
  for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i)
    if (Status s = session.context.set_color_target(i, attachment_of(sub.color[i])); !s) return s;
  if (Status s = session.context.set_depth_target(attachment_of(sub.depth_stencil)); !s) return s;
  const bool is_empty = !sub.depth_stencil && std::ranges::none_of(sub.color, [](const auto& s) { return s != nullptr; });
  if (is_empty && sub.empty.width > 0 && sub.empty.height > 0)
    if (Status s = session.context.set_empty_target(sub.empty.width, sub.empty.height, sub.empty.layers,
                                                    sub.empty.samples); !s)
      return s;
  sub.changes.framebuffer = false;
  return Done{};
}

Status apply_condition(Session& session, const SubContext& sub) {
  return session.context.set_render_condition(sub.condition ? sub.condition->query : nullptr, sub.is_condition_inverted);
}

// Another sub-context's targets have been bound meanwhile: these go on where they stand.
Status apply_stream_targets(Session& session, SubContext& sub) {
  if (!sub.changes.stream_targets) return Done{};
  sub.changes.stream_targets = false;
  std::vector<StreamTargetRef> targets;
  for (const auto& target : sub.stream_targets) targets.push_back(target ? target->target : nullptr);
  return session.context.set_stream_targets(targets, ~0u);
}

}  // namespace

Status apply_for_clear(Session& session, SubContext& sub) {
  take_over(session, sub);
  if (Status s = apply_condition(session, sub); !s) return s;
  return apply_framebuffer(session, sub);
}

Status apply_for_grid(Session& session, SubContext& sub, Grid& grid) {
  take_over(session, sub);
  const auto& program = sub.stages[kComputeStage].program;
  if (!program || !program->shader) return error("no compute shader that works is bound");
  grid.shared_bytes = program->shared_bytes;
  if (Status s = apply_condition(session, sub); !s) return s;
  if (Status s = session.context.set_shader(program->shader); !s) return s;
  return apply_stage(session, sub, kComputeStage);
}

Status apply_for_draw(Session& session, SubContext& sub) {
  if (Status s = apply_for_clear(session, sub); !s) return s;
  if (Status s = apply_programs(session, sub); !s) return s;
  if (Status s = apply_stream_targets(session, sub); !s) return s;
  if (Status s = apply_vertex_input(session, sub); !s) return s;
  if (Status s = apply_views(session.context, sub); !s) return s;
  apply_state(session.context, sub);
  for (const uint32_t number : kDrawStages)
    if (Status s = apply_stage(session, sub, number); !s) return s;
  sub.changes = {.framebuffer = false, .blend = false, .rasterizer = false, .depth_stencil_alpha = false,
                 .vertex_elements = false, .vertex_buffers = false, .viewport = false, .scissor = false,
                 .stream_targets = false, .other = false};
  return Done{};
}

}  // namespace tessera::vtest
