#include <fmt/format.h>

#include <algorithm>
#include <bit>

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

class TextureParser {
 public:
  TextureParser(const Section& section, std::vector<Diag>& diags) : section_(section), diags_(diags) {}

  Texture parse() {
    texture_.loc = section_.loc;
    const size_t errors_before = diags_.size();
    for_each_line(section_, diags_, [&](Line& line) { parse_line(line); });
    if (diags_.size() == errors_before) check_whole();
    return std::move(texture_);
  }

 private:
  void parse_line(Line& line) {
    const SourceLoc loc = line.loc();
    if (in_texels_ && line.next_is_number()) return parse_texel_row(line);
    in_texels_ = false;
    std::vector<TexelSource> source;
    if (parse_source(line, source)) {
      whole_.emplace_back(loc, source.front());
    } else if (line.accept("face")) {
      const uint32_t face = line.one_of(kFaces);
      if (!parse_source(line, source)) return line.fail_expected("file, checker, solid, gradient, disc or noise");
      if (by_face_[face]) return line.fail_at(loc, "this face was given before");
      by_face_[face].emplace(loc, source.front());
    } else if (line.accept("target")) {
      parse_target_source(line);
    } else if (line.accept("format")) {
      texture_.format = line.format();
    } else if (line.accept("mips")) {
      texture_.mips = true;
    } else if (line.accept("cube")) {
      texture_.cube = true;
    } else if (line.accept("size")) {
      const Size s = parse_size(line, kMaxImageSide_px);
      texture_.width = s.width, texture_.height = s.height;
    } else if (line.accept("levels")) {
      texture_.levels = line.integer("the number of levels", 1, 15);
    } else if (line.accept("texels")) {
      begin_texels(line, loc);
    } else if (line.accept("swizzle")) {
      constexpr Named<Swizzle> kChannels[] = {{"x", Swizzle::X}, {"y", Swizzle::Y},    {"z", Swizzle::Z},
                                              {"w", Swizzle::W}, {"0", Swizzle::Zero}, {"1", Swizzle::One}};
      for (Swizzle& s : texture_.swizzle) s = line.one_of(kChannels);
    } else {
      line.fail(fmt::format("a [texture] has no line '{}'", line.peek()));
    }
  }

  void parse_target_source(Line& line) {
    TargetSource source;
    source.target = line.word("the name of a target");
    source.depth = line.accept("depth");
    if (!source.depth && !line.accept("color")) return line.fail_expected("color or depth");
    if (!source.depth) source.color = line.integer("the colour target", 0, raster::kMaxColorTargets - 1);
    texture_.target = source;
  }

  void begin_texels(Line& line, SourceLoc loc) {
    TexelBlock block;
    while (!line.done() && !line.failed()) {
      if (line.accept("level")) block.level = line.integer("the level", 0, 14);
      else if (line.accept("face")) block.face = line.one_of(kFaces);
      else line.fail_expected("level or face");
    }
    texture_.blocks.push_back(block);
    block_locs_.push_back(loc);
    in_texels_ = true;
  }

  void parse_texel_row(Line& line) {
    while (!line.done() && !line.failed()) texture_.blocks.back().texels.push_back(parse_color(line));
  }

  void fail(SourceLoc loc, std::string text) { diags_.push_back(error_at(loc, std::move(text))); }

  void check_whole() {
    const auto is_given = [](const auto& face) { return face.has_value(); };
    const auto faces = static_cast<size_t>(std::count_if(std::begin(by_face_), std::end(by_face_), is_given));
    const bool by_hand = !texture_.blocks.empty();
    if (whole_.size() + (faces > 0) + texture_.target.has_value() + by_hand != 1)
      return fail(section_.loc, "a [texture] takes one source: a file, a pattern, faces, a target, or texels");
    if (faces > 0 && (!texture_.cube || faces != 6))
      return fail(section_.loc, fmt::format("faces: a cube has six, found {}", faces));
    if (texture_.target && (texture_.cube || texture_.mips))
      return fail(section_.loc, "a target is no cube and has no mips");
    if (format_info(texture_.format).is_compressed)
      return fail(section_.loc, "compressed formats are not supported here");
    texture_.faces = whole_;
    if (faces == 6)
      for (const auto& face : by_face_) texture_.faces.push_back(*face);
    if (by_hand) check_blocks();
  }

