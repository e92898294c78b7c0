// raster/slot_file.h: the slot file of one thread; grows to the largest program that asked for one. Starts as zeros.
#pragma once

#include <cstdint>
#include <memory>
#include <new>

#include "shader/executor.h"

namespace tessera::raster {

class SlotFile {
 public:
  uint32_t* reserve(uint32_t slots) {
    if (slots > size_) {
      const size_t words = size_t{slots} * kBlockLanes;
      words_.reset(new (std::align_val_t{64}) uint32_t[words]());
      size_ = slots;
    }
    return words_.get();
  }

 private:
  struct Free {
    void operator()(uint32_t* words) const { ::operator delete[](words, std::align_val_t{64}); }
  };
  std::unique_ptr<uint32_t[], Free> words_;
  uint32_t size_ = 0;
};

}  // namespace tessera::raster
