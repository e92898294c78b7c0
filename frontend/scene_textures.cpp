#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "frontend/direct3d9/formats.h"
#include "frontend/scene_sections.h"

namespace tessera::scene {
namespace {

constexpr Named<uint32_t> kFaces[] = {{"+x", 0}, {"-x", 1}, {"+y", 2}, {"-y", 3}, {"+z", 4}, {"-z", 5}};
constexpr uint32_t kMaxProceduralSide = 4096;

struct Size { uint32_t width, height; };

Size parse_size(Line& line, uint32_t most) {
  const uint32_t width = line.integer("the width", 1, most);
  return {width, line.integer("the height", 1, most)};
}

Numbers4 parse_color(Line& line) { return line.four("red, green, blue and alpha"); }

// `file ...`, `checker ...` and so on; false when the line is none of them.
bool parse_source(Line& line, std::vector<TexelSource>& out) {
  const auto size = [&] { return parse_size(line, kMaxProceduralSide); };
  if (line.accept("file")) {
    out.push_back(FileSource{std::string(line.word("the name of a file"))});
  } else if (line.accept("checker")) {
    const Size s = size();
    const uint32_t cells = line.integer("the number of cells", 1, kMaxProceduralSide);
    const Numbers4 even = parse_color(line);
    out.push_back(CheckerSource{s.width, s.height, cells, even, parse_color(line)});
  } else if (line.accept("solid")) {
    const Size s = size();
    out.push_back(SolidSource{s.width, s.height, parse_color(line)});
  } else if (line.accept("gradient")) {
    const Size s = size();
    std::array<Numbers4, 4> corners;
    for (Numbers4& corner : corners) corner = parse_color(line);
    out.push_back(GradientSource{s.width, s.height, corners});
  } else if (line.accept("disc")) {
    const Size s = size();
    const double radius = line.number("the radius");
    const Numbers4 inside = parse_color(line);
    out.push_back(DiscSource{s.width, s.height, radius, inside, parse_color(line)});
  } else if (line.accept("noise")) {
    const Size s = size();
    out.push_back(NoiseSource{s.width, s.height, line.integer("the seed")});
  } else {
    return false;
  }
  return true;
}

constexpr Named<ResourceKind> kKinds[] = {{"cube", ResourceKind::Cube},        {"array", ResourceKind::Tex2DArray},
                                          {"volume", ResourceKind::Tex3D},     {"rect", ResourceKind::Rect},
                                          {"line", ResourceKind::Tex1D},       {"line_array", ResourceKind::Tex1DArray},
                                          {"cube_array", ResourceKind::CubeArray}};

bool has_slices(ResourceKind kind) {
  return kind != ResourceKind::Tex2D && kind != ResourceKind::Tex1D && kind != ResourceKind::Rect;
}

class TextureParser {
 public:
  TextureParser(const Section& section, bool is_d3d9, std::vector<Diag>& diags)
      : section_(section), is_d3d9_(is_d3d9), diags_(diags) {}

  Texture parse() {
    texture_.loc = section_.loc;
    const size_t errors_before = diags_.size();
    for_each_line(section_, diags_, [&](Line& line) { parse_line(line); });
    if (diags_.size() == errors_before) check_whole();
    return std::move(texture_);
  }

 private:
  void parse_line(Line& line) {
    if (rows_ && line.next_is_number()) return parse_texel_row(line);
    rows_ = false;
    const SourceLoc loc = line.loc();
    for (const auto& [name, kind] : kKinds)
      if (line.accept(name)) {
        if (texture_.kind != ResourceKind::Tex2D) line.fail_at(loc, "the kind was given before");
        texture_.kind = kind;
        return;
      }
    if (line.accept("target")) {
      parse_target_source(line);
    } else if (line.accept("load")) {
      if (texture_.file) return line.fail_at(loc, "a [texture] loads one file");
      texture_.file.emplace(loc, line.word("the name of a DDS or KTX file"));
    } else if (line.accept("format")) {
      has_format_ = true;
      parse_format(line);
    } else if (line.accept("mips")) {
      texture_.mips = true;
    } else if (line.accept("size")) {
      const Size s = parse_size(line, kMaxImageSide_px);
      texture_.width = s.width, texture_.height = s.height;
    } else if (line.accept("levels")) {
      levels_ = line.integer("the number of levels", 1, kMaxLevels);
    } else if (line.accept("swizzle")) {
      has_swizzle_ = true;
      constexpr Named<Swizzle> kChannels[] = {{"x", Swizzle::X}, {"y", Swizzle::Y},    {"z", Swizzle::Z},
                                              {"w", Swizzle::W}, {"0", Swizzle::Zero}, {"1", Swizzle::One}};
      for (Swizzle& s : texture_.swizzle) s = line.one_of(kChannels);
    } else {
      parse_part(line);
    }
  }

