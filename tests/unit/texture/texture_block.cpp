#include "texture_block.h"

#include <algorithm>
#include <bit>

namespace tessera::tests {

void TextureBlock::set(uint32_t operand, uint32_t lane, float value) {
  coord[operand][lane] = std::bit_cast<uint32_t>(value);
}

float TextureBlock::result(uint32_t channel, uint32_t lane) const { return std::bit_cast<float>(out[channel][lane]); }

SampleArgs TextureBlock::args(const ir::TextureOp& op, uint64_t exec) {
  SampleArgs args;
  args.op = &op;
  args.exec = exec;
  for (uint32_t i = 0; i < 4; ++i) {
    args.coord[i] = coord[i];
    args.out[i] = out[i];
  }
  if (has_ref) args.ref = ref;
  if (has_lod) args.lod = lod;
  for (uint32_t i = 0; i < 3; ++i) {
    if (op.kind == ir::TextureKind::SampleGrad) {
      args.ddx[i] = ddx[i];
      args.ddy[i] = ddy[i];
    }
    if (has_offset) args.offset[i] = offset[i];
  }
  return args;
}

void TextureBlock::run(const texture::BoundTexture& texture, const ir::TextureOp& op, uint64_t exec) {
  sample_block(&texture, args(op, exec));
}

namespace {

// Random bits would often be infinite or not a number where a field is a float.
void store_random_texel(Format format, std::mt19937& random, std::byte* texel) {
  const FormatInfo& info = format_info(format);
  const bool is_float = info.field[0].kind == FieldKind::Float || info.field[0].kind == FieldKind::SharedExp;
  if (!is_float) {
    for (uint32_t i = 0; i < info.block_bytes; ++i) texel[i] = static_cast<std::byte>(random());
    return;
  }
  const float low = info.is_depth_or_stencil() ? 0.0f : -4.0f, high = info.is_depth_or_stencil() ? 1.0f : 4.0f;
  Texel value;
  for (uint32_t& word : value.word)
    word = std::bit_cast<uint32_t>(low + (high - low) * static_cast<float>(random() % 1025) / 1024.0f);
  pack_texel(format, value, texel);
}

}  // namespace

ResourceDesc desc_of(ResourceKind kind, Format format, uint32_t width, uint32_t height, uint32_t depth, uint32_t layers,
                     uint32_t levels) {
  ResourceDesc desc;
  desc.kind = kind;
  desc.format = format;
  desc.width = width;
  desc.height = height;
  desc.depth = depth;
  desc.layers = layers;
  desc.levels = levels != 0 ? levels : static_cast<uint32_t>(std::bit_width(std::max({width, height, depth})));
  return desc;
}

std::shared_ptr<Resource> random_blocks(const ResourceDesc& desc, std::mt19937& random) {
  std::shared_ptr<Resource> resource = Resource::create(desc).value();
  Storage& storage = resource->storage_for_write(false);
  for (size_t i = 0; i < storage.size_bytes(); ++i) storage.data()[i] = static_cast<std::byte>(random());
  return resource;
}

std::shared_ptr<Resource> random_texture(const ResourceDesc& desc, std::mt19937& random) {
  std::shared_ptr<Resource> resource = Resource::create(desc).value();
  Storage& storage = resource->storage_for_write(false);
  const size_t bytes = format_info(desc.format).block_bytes;
  for (size_t at = 0; at + bytes <= storage.size_bytes(); at += bytes)
    store_random_texel(desc.format, random, storage.data() + at);
  return resource;
}

std::shared_ptr<Resource> numbered_levels(const ResourceDesc& desc) {
  std::shared_ptr<Resource> resource = Resource::create(desc).value();
  Storage& storage = resource->storage_for_write(false);
  const size_t bytes = format_info(desc.format).block_bytes;
  for (uint32_t n = 0; n < desc.levels; ++n) {
    const LevelLayout& level = storage.level(n);
    Texel value;
    for (uint32_t& word : value.word) word = std::bit_cast<uint32_t>(static_cast<float>(n));
    for (size_t at = 0; at < level.slice_bytes * level.slices; at += bytes)
      pack_texel(desc.format, value, storage.data() + level.offset_bytes + at);
  }
  return resource;
}

}  // namespace tessera::tests
