#include <fmt/format.h>

#include <cstring>

#include "frontend/context_impl.h"
#include "frontend/picture.h"
#include "frontend/row_copy.h"
#include "frontend/transfer_rows.h"
#include "texture/mipgen.h"

namespace tessera {
namespace {

bool fits(uint32_t begin, uint32_t count, uint32_t limit) { return uint64_t{begin} + count <= limit; }

bool covers(const Resource& resource, uint32_t level, const Box& box) {
  const ResourceDesc& desc = resource.desc();
  const LevelLayout& l = resource.storage()->level(level);
  return desc.levels == 1 && desc.samples == 1 && box.width == l.width && box.height == l.height &&
         box.depth == l.slices;
}

}  // namespace

Status check_image(const ResourceRef& image, std::string_view field) {
  if (!image) return error(fmt::format("{}: null", field));
  if (image->desc().kind == ResourceKind::Buffer)
    return error(fmt::format("{}: expected an image, found a buffer", field));
  return Done{};
}

// The same, for what is copied texel by texel.
Status check_single(const ResourceRef& image, std::string_view field) {
  if (Status s = check_image(image, field); !s) return s;
  if (image->desc().samples > 1) return error(fmt::format("{}: images of several samples are not copied", field));
  return Done{};
}

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
  const FormatInfo& format = format_info(resource.desc().format);
  const auto is_whole = [](uint32_t begin, uint32_t count, uint32_t limit, uint32_t block) {
    return begin % block == 0 && (count % block == 0 || begin + count == limit);
  };
  if (!is_whole(box.x, box.width, l.width, format.block_width) ||
      !is_whole(box.y, box.height, l.height, format.block_height))
    return error(fmt::format("box: {} does not consist of whole blocks of {} x {}", describe(box), format.block_width,
                             format.block_height));
  return Done{};
}

Status Context::Impl::finish_writes(const Resource& resource) {
  return renderer.writes_pending(resource.storage().get()) ? flush() : Status(Done{});
}

void Context::Impl::release_bindings() {
  for (StageState* stage : {&vertex, &control, &evaluation, &geometry, &fragment, &compute}) {
    stage->bound_images.clear();
    stage->bound.clear();
    stage->bound_storage.clear();
    stage->bound_dirty = true;
  }
  call.vertex_buffers.clear();
  call.index_buffer = {};
  call.vertex_inputs = {};
  call.fragment_inputs = {};
  call.geometry = nullptr;
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
  const FormatInfo& format = format_info(image->desc().format);
  const Box blocks = in_blocks(box, format);
  const Result<Rows> rows = plan_rows(image->desc().format, blocks, pitch, bytes.size());
  if (!rows) return rows.diags();
  if (extent(*rows, blocks) == 0) return Done{};
  if (Status s = impl_->finish_writes(*image); !s) return s;
  impl_->release_bindings();
  if (format.is_compressed) impl_->decoded.forget(*image->storage());
  Storage& storage = image->storage_for_write(!covers(*image, level, box));
  copy_to_storage(impl_->renderer.arena(), storage, level, blocks, *rows, bytes);
  return Done{};
}

Status Context::read_box(const ResourceRef& image, uint32_t level, const Box& box, std::span<std::byte> out,
                         const Pitch& pitch) {
  if (Status s = check_single(image, "image"); !s) return s;
  if (Status s = check_box(*image, level, box); !s) return s;
  const Box blocks = in_blocks(box, format_info(image->desc().format));
  const Result<Rows> rows = plan_rows(image->desc().format, blocks, pitch, out.size());
  if (!rows) return rows.diags();
  if (extent(*rows, blocks) == 0) return Done{};
  if (Status s = impl_->finish_writes(*image); !s) return s;
  copy_from_storage(impl_->renderer.arena(), *image->storage(), level, blocks, *rows, out);
  return Done{};
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

namespace {

// A slice's texels in a format whose texels stand alone: compressed ones decoded.
struct DecodedSlice {
  Format format;
  uint32_t width, height;
  std::vector<std::byte> bytes;
};

Result<DecodedSlice> read_slice(Context& context, const ResourceRef& image, uint32_t level, uint32_t slice,
                                uint32_t sample = 0) {
  if (Status s = check_image(image, "image"); !s) return s.diags();
  Result<std::vector<std::byte>> bytes = context.read_bytes(image, level, slice, sample);
  if (!bytes) return bytes.diags();
  const LevelLayout& l = image->storage()->level(level);
  const FormatInfo& format = format_info(image->desc().format);
  if (!format.is_compressed) return DecodedSlice{image->desc().format, l.width, l.height, std::move(*bytes)};
  return DecodedSlice{format.decoded, l.width, l.height, texture::decompress_slice(*image->storage(), level, slice)};
}

}  // namespace

Result<std::vector<Texel>> Context::read_texels(const ResourceRef& image, uint32_t level, uint32_t slice,
                                                uint32_t sample) {
  const Result<DecodedSlice> decoded = read_slice(*this, image, level, slice, sample);
  if (!decoded) return decoded.diags();
  std::vector<Texel> texels(size_t{decoded->width} * decoded->height);
  const size_t row_bytes = size_t{decoded->width} * format_info(decoded->format).block_bytes;
  for (uint32_t y = 0; y < decoded->height; ++y)
    unpack_row(decoded->format, &decoded->bytes[y * row_bytes], decoded->width, &texels[size_t{y} * decoded->width]);
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
  if (image && image->desc().samples > 1) {
    Result<ResourceRef> single = resolved(image, slice);
    return single ? read_image(*single) : Result<Image>(single.diags());
  }
  const Result<DecodedSlice> decoded = read_slice(*this, image, level, slice);
  if (!decoded) return decoded.diags();
  return picture_of(decoded->format, decoded->bytes, decoded->width, decoded->height);
}

}  // namespace tessera
