#include <fmt/format.h>

#include <memory>

#include "frontend/scene_parser.h"
#include "frontend/tool/command.h"
#include "frontend/tool/pixel_report.h"

namespace tessera::tool {
namespace {

struct Options {
  std::string scene;
  scene::PixelQuery query;
  bool json = false;
};

int pixel(const Options& options, const CommonOptions& common) {
  const Result<std::vector<uint8_t>> file = read_file(options.scene);
  if (!file) return report_wrong_use(file.diags(), options.scene);
  const std::string source(file->begin(), file->end());
  const Result<scene::Scene> scene = scene::parse_scene(source);
  if (!scene) return report_wrong_use(scene.diags(), options.scene, source);
  const Result<scene::PixelReport> report =
      scene::inspect_pixel(common.device, *scene, scene::directory_of(options.scene), options.query);
  if (!report) return report_wrong_use(report.diags(), options.scene, source);
  if (report->failure) {
    report_wrong_use({*report->failure}, options.scene, source);
    return kFailed;
  }
  const PixelContext context{*scene, options.scene, source, *report};
  print(options.json ? pixel_json(context) : pixel_text(context));
  return kSuccess;
}

}  // namespace

Run declare_pixel(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  app.add_option("SCENE", options->scene, "the scene file")->required();
  app.add_option("X", options->query.x, "the pixel's column, from 0 at the left")->required();
  app.add_option("Y", options->query.y, "its row, from 0 at the top")->required();
  app.add_option("--sample", options->query.sample, "of a target with several samples a pixel: which")
      ->capture_default_str();
  app.add_option("--target", options->query.target, "name of the target; default: the main one");
  app.add_option("--layer", options->query.layer, "layer, face or slice of the target")->capture_default_str();
  app.add_option("--step", options->query.step, "show every instruction of the program of fragment N of the history");
  app.add_flag("--json", options->json, "print JSON");
  return [options, &common] { return pixel(*options, common); };
}

}  // namespace tessera::tool
