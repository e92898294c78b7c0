// Replaces operator new and delete for this test program. Part of the program, not of the support library, so that only
// the tests that measure pay for it.
#include "tests/support/allocations.h"

#include <malloc.h>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<size_t> g_live{0}, g_peak{0}, g_total{0};
size_t g_live_at_start = 0;

void* counted(void* p) {
  if (!p) throw std::bad_alloc();
  const size_t bytes = malloc_usable_size(p), live = g_live += bytes;
  g_total += bytes;
  for (size_t peak = g_peak; live > peak && !g_peak.compare_exchange_weak(peak, live);) {}
  return p;
}

void release(void* p) {
  if (p) g_live -= malloc_usable_size(p);
  std::free(p);
}

void* aligned(size_t size, std::align_val_t alignment) {
  const size_t step = static_cast<size_t>(alignment);
  return counted(std::aligned_alloc(step, (size + step - 1) / step * step));
}

}  // namespace

void* operator new(size_t size) { return counted(std::malloc(size ? size : 1)); }
void* operator new[](size_t size) { return counted(std::malloc(size ? size : 1)); }
// std::stable_partition and its like ask in this way; a sanitizer's own form would not match the deletes below.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  void* p = std::malloc(size ? size : 1);
  return p ? counted(p) : nullptr;
}
void* operator new[](size_t size, const std::nothrow_t& tag) noexcept { return operator new(size, tag); }
void* operator new(size_t size, std::align_val_t alignment) { return aligned(size, alignment); }
void* operator new[](size_t size, std::align_val_t alignment) { return aligned(size, alignment); }
void operator delete(void* p) noexcept { release(p); }
void operator delete[](void* p) noexcept { release(p); }
void operator delete(void* p, size_t) noexcept { release(p); }
void operator delete[](void* p, size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, size_t, std::align_val_t) noexcept { release(p); }
void operator delete[](void* p, size_t, std::align_val_t) noexcept { release(p); }

namespace tessera::tests {

AllocationMeter::AllocationMeter() {
  g_live_at_start = g_live;
  g_peak = g_live_at_start;
  g_total = 0;
}
size_t AllocationMeter::peak_bytes() const { return g_peak - g_live_at_start; }
size_t AllocationMeter::total_bytes() const { return g_total; }

}  // namespace tessera::tests
