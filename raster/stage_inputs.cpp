#include "raster/stage_inputs.h"

#include "texture/bound.h"

namespace tessera::raster {

void StageViews::assign(const StageInputs& inputs, const ir::Program& program,
                        const texture::BoundTexture* null_texture) {
  constants_.clear();
  for (const auto& words : inputs.constants)
    constants_.push_back(words ? ConstantBuffer{words->data(), uint32_t(words->size())} : ConstantBuffer{});
  textures_.clear();
  for (size_t i = 0; i < program.texture_bindings.size(); ++i) {
    const bool bound = i < inputs.textures.size() && inputs.textures[i];
    textures_.push_back(bound ? inputs.textures[i].get() : null_texture);
  }
  for (std::vector<MemoryView>& views : memory_) views.clear();
  images_.clear();
  if (!inputs.memory) return;
  for (size_t space = 0; space < ir::kMemorySpaces; ++space)
    for (const MemoryRange& r : inputs.memory->ranges[space])
      memory_[space].push_back(r.storage ? MemoryView{r.storage->data() + r.offset_bytes, r.size_bytes, r.is_read_only}
                                         : MemoryView{});
  for (const auto& image : inputs.memory->images) images_.push_back(image.get());
}

Bindings StageViews::bindings() const {
  Bindings b;
  b.constants = constants_;
  b.textures = textures_;
  for (size_t space = 0; space < ir::kMemorySpaces; ++space) b.memory[space] = memory_[space];
  b.images = images_;
  b.services.sample = texture::sample_block;
  b.services.access_image = texture::access_image_block;
  b.services.image_size = texture::query_image_size;
  return b;
}

}  // namespace tessera::raster
