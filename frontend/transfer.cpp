#include <fmt/format.h>

#include <cstring>
#include <string>

#include "frontend/context_impl.h"
#include "frontend/picture.h"
#include "texture/mipgen.h"

namespace tessera {
namespace {

std::string describe(const Box& b) {
  return fmt::format("{} x {} x {} at ({}, {}, {})", b.width, b.height, b.depth, b.x, b.y, b.z);
}

bool fits(uint32_t begin, uint32_t count, uint32_t limit) { return uint64_t{begin} + count <= limit; }

// Rows of a box, first to last, as (pointer into the level, bytes of a row).
template <class Row>
void for_each_row(Storage& storage, uint32_t level, const Box& box, Row row) {
  const uint32_t texel_bytes = format_info(storage.desc().format).block_bytes;
  for (uint32_t z = 0; z < box.depth; ++z)
    for (uint32_t y = 0; y < box.height; ++y)
      row(storage.slice(level, box.z + z) + (box.y + y) * storage.level(level).row_bytes + size_t{box.x} * texel_bytes);
}

bool covers(const Resource& resource, uint32_t level, const Box& box) {
  const ResourceDesc& desc = resource.desc();
  const LevelLayout& l = resource.storage()->level(level);
  return desc.levels == 1 && desc.samples == 1 && box.width == l.width && box.height == l.height &&
         box.depth == l.slices;
}

Status check_image(const ResourceRef& image, std::string_view field) {
  if (!image) return error(fmt::format("{}: null", field));
  if (image->desc().kind == ResourceKind::Buffer)
    return error(fmt::format("{}: expected an image, found a buffer", field));
  if (format_info(image->desc().format).is_compressed)
    return error(fmt::format("{}: compressed formats are not supported", field));
  return Done{};
}

// The same, for what is copied texel by texel.
Status check_single(const ResourceRef& image, std::string_view field) {
  if (Status s = check_image(image, field); !s) return s;
  if (image->desc().samples > 1) return error(fmt::format("{}: images of several samples are not copied", field));
  return Done{};
}

}  // namespace

Status check_level_and_slice(const Resource& resource, uint32_t level, uint32_t slice) {
  const ResourceDesc& desc = resource.desc();
  if (level >= desc.levels) return error(fmt::format("level: expected less than {}, found {}", desc.levels, level));
  const uint32_t slices = resource.storage()->level(level).slices;
  if (slice >= slices) return error(fmt::format("layer: expected less than {}, found {}", slices, slice));
  return Done{};
}

Status check_box(const Resource& resource, uint32_t level, const Box& box) {
  if (Status s = check_level_and_slice(resource, level, box.z); !s) return s;
  const LevelLayout& l = resource.storage()->level(level);
  if (!fits(box.x, box.width, l.width) || !fits(box.y, box.height, l.height) || !fits(box.z, box.depth, l.slices))
    return error(fmt::format("box: {} is not inside {} x {} x {}", describe(box), l.width, l.height, l.slices));
  return Done{};
}

Status Context::Impl::finish_writes(const Resource& resource) {
  return renderer.writes_pending(resource.storage().get()) ? renderer.flush() : Status(Done{});
}

void Context::Impl::release_bindings() {
  for (StageState* stage : {&vertex, &fragment}) {
    stage->bound.clear();
    stage->bound_storage.clear();
    stage->bound_dirty = true;
  }
  call.vertex_buffers.clear();
  call.index_buffer = {};
  call.vertex_inputs = {};
  call.fragment_inputs = {};
}

Status Context::write_buffer(const ResourceRef& buffer, uint64_t offset_bytes, std::span<const std::byte> bytes) {
  if (!buffer || buffer->desc().kind != ResourceKind::Buffer) return error("buffer: expected a buffer");
  const size_t size = buffer->storage()->size_bytes();
  if (offset_bytes > size || bytes.size() > size - offset_bytes)
    return error(
        fmt::format("offset_bytes: {} bytes from {} on go beyond the buffer's {}", bytes.size(), offset_bytes, size));
  if (bytes.empty()) return Done{};
  if (Status s = impl_->finish_writes(*buffer); !s) return s;
  impl_->release_bindings();
  std::memcpy(buffer->storage_for_write(bytes.size() != size).data() + offset_bytes, bytes.data(), bytes.size());
  return Done{};
}

Status Context::write_texels(const ResourceRef& image, uint32_t level, const Box& box,
                             std::span<const std::byte> bytes) {
  if (Status s = check_single(image, "image"); !s) return s;
  if (Status s = check_box(*image, level, box); !s) return s;
  const size_t row_bytes = size_t{box.width} * format_info(image->desc().format).block_bytes;
  const size_t expected = row_bytes * box.height * box.depth;
  if (bytes.size() != expected)
    return error(fmt::format("bytes: expected {} for {}, found {}", expected, describe(box), bytes.size()));
  if (expected == 0) return Done{};
  if (Status s = impl_->finish_writes(*image); !s) return s;
  impl_->release_bindings();
  const std::byte* from = bytes.data();
  for_each_row(image->storage_for_write(!covers(*image, level, box)), level, box, [&](std::byte* row) {
    std::memcpy(row, from, row_bytes);
    from += row_bytes;
  });
  return Done{};
}

Status Context::copy_texels(const ResourceRef& from, uint32_t from_level, const Box& box, const ResourceRef& to,
                            uint32_t to_level, uint32_t x, uint32_t y, uint32_t z) {
  if (Status s = check_single(from, "from"); !s) return s;
  if (Status s = check_single(to, "to"); !s) return s;
  if (Status s = check_box(*from, from_level, box); !s) return s;
  const Box to_box{x, y, z, box.width, box.height, box.depth};
  if (Status s = check_box(*to, to_level, to_box); !s) return s;
  const uint32_t texel_bytes = format_info(from->desc().format).block_bytes;
  if (texel_bytes != format_info(to->desc().format).block_bytes)
    return error("to: its texels differ in size from those of `from`");
  if (Status s = impl_->finish_writes(*from); !s) return s;
  std::vector<std::byte> texels;   // the boxes may overlap
  for_each_row(*from->storage(), from_level, box,
               [&](const std::byte* row) { texels.insert(texels.end(), row, row + size_t{box.width} * texel_bytes); });
  return write_texels(to, to_level, to_box, texels);
}

Status Context::generate_mips(const ResourceRef& image) {
  if (Status s = check_image(image, "image"); !s) return s;
  if (image->desc().levels == 1) return Done{};
  if (Status s = impl_->finish_writes(*image); !s) return s;
  impl_->release_bindings();
  return texture::generate_mips(image->storage_for_write(true));
}

Result<std::vector<std::byte>> Context::read_bytes(const ResourceRef& resource, uint32_t level, uint32_t slice,
                                                   uint32_t sample) {
  if (!resource) return error("resource: null");
  if (sample >= resource->desc().samples)
    return error(fmt::format("sample: expected less than {}, found {}", resource->desc().samples, sample));
  if (Status s = check_level_and_slice(*resource, level, slice); !s) return s.diags();
  if (Status s = impl_->finish_writes(*resource); !s) return s.diags();
  const Storage& storage = *resource->storage();
  const std::byte* const begin = storage.slice(level, slice, sample);
  return std::vector<std::byte>(begin, begin + storage.level(level).slice_bytes);
}

Result<std::vector<Texel>> Context::read_texels(const ResourceRef& image, uint32_t level, uint32_t slice,
                                                uint32_t sample) {
  if (Status s = check_image(image, "image"); !s) return s.diags();
  Result<std::vector<std::byte>> bytes = read_bytes(image, level, slice, sample);
  if (!bytes) return bytes.diags();
  const LevelLayout& l = image->storage()->level(level);
  std::vector<Texel> texels(size_t{l.width} * l.height);
  for (uint32_t y = 0; y < l.height; ++y)
    unpack_row(image->desc().format, bytes->data() + y * l.row_bytes, l.width, &texels[size_t{y} * l.width]);
  return texels;
}

Result<ResourceRef> Context::resolved(const ResourceRef& image, uint32_t slice) {
  if (Status s = check_image(image, "image"); !s) return s.diags();
  const ResourceDesc& desc = image->desc();
  if (desc.samples == 1) return image;
  Result<ResourceRef> single =
      impl_->device.create_image({.format = desc.format, .width = desc.width, .height = desc.height});
  if (!single) return single;
  if (Status s = resolve({.resource = image, .layer = slice}, {.resource = *single}); !s) return s.diags();
  return single;
}

Result<Image> Context::read_image(const ResourceRef& image, uint32_t level, uint32_t slice) {
  if (Status s = check_image(image, "image"); !s) return s.diags();
  if (image->desc().samples > 1) {
    Result<ResourceRef> single = resolved(image, slice);
    return single ? read_image(*single) : Result<Image>(single.diags());
  }
  Result<std::vector<std::byte>> bytes = read_bytes(image, level, slice);
  if (!bytes) return bytes.diags();
  const LevelLayout& l = image->storage()->level(level);
  return picture_of(image->desc().format, *bytes, l.width, l.height);
}

}  // namespace tessera