  // Direct3D 9's names say what a missing channel reads.
  void parse_format(Line& line) {
    const std::optional<direct3d9::TextureFormat> named =
        is_d3d9_ ? direct3d9::texture_format(line.peek()) : std::nullopt;
    if (!named) {
      texture_.format = line.format();
      return;
    }
    line.word("a format");
    texture_.format = named->format;
    if (!has_swizzle_) texture_.swizzle = named->swizzle;
  }

  void parse_target_source(Line& line) {
    TargetSource source;
    source.target = line.word("the name of a target");
    source.depth = line.accept("depth");
    if (!source.depth && !line.accept("color")) return line.fail_expected("color or depth");
    if (!source.depth) source.color = line.integer("the colour target", 0, raster::kMaxColorTargets - 1);
    texture_.target = source;
  }

  // "level 1 face +x", in any number and order; false when the line does not go on with one of them.
  bool parse_place(Line& line, TexturePart& part) {
    if (line.accept("level")) part.level = line.integer("the level", 0, kMaxLevels - 1);
    else if (line.accept("face")) part.slice = line.one_of(kFaces);
    else if (line.accept("layer")) part.slice = line.integer("the layer", 0, kMaxSlices - 1);
    else if (line.accept("slice")) part.slice = line.integer("the slice", 0, kMaxSlices - 1);
    else return false;
    return !line.failed();
  }

  void parse_part(Line& line) {
    TexturePart part{line.loc(), 0, {}, {}};
    const bool is_part = parse_place(line, part);
    while (parse_place(line, part)) {}
    if (line.failed()) return;
    std::vector<TexelSource> source;
    if (line.accept("texels")) {
      while (parse_place(line, part)) {}
      part.source = TexelsSource{};
      rows_ = true;
    } else if (parse_source(line, source)) {
      part.source = source.front();
    } else if (is_part) {
      return line.fail_expected("file, checker, solid, gradient, disc, noise or texels");
    } else {
      return line.fail(fmt::format("a [texture] has no line '{}'", line.peek()));
    }
    texture_.parts.push_back(std::move(part));
  }

  void parse_texel_row(Line& line) {
    std::vector<Numbers4>& texels = std::get<TexelsSource>(texture_.parts.back().source).texels;
    while (!line.done() && !line.failed()) texels.push_back(parse_color(line));
  }

  void fail(SourceLoc loc, std::string text) { diags_.push_back(error_at(loc, std::move(text))); }

  void check_whole() {
    Texture& t = texture_;
    if (format_info(t.format).is_compressed)
      return fail(section_.loc, "texels are not compressed here; `load` takes them from a DDS or KTX file");
    if ((t.parts.empty() ? 0 : 1) + t.target.has_value() + t.file.has_value() != 1)
      return fail(section_.loc, "a [texture] takes one source: a file, a pattern, faces, a target, or texels");
    if (t.target) {
      if (t.kind != ResourceKind::Tex2D || t.mips) fail(section_.loc, "a target brings its own kind and has no mips");
      return;
    }
    if (t.file) {
      if (t.kind != ResourceKind::Tex2D || t.mips || levels_ || has_format_ || t.width != 0)
        fail(t.file->first, "a file that is loaded brings its own size, format, levels and layers");
      return;
    }
    count_levels_and_slices();
    for (const TexturePart& part : t.parts)
      if (!check_part(part)) return;
    check_complete();
  }

  void count_levels_and_slices() {
    Texture& t = texture_;
    uint32_t highest_slice = 0, highest_level = 0;
    for (const TexturePart& part : t.parts) {
      if (part.level == 0) highest_slice = std::max(highest_slice, part.slice.value_or(0));
      highest_level = std::max(highest_level, part.level);
    }
    t.levels = levels_.value_or(highest_level + 1);
    t.slices = t.kind == ResourceKind::Cube ? 6 : highest_slice + 1;
  }

  uint32_t slices_of(uint32_t level) const {
    return texture_.kind == ResourceKind::Tex3D ? std::max(texture_.slices >> level, 1u) : texture_.slices;
  }

