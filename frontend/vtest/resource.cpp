#include "frontend/vtest/resource.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/vtest/formats.h"

namespace tessera::vtest {
namespace {

constexpr ResourceKind kKinds[] = {ResourceKind::Buffer, ResourceKind::Tex1D,      ResourceKind::Tex2D,
                                   ResourceKind::Tex3D,  ResourceKind::Cube,       ResourceKind::Rect,
                                   ResourceKind::Tex1DArray, ResourceKind::Tex2DArray, ResourceKind::CubeArray};

uint64_t blocks(uint32_t texels, uint32_t block) { return (uint64_t{texels} + block - 1) / block; }

uint32_t minify(uint32_t size, uint32_t level) { return std::max(1u, size >> std::min(level, 31u)); }

}  // namespace

Result<MemoryShare> MemoryBudget::take(uint64_t bytes) {
  if (bytes > limit_bytes_ - std::min(limit_bytes_, *taken_))
    return error(fmt::format("{} bytes are more than a client may have", bytes));
  return MemoryShare(taken_, bytes);
}

std::optional<ResourceKind> kind_from_number(uint32_t number) {
  if (number >= std::size(kKinds)) return std::nullopt;
  return kKinds[number];
}

AreaLevel area_level(const ResourceDesc& desc, uint32_t level) {
  const FormatInfo& format = format_info(desc.format);
  AreaLevel at;
  for (uint32_t l = 0;; ++l) {
    at.row_bytes = blocks(minify(desc.width, l), format.block_width) * format.block_bytes;
    at.slice_bytes = blocks(minify(desc.height, l), format.block_height) * at.row_bytes;
    if (l == level) return at;
    at.offset_bytes += at.slice_bytes * minify(desc.depth, l) * desc.layers;
  }
}

Result<ResourceDesc> describe_resource(Words fields) {
  const std::optional<ResourceKind> kind = kind_from_number(fields[0]);
  if (!kind) return error(fmt::format("target: {} is none", fields[0]));
  ResourceDesc desc;
  desc.kind = *kind;
  if (desc.kind == ResourceKind::Buffer) {   // its texels are bytes, whatever its views make of them
    desc.format = Format::R8_UINT;
    desc.width = std::max(1u, fields[3]);
    if (fields[4] > 1 || fields[5] > 1 || fields[6] > 1) return error("size: a buffer has a width only");
    return desc;
  }
  const std::optional<Format> format = format_from_number(fields[1]);
  if (!format || *format == Format::NONE) return error(fmt::format("format: {} is none", fields[1]));
  desc.format = *format;
  desc.width = fields[3], desc.height = fields[4], desc.depth = fields[5], desc.layers = fields[6];
  desc.levels = fields[7] < kMaxLevels ? fields[7] + 1 : kMaxLevels + 1;
  desc.samples = std::max(1u, fields[8]);
  if (Status s = Resource::check(desc); !s) return s.diags();
  return desc;
}

Result<Box> read_box(Words fields, const ClientResource& resource, uint32_t level) {
  if (!resource.resource) return error("resource: could not be made");
  if (level >= resource.desc.levels)
    return error(fmt::format("level: expected less than {}, found {}", resource.desc.levels, level));
  for (uint32_t i = 0; i < 6; ++i)
    if (fields.as_int(i) < 0) return error(fmt::format("box: {} is negative", fields.as_int(i)));
  const Box box{fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]};
  if (box.width == 0 || box.height == 0 || box.depth == 0) return error("box: empty");
  const LevelLayout& l = resource.resource->storage()->level(level);
  if (uint64_t{box.x} + box.width > l.width || uint64_t{box.y} + box.height > l.height ||
      uint64_t{box.z} + box.depth > l.slices)
    return error(fmt::format("box: {} x {} x {} at ({}, {}, {}) is not inside {} x {} x {}", box.width, box.height,
                             box.depth, box.x, box.y, box.z, l.width, l.height, l.slices));
  return box;
}

Result<AreaRows> find_rows(const SharedMemory& area, uint64_t offset_bytes, uint32_t row_bytes, uint32_t slice_bytes,
                           const ResourceDesc& layout, uint32_t level, const Box& box) {
  const FormatInfo& format = format_info(layout.format);
  const AreaLevel of_level = area_level(layout, level);
  const uint64_t row = row_bytes ? row_bytes : of_level.row_bytes;
  const uint64_t slice = slice_bytes ? slice_bytes : row_bytes ? row * blocks(box.height, format.block_height)
                                                              : of_level.slice_bytes;
  const uint64_t length = blocks(box.width, format.block_width) * format.block_bytes;
  const uint64_t needed = (box.depth - 1) * slice + (blocks(box.height, format.block_height) - 1) * row + length;
  if (offset_bytes > area.bytes().size() || needed > area.bytes().size() - offset_bytes)
    return error(fmt::format("offset: {} bytes from {} on go beyond the {} of shared memory", needed, offset_bytes,
                             area.bytes().size()));
  return AreaRows{area.bytes().subspan(offset_bytes, needed), {row, slice}};
}

}  // namespace tessera::vtest
