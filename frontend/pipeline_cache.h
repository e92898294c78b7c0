// frontend/pipeline_cache.h: pipelines by content: the same shaders and state give the same pipeline, made once.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "raster/pipeline.h"

namespace tessera {

class PipelineCache {
 public:
  Result<std::shared_ptr<const raster::Pipeline>> get(const raster::PipelineDesc& desc);
  size_t size() const { return count_; }

 private:
  std::unordered_map<uint64_t, std::vector<std::shared_ptr<const raster::Pipeline>>> by_hash_;
  size_t count_ = 0;
};

}  // namespace tessera