  bool check_part(const TexturePart& part) {
    const Texture& t = texture_;
    const auto refuse = [&](SourceLoc loc, std::string text) { return fail(loc, std::move(text)), false; };
    if (part.level >= t.levels) return refuse(part.loc, "there is no such level; see `levels`");
    if (part.level > 0 && t.mips) return refuse(part.loc, "`mips` fills every level but the first");
    if (part.slice && !has_slices(t.kind)) return refuse(part.loc, "this texture has no faces, layers or slices");
    if (part.slice && *part.slice >= slices_of(part.level))
      return refuse(part.loc, fmt::format("this level has {} slices", slices_of(part.level)));
    const auto* hand = std::get_if<TexelsSource>(&part.source);
    if (!hand) return true;
    if (t.width == 0) return refuse(section_.loc, "texels by hand need a `size` line");
    const uint32_t width = std::max(1u, t.width >> part.level), height = std::max(1u, t.height >> part.level);
    const auto most = static_cast<uint32_t>(std::bit_width(std::max(t.width, t.height)));
    if (t.levels > most && t.kind != ResourceKind::Tex3D)
      return refuse(section_.loc, fmt::format("{} x {} texels have at most {} levels", t.width, t.height, most));
    if (hand->texels.size() == size_t{width} * height) return true;
    return refuse(part.loc,
                  fmt::format("this level has {} texels, found {}", size_t{width} * height, hand->texels.size()));
  }

  // Every slice of every level is filled once.
  void check_complete() {
    for (uint32_t level = 0; level < texture_.levels; ++level) {
      std::vector<uint32_t> filled(slices_of(level));
      for (const TexturePart& part : texture_.parts) {
        if (part.level != level) continue;
        for (uint32_t slice = 0; slice < filled.size(); ++slice)
          if (part.slice.value_or(slice) == slice && filled[slice]++ > 0)
            return fail(part.loc, "this part of the texture was given before");
      }
      const auto missing = std::find(filled.begin(), filled.end(), 0u);
      if (missing == filled.end()) continue;
      const auto found = filled.size() - static_cast<size_t>(std::count(filled.begin(), filled.end(), 0u));
      if (texture_.kind == ResourceKind::Cube)
        return fail(section_.loc, fmt::format("faces of level {}: a cube has six, found {}", level, found));
      return fail(section_.loc, fmt::format("level {} has no slice {}", level, missing - filled.begin()));
    }
  }

  static constexpr uint32_t kMaxSlices = 2048;
  const Section& section_;
  const bool is_d3d9_;                 // in a scene with Direct3D 9 shaders
  std::vector<Diag>& diags_;
  Texture texture_;
  bool rows_ = false;                  // rows of texels may follow
  bool has_swizzle_ = false;           // there was a `swizzle` line
  bool has_format_ = false;            // there was a `format` line
  std::optional<uint32_t> levels_;     // the `levels` line
};

}  // namespace

Texture parse_texture(const Section& section, bool is_d3d9, std::vector<Diag>& diags) {
  return TextureParser(section, is_d3d9, diags).parse();
}

Target parse_target(const Section& section, std::vector<Diag>& diags) {
  static constexpr Named<uint32_t> kSamples[] = {{"1", 1}, {"2", 2}, {"4", 4}, {"8", 8}, {"16", 16}};
  Target target;
  for_each_line(section, diags, [&](Line& line) {
    if (line.accept("size")) {
      const Size size = parse_size(line, kMaxImageSide_px);
      target.width = size.width, target.height = size.height;
    } else if (line.accept("samples")) {
      target.samples = line.one_of(kSamples);
    } else if (line.accept("array")) {
      target.kind = ResourceKind::Tex2DArray;
      target.layers = line.integer("the number of layers", 1, raster::kMaxTargetLayers);
    } else if (line.accept("volume")) {
      target.kind = ResourceKind::Tex3D;
      target.layers = line.integer("the number of slices", 1, raster::kMaxTargetLayers);
    } else if (line.accept("cube")) {
      target.kind = ResourceKind::Cube;
      target.layers = 6;
    } else if (line.accept("empty")) {
      target.empty = true;
    } else if (line.accept("color")) {
      const uint32_t index = line.integer("the colour target", 0, raster::kMaxColorTargets - 1);
      const Format format = line.format();
      if (format_info(format).is_depth_or_stencil() || format_info(format).is_compressed)
        return line.fail("a colour target needs a colour format");
      target.color[index] = format;
      target.color_count = std::max(target.color_count, index + 1);
    } else if (line.accept("depth")) {
      target.depth = line.format();
      if (!format_info(target.depth).is_depth_or_stencil()) line.fail("a depth target needs a depth or stencil format");
    } else {
      line.fail(fmt::format("a [target] has no line '{}'", line.peek()));
    }
  });
  if (target.empty && (target.color_count != 0 || target.depth != Format::NONE))
    diags.push_back(error_at(section.loc, "an empty target has neither colours nor depth"));
  if (target.samples > 1 && target.kind != ResourceKind::Tex2D && target.kind != ResourceKind::Tex2DArray)
    diags.push_back(error_at(section.loc, "a target of several samples is flat or an array"));
  if (target.kind == ResourceKind::Cube && target.width != target.height)
    diags.push_back(error_at(section.loc, "the faces of a cube are square"));
  if (target.color_count == 0 && !target.empty) target.color[target.color_count++] = Format::R8G8B8A8_UNORM;
  return target;
}

}  // namespace tessera::scene
