#include "frontend/scene_transfer.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/scene_sections.h"

namespace tessera::scene {
namespace {

constexpr uint32_t kMaxSide = 16384, kMaxBitmapRows = 4096;

uint32_t coordinate(Line& line, std::string_view what) { return line.integer(what, 0, kMaxSide); }

// texture 3 level 1 | target NAME color 0 | target NAME depth
ImageName parse_image_name(Line& line, const Scene& scene) {
  ImageName image;
  const SourceLoc loc = line.loc();
  if (line.accept("texture")) {
    image.texture = line.integer("the number of a [texture]");
    if (!line.failed() && !scene.textures.contains(*image.texture))
      line.fail_at(loc, fmt::format("there is no [texture {}]", *image.texture));
    if (line.accept("level")) image.level = line.integer("the level", 0, kMaxLevels - 1);
    return image;
  }
  if (!line.accept("target")) {
    line.fail_expected("texture or target");
    return image;
  }
  const std::string_view word = line.word("the name of a target");
  image.target = word == "main" ? "" : word;
  image.depth = line.accept("depth");
  if (!image.depth && line.accept("color"))
    image.color = line.integer("the colour target", 0, raster::kMaxColorTargets - 1);
  const auto found = scene.targets.find(image.target);
  if (line.failed()) return image;
  if (found == scene.targets.end()) line.fail_at(loc, fmt::format("there is no [target {}]", image.target));
  else if ((image.depth ? found->second.depth : found->second.color[image.color]) == Format::NONE)
    line.fail_at(loc, fmt::format("[target {}] has no such image", image.target));
  return image;
}

// Two corners, and z where the box has depth.
BlitBox parse_corners(Line& line) {
  BlitBox box;
  for (int32_t* v : {&box.x0, &box.y0, &box.x1, &box.y1})
    *v = static_cast<int32_t>(coordinate(line, "x0, y0, x1 and y1 of the box"));
  if (line.accept("z"))
    for (int32_t* v : {&box.z0, &box.z1}) *v = static_cast<int32_t>(coordinate(line, "z0 and z1 of the box"));
  return box;
}

Box parse_box(Line& line) {
  const SourceLoc loc = line.loc();
  const BlitBox b = parse_corners(line);
  if (!line.failed() && (b.x0 > b.x1 || b.y0 > b.y1 || b.z0 > b.z1))
    line.fail_at(loc, "only the boxes of a blit may run backwards");
  const auto u = [](int32_t v) { return static_cast<uint32_t>(v); };
  return {u(b.x0), u(b.y0), u(b.z0), u(b.x1 - b.x0), u(b.y1 - b.y0), u(b.z1 - b.z0)};
}

TransferAction parse_blit(Line& line, const Scene& scene) {
  BlitImages blit;
  blit.from = parse_image_name(line, scene);
  blit.from_box = parse_corners(line);
  if (!line.accept("to")) line.fail_expected("to");
  blit.to = parse_image_name(line, scene);
  blit.to_box = parse_corners(line);
  if (line.accept("linear")) blit.filter = BlitFilter::Linear;
  return blit;
}

TransferAction parse_copy(Line& line, const Scene& scene) {
  CopyTexels copy;
  copy.from = parse_image_name(line, scene);
  copy.box = parse_box(line);
  if (!line.accept("to")) line.fail_expected("to");
  copy.to = parse_image_name(line, scene);
  copy.at[0] = coordinate(line, "x");
  copy.at[1] = coordinate(line, "y");
  if (line.accept("z")) copy.at[2] = coordinate(line, "z");
  return copy;
}

TransferAction parse_fill(Line& line, const Scene& scene) {
  FillTexels fill;
  fill.image = parse_image_name(line, scene);
  if (fill.image.depth) line.fail("a fill takes a colour image");
  fill.box = parse_box(line);
  fill.color = line.four("red, green, blue and alpha");
  return fill;
}

PixelKind parse_kind(Line& line) {
  constexpr Named<PixelKind> kKinds[] = {
      {"depth", PixelKind::Depth}, {"stencil", PixelKind::Stencil}, {"depth_stencil", PixelKind::DepthStencil}};
  return line.done() ? PixelKind::Color : line.one_of(kKinds);
}

TransferAction parse_draw_pixels(Line& line, const Scene& scene) {
  DrawPixels draw;
  const SourceLoc loc = line.loc();
  const ImageName image = parse_image_name(line, scene);
  if (!line.failed() && !image.texture) line.fail_at(loc, "pixels are drawn from a texture, and copied from a target");
  draw.texture = image.texture.value_or(0);
  draw.kind = parse_kind(line);
  return draw;
}

TransferAction parse_copy_pixels(Line& line, const Scene& scene) {
  CopyPixels copy;
  copy.from = parse_image_name(line, scene);
  copy.box = parse_box(line);
  copy.kind = parse_kind(line);
  return copy;
}

TransferAction parse_position(Line& line) {
  RasterPosition position;
  position.x = line.real("x");
  position.y = line.real("y");
  if (line.next_is_number()) position.z = line.real("the depth");
  if (line.accept("color")) {
    const std::array<double, 4> color = line.four("red, green, blue and alpha");
    for (size_t i = 0; i < 4; ++i) position.color[i] = static_cast<float>(color[i]);
  }
  return SetRasterPosition{position};
}

TransferAction parse_transfer(Line& line, PixelTransfer& pixels) {
  const auto four = [&](std::array<float, 4>& to) {
    const std::array<double, 4> from = line.four("four numbers");
    for (size_t i = 0; i < 4; ++i) to[i] = static_cast<float>(from[i]);
  };
  if (line.accept("zoom")) {
    pixels.zoom_x = line.real("the zoom in x");
    pixels.zoom_y = line.real("the zoom in y");
  } else if (line.accept("scale")) {
    four(pixels.scale);
  } else if (line.accept("bias")) {
    four(pixels.bias);
  } else if (line.accept("depth")) {
    pixels.depth_scale = line.real("the scale");
    pixels.depth_bias = line.real("the bias");
  } else if (line.accept("stencil")) {
    pixels.stencil_shift = line.signed_integer("the shift");
    pixels.stencil_offset = line.signed_integer("the offset");
  } else {
    line.fail_expected("zoom, scale, bias, depth or stencil");
  }
  return SetPixelTransfer{pixels};
}

TransferAction parse_bitmaps(Line& line, const Scene& scene) {
  DrawBitmaps draw;
  do {
    const SourceLoc loc = line.loc();
    const std::string name(line.word("the name of a bitmap"));
    if (!line.failed() && !scene.bitmaps.contains(name))
      line.fail_at(loc, fmt::format("there is no [bitmap {}]", name));
    draw.names.push_back(name);
  } while (!line.done() && !line.failed());
  return draw;
}

bool is_row(std::string_view word) { return word.find_first_not_of("x.") == std::string_view::npos; }

void add_row(Line& line, BitmapRows& bitmap) {
  const SourceLoc loc = line.loc();
  const std::string_view row = line.word("a row");
  if (bitmap.height == 0) bitmap.width = static_cast<uint32_t>(row.size());
  if (row.size() != bitmap.width)
    return line.fail_at(
        loc, fmt::format("the rows of a bitmap are equally long: expected {}, found {}", bitmap.width, row.size()));
  if (++bitmap.height > kMaxBitmapRows)
    return line.fail_at(loc, fmt::format("a bitmap has at most {} rows", kMaxBitmapRows));
  const size_t begin = bitmap.bits.size();
  bitmap.bits.resize(begin + (row.size() + 7) / 8);
  for (size_t x = 0; x < row.size(); ++x)
    if (row[x] == 'x') bitmap.bits[begin + x / 8] |= std::byte{128} >> x % 8;
}

}  // namespace

std::optional<Transfer> accept_transfer(Line& line, const Scene& scene, PixelTransfer& pixels) {
  if (line.accept_phrase("copy pixels")) return Transfer{parse_copy_pixels(line, scene)};
  if (line.accept_phrase("draw pixels")) return Transfer{parse_draw_pixels(line, scene)};
  if (line.accept_phrase("draw bitmap")) return Transfer{parse_bitmaps(line, scene)};
  if (line.accept_phrase("raster position")) return Transfer{parse_position(line)};
  if (line.accept("pixel")) return Transfer{parse_transfer(line, pixels)};
  if (line.accept("blit")) return Transfer{parse_blit(line, scene)};
  if (line.accept("copy")) return Transfer{parse_copy(line, scene)};
  if (line.accept("fill")) return Transfer{parse_fill(line, scene)};
  return std::nullopt;
}

BitmapRows parse_bitmap(const Section& section, std::vector<Diag>& diags) {
  BitmapRows bitmap;
  bitmap.loc = section.loc;
  const size_t errors_before = diags.size();
  for_each_line(section, diags, [&](Line& line) {
    if (line.accept("origin")) {
      bitmap.origin_x = line.real("x");
      bitmap.origin_y = line.real("y");
    } else if (line.accept("move")) {
      bitmap.move_x = line.real("x");
      bitmap.move_y = line.real("y");
    } else if (is_row(line.peek())) {
      add_row(line, bitmap);
    } else {
      line.fail(fmt::format("a [bitmap] has no line '{}'", line.peek()));
    }
  });
  if (bitmap.height == 0 && diags.size() == errors_before)
    diags.push_back(error_at(section.loc, "a [bitmap] has rows of 'x' and '.'"));
  return bitmap;
}

}  // namespace tessera::scene
