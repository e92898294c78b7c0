#include "frontend/vtest/session.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

namespace tessera::vtest {
namespace {

constexpr uint32_t kDisplayTargetBit = 7;   // of a resource's bind flags

bool is_whole(const ClientResource& resource, const Box& box) {
  return box.width == resource.desc.width && box.height == resource.desc.height;
}

}  // namespace

uint64_t physical_memory_bytes() {
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
}

Result<MemoryShare> ResourceTable::take(uint64_t bytes) {
  if (bytes > limits_.resource_bytes) return error(fmt::format("{} bytes are more than a resource may have", bytes));
  return memory_.take(bytes);
}

Status ResourceTable::make_storage(Device& device, Words fields, ClientResource& made) {
  const Result<ResourceDesc> desc = describe_resource(fields);
  if (!desc) return desc.diags();
  made.desc = *desc;
  Result<MemoryShare> share = take(area_level(*desc, desc->levels).offset_bytes * desc->samples);
  if (!share) return share.diags();
  Result<ResourceRef> storage =
      desc->kind == ResourceKind::Buffer ? Resource::create(*desc) : device.create_image(*desc);
  if (!storage) return storage.diags();
  made.resource = std::move(*storage);
  made.storage_share = std::move(*share);
  return Done{};
}

Status ResourceTable::make_area(uint64_t bytes, ClientResource& made) {
  if (bytes == 0) return Done{};
  Result<MemoryShare> share = take(bytes);
  if (!share) return share.diags();
  Result<SharedMemory> area = SharedMemory::create(bytes);
  if (!area) return area.diags();
  made.area = std::move(*area);
  made.area_share = std::move(*share);
  return Done{};
}

ClientResourceRef ResourceTable::create(Device& device, Words w, Log& log) {
  auto made = std::make_shared<ClientResource>();
  made->is_window = w.bit(3, kDisplayTargetBit);
  if (by_handle_.size() >= limits_.resources) {
    log.write_once("RESOURCE_CREATE2: too many resources");
    return made;
  }
  if (const Status s = make_storage(device, w.from(1), *made); !s)
    log.write_once(fmt::format("RESOURCE_CREATE2: dummy resource: {}", s.diags().front().text));
  if (const Status s = make_area(w[10], *made); !s)
    log.write_once(fmt::format("RESOURCE_CREATE2: no shared memory: {}", s.diags().front().text));
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
    : device(std::move(own_device)), context(device->context()), limits(session_limits),
      memory(session_limits.memory_bytes), log(own_log), observer(watcher), resources(limits, memory) {
  current = sub_contexts.emplace(0, std::make_unique<SubContext>()).first->second.get();
  context.allow_feedback(true);
  constexpr std::byte kNoVertex[1] = {};
  if (Result<ResourceRef> buffer = device->create_buffer(kNoVertex)) no_vertices = *buffer;
}

Session::~Session() {
  if (observer) observer->forget(context);
}

size_t Session::object_count() const {
  size_t count = 0;
  for (const auto& [number, sub] : sub_contexts) count += sub->objects.size();
  return count;
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
