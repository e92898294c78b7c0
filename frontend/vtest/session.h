// frontend/vtest/session.h: what one connection owns: a Device, resources, sub-contexts. Nothing is shared between
// connections. A session belongs to one thread.
#pragma once

#include <memory>
#include <unordered_map>

#include "frontend/device.h"
#include "frontend/vtest/log.h"
#include "frontend/vtest/observer.h"
#include "frontend/vtest/sub_context.h"

namespace tessera::vtest {

uint64_t physical_memory_bytes();

struct SessionLimits {
  // Of all resources with their shared memory, of programs' texts and of constants.
  uint64_t memory_bytes = physical_memory_bytes() / 2;
  uint64_t resource_bytes = uint64_t{2} << 30;     // of one, and of its shared memory
  size_t resources = 1u << 20, objects = 1u << 20, sub_contexts = 1024;   // of a connection
};

// Resources by the client's numbers. Their memory is counted until the last user lets go of them.
class ResourceTable {
 public:
  ResourceTable(const SessionLimits& limits, MemoryBudget& memory) : limits_(limits), memory_(memory) {}

  // The payload of RESOURCE_CREATE2. Gives a resource in every case, but perhaps a dummy, or one without the shared
  // memory that was asked for; `log` says why. A live handle's resource is replaced.
  ClientResourceRef create(Device& device, Words w, Log& log);
  void remove(uint32_t handle) { by_handle_.erase(handle); }
  Result<ClientResourceRef> find(uint32_t handle) const;

 private:
  Result<MemoryShare> take(uint64_t bytes);
  Status make_storage(Device& device, Words fields, ClientResource& made);
  Status make_area(uint64_t bytes, ClientResource& made);

  SessionLimits limits_;
  MemoryBudget& memory_;
  std::unordered_map<uint32_t, ClientResourceRef> by_handle_;
};

// Copies a box between a resource and shared memory.
enum class Direction : uint8_t { ToResource, FromResource };
Status copy_box(Context& context, ClientResource& resource, uint32_t level, const Box& box, const AreaRows& rows,
                Direction direction);

struct Session {
  // `watcher` may be null.
  Session(std::unique_ptr<Device> own_device, const SessionLimits& session_limits, Log& own_log, Observer* watcher);
  Session(const Session&) = delete;
  ~Session();

  // The payload of TRANSFER_GET2 and TRANSFER_PUT2.
  Status transfer(Words w, Direction direction);
  size_t object_count() const;                     // of all sub-contexts

  std::unique_ptr<Device> device;
  Context& context;
  SessionLimits limits;
  MemoryBudget memory;
  Log& log;
  Observer* observer;
  ResourceTable resources;
  std::unordered_map<uint32_t, std::unique_ptr<SubContext>> sub_contexts;   // 0 is always there
  SubContext* current = nullptr;                   // null: destroyed
  ResourceRef no_vertices;                         // a buffer that no vertex lies inside of: all of them read 0
  SubContext* applied = nullptr;                   // whose state the Context holds
};

}  // namespace tessera::vtest
