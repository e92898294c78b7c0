// tests/goldens/tgsi_memory.h: the buffers, images and shared memory of a TGSI record, bound for a run and checked after it.
#pragma once

#include <string>

#include "shader/executor.h"
#include "shader/tgsi/program.h"
#include "tests/goldens/tgsi_record.h"
#include "texture/image.h"

namespace tessera::goldens {

class RecordMemory {
 public:
  RecordMemory(const TgsiRecord& record, const tgsi::Program& text);
  void bind(Bindings& bindings) const;             // points into this object
  std::string difference() const;                  // empty, or the first word that is not as the record says

 private:
  std::string image_difference(uint32_t number) const;

  const TgsiRecord& record_;
  std::map<uint32_t, std::vector<uint32_t>> buffers_;
  std::vector<uint32_t> shared_;
  std::map<uint32_t, texture::BoundImage> images_;
  std::vector<MemoryView> buffer_views_;
  MemoryView shared_view_;
  std::vector<const void*> image_views_;
};

}  // namespace tessera::goldens
