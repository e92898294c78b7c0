#include <fmt/format.h>

#include <memory>

#include "frontend/image_io.h"
#include "frontend/scene_runner.h"
#include "frontend/tool/command.h"

namespace tessera::tool {
namespace {

struct Options {
  std::string scene, output;
};

int render(const Options& options, const CommonOptions& common) {
  std::string source;
  const Result<scene::SceneResult> result = scene::run_scene_file(common.device, options.scene, source);
  if (!result) return report_wrong_use(result.diags(), options.scene, source);
  if (result->failure) {
    report_wrong_use({*result->failure}, options.scene, source);
    return kFailed;
  }
  if (Status s = write_png_file(options.output, result->picture); !s)
    return report_wrong_use(s.diags(), options.output);
  if (!common.quiet && !common.device.strict) report_unordered(result->unordered, options.scene);
  if (!common.quiet) print(fmt::format("{}: {} x {}\n", options.output, result->picture.width, result->picture.height));
  return kSuccess;
}

}  // namespace

Run declare_render(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  app.add_option("SCENE", options->scene, "the scene file")->required();
  app.add_option("-o,--output", options->output, "the PNG file to write")->required();
  return [options, &common] { return render(*options, common); };
}

}  // namespace tessera::tool
