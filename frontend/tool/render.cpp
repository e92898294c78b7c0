#include <fmt/format.h>

#include <map>
#include <memory>
#include <thread>

#include "frontend/heatmap.h"
#include "frontend/image_io.h"
#include "frontend/scene_parser.h"
#include "frontend/tool/command.h"
#include "frontend/tool/recording.h"

namespace tessera::tool {
namespace {

struct Options {
  std::string scene, output;
  std::string heatmap, trace;                    // files; empty: none
  HeatOf heat_of = HeatOf::Time;
  std::optional<HeatBy> heat_by;
};

HeatBy heat_by(const Options& o) {
  return o.heat_by.value_or(o.heat_of == HeatOf::Time ? HeatBy::Tile : HeatBy::Pixel);
}

Result<scene::SceneResult> run_plain(const DeviceOptions& options, const scene::Scene& scene,
                                     const std::string& directory) {
  Result<std::unique_ptr<Device>> device = Device::create(options);
  if (!device) return device.diags();
  return scene::run_scene(**device, scene, directory);
}

// Both pictures at once: packing them takes longer than drawing most scenes.
Status write_pictures(const Options& options, const Image& picture, const Image* heat) {
  if (heat == nullptr) return write_png_file(options.output, picture);
  Status heat_status = Done{};
  std::thread other([&] { heat_status = write_diagram_file(options.heatmap, *heat); });
  const Status status = write_png_file(options.output, picture);
  other.join();
  return status ? heat_status : status;
}

Status write_extras(const Options& options, const Recording& recording, const scene::Scene& scene,
                    std::string_view source, const Image& picture) {
  if (!options.trace.empty()) {
    const std::string json = trace_json(recording, scene, options.scene, source);
    if (Status s = write_file(options.trace, json.data(), json.size()); !s) return s;
  }
  if (options.heatmap.empty()) return write_pictures(options, picture, nullptr);
  const Result<HeatGrid> grid = make_heat_grid(*recording.log, *recording.image, options.heat_of, heat_by(options));
  if (!grid) return grid.diags();
  const Image heat = draw_heat(*grid);
  return write_pictures(options, picture, &heat);
}

int render(const Options& options, const CommonOptions& common) {
  if (options.heat_of == HeatOf::Time && heat_by(options) == HeatBy::Pixel)
    return report_wrong_use({error("--heatmap-by pixel: time is measured by tile")}, "tessera render");
  const Result<std::vector<uint8_t>> file = read_file(options.scene);
  if (!file) return report_wrong_use(file.diags(), options.scene);
  const std::string source(file->begin(), file->end());
  const Result<scene::Scene> scene = scene::parse_scene(source);
  if (!scene) return report_wrong_use(scene.diags(), options.scene, source);

  Recording recording;
  const std::string directory = scene::directory_of(options.scene);
  const bool records = !options.heatmap.empty() || !options.trace.empty();
  const Result<scene::SceneResult> result =
      records ? run_recorded(common.device, *scene, directory, !options.heatmap.empty(), recording)
              : run_plain(common.device, *scene, directory);
  if (!result) return report_wrong_use(result.diags(), options.scene, source);
  if (result->failure) {
    report_wrong_use({*result->failure}, options.scene, source);
    return kFailed;
  }
  const Status written = records ? write_extras(options, recording, *scene, source, result->picture)
                                 : write_png_file(options.output, result->picture);
  if (!written) return report_wrong_use(written.diags(), options.output);
  if (!common.quiet && !common.device.strict) report_unordered(result->unordered, options.scene);
  if (!common.quiet) print(fmt::format("{}: {} x {}\n", options.output, result->picture.width, result->picture.height));
  return kSuccess;
}

}  // namespace

Run declare_render(CLI::App& app, CommonOptions& common) {
  static const std::map<std::string, HeatOf> kHeatOf = {{"time", HeatOf::Time},
                                                        {"fragments", HeatOf::Fragments},
                                                        {"overdraw", HeatOf::Overdraw},
                                                        {"quads", HeatOf::Quads}};
  static const std::map<std::string, HeatBy> kHeatBy = {{"tile", HeatBy::Tile}, {"pixel", HeatBy::Pixel}};
  auto options = std::make_shared<Options>();
  app.add_option("SCENE", options->scene, "the scene file")->required();
  app.add_option("-o,--output", options->output, "the PNG file to write")->required();
  app.add_option("--heatmap", options->heatmap, "a PNG file that shows where the work was");
  app.add_option_function<std::string>(
         "--heatmap-of", [options](const std::string& name) { options->heat_of = kHeatOf.at(name); },
         "time (default), fragments (shaded), overdraw (written) or quads (covered part of what was shaded)")
      ->check(CLI::IsMember(kHeatOf));
  app.add_option_function<std::string>(
         "--heatmap-by", [options](const std::string& name) { options->heat_by = kHeatBy.at(name); },
         "tile or pixel (default, but for time)")
      ->check(CLI::IsMember(kHeatBy));
  app.add_option("--trace", options->trace,
                 "a JSON file of what each thread did when, for Perfetto or chrome://tracing");
  return [options, &common] { return render(*options, common); };
}

}  // namespace tessera::tool
