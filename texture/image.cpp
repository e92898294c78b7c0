#include "texture/image.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "shader/atomic.h"

namespace tessera::texture {
namespace {

bool is_cube(ResourceKind kind) { return kind == ResourceKind::Cube || kind == ResourceKind::CubeArray; }

bool has_one_layer(ResourceKind kind) {
  return kind == ResourceKind::Tex1D || kind == ResourceKind::Tex2D || kind == ResourceKind::Rect;
}

bool is_one_dimensional(ResourceKind kind) { return kind == ResourceKind::Tex1D || kind == ResourceKind::Tex1DArray; }

// Up to four fields of 32 bits, one after the other, that are the channels in order; missing ones are 0, alpha 1.
uint32_t plain_words(const FormatInfo& format) {
  uint32_t words = 0;
  for (; words < 4 && format.field[words].kind != FieldKind::None; ++words) {
    const FormatField& f = format.field[words];
    const bool is_plain = f.kind == FieldKind::Uint || f.kind == FieldKind::Sint || f.kind == FieldKind::Float;
    if (!is_plain || f.bits != 32 || f.shift != 32 * words) return 0;
  }
  for (uint32_t c = 0; c < 4; ++c)
    if (format.swizzle[c] != (c < words ? static_cast<Swizzle>(c) : c == 3 ? Swizzle::One : Swizzle::Zero)) return 0;
  return format.space == ColorSpace::Linear ? words : 0;
}

Status check_buffer_view(const ImageView& view, uint32_t texel_bytes) {
  if (view.last_layer < view.first_layer || (uint64_t{view.last_layer} + 1) * texel_bytes > view.storage->size_bytes())
    return error(fmt::format("first_layer, last_layer: elements {} to {} are not in a buffer of {} bytes",
                             view.first_layer, view.last_layer, view.storage->size_bytes()));
  return Done{};
}

Status check_layers(const ImageView& view) {
  const uint32_t slices = view.storage->level(view.level).slices;
  if (view.last_layer < view.first_layer || view.last_layer >= slices)
    return error(fmt::format("first_layer, last_layer: layers {} to {} are not in the image's {}", view.first_layer,
                             view.last_layer, slices));
  if (has_one_layer(view.kind) && view.last_layer != view.first_layer)
    return error("last_layer: this kind of image has one layer");
  const uint32_t count = view.last_layer - view.first_layer + 1;
  if (view.kind == ResourceKind::Cube && count != 6)
    return error(fmt::format("last_layer: a cube has 6 faces, found {}", count));
  if (view.kind == ResourceKind::CubeArray && count % 6 != 0)
    return error(fmt::format("last_layer: a cube array has 6 faces a cube, found {}", count));
  return Done{};
}

// ---- texels of a block ----------------------------------------------------------------------------------------------

// The texel of one lane; null outside of the view.
std::byte* texel_at(const BoundImage& image, const ImageArgs& args, size_t lane) {
  const uint32_t x = args.x[lane], y = args.y ? args.y[lane] : 0, slice = args.slice ? args.slice[lane] : 0,
                 sample = args.sample ? args.sample[lane] : 0;
  if (x >= image.width || y >= image.height || slice >= image.slices || sample >= image.samples) return nullptr;
  return image.texels + slice * image.slice_bytes + sample * image.sample_bytes + y * image.row_bytes +
         size_t{x} * image.texel_bytes;
}

Texel load_texel(const BoundImage& image, const std::byte* at) {
  if (image.plain_words == 0) return unpack_texel(image.view.format, at);
  Texel texel;
  texel.word[3] = format_info(image.view.format).is_pure_integer() ? 1 : std::bit_cast<uint32_t>(1.0f);
  std::memcpy(texel.word, at, image.plain_words * sizeof(uint32_t));
  return texel;
}

void load(const BoundImage& image, const ImageArgs& args, size_t lane) {
  const std::byte* at = texel_at(image, args, lane);
  const Texel texel = at ? load_texel(image, at) : Texel{};
  for (uint32_t c = 0; c < 4; ++c) args.out[c][lane] = texel.word[c];
}

void store(const BoundImage& image, const ImageArgs& args, size_t lane) {
  std::byte* at = texel_at(image, args, lane);
  if (!at || image.view.is_read_only) return;
  const bool writes_all = args.value[0] && args.value[1] && args.value[2] && args.value[3];
  Texel texel = writes_all ? Texel{} : load_texel(image, at);
  for (uint32_t c = 0; c < 4; ++c)
    if (args.value[c]) texel.word[c] = args.value[c][lane];
  pack_texel(image.view.format, texel, at);
}

void update(const BoundImage& image, const ImageArgs& args, size_t lane) {
  std::byte* at = texel_at(image, args, lane);
  const bool may_update = at && image.has_atomics && !image.view.is_read_only;
  const uint32_t other = args.value[1] ? args.value[1][lane] : 0;
  args.out[0][lane] =
      may_update ? update_atomically(reinterpret_cast<uint32_t*>(at), args.op->atomic, args.value[0][lane], other) : 0;
}

template <void (*access)(const BoundImage&, const ImageArgs&, size_t)>
void in_lane_order(const BoundImage& image, const ImageArgs& args) {
  for (uint64_t lanes = args.lanes; lanes != 0; lanes &= lanes - 1)
    access(image, args, static_cast<size_t>(std::countr_zero(lanes)));
}

}  // namespace

ImageView whole_image(const std::shared_ptr<Storage>& storage, uint32_t level) {
  const ResourceDesc& desc = storage->desc();
  ImageView view{storage, desc.format, desc.kind, level, 0, 0, false};
  const bool is_buffer = desc.kind == ResourceKind::Buffer;
  if (is_buffer) view.last_layer = desc.width / format_info(desc.format).block_bytes - 1;
  else if (level < desc.levels) view.last_layer = storage->level(level).slices - 1;
  return view;
}

bool format_has_atomics(Format format) { return plain_words(format_info(format)) == 1; }

Status check_image_view(const ImageView& view) {
  if (!view.storage) return error("resource: there is none");
  const FormatInfo& format = format_info(view.format);
  const ResourceDesc& desc = view.storage->desc();
  if (format.block_bytes == 0 || format.is_compressed || format.is_depth_or_stencil())
    return error(fmt::format("format: shaders do not store to {}", format.name));
  const bool is_buffer = desc.kind == ResourceKind::Buffer;
  if (is_buffer != (view.kind == ResourceKind::Buffer))
    return error("kind: a buffer is seen as a buffer, an image as an image");
  if (is_buffer) return check_buffer_view(view, format.block_bytes);
  if (format.block_bytes != format_info(desc.format).block_bytes || format_info(desc.format).is_compressed)
    return error(fmt::format("format: texels of {} differ in size from those of {}", format.name,
                             format_info(desc.format).name));
  if (view.level >= desc.levels)
    return error(fmt::format("level: found {}, the image has {}", view.level, desc.levels));
  if ((view.kind == ResourceKind::Tex3D) != (desc.kind == ResourceKind::Tex3D) &&
      !(desc.kind == ResourceKind::Tex3D && view.kind == ResourceKind::Tex2D))
    return error("kind: a 3D image is seen as 3D, or one slice of it as 2D");
  if (is_one_dimensional(view.kind) != is_one_dimensional(desc.kind))
    return error("kind: the numbers of dimensions differ");
  if (is_cube(view.kind) && desc.width != desc.height) return error("kind: a cube's faces are squares");
  return check_layers(view);
}

BoundImage bind_image(const ImageView& view) {
  const FormatInfo& format = format_info(view.format);
  BoundImage image;
  image.view = view;
  image.texel_bytes = format.block_bytes;
  image.plain_words = plain_words(format);
  image.has_atomics = format_has_atomics(view.format);
  const uint32_t layers = view.last_layer - view.first_layer + 1;
  if (view.kind == ResourceKind::Buffer) {
    image.texels = view.storage->data() + size_t{view.first_layer} * format.block_bytes;
    image.width = layers;
    return image;
  }
  const LevelLayout& level = view.storage->level(view.level);
  image.samples = view.storage->desc().samples;
  image.texels = view.storage->slice(view.level, view.first_layer);
  image.width = level.width;
  image.height = level.height;
  image.slices = layers;
  image.row_bytes = level.row_bytes;
  image.sample_bytes = level.slice_bytes;
  image.slice_bytes = level.slice_bytes * image.samples;
  return image;
}

void access_image_block(const void* bound_image, const ImageArgs& args) {
  const auto& image = *static_cast<const BoundImage*>(bound_image);
  switch (args.access) {
    case ImageAccess::Load: return in_lane_order<load>(image, args);
    case ImageAccess::Store: return in_lane_order<store>(image, args);
    case ImageAccess::Atomic: return in_lane_order<update>(image, args);
  }
}

void query_image_size(const void* bound_image, uint32_t size[4]) {
  const auto& image = *static_cast<const BoundImage*>(bound_image);
  const ResourceKind kind = image.view.kind;
  size[0] = image.width;
  size[1] = kind == ResourceKind::Tex1DArray ? image.slices : image.height;
  size[2] = kind == ResourceKind::CubeArray ? image.slices / 6 : image.slices;
  size[3] = image.samples;
  if (kind == ResourceKind::Buffer || kind == ResourceKind::Tex1D) size[1] = 0;
  if (kind != ResourceKind::Tex3D && kind != ResourceKind::Tex2DArray && kind != ResourceKind::CubeArray) size[2] = 0;
}

}  // namespace tessera::texture
