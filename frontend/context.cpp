#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>

#include "core/scalar.h"
#include "frontend/context_impl.h"
#include "raster/draw_check.h"

namespace tessera {
namespace {

using raster::Framebuffer;
using raster::Surface;


Status check_attachment(const Attachment& a, std::string_view field) {
  if (!a.resource) return Done{};
  const ResourceDesc& desc = a.resource->desc();
  if (desc.kind == ResourceKind::Buffer) return error(fmt::format("{}.resource: a buffer is no target", field));
  if (Status s = check_level_and_slice(*a.resource, a.level, a.layer); !s)
    return error(fmt::format("{}.{}", field, s.diags().front().text));
  if (format_info(desc.format).is_compressed)
    return error(fmt::format("{}.resource: format {} has blocks and cannot be drawn into", field,
                             format_info(desc.format).name));
  const uint32_t slices = a.resource->storage()->level(a.level).slices;
  if (a.layers == 0 || a.layers > slices - a.layer)
    return error(fmt::format("{}.layers: expected 1 to {}, found {}", field, slices - a.layer, a.layers));
  if (a.format != Format::NONE && format_info(a.format).block_bytes != format_info(desc.format).block_bytes)
    return error(fmt::format("{}.format: its texels differ in size from the resource's", field));
  return Done{};
}

Format attachment_format(const Attachment& a) {
  return a.format != Format::NONE ? a.format : a.resource->desc().format;
}

Surface surface_of(const Attachment& a) {
  return {a.resource->storage(), attachment_format(a), a.level, a.layer, a.layer + a.layers - 1};
}

texture::View resolve_view(const TextureView& v) {
  texture::View view = texture::whole_view(v.resource->storage());
  if (v.format != Format::NONE) view.format = v.format;
  view.kind = v.kind.value_or(view.kind);
  view.first_level = v.first_level;
  view.last_level = v.last_level.value_or(view.last_level);
  view.first_layer = v.first_layer;
  view.last_layer = v.last_layer.value_or(view.last_layer);
  std::copy(v.swizzle.begin(), v.swizzle.end(), view.swizzle);
  return view;
}

bool overlaps(const texture::View& view, const Surface& surface) {
  return surface.storage && surface.storage == view.storage && surface.level >= view.first_level &&
         surface.level <= view.last_level && surface.last_layer >= view.first_layer &&
         surface.first_layer <= view.last_layer;
}

bool is_drawn_into(const texture::View& view, const Framebuffer& target) {
  for (uint32_t i = 0; i < target.color_count; ++i)
    if (overlaps(view, target.color[i])) return true;
  return overlaps(view, target.depth_stencil);
}

// What the view shows now, for a draw that overwrites it; null: not enough memory.
std::shared_ptr<Storage> snapshot(const Storage& storage) {
  try {
    auto copy = std::make_shared<Storage>(storage.desc());
    std::memcpy(copy->data(), storage.data(), storage.size_bytes());
    return copy;
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

// Does each texture instruction find its unit, and there the kind of texture that it samples?
Status check_texture_kinds(const ir::Program& program, const StageState& stage) {
  for (const ir::TextureBinding& binding : program.texture_bindings)
    if (binding.view >= kMaxTextureUnits || binding.sampler >= kMaxTextureUnits)
      return error(fmt::format("the shader reads texture unit {} through sampler {}; there are {}", binding.view,
                               binding.sampler, kMaxTextureUnits));
  for (const ir::TextureOp& op : program.texture_ops) {
    const uint32_t unit = program.texture_bindings[op.binding].view;
    const TextureView& view = stage.views[unit];
    if (!view.resource) continue;
    if (Status s = texture::check_target(resolve_view(view), op.target); !s)
      return error(fmt::format("texture unit {}: {}", unit, s.diags().front().text));
  }
  return Done{};
}

// Which target of `f` is the whole of this surface?
std::optional<raster::ResolveCommand> find_target(const Framebuffer& f, const Surface& surface) {
  const LevelLayout& level = surface.storage->level(surface.level);
  const uint32_t layers = surface.last_layer - surface.first_layer + 1;
  if (f.width != level.width || f.height != level.height || f.layers != layers) return std::nullopt;
  for (uint32_t i = 0; i < f.color_count; ++i)
    if (f.color[i] == surface) return raster::ResolveCommand{.color_target = i};
  if (f.depth_stencil == surface) return raster::ResolveCommand{.depth = true};
  return std::nullopt;
}

}  // namespace

Context::Context(Device& device) : impl_(new Impl{.device = device, .renderer = *device.impl_->renderer}) {}
Context::~Context() = default;
raster::Renderer& Context::renderer() { return impl_->renderer; }

Status check_stage(ir::Stage stage) {
  return stage <= ir::Stage::Compute ? Status(Done{}) : error("stage: there is no such stage");
}

// ---- state ----------------------------------------------------------------------------------------------------

Status Context::set_color_target(uint32_t index, const Attachment& attachment) {
  if (index >= raster::kMaxColorTargets)
    return error(fmt::format("index: expected less than {}, found {}", raster::kMaxColorTargets, index));
  if (Status s = check_attachment(attachment, "attachment"); !s) return s;
  impl_->color[index] = attachment;
  return Done{};
}

Status Context::set_depth_target(const Attachment& attachment) {
  if (Status s = check_attachment(attachment, "attachment"); !s) return s;
  if (attachment.resource && !format_info(attachment_format(attachment)).is_depth_or_stencil())
    return error("attachment.format: expected a format with depth or stencil");
  impl_->depth = attachment;
  return Done{};
}

void Context::allow_feedback(bool is_allowed) { impl_->allows_feedback = is_allowed; }

Status Context::set_empty_target(uint32_t width, uint32_t height, uint32_t layers, uint32_t samples) {
  const Framebuffer empty{.width = width, .height = height, .samples = samples, .layers = layers};
  if (Status s = raster::check_framebuffer(empty); !s) return s;
  impl_->empty_target = empty;
  return Done{};
}

Status Context::set_shader(const ShaderRef& shader) {
  if (!shader) return error("shader: null");
  if (Status s = check_stage(shader->stage()); !s) return s;
  StageState& stage = impl_->stage(shader->stage());
  if (stage.shader == shader) return Done{};
  stage.shader = shader;
  stage.bound_dirty = true;
  if (shader->stage() == ir::Stage::Compute) stage.program = shader->executable();
  else impl_->pipeline_dirty = true;
  return Done{};
}

Status Context::unset_shader(ir::Stage stage) {
  if (stage != ir::Stage::TessCtrl && stage != ir::Stage::TessEval && stage != ir::Stage::Geometry)
    return error("stage: expected one between the vertex shader and the rasterizer");
  StageState& own = impl_->stage(stage);
  impl_->pipeline_dirty |= own.shader != nullptr;
  own.shader = nullptr;
  own.program = nullptr;
  return Done{};
}

void Context::set_tessellation_levels(const std::array<float, 4>& outer, const std::array<float, 2>& inner) {
  impl_->tessellation_levels = {outer, inner};
}

void Context::unset_fragment_shader() {
  impl_->fragment.shader = nullptr;
  impl_->pipeline_dirty = true;
}

void Context::set_blend(const raster::BlendState& state) {
  if (impl_->pipeline_desc.blend == state) return;
  impl_->pipeline_desc.blend = state;
  impl_->pipeline_dirty = true;
}

void Context::set_rasterizer(const raster::RasterizerState& state) {
  if (impl_->pipeline_desc.rasterizer == state) return;
  impl_->pipeline_desc.rasterizer = state;
  impl_->pipeline_dirty = true;
}

void Context::set_depth_stencil_alpha(const raster::DepthStencilAlphaState& state) {
  if (impl_->pipeline_desc.depth_stencil_alpha == state) return;
  impl_->pipeline_desc.depth_stencil_alpha = state;
  impl_->pipeline_dirty = true;
}

void Context::set_blend_color(const std::array<float, 4>& color) {
  std::copy(color.begin(), color.end(), impl_->call.blend_color);
}
void Context::set_sample_mask(uint32_t mask) { impl_->call.sample_mask = mask; }

void Context::set_min_samples(uint32_t samples) {
  if (impl_->pipeline_desc.min_samples == samples) return;
  impl_->pipeline_desc.min_samples = samples;
  impl_->pipeline_dirty = true;
}

void Context::set_clip_planes(const std::array<raster::ClipPlane, raster::kMaxClipPlanes>& planes) {
  impl_->call.clip_planes = planes;
}

void Context::set_polygon_stipple(const raster::StipplePattern& pattern) { impl_->call.polygon_stipple = pattern; }

void Context::set_stencil_reference(uint8_t front, uint8_t back) {
  impl_->call.stencil_ref[0] = front;
  impl_->call.stencil_ref[1] = back;
}

Status Context::set_vertex_elements(std::span<const raster::VertexElement> elements) {
  if (elements.size() > raster::kMaxVertexElements)
    return error(fmt::format("elements: at most {}, found {}", raster::kMaxVertexElements, elements.size()));
  for (size_t i = 0; i < elements.size(); ++i)
    if (elements[i].buffer >= kMaxVertexBuffers)
      return error(fmt::format("elements[{}].buffer: expected less than {}, found {}", i, kMaxVertexBuffers,
                               elements[i].buffer));
  std::vector<raster::VertexElement>& own = impl_->pipeline_desc.elements;
  if (std::equal(own.begin(), own.end(), elements.begin(), elements.end())) return Done{};
  own.assign(elements.begin(), elements.end());
  impl_->pipeline_dirty = true;
  return Done{};
}

Status Context::set_vertex_buffer(uint32_t slot, const ResourceRef& buffer, uint32_t stride_bytes,
                                  uint32_t offset_bytes) {
  if (slot >= kMaxVertexBuffers)
    return error(fmt::format("slot: expected less than {}, found {}", kMaxVertexBuffers, slot));
  if (buffer && buffer->desc().kind != ResourceKind::Buffer) return error("buffer: an image is no vertex buffer");
  impl_->vertex_buffers[slot] = {buffer, offset_bytes, stride_bytes};
  return Done{};
}

Status Context::set_index_buffer(const ResourceRef& buffer, uint32_t index_bytes, uint32_t offset_bytes) {
  if (buffer && buffer->desc().kind != ResourceKind::Buffer) return error("buffer: an image is no index buffer");
  if (buffer && index_bytes != 1 && index_bytes != 2 && index_bytes != 4)
    return error(fmt::format("index_bytes: expected 1, 2 or 4, found {}", index_bytes));
  impl_->index_buffer = {buffer, offset_bytes, index_bytes};
  impl_->index_bytes = index_bytes;
  return Done{};
}

Status Context::set_constants(ir::Stage stage, uint32_t buffer, std::span<const uint32_t> words) {
  if (Status s = check_stage(stage); !s) return s;
  if (buffer >= kMaxConstantBuffers)
    return error(fmt::format("buffer: expected less than {}, found {}", kMaxConstantBuffers, buffer));
  if (words.size() > kMaxConstantWords)
    return error(fmt::format("words: at most {}, found {}", kMaxConstantWords, words.size()));
  auto& constants = impl_->stage(stage).constants;
  if (constants.size() <= buffer) constants.resize(buffer + 1);
  constants[buffer] = std::make_shared<const std::vector<uint32_t>>(words.begin(), words.end());
  return Done{};
}

Status Context::set_constants(ir::Stage stage, uint32_t buffer, std::span<const float> values) {
  std::vector<uint32_t> words(values.size());
  std::transform(values.begin(), values.end(), words.begin(), [](float v) { return std::bit_cast<uint32_t>(v); });
  return set_constants(stage, buffer, std::span<const uint32_t>(words));
}

Status Context::set_texture(ir::Stage stage, uint32_t unit, const TextureView& view) {
  if (Status s = check_stage(stage); !s) return s;
  if (unit >= kMaxTextureUnits)
    return error(fmt::format("unit: expected less than {}, found {}", kMaxTextureUnits, unit));
  if (view.resource)
    if (Status s = texture::check_view(resolve_view(view)); !s) return s;
  StageState& own = impl_->stage(stage);
  own.views[unit] = view;
  own.bound_dirty = true;
  return Done{};
}

Status Context::set_sampler(ir::Stage stage, uint32_t unit, const texture::Sampler& sampler) {
  if (Status s = check_stage(stage); !s) return s;
  if (unit >= kMaxTextureUnits)
    return error(fmt::format("unit: expected less than {}, found {}", kMaxTextureUnits, unit));
  if (Status s = texture::check_sampler(sampler); !s) return s;
  StageState& own = impl_->stage(stage);
  own.samplers[unit] = sampler;
  own.bound_dirty = true;
  return Done{};
}

// ---- work -----------------------------------------------------------------------------------------------------

Result<Framebuffer> Context::Impl::framebuffer() const {
  Framebuffer f;
  const Attachment* attached[raster::kMaxColorTargets + 1];
  size_t count = 0;
  for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i) {
    if (!color[i].resource) continue;
    f.color[i] = surface_of(color[i]);
    f.color_count = i + 1;
    attached[count++] = &color[i];
  }
  if (depth.resource) {
    f.depth_stencil = surface_of(depth);
    attached[count++] = &depth;
  }
  if (count == 0 && empty_target.width != 0) return empty_target;
  if (count == 0) return error("color_target, depth_target: nothing to draw into is set");
  f.width = f.height = f.layers = ~0u;
  f.samples = attached[0]->resource->desc().samples;
  for (const Attachment* a : std::span(attached, count)) {
    const LevelLayout& level = a->resource->storage()->level(a->level);
    f.width = std::min(f.width, level.width);
    f.height = std::min(f.height, level.height);
    f.layers = std::min(f.layers, a->layers);
    if (a->resource->desc().samples != f.samples)
      return error("color_target, depth_target: the numbers of samples differ");
  }
  return f;
}

Status Context::Impl::prepare_pipeline(const Framebuffer& target) {
  if (Status s = prepare_programs(); !s) return s;
  raster::PipelineDesc& desc = pipeline_desc;
  std::array<Format, raster::kMaxColorTargets> formats{};
  for (uint32_t i = 0; i < target.color_count; ++i) formats[i] = target.color[i].format;
  if (!pipeline_dirty && desc.color_formats == formats && desc.color_count == target.color_count &&
      desc.depth_format == target.depth_stencil.format && desc.samples == target.samples)
    return Done{};
  desc.color_formats = formats;
  desc.color_count = target.color_count;
  desc.depth_format = target.depth_stencil.format;
  desc.samples = target.samples;
  desc.vertex = vertex.program;
  desc.fragment = fragment.program;
  desc.geometry = {control.program, evaluation.program, geometry.program};
  for (const ir::Input& in : desc.vertex->program().inputs)
    if (!in.system_value && in.index >= desc.elements.size())
      return error(fmt::format("vertex_elements: the vertex shader reads IN[{}], and there are {} elements", in.index,
                               desc.elements.size()));
  Result<std::shared_ptr<const raster::Pipeline>> made = device.impl_->pipelines.get(desc);
  if (!made) return made.diags();
  pipeline = std::move(*made);
  pipeline_dirty = false;
  return Done{};
}

Status Context::Impl::prepare_vertex_input(const raster::DrawInfo& info) {
  uint32_t slots = 0;
  for (const raster::VertexElement& e : pipeline_desc.elements) slots = std::max(slots, e.buffer + 1);
  call.vertex_buffers.resize(slots);
  for (uint32_t i = 0; i < slots; ++i) {
    const VertexBufferSlot& slot = vertex_buffers[i];
    call.vertex_buffers[i] = {};
    if (!slot.buffer) continue;
    if (Status s = finish_writes(*slot.buffer); !s) return s;
    call.vertex_buffers[i] = {slot.buffer->storage(), slot.offset_bytes, slot.stride_bytes};
  }
  for (size_t i = 0; i < pipeline_desc.elements.size(); ++i)
    if (const uint32_t slot = pipeline_desc.elements[i].buffer; !call.vertex_buffers[slot].storage)
      return error(fmt::format("vertex_elements[{}].buffer: no vertex buffer is set in slot {}", i, slot));
  call.index_buffer = {};
  if (!info.indexed) return Done{};
  if (!index_buffer.buffer) return error("info.indexed: no index buffer is set");
  const uint64_t end = index_buffer.offset_bytes + (uint64_t{info.start} + info.count) * index_bytes;
  if (end > index_buffer.buffer->storage()->size_bytes())
    return error(fmt::format("info.start, info.count: {} indices from {} on go beyond the index buffer", info.count,
                             info.start));
  if (Status s = finish_writes(*index_buffer.buffer); !s) return s;
  call.index_buffer = {index_buffer.buffer->storage(), index_buffer.offset_bytes, static_cast<uint8_t>(index_bytes)};
  return Done{};
}

bool Context::Impl::decode(texture::View& view) {
  try {
    view.decoded = decoded.get(view.storage, view.format, &renderer.arena());
    return true;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

Status Context::Impl::bind_textures(StageState& stage, const ir::Program& program, const Framebuffer& target) {
  const size_t count = program.texture_bindings.size();
  stage.bound.assign(count, nullptr);
  stage.bound_storage.assign(count, nullptr);
  for (size_t i = 0; i < count; ++i) {
    const ir::TextureBinding& binding = program.texture_bindings[i];
    const TextureView& view = stage.views[binding.view];
    texture::View resolved = view.resource ? resolve_view(view) : texture::View{};
    if (format_info(resolved.format).is_compressed && texture::check_view(resolved).ok() && !decode(resolved))
      return error(fmt::format("texture unit {}: not enough memory to decode the image", binding.view));
    if (is_drawn_into(resolved, target) && !(resolved.storage = snapshot(*resolved.storage)))
      return error(fmt::format("texture unit {}: not enough memory for a copy of what is drawn into", binding.view));
    stage.bound[i] = texture::bind_texture(resolved, stage.samplers[binding.sampler], renderer.options().simd);
    stage.bound_storage[i] = resolved.storage.get();
  }
  stage.bound_dirty = false;
  return Done{};
}

Status Context::Impl::prepare_textures(StageState& stage, const Framebuffer& target) {
  if (!stage.program) return Done{};
  const ir::Program& program = stage.program->program();
  if (Status s = check_texture_kinds(program, stage); !s) return s;
  bool is_bound = !stage.bound_dirty && stage.bound.size() == program.texture_bindings.size();
  for (size_t i = 0; i < program.texture_bindings.size(); ++i) {
    const uint32_t unit = program.texture_bindings[i].view;
    const TextureView& view = stage.views[unit];
    if (!view.resource) continue;
    if (Status s = finish_writes(*view.resource); !s) return s;
    const texture::View resolved = resolve_view(view);
    const bool feeds_back = is_drawn_into(resolved, target);
    if (feeds_back && !allows_feedback)
      return error(fmt::format("texture unit {}: the image is also drawn into", unit));
    is_bound = is_bound && !feeds_back && stage.bound_storage[i] == resolved.storage.get();
  }
  return is_bound ? Status(Done{}) : bind_textures(stage, program, target);
}

// Most draws have none: then nothing is made for them.
Status Context::Impl::prepare_stages_between(const Framebuffer& target) {
  call.geometry = nullptr;
  if (!pipeline->has_geometry_stages) return Done{};
  auto inputs = std::make_shared<raster::GeometryInputs>();
  for (StageState* state : stages_between()) {
    if (Status s = prepare_textures(*state, target); !s) return s;
    if (Status s = prepare_memory(*state, target); !s) return s;
  }
  inputs->control = stage_inputs(control);
  inputs->evaluation = stage_inputs(evaluation);
  inputs->geometry = stage_inputs(geometry);
  inputs->levels = tessellation_levels;
  inputs->targets = bound_stream_targets();
  call.geometry = std::move(inputs);
  return Done{};
}

Status Context::draw(const raster::DrawInfo& info) {
  Impl& own = *impl_;
  Result<Framebuffer> target = own.framebuffer();
  if (!target) return target.diags();
  if (Status s = own.prepare_pipeline(*target); !s) return s;
  if (Status s = own.prepare_vertex_input(info); !s) return s;
  if (Status s = own.prepare_textures(own.vertex, *target); !s) return s;
  if (Status s = own.prepare_textures(own.fragment, *target); !s) return s;
  if (Status s = own.prepare_memory(own.vertex, *target); !s) return s;
  if (Status s = own.prepare_memory(own.fragment, *target); !s) return s;
  if (Status s = own.prepare_stages_between(*target); !s) return s;
  own.prepare_viewports(*target);
  own.call.pipeline = own.pipeline;
  own.call.info = info;
  own.call.vertex_inputs = own.stage_inputs(own.vertex);
  own.call.fragment_inputs = own.stage_inputs(own.fragment);
  return own.when_allowed([&] { return own.renderer.draw(*target, own.call); });
}

Status Context::resolve(const Attachment& from, const Attachment& to) {
  for (const auto& [attachment, field] : {std::pair{&from, "from"}, std::pair{&to, "to"}}) {
    if (!attachment->resource) return error(fmt::format("{}.resource: null", field));
    if (Status s = check_attachment(*attachment, field); !s) return s;
  }
  const Surface surface = surface_of(from);
  Result<Framebuffer> target = impl_->framebuffer();
  std::optional<raster::ResolveCommand> command;
  if (target) command = find_target(*target, surface);
  if (!command) {
    // A framebuffer of its own.
    const LevelLayout& level = surface.storage->level(from.level);
    Framebuffer own{.width = level.width, .height = level.height, .samples = from.resource->desc().samples,
                    .layers = from.layers};
    command = raster::ResolveCommand{.depth = format_info(surface.format).is_depth_or_stencil()};
    if (command->depth) own.depth_stencil = surface;
    else own.color[own.color_count++] = surface;
    target = own;
  }
  command->to = surface_of(to);
  return impl_->renderer.resolve(*target, *command);
}

Status Context::Impl::flush() {
  const Status status = renderer.flush();
  decoded.end_frame();
  return status;
}

Status Context::flush() { return impl_->flush(); }

}  // namespace tessera
