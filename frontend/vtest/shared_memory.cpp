#include "frontend/vtest/shared_memory.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>

namespace tessera::vtest {

namespace {

Diag failed(const char* call) { return error(std::string(call) + ": " + std::strerror(errno)); }

}  // namespace

Result<SharedMemory> SharedMemory::create_unmapped(size_t size_bytes) {
  SharedMemory memory;
  memory.descriptor_ = memfd_create("tessera-vtest", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory.descriptor_ < 0) return failed("memfd_create");
  if (ftruncate(memory.descriptor_, static_cast<off_t>(size_bytes)) != 0) return failed("ftruncate");
  if (fcntl(memory.descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) return failed("fcntl");
  return memory;
}

Result<SharedMemory> SharedMemory::create(size_t size_bytes) {
  Result<SharedMemory> memory = create_unmapped(size_bytes);
  if (!memory || size_bytes == 0) return memory;
  void* at = mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory->descriptor_, 0);
  if (at == MAP_FAILED) return failed("mmap");
  memory->bytes_ = {static_cast<std::byte*>(at), size_bytes};
  return memory;
}

SharedMemory::SharedMemory(SharedMemory&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)), bytes_(std::exchange(other.bytes_, {})) {}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (!bytes_.empty()) munmap(bytes_.data(), bytes_.size());
  close_descriptor();
}

void SharedMemory::close_descriptor() {
  if (descriptor_ >= 0) close(descriptor_);
  descriptor_ = -1;
}

}  // namespace tessera::vtest
