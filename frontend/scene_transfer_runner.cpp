// Transfers of a scene as calls of a Context.
#include <algorithm>
#include <bit>

#include "frontend/scene_transfer.h"

namespace tessera::scene {
namespace {

class Performer {
 public:
  Performer(Context& context, const TransferNames& names) : context_(context), names_(names) {}

  Status operator()(const BlitImages& b) {
    return context_.blit({.from = {names_.image(b.from), b.from.level, b.from_box},
                          .to = {names_.image(b.to), b.to.level, b.to_box}, .filter = b.filter});
  }

  Status operator()(const CopyTexels& c) {
    return context_.copy_texels(names_.image(c.from), c.from.level, c.box, names_.image(c.to), c.to.level, c.at[0],
                                c.at[1], c.at[2]);
  }

  Status operator()(const FillTexels& f) {
    const ResourceRef& image = names_.image(f.image);
    const FormatInfo& format = format_info(image->desc().format);
    if (format.is_compressed || format.is_depth_or_stencil()) return error("a fill takes an image of colours");
    Texel texel;
    for (size_t i = 0; i < 4; ++i)
      texel.word[i] =
          format.is_pure_integer()
              ? static_cast<uint32_t>(static_cast<int64_t>(std::clamp(f.color[i], -2147483648.0, 4294967295.0)))
              : std::bit_cast<uint32_t>(static_cast<float>(f.color[i]));
    std::vector<std::byte> bytes(format.block_bytes);
    pack_texel(image->desc().format, texel, bytes.data());
    return context_.fill_texels(image, f.image.level, f.box, bytes);
  }

  Status operator()(const SetRasterPosition& set) {
    context_.set_raster_position(set.position);
    return Done{};
  }

  Status operator()(const SetPixelTransfer& set) { return context_.set_pixel_transfer(set.transfer); }

  Status operator()(const DrawPixels& draw) {
    const ResourceRef& image = names_.image({.texture = draw.texture});
    Result<std::vector<std::byte>> bytes = context_.read_bytes(image);
    if (!bytes) return bytes.diags();
    const LevelLayout& level = image->storage()->level(0);
    return context_.draw_pixels({.kind = draw.kind, .format = image->desc().format, .width = level.width,
                                 .height = level.height, .bytes = *bytes});
  }

  Status operator()(const CopyPixels& copy) {
    const Attachment from{.resource = names_.image(copy.from), .level = copy.from.level, .layer = copy.box.z};
    return context_.copy_pixels(from, copy.box, copy.kind);
  }

  Status operator()(const DrawBitmaps& draw) {
    for (const std::string& name : draw.names) {
      const BitmapRows& rows = names_.bitmaps.at(name);
      const Bitmap bitmap{.width = rows.width,
                          .height = rows.height,
                          .origin_x = rows.origin_x,
                          .origin_y = rows.origin_y,
                          .move_x = rows.move_x.value_or(static_cast<float>(rows.width) + 1),
                          .move_y = rows.move_y.value_or(0),
                          .bits = rows.bits};
      if (Status s = context_.draw_bitmap(bitmap); !s) return s;
    }
    return Done{};
  }

 private:
  Context& context_;
  const TransferNames& names_;
};

}  // namespace

Status perform_transfer(Context& context, const TransferNames& names, const Transfer& transfer) {
  return std::visit(Performer(context, names), transfer.action);
}

}  // namespace tessera::scene
