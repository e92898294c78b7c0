#include <fmt/format.h>

#include <cstring>
#include <optional>
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

// A box's rows in the caller's memory.
struct Rows {
  size_t length_bytes = 0;                     // of a row without padding
  size_t row_bytes = 0, slice_bytes = 0;       // from row to row, from slice to slice
  bool is_tight = true;
};

// The bytes from the first row's first to the last row's last; nothing where they are too many to count.
std::optional<size_t> extent(const Rows& rows, const Box& box) {
  if (rows.length_bytes == 0 || box.height == 0 || box.depth == 0) return 0;
  size_t slices, lines, sum;
  if (__builtin_mul_overflow(rows.slice_bytes, size_t{box.depth - 1}, &slices) ||
      __builtin_mul_overflow(rows.row_bytes, size_t{box.height - 1}, &lines) ||
      __builtin_add_overflow(slices, lines, &sum) || __builtin_add_overflow(sum, rows.length_bytes, &sum))
    return std::nullopt;
  return sum;
}

Result<Rows> plan_rows(Format format, const Box& box, const Pitch& pitch, size_t available_bytes) {
  Rows rows;
  rows.length_bytes = size_t{box.width} * format_info(format).block_bytes;
  rows.row_bytes = pitch.row_bytes ? pitch.row_bytes : rows.length_bytes;
  if (rows.row_bytes < rows.length_bytes)
    return error(fmt::format("pitch.row_bytes: expected at least {}, found {}", rows.length_bytes, pitch.row_bytes));
  const std::optional<size_t> slice = extent(rows, {.height = box.height});
  if (!slice) return error(fmt::format("pitch.row_bytes: {} is too much for {} rows", rows.row_bytes, box.height));
  rows.slice_bytes = pitch.slice_bytes ? pitch.slice_bytes : rows.row_bytes * box.height;
  if (rows.slice_bytes < *slice)
    return error(fmt::format("pitch.slice_bytes: expected at least {}, found {}", *slice, pitch.slice_bytes));
  rows.is_tight = pitch.row_bytes == 0 && pitch.slice_bytes == 0;
  const std::optional<size_t> needed = extent(rows, box);
  if (!needed) return error(fmt::format("pitch.slice_bytes: {} is too much for {}", rows.slice_bytes, describe(box)));
  if (available_bytes < *needed || (rows.is_tight && available_bytes > *needed))
    return error(fmt::format("bytes: expected {}{} for {}, found {}", rows.is_tight ? "" : "at least ", *needed,
                             describe(box), available_bytes));
  return rows;
}

// row(offset in the image's storage, offset in the caller's memory) for the rows of a box, first to last.
template <class Row>
void for_each_row(const Storage& storage, uint32_t level, const Box& box, const Rows& rows, Row row) {
  const uint32_t texel_bytes = format_info(storage.desc().format).block_bytes;
  for (uint32_t z = 0; z < box.depth; ++z)
    for (uint32_t y = 0; y < box.height; ++y) {
      const std::byte* slice = storage.slice(level, box.z + z);
      const size_t in_slice = (box.y + y) * storage.level(level).row_bytes + size_t{box.x} * texel_bytes;
      row(static_cast<size_t>(slice - storage.data()) + in_slice, z * rows.slice_bytes + y * rows.row_bytes);
    }
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
  for (StageState* stage : {&vertex, &fragment, &compute}) {
    stage->bound_images.clear();
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
                             std::span<const std::byte> bytes, const Pitch& pitch) {
  if (Status s = check_single(image, "image"); !s) return s;
  if (Status s = check_box(*image, level, box); !s) return s;
  const Result<Rows> rows = plan_rows(image->desc().format, box, pitch, bytes.size());
  if (!rows) return rows.diags();
  if (extent(*rows, box) == 0) return Done{};
  if (Status s = impl_->finish_writes(*image); !s) return s;
  impl_->release_bindings();
  Storage& storage = image->storage_for_write(!covers(*image, level, box));
  for_each_row(storage, level, box, *rows, [&](size_t to, size_t from) {
    std::memcpy(storage.data() + to, bytes.data() + from, rows->length_bytes);
  });
  return Done{};
}

Status Context::read_box(const ResourceRef& image, uint32_t level, const Box& box, std::span<std::byte> out,
                         const Pitch& pitch) {
  if (Status s = check_single(image, "image"); !s) return s;
  if (Status s = check_box(*image, level, box); !s) return s;
  const Result<Rows> rows = plan_rows(image->desc().format, box, pitch, out.size());
  if (!rows) return rows.diags();
  if (extent(*rows, box) == 0) return Done{};
  if (Status s = impl_->finish_writes(*image); !s) return s;
  const Storage& storage = *image->storage();
  for_each_row(storage, level, box, *rows, [&](size_t from, size_t to) {
    std::memcpy(out.data() + to, storage.data() + from, rows->length_bytes);
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
  std::vector<std::byte> texels(size_t{box.width} * box.height * box.depth * texel_bytes);   // the boxes may overlap
  if (Status s = read_box(from, from_level, box, texels); !s) return s;
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
