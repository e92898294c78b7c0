// tests/support/allocations.h: how much memory some code takes: what operator new hands out in this program is counted.
#pragma once

#include <cstddef>

namespace tessera::tests {

// Of all threads, from its construction on. One at a time.
class AllocationMeter {
 public:
  AllocationMeter();
  size_t peak_bytes() const;         // most that was allocated at once, beyond what already was
  size_t total_bytes() const;        // of all allocations: grows with the work that is done
};

}  // namespace tessera::tests
