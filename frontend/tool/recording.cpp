#include "frontend/tool/recording.h"

namespace tessera::tool {

Result<scene::SceneResult> run_recorded(const DeviceOptions& options, const scene::Scene& scene,
                                        const std::string& directory, bool by_pixel, Recording& recording) {
  recording.begin = Clock::now();
  Result<std::unique_ptr<Device>> device = Device::create(options);
  if (!device) return device.diags();
  raster::Renderer& renderer = (*device)->context().renderer();

  const auto end_command = [&] {
    if (!recording.commands.empty()) recording.commands.back().end = Clock::now();
  };
  scene::SceneHooks hooks;
  hooks.before_compile = [&] { recording.compiles.push_back({Clock::now(), {}}); };
  hooks.after_compile = [&] { recording.compiles.back().end = Clock::now(); };
  hooks.prepared = [&](const std::map<std::string, scene::TargetImages>& targets) -> Status {
    const scene::TargetImages& main = targets.at("");
    recording.image = main.color[0] ? main.color[0] : main.depth;
    recording.log =
        std::make_shared<raster::FrameLog>(renderer.arena().threads(), by_pixel ? recording.image : nullptr);
    renderer.set_frame_log(recording.log);
    return Done{};
  };
  hooks.before_command = [&](size_t) {
    end_command();
    recording.commands.push_back({Clock::now(), {}});
    recording.first_draw.push_back(renderer.counters().draws);
  };
  Result<scene::SceneResult> result = scene::run_scene(**device, scene, directory, hooks);
  end_command();
  return result;
}

}  // namespace tessera::tool
