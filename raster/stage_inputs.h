// raster/stage_inputs.h: what a draw or dispatch binds to one stage, and the views of it that programs run with.
// Threads: StageViews is filled by one thread; afterwards what bindings() points to never changes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/resource.h"
#include "shader/executor.h"
#include "texture/image.h"

namespace tessera::texture { class BoundTexture; }

namespace tessera::raster {

// A range of a buffer that programs load from and store to; an empty one (no storage) reads 0.
struct MemoryRange {
  std::shared_ptr<Storage> storage;
  uint32_t offset_bytes = 0;                   // a multiple of 4
  uint32_t size_bytes = 0;
  bool is_read_only = false;
};

struct MemoryInputs {
  std::vector<MemoryRange> ranges[ir::kMemorySpaces];                       // by space, then by number
  std::vector<std::shared_ptr<const texture::BoundImage>> images;           // by number; null: none
};

struct StageInputs {
  std::vector<std::shared_ptr<const std::vector<uint32_t>>> constants;      // by buffer number; null: empty
  std::vector<std::shared_ptr<const texture::BoundTexture>> textures;       // by Program::texture_bindings index
  std::shared_ptr<const MemoryInputs> memory;                               // null: the program uses none
};

class StageViews {
 public:
  // `inputs` must outlive the views; `null_texture` stands for textures that are not bound.
  void assign(const StageInputs& inputs, const ir::Program& program, const texture::BoundTexture* null_texture);
  // Points into the views, and still does after they have been moved.
  Bindings bindings() const;

 private:
  std::vector<ConstantBuffer> constants_;
  std::vector<const void*> textures_, images_;
  std::vector<MemoryView> memory_[ir::kMemorySpaces];
};

}  // namespace tessera::raster
