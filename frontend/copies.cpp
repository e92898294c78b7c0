// Fills and copies of a Context between buffers and images.
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include "frontend/context_impl.h"
#include "frontend/transfer_rows.h"

namespace tessera {
namespace {

constexpr size_t kMaxPatternBytes = 16;

Status check_range(const ResourceRef& buffer, uint64_t offset, uint64_t bytes, std::string_view field) {
  if (!buffer || buffer->desc().kind != ResourceKind::Buffer)
    return error(fmt::format("{}: expected a buffer", field));
  const uint64_t size = buffer->storage()->size_bytes();
  if (offset <= size && bytes <= size - offset) return Done{};
  return error(fmt::format("{}: {} bytes from {} on go beyond the buffer's {}", field, bytes, offset, size));
}

void fill(std::byte* out, size_t bytes, std::span<const std::byte> pattern) {
  for (size_t at = 0; at < bytes; at += pattern.size()) std::memcpy(out + at, pattern.data(), pattern.size());
}

}  // namespace

Status Context::fill_buffer(const ResourceRef& buffer, uint64_t offset_bytes, uint64_t size_bytes,
                            std::span<const std::byte> pattern) {
  if (Status s = check_range(buffer, offset_bytes, size_bytes, "buffer"); !s) return s;
  if (pattern.empty() || pattern.size() > kMaxPatternBytes)
    return error(fmt::format("pattern: expected 1 to {} bytes, found {}", kMaxPatternBytes, pattern.size()));
  if (size_bytes % pattern.size() != 0)
    return error(
        fmt::format("size_bytes: expected a multiple of the pattern's {}, found {}", pattern.size(), size_bytes));
  if (size_bytes == 0) return Done{};
  if (Status s = impl_->finish_writes(*buffer); !s) return s;
  impl_->release_bindings();
  const bool keep = size_bytes != buffer->storage()->size_bytes();
  fill(buffer->storage_for_write(keep).data() + offset_bytes, size_bytes, pattern);
  return Done{};
}

Status Context::copy_buffer(const ResourceRef& from, uint64_t from_offset_bytes, const ResourceRef& to,
                            uint64_t to_offset_bytes, uint64_t size_bytes) {
  if (Status s = check_range(from, from_offset_bytes, size_bytes, "from"); !s) return s;
  if (Status s = check_range(to, to_offset_bytes, size_bytes, "to"); !s) return s;
  if (size_bytes == 0) return Done{};
  if (Status s = impl_->finish_writes(*from); !s) return s;
  if (Status s = impl_->finish_writes(*to); !s) return s;
  impl_->release_bindings();
  const bool keep = from == to || size_bytes != to->storage()->size_bytes();
  std::byte* const out = to->storage_for_write(keep).data() + to_offset_bytes;
  std::memmove(out, from->storage()->data() + from_offset_bytes, size_bytes);
  return Done{};
}

Status Context::fill_texels(const ResourceRef& image, uint32_t level, const Box& box,
                            std::span<const std::byte> texel) {
  if (Status s = check_image(image, "image"); !s) return s;
  if (Status s = check_box(*image, level, box); !s) return s;
  const FormatInfo& format = format_info(image->desc().format);
  if (texel.size() != format.block_bytes)
    return error(fmt::format("texel: expected the {} bytes of one {} of {}, found {}", format.block_bytes,
                             format.is_compressed ? "block" : "texel", format.name, texel.size()));
  const Box blocks = in_blocks(box, format);
  const size_t row_bytes = size_t{blocks.width} * format.block_bytes;
  if (row_bytes == 0) return Done{};
  if (Status s = impl_->finish_writes(*image); !s) return s;
  impl_->release_bindings();
  if (format.is_compressed) impl_->decoded.forget(*image->storage());
  Storage& storage = image->storage_for_write(true);
  for (uint32_t sample = 0; sample < image->desc().samples; ++sample)
    for_each_row(storage, level, blocks, {}, sample,
                 [&](size_t to, size_t) { fill(storage.data() + to, row_bytes, texel); });
  return Done{};
}

// ---- between buffers and images ---------------------------------------------------------------------------------

Status Context::copy_buffer_to_image(const ResourceRef& buffer, uint64_t offset_bytes, const Pitch& pitch,
                                     const ResourceRef& image, uint32_t level, const Box& box) {
  if (Status s = check_range(buffer, offset_bytes, 0, "buffer"); !s) return s;
  if (Status s = check_single(image, "image"); !s) return s;
  if (Status s = check_box(*image, level, box); !s) return s;
  const FormatInfo& format = format_info(image->desc().format);
  const Box blocks = in_blocks(box, format);
  const size_t available = buffer->storage()->size_bytes() - offset_bytes;
  const Result<Rows> rows = plan_rows(image->desc().format, blocks, pitch, available, true);
  if (!rows) return rows.diags();
  if (extent(*rows, blocks) == 0) return Done{};
  if (Status s = impl_->finish_writes(*buffer); !s) return s;
  if (Status s = impl_->finish_writes(*image); !s) return s;
  impl_->release_bindings();
  if (format.is_compressed) impl_->decoded.forget(*image->storage());
  Storage& storage = image->storage_for_write(true);
  const std::byte* const bytes = buffer->storage()->data() + offset_bytes;
  for_each_row(storage, level, blocks, *rows, 0, [&](size_t to, size_t from) {
    std::memcpy(storage.data() + to, bytes + from, rows->length_bytes);
  });
  return Done{};
}

Status Context::copy_image_to_buffer(const ResourceRef& image, uint32_t level, const Box& box,
                                     const ResourceRef& buffer, uint64_t offset_bytes, const Pitch& pitch) {
  if (Status s = check_range(buffer, offset_bytes, 0, "buffer"); !s) return s;
  if (Status s = check_single(image, "image"); !s) return s;
  if (Status s = check_box(*image, level, box); !s) return s;
  const Box blocks = in_blocks(box, format_info(image->desc().format));
  const size_t available = buffer->storage()->size_bytes() - offset_bytes;
  const Result<Rows> rows = plan_rows(image->desc().format, blocks, pitch, available, true);
  if (!rows) return rows.diags();
  if (extent(*rows, blocks) == 0) return Done{};
  if (Status s = impl_->finish_writes(*image); !s) return s;
  if (Status s = impl_->finish_writes(*buffer); !s) return s;
  impl_->release_bindings();
  std::byte* const bytes = buffer->storage_for_write(true).data() + offset_bytes;
  const Storage& storage = *image->storage();
  for_each_row(storage, level, blocks, *rows, 0, [&](size_t from, size_t to) {
    std::memcpy(bytes + to, storage.data() + from, rows->length_bytes);
  });
  return Done{};
}

// ---- between images -----------------------------------------------------------------------------------------------

namespace {

// As many blocks as `from` gives; the last of a row or column may reach over the edge of the level.
Box box_of_copy(const Box& from_blocks, const FormatInfo& format, const LevelLayout& level, uint32_t x, uint32_t y,
                uint32_t z) {
  const auto texels = [](uint32_t begin, uint32_t count, uint32_t block, uint32_t limit) {
    const uint32_t whole = count * block;
    return uint64_t{begin} + whole > limit && begin < limit && limit - begin > whole - block ? limit - begin : whole;
  };
  return {x, y, z, texels(x, from_blocks.width, format.block_width, level.width),
          texels(y, from_blocks.height, format.block_height, level.height), from_blocks.depth};
}

}  // namespace

Status Context::copy_texels(const ResourceRef& from, uint32_t from_level, const Box& box, const ResourceRef& to,
                            uint32_t to_level, uint32_t x, uint32_t y, uint32_t z) {
  if (Status s = check_image(from, "from"); !s) return s;
  if (Status s = check_image(to, "to"); !s) return s;
  if (from->desc().samples != to->desc().samples)
    return error(fmt::format("to: expected {} samples a pixel as in `from`, found {}", from->desc().samples,
                             to->desc().samples));
  if (Status s = check_box(*from, from_level, box); !s) return s;
  const FormatInfo &format = format_info(from->desc().format), &to_format = format_info(to->desc().format);
  if (Status s = check_level_and_slice(*to, to_level, z); !s) return s;
  const Box blocks = in_blocks(box, format);
  const Box to_box = box_of_copy(blocks, to_format, to->storage()->level(to_level), x, y, z);
  if (Status s = check_box(*to, to_level, to_box); !s) return s;
  if (format.block_bytes != to_format.block_bytes)
    return error("to: its texels or blocks differ in size from those of `from`");
  const Box to_blocks = in_blocks(to_box, to_format);
  const size_t row_bytes = size_t{blocks.width} * format.block_bytes;
  if (row_bytes == 0) return Done{};
  if (Status s = impl_->finish_writes(*from); !s) return s;
  if (Status s = impl_->finish_writes(*to); !s) return s;
  impl_->release_bindings();
  if (to_format.is_compressed) impl_->decoded.forget(*to->storage());
  // Tight rows of `from`, read as a whole first: the boxes may overlap.
  const Rows rows{row_bytes, row_bytes, row_bytes * blocks.height};
  std::vector<std::byte> copied(rows.slice_bytes * blocks.depth);
  for (uint32_t sample = 0; sample < from->desc().samples; ++sample) {
    const Storage& source = *from->storage();
    for_each_row(source, from_level, blocks, rows, sample, [&](size_t at, size_t in_copy) {
      std::memcpy(copied.data() + in_copy, source.data() + at, row_bytes);
    });
    Storage& target = to->storage_for_write(true);
    for_each_row(target, to_level, to_blocks, rows, sample, [&](size_t at, size_t in_copy) {
      std::memcpy(target.data() + at, copied.data() + in_copy, row_bytes);
    });
  }
  return Done{};
}

}  // namespace tessera
