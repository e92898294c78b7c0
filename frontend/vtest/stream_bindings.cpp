// What shaders and vertex fetch read: programs, buffers, constants, views, samplers.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/vtest/command_stream.h"
#include "frontend/vtest/formats.h"

namespace tessera::vtest {
namespace {

Result<StageBindings*> stage_of(SubContext& sub, uint32_t number) {
  if (number >= kStageCount) return error(fmt::format("stage: {} is none", number));
  return &sub.stages[number];
}

// Slots start ... start + count - 1.
Status check_slots(uint32_t start, size_t count) {
  if (start > kBindingSlots || count > kBindingSlots - start)
    return error(fmt::format("slots: {} from {} on are more than {}", count, start, kBindingSlots));
  return Done{};
}

}  // namespace

Status CommandStream::bind_shader(SubContext& sub, Words d) {
  const Result<StageBindings*> stage = stage_of(sub, d[2]);
  if (!stage) return stage.diags();
  (*stage)->program.reset();   // a program that is not there must not be the one before it
  const auto program = find_or_null<Program>(sub.objects, d[1]);
  if (!program) return program.diags();
  (*stage)->program = *program;
  return Done{};
}

Status CommandStream::set_vertex_buffers(SubContext& sub, Words d) {
  const size_t count = (d.size() - 1) / 3;
  if (count > kMaxVertexBuffers) return error(fmt::format("vertex buffers: {} are too many", count));
  std::vector<VertexBufferBinding> buffers(count);
  for (size_t i = 0; i < count; ++i) {
    if (d[3 + 3 * i] == 0) continue;
    const Result<ClientResourceRef> resource = session_.resources.find(d[3 + 3 * i]);
    if (!resource) return resource.diags();
    buffers[i] = {*resource, d[1 + 3 * i], d[2 + 3 * i]};
  }
  sub.vertex_buffers = std::move(buffers);
  sub.changes.vertex_buffers = true;
  return Done{};
}

Status CommandStream::set_index_buffer(SubContext& sub, Words d) {
  sub.index_buffer = {};
  if (d[1] == 0) return Done{};
  if (d[2] != 1 && d[2] != 2 && d[2] != 4) return error(fmt::format("index size: expected 1, 2 or 4, found {}", d[2]));
  const Result<ClientResourceRef> resource = session_.resources.find(d[1]);
  if (!resource) return resource.diags();
  sub.index_buffer = {*resource, d[2], d[3]};
  return Done{};
}

Status CommandStream::set_constant_buffer(SubContext& sub, Words d) {
  const Result<StageBindings*> stage = stage_of(sub, d[1]);
  if (!stage) return stage.diags();
  if (d[2] >= kBindingSlots) return error(fmt::format("index: {} is none", d[2]));
  const std::span<const uint32_t> words = d.from(3).span();
  ConstantBinding& binding = (*stage)->constants[d[2]];
  binding = {};
  (*stage)->changed_constants.set(d[2]);
  Result<MemoryShare> share = session_.memory.take(words.size_bytes());
  if (!share) return share.diags();
  binding.words.assign(words.begin(), words.end());
  binding.memory = std::move(*share);
  return Done{};
}

Status CommandStream::set_uniform_buffer(SubContext& sub, Words d) {
  const Result<StageBindings*> stage = stage_of(sub, d[1]);
  if (!stage) return stage.diags();
  if (d[2] >= kBindingSlots) return error(fmt::format("index: {} is none", d[2]));
  ConstantBinding binding;
  if (d[5] != 0) {
    const Result<ClientResourceRef> resource = session_.resources.find(d[5]);
    if (!resource) return resource.diags();
    if (!(*resource)->is_buffer()) return error("resource: expected a buffer");
    binding = {.resource = *resource, .offset_bytes = d[3], .length_bytes = d[4]};
  }
  (*stage)->constants[d[2]] = std::move(binding);
  (*stage)->changed_constants.set(d[2]);
  return Done{};
}

Status CommandStream::set_sampler_views(SubContext& sub, Words d) {
  const Result<StageBindings*> stage = stage_of(sub, d[1]);
  if (!stage) return stage.diags();
  if (Status s = check_slots(d[2], d.size() - 3); !s) return s;
  Status result = Done{};
  for (size_t i = 0; i + 3 < d.size(); ++i) {   // a slot whose view is not there reads as an empty one
    const auto view = find_or_null<const SamplerView>(sub.objects, d[3 + i]);
    if (!view) result = view.diags();
    (*stage)->views[d[2] + i] = view ? *view : nullptr;
    (*stage)->changed_views.set(d[2] + i);
  }
  return result;
}

Status CommandStream::bind_samplers(SubContext& sub, Words d) {
  const Result<StageBindings*> stage = stage_of(sub, d[1]);
  if (!stage) return stage.diags();
  if (Status s = check_slots(d[2], d.size() - 3); !s) return s;
  Status result = Done{};
  for (size_t i = 0; i + 3 < d.size(); ++i) {
    const auto sampler = find_or_null<const SamplerState>(sub.objects, d[3 + i]);
    if (!sampler) result = sampler.diags();
    (*stage)->samplers[d[2] + i] = sampler ? *sampler : nullptr;
    (*stage)->changed_samplers.set(d[2] + i);
  }
  return result;
}

Status CommandStream::set_shader_buffers(SubContext& sub, Words d) {
  const Result<StageBindings*> stage = stage_of(sub, d[1]);
  if (!stage) return stage.diags();
  const size_t count = (d.size() - 3) / 3;
  if (Status s = check_slots(d[2], count); !s) return s;
  Status result = Done{};
  for (size_t i = 0; i < count; ++i) {
    MemoryBinding binding;
    if (const uint32_t handle = d[5 + 3 * i]; handle != 0) {
      if (const Result<ClientResourceRef> resource = session_.resources.find(handle); !resource) result = resource.diags();
      else if (!(*resource)->is_buffer()) result = error("resource: expected a buffer");
      else binding = {*resource, d[3 + 3 * i], d[4 + 3 * i]};
    }
    (*stage)->buffers[d[2] + i] = std::move(binding);
    (*stage)->changed_buffers.set(d[2] + i);
  }
  return result;
}

Status CommandStream::set_shader_images(SubContext& sub, Words d) {
  const Result<StageBindings*> stage = stage_of(sub, d[1]);
  if (!stage) return stage.diags();
  const size_t count = (d.size() - 3) / 5;
  if (Status s = check_slots(d[2], count); !s) return s;
  Status result = Done{};
  for (size_t i = 0; i < count; ++i) {
    ImageBinding binding;
    if (d[7 + 5 * i] != 0) {
      Result<ImageBinding> read = read_image(d.from(3 + 5 * i));
      if (read) binding = std::move(*read);
      else result = read.diags();
    }
    (*stage)->images[d[2] + i] = std::move(binding);
    (*stage)->changed_images.set(d[2] + i);
  }
  return result;
}

// Five words: format, access, layers or offset, level or size, resource.
Result<ImageBinding> CommandStream::read_image(Words d) const {
  const Result<ClientResourceRef> resource = session_.resources.find(d[4]);
  if (!resource) return resource.diags();
  if (!(*resource)->resource) return error("resource: could not be made");
  const std::optional<Format> format = format_from_number(d[0]);
  if (!format || *format == Format::NONE) return error(fmt::format("format: {} is none", d[0]));
  ImageBinding binding{*resource, {.resource = (*resource)->resource, .format = *format, .kind = {}, .last_layer = {},
                                   .read_only = !d.bit(1, 1)}};
  if ((*resource)->is_buffer()) {
    const uint32_t element_bytes = format_info(*format).block_bytes;
    const uint64_t rest = (*resource)->desc.width - std::min((*resource)->desc.width, d[2]);
    const auto elements = static_cast<uint32_t>(std::min<uint64_t>(d[3], rest) / element_bytes);
    if (d[2] % element_bytes != 0 || elements == 0) return error("buffer: no whole elements from its offset on");
    binding.image.first_layer = d[2] / element_bytes;
    binding.image.last_layer = binding.image.first_layer + elements - 1;
  } else {
    binding.image.first_layer = d.field(2, 0, 16);
    binding.image.last_layer = d.field(2, 16, 16);
    binding.image.level = d.field(3, 0, 8);
  }
  return binding;
}

}  // namespace tessera::vtest
