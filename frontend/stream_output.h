// frontend/stream_output.h: a range of a buffer that stream output writes, and how far it is written.
#pragma once

#include <cstdint>
#include <memory>

#include "core/resource.h"
#include "raster/stream_output.h"

namespace tessera {

class StreamTarget {
 public:
  StreamTarget(std::shared_ptr<Resource> buffer, uint32_t offset_bytes, uint32_t size_bytes)
      : buffer_(std::move(buffer)), offset_bytes_(offset_bytes), size_bytes_(size_bytes) {}
  const std::shared_ptr<Resource>& buffer() const { return buffer_; }

 private:
  friend class Context;
  std::shared_ptr<Resource> buffer_;
  uint32_t offset_bytes_, size_bytes_;
  std::shared_ptr<raster::StreamFill> fill_ = std::make_shared<raster::StreamFill>();
  uint32_t stride_bytes_ = 0;                    // of the vertices that it was last bound for
};
using StreamTargetRef = std::shared_ptr<StreamTarget>;

}  // namespace tessera
