// frontend/vtest/shared_memory.h: memory that a client maps too, passed to it as a file descriptor.
// The client can change its contents at any time, so what is read from it is copied before it is checked; it cannot
// change its size (the file is sealed), so an access inside `bytes()` never faults.
#pragma once

#include <cstddef>
#include <span>

#include "core/result.h"

namespace tessera::vtest {

class SharedMemory {
 public:
  SharedMemory() = default;
  static Result<SharedMemory> create(size_t size_bytes);   // zeros
  // For the client alone: `bytes()` is empty, and nothing is taken before the client writes.
  static Result<SharedMemory> create_unmapped(size_t size_bytes);
  SharedMemory(SharedMemory&& other) noexcept;
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  ~SharedMemory();

  int descriptor() const { return descriptor_; }
  // Once the client has it: a process may have fewer descriptors open than a client has resources.
  void close_descriptor();
  std::span<std::byte> bytes() const { return bytes_; }

 private:
  int descriptor_ = -1;
  std::span<std::byte> bytes_;
};

}  // namespace tessera::vtest
