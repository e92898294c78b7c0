// frontend/memory.cpp: buffers and images that programs write, and the dispatch of compute grids.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/context_impl.h"
#include "shader/names.h"
#include "texture/image.h"
#include "texture/kind.h"

namespace tessera {
namespace {

using ir::MemorySpace;

texture::ImageView resolve_image(const ShaderImage& image) {
  texture::ImageView view = texture::whole_image(image.resource->storage(), image.level);
  if (image.format != Format::NONE) view.format = image.format;
  view.kind = image.kind.value_or(view.kind);
  view.first_layer = image.first_layer;
  if (view.kind == ResourceKind::Buffer)
    view.last_layer = static_cast<uint32_t>(view.storage->size_bytes() / format_info(view.format).block_bytes) - 1;
  view.last_layer = image.last_layer.value_or(view.last_layer);
  view.is_read_only = image.read_only;
  return view;
}

raster::MemoryRange resolve_range(const BufferRange& range) {
  if (!range.resource) return {};
  const std::shared_ptr<Storage>& storage = range.resource->storage();
  const auto rest = static_cast<uint32_t>(storage->size_bytes() - range.offset_bytes);
  return {storage, range.offset_bytes, range.size_bytes.value_or(rest), range.read_only};
}

// Rectangles are images like others here: there is nothing to filter.
bool fits_target(ResourceKind kind, ir::TextureTarget target) {
  const auto plain = [](ResourceKind k) { return k == ResourceKind::Rect ? ResourceKind::Tex2D : k; };
  const std::optional<ResourceKind> wanted = texture::kind_of_target(target);
  return !wanted || plain(*wanted) == plain(kind);
}

// Does each instruction that names an image find there what it accesses? What indices reach is not known yet.
Status check_images(const ir::Program& program, const StageState& stage) {
  for (const ir::Instr& i : program.code) {
    if (!ir::op_info(i.op).is(ir::trait::ImmMemory)) continue;
    const ir::MemoryOp& op = program.memory_ops[i.imm];
    const bool is_indexed = ir::args_of(program, i)[ir::mem_arg::Index] != ir::kNoValue;
    if (op.space != MemorySpace::Image || is_indexed || op.binding >= stage.images.size()) continue;
    const ShaderImage& image = stage.images[op.binding];
    if (!image.resource) continue;
    if (!fits_target(image.kind.value_or(image.resource->desc().kind), op.target))
      return error(fmt::format("image {}: the shader accesses another kind of image than is set", op.binding));
    const Format format = image.format != Format::NONE ? image.format : image.resource->desc().format;
    if (i.op == ir::Op::MemAtomic && !texture::format_has_atomics(format))
      return error(fmt::format("image {}: atomic operations need one 32-bit channel, found {}", op.binding,
                               format_info(format).name));
  }
  return Done{};
}

// Is everything set that the program names? What indices and handles reach is not known yet.
Status check_present(const ir::Program& program, const StageState& stage, bool has_arguments) {
  for (const ir::Instr& i : program.code) {
    if (!ir::op_info(i.op).is(ir::trait::ImmMemory) || ir::args_of(program, i)[ir::mem_arg::Index] != ir::kNoValue)
      continue;
    const ir::MemoryOp& op = program.memory_ops[i.imm];
    const std::vector<BufferRange>& ranges = stage.memory[static_cast<size_t>(op.space)];
    const bool is_own = op.space == MemorySpace::Shared || op.space == MemorySpace::Arguments;
    const bool is_set = op.space == MemorySpace::Image
                            ? op.binding < stage.images.size() && stage.images[op.binding].resource
                            : op.binding < ranges.size() && ranges[op.binding].resource;
    if (op.space == MemorySpace::Arguments && !has_arguments)
      return error("arguments: the shader reads them, and there are none");
    if (!is_own && !is_set)
      return error(fmt::format("{} {}: the shader uses it, and none is set", ir::name_of(op.space), op.binding));
  }
  return Done{};
}

bool is_target(const Storage* storage, const raster::Framebuffer& target) {
  const auto is_it = [&](const raster::Surface& s) { return s.storage.get() == storage; };
  return std::any_of(target.color.begin(), target.color.begin() + target.color_count, is_it) ||
         is_it(target.depth_stencil);
}

}  // namespace

Status Context::set_memory(ir::Stage stage, MemorySpace space, uint32_t slot, const BufferRange& range) {
  if (Status s = check_stage(stage); !s) return s;
  if (space != MemorySpace::Buffer && space != MemorySpace::Counter && space != MemorySpace::Global)
    return error("space: expected Buffer, Counter or Global");
  const uint32_t limit = space == MemorySpace::Global ? 1 : kMaxShaderBuffers;
  if (slot >= limit) return error(fmt::format("slot: expected less than {}, found {}", limit, slot));
  if (range.resource) {
    if (range.resource->desc().kind != ResourceKind::Buffer)
      return error("range.resource: an image is no shader buffer");
    const size_t size = range.resource->storage()->size_bytes();
    if (range.offset_bytes % 4 != 0)
      return error(fmt::format("range.offset_bytes: expected a multiple of 4, found {}", range.offset_bytes));
    if (range.offset_bytes > size || range.size_bytes.value_or(0) > size - range.offset_bytes)
      return error(fmt::format("range: {} bytes from {} on go beyond the buffer's {}", range.size_bytes.value_or(0),
                               range.offset_bytes, size));
  }
  std::vector<BufferRange>& ranges = impl_->stage(stage).memory[static_cast<size_t>(space)];
  if (ranges.size() <= slot) ranges.resize(slot + 1);
  ranges[slot] = range;
  return Done{};
}

Status Context::set_image(ir::Stage stage, uint32_t slot, const ShaderImage& image) {
  if (Status s = check_stage(stage); !s) return s;
  if (slot >= kMaxShaderImages)
    return error(fmt::format("slot: expected less than {}, found {}", kMaxShaderImages, slot));
  if (image.resource) {
    if (image.format != Format::NONE && format_info(image.format).block_bytes == 0)
      return error("image.format: unknown");
    if (Status s = texture::check_image_view(resolve_image(image)); !s) return error("image." + s.diags().front().text);
  }
  StageState& own = impl_->stage(stage);
  if (own.images.size() <= slot) own.images.resize(slot + 1);
  own.images[slot] = image;
  own.bound_images.clear();
  return Done{};
}

Status Context::Impl::prepare_memory(StageState& stage, const raster::Framebuffer& target) {
  if (!stage.program) return Done{};
  const ir::Program& program = stage.program->program();
  if (program.memory_ops.empty()) return Done{};
  if (Status s = check_images(program, stage); !s) return s;
  bool is_bound = stage.bound_images.size() == stage.images.size();
  for (size_t i = 0; i < stage.images.size(); ++i) {
    const ShaderImage& image = stage.images[i];
    if (!image.resource) continue;
    const Storage* storage = image.resource->storage().get();
    if (Status s = finish_writes(*image.resource); !s) return s;   // a resolve may write it
    if (is_target(storage, target)) return error(fmt::format("image {}: it is also drawn into", i));
    is_bound = is_bound && stage.bound_images[i] && stage.bound_images[i]->view.storage.get() == storage;
  }
  if (is_bound) return Done{};
  stage.bound_images.clear();
  for (const ShaderImage& image : stage.images)
    stage.bound_images.push_back(
        image.resource ? std::make_shared<const texture::BoundImage>(texture::bind_image(resolve_image(image)))
                       : nullptr);
  return Done{};
}

raster::StageInputs Context::Impl::stage_inputs(const StageState& stage) const {
  raster::StageInputs inputs;
  inputs.constants = stage.constants;
  inputs.textures = stage.bound;
  if (!stage.program || stage.program->program().memory_ops.empty()) return inputs;
  auto memory = std::make_shared<raster::MemoryInputs>();
  for (size_t space = 0; space < ir::kMemorySpaces; ++space)
    for (const BufferRange& range : stage.memory[space]) memory->ranges[space].push_back(resolve_range(range));
  memory->images = stage.bound_images;
  inputs.memory = std::move(memory);
  return inputs;
}

Status Context::dispatch(const Grid& grid, std::span<const uint32_t> arguments) {
  Impl& own = *impl_;
  if (!own.compute.shader) return error("compute shader: none is set");
  const Executable& executable = *own.compute.shader->executable();
  if (Status s = check_grid(executable.program(), grid); !s) return s;
  if (arguments.size_bytes() > kMaxArgumentBytes)
    return error(fmt::format("arguments: at most {} bytes, found {}", kMaxArgumentBytes, arguments.size_bytes()));
  const uint64_t limit = own.renderer.options().draw_limit, invocations = invocations_of(executable.program(), grid);
  if (limit != 0 && invocations > limit)
    return error(fmt::format("groups: {} invocations are more than the {} of a grid", invocations, limit));
  if (Status s = check_present(executable.program(), own.compute, !arguments.empty()); !s) return s;
  if (Status s = own.renderer.flush(); !s) return s;
  if (Status s = own.prepare_textures(own.compute, {}); !s) return s;
  if (Status s = own.prepare_memory(own.compute, {}); !s) return s;
  const raster::StageInputs inputs = own.stage_inputs(own.compute);
  const auto no_texture = texture::bind_texture({}, {}, own.renderer.options().simd);
  raster::StageViews views;
  views.assign(inputs, executable.program(), no_texture.get());
  Bindings bindings = views.bindings();
  std::vector<uint32_t> words(arguments.begin(), arguments.end());
  const MemoryView argument_view{reinterpret_cast<std::byte*>(words.data()), static_cast<uint32_t>(words.size() * 4),
                                 true};
  bindings.memory[static_cast<size_t>(MemorySpace::Arguments)] = {&argument_view, 1};
  return own.when_allowed([&]() -> Status {
    if (own.interval) own.interval->compute_invocations += invocations;
    return run_grid(executable, grid, bindings, own.renderer.options().instruction_budget, own.renderer.arena());
  });
}

}  // namespace tessera
