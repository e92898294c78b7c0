#include "frontend/vtest/session.h"

#include <fmt/format.h>

#include <cstring>

namespace tessera::vtest {
namespace {

constexpr uint32_t kDisplayTargetBit = 7;   // of a resource's bind flags

bool is_whole(const ClientResource& resource, const Box& box) {
  return box.width == resource.desc.width && box.height == resource.desc.height;
}

}  // namespace

Result<ResourceRef> ResourceTable::make_storage(Device& device, const ResourceDesc& desc, uint64_t bytes) const {
  if (bytes > limits_.resource_bytes || bytes > limits_.memory_bytes - std::min(limits_.memory_bytes, *memory_in_use_))
    return error(fmt::format("{} bytes are more than a client may have", bytes));
  if (desc.kind != ResourceKind::Buffer) return device.create_image(desc);
  return Resource::create(desc);
}

ClientResourceRef ResourceTable::create(Device& device, Words w, Log& log) {
  auto made = std::make_shared<ClientResource>();
  made->is_window = w.bit(3, kDisplayTargetBit);
  const auto refuse = [&](const char* what, const std::vector<Diag>& diags) {
    log.write_once(fmt::format("RESOURCE_CREATE2: {}: {}", what, diags.front().text));
  };
  if (by_handle_.size() >= limits_.resources) {
    log.write_once("RESOURCE_CREATE2: too many resources");
    return made;
  }
  uint64_t bytes = 0;
  if (const Result<ResourceDesc> desc = describe_resource(w.from(1)); !desc) {
    refuse("dummy resource", desc.diags());
  } else {
    made->desc = *desc;
    bytes = area_level(*desc, desc->levels).offset_bytes * desc->samples;
    if (Result<ResourceRef> storage = make_storage(device, *desc, bytes)) made->resource = *storage;
    else refuse("dummy resource", storage.diags()), bytes = 0;
  }
  if (const uint32_t area_bytes = w[10]; area_bytes > 0 && area_bytes <= limits_.resource_bytes) {
    if (Result<SharedMemory> area = SharedMemory::create(area_bytes)) made->area = std::move(*area), bytes += area_bytes;
    else refuse("no shared memory", area.diags());
  }
  made->memory = MemoryShare(memory_in_use_, bytes);
  by_handle_[w[0]] = made;
  return made;
}

Result<ClientResourceRef> ResourceTable::find(uint32_t handle) const {
  const auto found = by_handle_.find(handle);
  if (found == by_handle_.end()) return error(fmt::format("resource {} does not exist", handle));
  return found->second;
}

Status copy_box(Context& context, ClientResource& resource, uint32_t level, const Box& box, const AreaRows& rows,
                Direction direction) {
  if (direction == Direction::ToResource) {
    ++resource.writes;
    if (!resource.is_buffer()) return context.write_texels(resource.resource, level, box, rows.bytes, rows.pitch);
    return context.write_buffer(resource.resource, box.x, rows.bytes.first(box.width));
  }
  if (!resource.is_buffer()) return context.read_box(resource.resource, level, box, rows.bytes, rows.pitch);
  if (Status s = context.flush(); !s) return s;
  std::memcpy(rows.bytes.data(), resource.resource->storage()->data() + box.x, box.width);
  return Done{};
}

Session::Session(std::unique_ptr<Device> own_device, const SessionLimits& session_limits, Log& own_log,
                 Observer* watcher)
    : device(std::move(own_device)), context(device->context()), limits(session_limits), log(own_log),
      observer(watcher), resources(session_limits) {
  current = sub_contexts.emplace(0, std::make_unique<SubContext>()).first->second.get();
  context.allow_feedback(true);
  constexpr std::byte kNoVertex[1] = {};
  if (Result<ResourceRef> buffer = device->create_buffer(kNoVertex)) no_vertices = *buffer;
}

Status Session::transfer(Words w, Direction direction) {
  const Result<ClientResourceRef> resource = resources.find(w[0]);
  if (!resource) return resource.diags();
  const Result<Box> box = read_box(w.from(2), **resource, w[1]);
  if (!box) return box.diags();
  const Result<AreaRows> rows = find_rows((*resource)->area, w[9], 0, 0, (*resource)->desc, w[1], *box);
  if (!rows) return rows.diags();
  if (Status s = copy_box(context, **resource, w[1], *box, *rows, direction); !s) return s;
  const bool is_shown = direction == Direction::FromResource && (*resource)->is_window && is_whole(**resource, *box);
  return is_shown && observer ? observer->note_frame(context, (*resource)->resource) : Status(Done{});
}

}  // namespace tessera::vtest
