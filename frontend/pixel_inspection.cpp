#include "frontend/pixel_inspection.h"

#include <fmt/format.h>

#include <algorithm>

#include "raster/pixel_watch.h"

namespace tessera::scene {
namespace {

std::string name_of(const std::string& target) {
  return target.empty() ? "[target]" : fmt::format("[target {}]", target);
}

Status check_place(const PixelQuery& q, const Target& target) {
  if (target.empty) return error(fmt::format("{} has no images: nothing is stored there", name_of(q.target)));
  if (q.x >= target.width || q.y >= target.height)
    return error(fmt::format("pixel {}, {} lies outside of {}, which is {} x {}", q.x, q.y, name_of(q.target),
                             target.width, target.height));
  if (q.layer >= target.layers)
    return error(fmt::format("layer {} is none of {}, which has {}", q.layer, name_of(q.target), target.layers));
  if (q.sample >= target.samples)
    return error(fmt::format("sample {} is none of {}, which has {} a pixel", q.sample, name_of(q.target),
                             target.samples));
  return Done{};
}

// What the steps count from is known only after the run.
Status check_step(const PixelReport& report) {
  if (!report.query.step) return Done{};
  const std::vector<const raster::PixelEvent*> fragments = fragments_of(report);
  const uint32_t step = *report.query.step;
  if (step >= fragments.size())
    return error(fmt::format("fragment {} is none of the pixel's, which has {} of them, counted from 0", step,
                             fragments.size()));
  if (!fragments[step]->program)
    return error(fmt::format("fragment {} ran no program: it was dropped before, or its draw has none", step));
  return Done{};
}

}  // namespace

Result<PixelReport> inspect_pixel(const DeviceOptions& options, const Scene& scene, const std::string& directory,
                                  const PixelQuery& query) {
  const auto found = scene.targets.find(query.target);
  if (found == scene.targets.end()) return error(fmt::format("the scene has no {}", name_of(query.target)));
  PixelReport report{.query = query, .target = found->second};
  if (Status s = check_place(query, report.target); !s) return s.diags();
  Result<std::unique_ptr<Device>> device = Device::create(options);
  if (!device) return device.diags();

  std::shared_ptr<raster::PixelWatch> watch;
  SceneHooks hooks;
  hooks.prepared = [&](const std::map<std::string, TargetImages>& targets) -> Status {
    const TargetImages& images = targets.at(query.target);
    const raster::PixelPlace place{static_cast<int32_t>(query.x), static_cast<int32_t>(query.y), query.layer,
                                   query.sample};
    watch = std::make_shared<raster::PixelWatch>(
        std::vector<std::shared_ptr<Resource>>(images.color.begin(), images.color.end()), images.depth, place,
        query.step.value_or(raster::PixelWatch::kNoFragment));
    (*device)->context().renderer().set_pixel_watch(watch);
    return Done{};
  };
  hooks.before_command = [&](size_t command) { watch->set_place(static_cast<uint32_t>(command)); };
  const Result<SceneResult> result = run_scene(**device, scene, directory, hooks);
  if (!result) return result.diags();
  report.failure = result->failure;
  if (report.failure) return report;
  report.picture = result->picture;
  report.events = watch->take_events();
  if (Status s = check_step(report); !s) return s.diags();
  return report;
}

std::vector<const raster::PixelEvent*> fragments_of(const PixelReport& report) {
  std::vector<const raster::PixelEvent*> fragments;
  for (const raster::PixelEvent& event : report.events)
    if (event.kind == raster::PixelEvent::Kind::Fragment) fragments.push_back(&event);
  return fragments;
}

const ShaderText* fragment_text_at(const Scene& scene, uint32_t command) {
  std::optional<std::string> name;
  if (scene.fragment_shaders.contains("")) name = "";
  for (uint32_t i = 0; i < command && i < scene.commands.size(); ++i) {
    const Action& action = scene.commands[i].action;
    const UseShader* use = std::get_if<UseShader>(&action);
    const UnsetShader* unset = std::get_if<UnsetShader>(&action);
    if (use && use->stage == ir::Stage::Fragment) name = use->name;
    if (unset && unset->stage == ir::Stage::Fragment) name.reset();
  }
  return name ? &scene.fragment_shaders.at(*name) : nullptr;
}

const FixedFunction* fixed_function_at(const Scene& scene, uint32_t command) {
  std::optional<std::string> name;
  if (scene.fixed_functions.contains("")) name = "";
  for (uint32_t i = 0; i < command && i < scene.commands.size(); ++i)
    if (const UseFixedFunction* use = std::get_if<UseFixedFunction>(&scene.commands[i].action)) name = use->name;
  return name ? &scene.fixed_functions.at(*name) : nullptr;
}

}  // namespace tessera::scene