  void check_blocks() {
    if (texture_.width == 0) return fail(section_.loc, "texels by hand need a `size` line");
    if (texture_.cube && texture_.width != texture_.height) return fail(section_.loc, "the faces of a cube are square");
    const uint32_t most = static_cast<uint32_t>(std::bit_width(std::max(texture_.width, texture_.height)));
    if (texture_.levels > most)
      return fail(section_.loc,
                  fmt::format("{} x {} texels have at most {} levels", texture_.width, texture_.height, most));
    for (size_t i = 0; i < texture_.blocks.size(); ++i) {
      const TexelBlock& block = texture_.blocks[i];
      if (block.level >= texture_.levels) return fail(block_locs_[i], "there is no such level; see `levels`");
      if (block.face > 0 && !texture_.cube) return fail(block_locs_[i], "only a cube has faces");
      const size_t expected =
          size_t{std::max(1u, texture_.width >> block.level)} * std::max(1u, texture_.height >> block.level);
      if (block.texels.size() != expected)
        return fail(block_locs_[i], fmt::format("this level has {} texels, found {}", expected, block.texels.size()));
    }
  }

  const Section& section_;
  std::vector<Diag>& diags_;
  Texture texture_;
  bool in_texels_ = false;
  std::vector<std::pair<SourceLoc, TexelSource>> whole_;
  std::optional<std::pair<SourceLoc, TexelSource>> by_face_[6];
  std::vector<SourceLoc> block_locs_;
};

}  // namespace

Texture parse_texture(const Section& section, std::vector<Diag>& diags) {
  return TextureParser(section, diags).parse();
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
  if (target.color_count == 0) target.color[target.color_count++] = Format::R8G8B8A8_UNORM;
  return target;
}

texture::Sampler parse_sampler(const Section& section, std::vector<Diag>& diags) {
  using texture::Compare;
  using texture::Filter;
  using texture::MipFilter;
  using texture::Wrap;
  static constexpr Named<Filter> kFilters[] = {{"nearest", Filter::Nearest}, {"linear", Filter::Linear}};
  static constexpr Named<MipFilter> kMips[] = {
      {"none", MipFilter::None}, {"nearest", MipFilter::Nearest}, {"linear", MipFilter::Linear}};
  static constexpr Named<Wrap> kWraps[] = {{"repeat", Wrap::Repeat},
                                           {"clamp", Wrap::Clamp},
                                           {"clamp_to_edge", Wrap::ClampToEdge},
                                           {"clamp_to_border", Wrap::ClampToBorder},
                                           {"mirror_repeat", Wrap::MirrorRepeat},
                                           {"mirror_clamp", Wrap::MirrorClamp},
                                           {"mirror_clamp_to_edge", Wrap::MirrorClampToEdge},
                                           {"mirror_clamp_to_border", Wrap::MirrorClampToBorder}};
  static constexpr Named<Compare> kCompares[] = {{"never", Compare::Never},     {"less", Compare::Less},
                                                 {"equal", Compare::Equal},     {"lequal", Compare::Lequal},
                                                 {"greater", Compare::Greater}, {"notequal", Compare::NotEqual},
                                                 {"gequal", Compare::Gequal},   {"always", Compare::Always}};

  texture::Sampler sampler;
  for_each_line(section, diags, [&](Line& line) {
    if (line.accept("filter")) {
      sampler.min_filter = line.one_of(kFilters);
      sampler.mag_filter = line.one_of(kFilters);
    } else if (line.accept("mip")) {
      sampler.mip_filter = line.one_of(kMips);
    } else if (line.accept("wrap")) {
      sampler.wrap_s = line.one_of(kWraps);
      sampler.wrap_t = line.done() ? sampler.wrap_s : line.one_of(kWraps);
      sampler.wrap_r = line.done() ? sampler.wrap_t : line.one_of(kWraps);
    } else if (line.accept("bias")) {
      sampler.lod_bias = line.real("the bias");
    } else if (line.accept("lod")) {
      sampler.min_lod = line.real("the smallest level");
      sampler.max_lod = line.real("the largest level");
    } else if (line.accept("border")) {
      for (uint32_t& word : sampler.border) word = std::bit_cast<uint32_t>(line.real("red, green, blue and alpha"));
    } else if (line.accept("compare")) {
      sampler.compare = true;
      sampler.compare_func = line.one_of(kCompares);
    } else if (line.accept("anisotropy")) {
      sampler.max_anisotropy = static_cast<uint8_t>(line.integer("the anisotropy", 1, 16));
    } else if (line.accept("seamless")) {
      sampler.seamless_cube = line.on_off();
    } else if (line.accept("unnormalized")) {
      sampler.unnormalized = line.on_off();
    } else {
      line.fail(fmt::format("a [sampler] has no line '{}'", line.peek()));
    }
  });
  return sampler;
}

}  // namespace tessera::scene
