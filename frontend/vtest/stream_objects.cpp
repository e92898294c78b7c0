// Objects: making, binding, forgetting them.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "frontend/vtest/command_stream.h"
#include "frontend/vtest/program_text.h"

namespace tessera::vtest {
namespace {

constexpr uint32_t kLongestText_bytes = 16u << 20;

template <class T>
Object share(T object) {
  return std::make_shared<const T>(std::move(object));
}

template <class T>
Result<Object> share(Result<T> object) {
  if (!object) return object.diags();
  return share(std::move(*object));
}

// The piece of text that a command holds, from word `first` on.
std::string_view text_of(Words d, size_t first, size_t most_bytes) {
  const std::span<const uint32_t> words = d.from(first).span();
  return {reinterpret_cast<const char*>(words.data()), std::min(words.size_bytes(), most_bytes)};
}

}  // namespace

Status CommandStream::create_object(SubContext& sub, Words d) {
  ObjectTable& objects = sub.objects;
  if (session_.object_count() >= session_.limits.objects) return error("too many objects");
  const auto type = static_cast<ObjectType>(d.field(0, 8, 8));
  if (type == ObjectType::Shader) return create_program(sub, d);

  const auto make = [&]() -> Result<Object> {
    if (type == ObjectType::Blend) return share(read_blend(d));
    if (type == ObjectType::Rasterizer) return share(read_rasterizer(d));
    if (type == ObjectType::DepthStencilAlpha) return share(read_depth_stencil_alpha(d));
    if (type == ObjectType::VertexElements) return share(read_vertex_elements(d));
    if (type == ObjectType::SamplerState) return share(read_sampler_state(d));
    // The others are made from a resource.
    const Result<ClientResourceRef> resource = session_.resources.find(d[type == ObjectType::Query ? 4 : 2]);
    if (!resource) return resource.diags();
    if (type == ObjectType::SamplerView) return share(read_sampler_view(d, *resource));
    if (type == ObjectType::Surface) return share(read_surface(d, *resource));
    if (type == ObjectType::StreamoutTarget) return share(read_stream_target(d, *resource, session_.context));
    if (type == ObjectType::Query) return share(read_query(d, *resource, session_.context));
    return error(fmt::format("object type {} is not served", static_cast<uint32_t>(type)));
  };
  Result<Object> object = make();
  if (!object) {
    objects.erase(d[1]);   // an older object of this number must not stand in for it
    return object.diags();
  }
  objects.insert_or_assign(d[1], std::move(*object));
  return Done{};
}

Status CommandStream::create_program(SubContext& sub, Words d) {
  ObjectTable& objects = sub.objects;
  const uint32_t length = d[3] & 0x7fffffff;
  std::shared_ptr<Program> program;
  if (d.bit(3, 31)) {
    const auto found = find_object<Program>(sub.objects, d[1]);
    if (!found) return found.diags();
    program = *found;
    if (program->text.size() != length || length >= program->length_bytes)
      return error(fmt::format("text: a piece from byte {} on, expected {}", length, program->text.size()));
  } else {
    objects.erase(d[1]);
    const std::optional<ir::Stage> stage = stage_from_number(d[2]);
    if (!stage) return error(fmt::format("stage: {} is none", d[2]));
    if (length > kLongestText_bytes) return error(fmt::format("text: {} bytes are too many", length));
    Result<MemoryShare> share = session_.memory.take(length);
    if (!share) return error(fmt::format("text: {}", share.diags().front().text));
    program = std::make_shared<Program>();
    program->memory = std::move(*share);
    program->stage = *stage;
    program->length_bytes = length;
    objects.insert_or_assign(d[1], program);
  }
  size_t first = 6;
  if (!d.bit(3, 31) && program->stage == ir::Stage::Compute) {
    program->shared_bytes = d[5];
  } else if (!d.bit(3, 31) && d[5] > 0) {
    const Result<size_t> behind = read_streamed_registers(d, *program);
    if (!behind) return behind.diags();
    first = *behind;
  }
  program->text += text_of(d, first, program->length_bytes - program->text.size());
  if (program->text.size() < program->length_bytes) return Done{};

  program->text.resize(std::min(program->text.size(), program->text.find('\0')));
  if (session_.observer) session_.observer->note_program(program->text);
  Result<ShaderRef> shader = session_.device->create_shader(program->stage, with_doubles_in_xy(program->text));
  if (!shader) {
    const Diag& first_error = shader.diags().front();
    return error(fmt::format("line {}:{}: {}\n{}", first_error.loc.line, first_error.loc.column, first_error.text,
                             program->text));
  }
  program->shader = *shader;
  return find_streamed_semantics(*program);
}

Status CommandStream::bind_object(SubContext& sub, Words d) {
  const auto bind = [&](auto& slot, bool& changed) -> Status {
    using T = typename std::remove_reference_t<decltype(slot)>::element_type;
    const Result<std::shared_ptr<T>> object = find_or_null<T>(sub.objects, d[1]);
    if (!object) return object.diags();
    slot = *object;
    changed = true;
    return Done{};
  };
  switch (static_cast<ObjectType>(d.field(0, 8, 8))) {
    case ObjectType::Blend: return bind(sub.blend, sub.changes.blend);
    case ObjectType::Rasterizer: return bind(sub.rasterizer, sub.changes.rasterizer);
    case ObjectType::DepthStencilAlpha: return bind(sub.depth_stencil_alpha, sub.changes.depth_stencil_alpha);
    case ObjectType::VertexElements: return bind(sub.vertex_elements, sub.changes.vertex_elements);
    default: return error(fmt::format("object type {} is not bound this way", d.field(0, 8, 8)));
  }
}

Status CommandStream::destroy_object(SubContext& sub, Words d) {
  // Lists of stream targets are told apart by their handles: those with a handle that is free again are forgotten.
  if (find_object<const StreamTarget>(sub.objects, d[1]))
    std::erase_if(sub.seen_target_lists, [&](const auto& list) { return std::ranges::count(list, d[1]) > 0; });
  sub.objects.erase(d[1]);
  return Done{};
}

}  // namespace tessera::vtest
