// Context::blit: what is asked for checked, and handed to texture/blit.h.
#include "texture/blit.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "frontend/context_impl.h"

namespace tessera {
namespace {

using texture::BlitAxis;

Format format_of(const BlitImage& image) {
  return image.format != Format::NONE ? image.format : image.resource->desc().format;
}

bool is_volume(const BlitImage& image) { return image.resource->desc().kind == ResourceKind::Tex3D; }

int32_t length(int32_t begin, int32_t end) { return begin < end ? end - begin : begin - end; }

bool is_empty(const BlitBox& b) { return b.x0 == b.x1 || b.y0 == b.y1 || b.z0 == b.z1; }

Status check_slices(int32_t begin, int32_t end, uint32_t size, std::string_view field) {
  const auto is_inside = [&](int32_t v) { return v >= 0 && static_cast<uint32_t>(v) <= size; };
  if (is_inside(begin) && is_inside(end)) return Done{};
  return error(fmt::format("{}.box.z0, z1: {} and {} are not inside 0 to {}", field, begin, end, size));
}

// A box may reach beyond its image, but not so far that its places overflow (texture/blit.h).
Status check_reach(int32_t begin, int32_t end, std::string_view field, std::string_view axis) {
  constexpr int32_t kFar = 1 << 29;
  if (std::min(begin, end) >= -kFar && std::max(begin, end) <= kFar) return Done{};
  return error(fmt::format("{}.box.{}0, {}1: {} and {} are not inside -2^29 to 2^29", field, axis, axis, begin, end));
}

Status check_image(const BlitImage& image, std::string_view field) {
  if (!image.resource) return error(fmt::format("{}.resource: null", field));
  const ResourceDesc& desc = image.resource->desc();
  if (desc.kind == ResourceKind::Buffer)
    return error(fmt::format("{}.resource: expected an image, found a buffer", field));
  if (image.level >= desc.levels)
    return error(fmt::format("{}.level: expected less than {}, found {}", field, desc.levels, image.level));
  if (static_cast<size_t>(image.format) >= all_formats().size())
    return error(fmt::format("{}.format: {} is no format", field, static_cast<unsigned>(image.format)));
  const FormatInfo &own = format_info(desc.format), &format = format_info(format_of(image));
  if (format.block_bytes != own.block_bytes || format.block_width != own.block_width ||
      format.block_height != own.block_height || format.is_compressed != own.is_compressed)
    return error(
        fmt::format("{}.format: texels of {} differ in size from the resource's {}", field, format.name, own.name));
  const LevelLayout& level = image.resource->storage()->level(image.level);
  if (Status s = check_reach(image.box.x0, image.box.x1, field, "x"); !s) return s;
  if (Status s = check_reach(image.box.y0, image.box.y1, field, "y"); !s) return s;
  return check_slices(image.box.z0, image.box.z1, level.slices, field);
}

Status check_formats(const Blit& b) {
  const FormatInfo &from = format_info(format_of(b.from)), &to = format_info(format_of(b.to));
  if (to.is_compressed)
    return error(fmt::format("to.resource: writing to compressed images ({}) is not supported", to.name));
  if (from.is_depth_or_stencil() != to.is_depth_or_stencil())
    return error(fmt::format("to.format: {} to {} mixes colour with depth or stencil", from.name, to.name));
  if (from.is_depth_or_stencil()) {
    const Format f = format_of(b.from), t = format_of(b.to);
    if (!(b.depth && format_has_depth(f) && format_has_depth(t)) &&
        !(b.stencil && format_has_stencil(f) && format_has_stencil(t)))
      return error(fmt::format("depth, stencil: {} and {} share no aspect that is asked for", from.name, to.name));
    if (b.filter != BlitFilter::Nearest)
      return error("filter: depth and stencil are copied by the nearest filter only");
    return Done{};
  }
  const bool integers = from.is_pure_integer();
  if (integers != to.is_pure_integer() || (integers && from.field[0].kind != to.field[0].kind))
    return error(fmt::format("to.format: {} does not convert to {}", from.name, to.name));
  if (integers && b.filter != BlitFilter::Nearest)
    return error("filter: integers are copied by the nearest filter only");
  return Done{};
}

Status check_sizes(const Blit& b) {
  const BlitBox &from = b.from.box, &to = b.to.box;
  const uint32_t samples = b.from.resource->desc().samples, to_samples = b.to.resource->desc().samples;
  const bool volumes = is_volume(b.from) && is_volume(b.to);
  if (!volumes && length(from.z0, from.z1) != length(to.z0, to.z1))
    return error(fmt::format("to.box.z0, z1: layers are not scaled: expected {}, found {}", length(from.z0, from.z1),
                             length(to.z0, to.z1)));
  if (is_empty(from) && !is_empty(to)) return error("from.box: it is empty, and to.box is not");
  if (samples == 1 || to_samples == 1) return Done{};
  if (samples != to_samples)
    return error(fmt::format("to.resource: expected 1 or {} samples a pixel, found {}", samples, to_samples));
  if (length(from.x0, from.x1) != length(to.x0, to.x1) || length(from.y0, from.y1) != length(to.y0, to.y1))
    return error("to.box: samples that are copied one by one are not scaled");
  return Done{};
}

texture::BlitSide side_of(const BlitImage& image) {
  const BlitBox& b = image.box;
  return {format_of(image), image.level, {{b.x0, b.x1}, {b.y0, b.y1}, {b.z0, b.z1}}};
}

}  // namespace

// The image's layers, resolved. Levels of several samples are all level 0.
Result<ResourceRef> Context::Impl::resolve_layers(Context& context, const BlitImage& image) {
  const ResourceDesc& desc = image.resource->desc();
  Result<ResourceRef> single = device.create_image({.kind = desc.kind, .format = format_of(image), .width = desc.width,
                                                    .height = desc.height, .layers = desc.layers});
  if (!single) return single;
  const Attachment from{.resource = image.resource, .format = format_of(image), .layers = desc.layers};
  if (Status s = context.resolve(from, {.resource = *single, .layers = desc.layers}); !s) return s.diags();
  return single;
}

Status Context::blit(const Blit& asked) {
  Blit b = asked;
  if (Status s = check_image(b.from, "from"); !s) return s;
  if (Status s = check_image(b.to, "to"); !s) return s;
  if (b.filter != BlitFilter::Nearest && b.filter != BlitFilter::Linear)
    return error("filter: expected nearest or linear");
  if (Status s = check_formats(b); !s) return s;
  if (Status s = check_sizes(b); !s) return s;
  if (is_empty(b.to.box)) return Done{};

  Impl& own = *impl_;
  if (b.from.resource->desc().samples > 1 && b.to.resource->desc().samples == 1) {
    Result<ResourceRef> single = own.resolve_layers(*this, b.from);
    if (!single) return single.diags();
    b.from.resource = *single;
  }
  if (Status s = own.finish_writes(*b.from.resource); !s) return s;
  if (Status s = own.finish_writes(*b.to.resource); !s) return s;
  own.release_bindings();
  texture::BlitJob job{.source = side_of(b.from), .target = side_of(b.to), .linear = b.filter == BlitFilter::Linear,
                       .depth = b.depth, .stencil = b.stencil};
  const LevelLayout& level = b.to.resource->storage()->level(b.to.level);
  const raster::IRect whole{0, 0, static_cast<int32_t>(level.width), static_cast<int32_t>(level.height)};
  const raster::IRect clip = b.scissor.value_or(whole);
  std::copy_n(std::array{clip.x0, clip.y0, clip.x1, clip.y1}.begin(), 4, job.clip);
  try {
    // Where the two are one resource, the Storage that is held here keeps what is read.
    std::shared_ptr<const Storage> source = b.from.resource->storage();
    if (format_info(job.source.format).is_compressed) {
      source = texture::decompress_whole(*source, job.source.format, &own.renderer.arena());
      job.source.format = format_info(job.source.format).decoded;
    }
    texture::blit(*source, b.to.resource->storage_for_write(true), job, own.renderer.arena());
  } catch (const std::bad_alloc&) {
    return error("to.resource: not enough memory for a copy of the image");
  }
  return Done{};
}

}  // namespace tessera
