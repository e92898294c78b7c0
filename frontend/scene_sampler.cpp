#include <fmt/format.h>

#include <bit>

#include "frontend/scene_sections.h"

namespace tessera::scene {

SamplerSection parse_sampler(const Section& section, bool is_d3d9, std::vector<Diag>& diags) {
  using texture::Compare;
  using texture::Filter;
  using texture::LevelRule;
  using texture::MipFilter;
  using texture::Reduction;
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
  static constexpr Named<Reduction> kReductions[] = {
      {"average", Reduction::Average}, {"min", Reduction::Min}, {"max", Reduction::Max}};
  static constexpr Named<LevelRule> kLevelRules[] = {{"opengl", LevelRule::OpenGl}, {"d3d9", LevelRule::Direct3d9}};

  SamplerSection parsed;
  texture::Sampler& sampler = parsed.sampler;
  for_each_line(section, diags, [&](Line& line) {
    if (is_d3d9) return parse_d3d9_sampler_line(line, parsed.d3d9);
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
    } else if (line.accept("reduction")) {
      sampler.reduction = line.one_of(kReductions);
    } else if (line.accept("level_rule")) {
      sampler.level_rule = line.one_of(kLevelRules);
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
  return parsed;
}

}  // namespace tessera::scene
