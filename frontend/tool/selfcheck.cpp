#include <fmt/format.h>

#include <cstdio>

#include "core/hash.h"
#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"
#include "frontend/tool/command.h"
#include "frontend/tool/machine.h"
#include "frontend/tool/selfcheck_scenes.h"
#include "shader/jit.h"

namespace tessera::tool {
namespace {

Result<Image> draw(const BuiltInScene& built_in, const DeviceOptions& options, DeviceOptions& as_they_hold) {
  const Result<scene::Scene> scene = scene::parse_scene(built_in.text);
  if (!scene) return scene.diags();
  const Result<std::unique_ptr<Device>> device = Device::create(options);
  if (!device) return device.diags();
  as_they_hold = (*device)->options();
  Result<scene::SceneResult> result = scene::run_scene(**device, *scene, "");
  if (!result) return result.diags();
  if (result->failure) return *result->failure;
  return std::move(result->picture);
}

// With the reason, where it is not the one that was asked for.
std::string executor_text(ExecutorKind wanted, ExecutorKind holds) {
  if (wanted == holds || jit_refusal().empty()) return std::string(executor_name(holds));
  return fmt::format("{} (jit: {})", executor_name(holds), jit_refusal());
}

int selfcheck(const CommonOptions& common) {
  Hasher hash;
  DeviceOptions options = common.device;
  for (const BuiltInScene& built_in : selfcheck_scenes()) {
    const Result<Image> picture = draw(built_in, common.device, options);
    if (!picture) {
      report_wrong_use(picture.diags(), built_in.name, built_in.text);
      return kFailed;
    }
    hash.add(picture->width).add(picture->height).add_bytes(picture->rgba_un8.data(), picture->rgba_un8.size());
  }
  const raster::RendererOptions& r = options.raster;
  print(
      fmt::format("{:016x}  tessera {}, {} scenes; {}; executor {}, simd {}, {} threads; "
                  "limits: {} x {} texels, {} colour targets, {} loop turns\n",
                  hash.value(), TESSERA_VERSION, selfcheck_scenes().size(), cpu_name(),
                  executor_text(common.device.executor, options.executor), simd_target_name(r.simd), r.threads,
                  kMaxImageSide_px, kMaxImageSide_px, raster::kMaxColorTargets, r.instruction_budget));
  return kSuccess;
}

}  // namespace

Run declare_selfcheck(CLI::App&, CommonOptions& common) {
  return [&common] { return selfcheck(common); };
}

}  // namespace tessera::tool
