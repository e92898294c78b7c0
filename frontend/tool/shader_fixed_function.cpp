#include <fmt/format.h>

#include "combiners/print.h"
#include "frontend/fixed_function.h"
#include "frontend/scene_parser.h"
#include "frontend/scene_sections.h"
#include "frontend/tool/shader_command.h"

namespace tessera::tool {
namespace {

// Classic texture environments depend on the base formats of the scene's textures.
combiners::FragmentState with_formats(const scene::Scene& scene, combiners::FragmentState state) {
  for (uint32_t u = 0; u < combiners::kTextureUnits; ++u) {
    const auto texture = scene.textures.find(u);
    const auto sampler = scene.samplers.find(u);
    const bool compares = sampler != scene.samplers.end() && sampler->second.sampler.compare;
    if (state.units[u].enabled && texture != scene.textures.end())
      state.units[u].format = base_format(texture->second.format, texture->second.swizzle, compares);
  }
  return state;
}

std::string_view words_of(scene::FixedFunctionKind kind) {
  for (const scene::FixedFunctionSection& section : scene::kFixedFunctionSections)
    if (section.kind == kind) return section.words;
  return {};
}

}  // namespace

int print_fixed_function(const std::string& text, const ShaderOptions& options) {
  const Result<scene::Scene> scene = scene::parse_scene_sections(text);
  if (!scene) return report_wrong_use(scene.diags(), options.file, text);
  if (scene->fixed_functions.empty())
    return report_wrong_use({error("the scene has no fixed-function section, such as [register combiners]")},
                            options.file);
  for (const auto& [name, section] : scene->fixed_functions)
    print(fmt::format("[{}{}{}]\n{}", words_of(section.kind), name.empty() ? "" : " ", name,
                      combiners::print(with_formats(*scene, section.state))));
  return kSuccess;
}

}  // namespace tessera::tool
