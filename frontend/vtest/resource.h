// frontend/vtest/resource.h: a client's resource: a buffer or an image of ours, and the memory that it shares with the
// client. The two are copied only by transfers and query results: the client writes its memory long before it says so.
#pragma once

#include <memory>
#include <optional>
#include <utility>

#include "core/resource.h"
#include "frontend/device.h"
#include "frontend/vtest/shared_memory.h"
#include "frontend/vtest/words.h"

namespace tessera::vtest {

// Bytes from row to row and from slice to slice, and where a level begins, in shared memory: level behind level, layer
// behind layer, row behind row, without any alignment.
struct AreaLevel {
  uint64_t offset_bytes = 0, row_bytes = 0, slice_bytes = 0;
};
AreaLevel area_level(const ResourceDesc& desc, uint32_t level);

// Bytes of a connection's memory that something holds.
class MemoryShare {
 public:
  MemoryShare() = default;
  MemoryShare(MemoryShare&& other) noexcept : total_(std::move(other.total_)), bytes_(other.bytes_) {}
  MemoryShare& operator=(MemoryShare&& other) noexcept {
    std::swap(total_, other.total_), std::swap(bytes_, other.bytes_);
    return *this;
  }
  ~MemoryShare() {
    if (total_) *total_ -= bytes_;
  }

 private:
  friend class MemoryBudget;
  MemoryShare(std::shared_ptr<uint64_t> total, uint64_t bytes) : total_(std::move(total)), bytes_(bytes) {
    *total_ += bytes_;
  }
  std::shared_ptr<uint64_t> total_;
  uint64_t bytes_ = 0;
};

// What one client may take in all.
class MemoryBudget {
 public:
  explicit MemoryBudget(uint64_t limit_bytes) : limit_bytes_(limit_bytes) {}
  // Error: more than is left.
  Result<MemoryShare> take(uint64_t bytes);

 private:
  uint64_t limit_bytes_;
  std::shared_ptr<uint64_t> taken_ = std::make_shared<uint64_t>(0);
};

struct ClientResource {
  ResourceDesc desc;               // as the client asked for it; meaningful where `resource` is set
  bool is_window = false;          // a window's buffer: fetched whole, it is a frame that is shown
  ResourceRef resource;            // null: a dummy, for what cannot be made; nothing can be done with it
  SharedMemory area;
  MemoryShare storage_share, area_share;
  uint64_t writes = 0;             // counts changes of the contents, so that copies of them can be kept

  bool is_buffer() const { return desc.kind == ResourceKind::Buffer; }
};
using ClientResourceRef = std::shared_ptr<ClientResource>;

// The protocol's numbers for targets.
std::optional<ResourceKind> kind_from_number(uint32_t number);

// The fields of RESOURCE_CREATE2 behind the handle: target, format, bind, width, height, depth, array size, last level,
// samples. Error: what Tessera cannot make.
Result<ResourceDesc> describe_resource(Words fields);

// A box in words 0 to 5: x, y, z, width, height, depth. Error: negative, or not inside `level`.
Result<Box> read_box(Words fields, const ClientResource& resource, uint32_t level);

// Where the rows of a box lie in shared memory.
struct AreaRows {
  std::span<std::byte> bytes;      // from the first row's first byte to the last row's last
  Pitch pitch;
};
// `row_bytes` and `slice_bytes` 0: those of the level in `layout`. Error: goes beyond the area.
Result<AreaRows> find_rows(const SharedMemory& area, uint64_t offset_bytes, uint32_t row_bytes, uint32_t slice_bytes,
                           const ResourceDesc& layout, uint32_t level, const Box& box);

}  // namespace tessera::vtest
