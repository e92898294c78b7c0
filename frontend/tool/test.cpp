#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <system_error>

#include "frontend/image_io.h"
#include "frontend/test_report.h"
#include "frontend/test_suite.h"
#include "frontend/tool/command.h"

namespace tessera::tool {
namespace {

struct Options {
  suite::SuiteOptions suite;
  std::string report_folder, junit_file;
};

void print_scene(const suite::SceneReport& scene, bool quiet) {
  if (!scene.passed() || !quiet) print(fmt::format("{}  {}\n", scene.passed() ? "pass" : "FAIL", scene.path));
  print(scene.errors);
  for (const suite::Check& check : scene.checks)
    if (!check.passed || !quiet)
      print(fmt::format("  {}:{}: {}{}\n", check.loc.line, check.loc.column, check.passed ? "" : "FAIL: ", check.text));
}

Status write_text(const std::string& path, const std::string& text) {
  return write_file(path, text.data(), text.size());
}

Status write_reports(const Options& options, const suite::SuiteReport& report) {
  if (!options.report_folder.empty()) {
    std::error_code ignored;   // writing the file reports what is wrong with the folder
    std::filesystem::create_directories(options.report_folder, ignored);
    if (Status s = write_text(options.report_folder + "/index.html", suite::html_report(report)); !s) return s;
  }
  return options.junit_file.empty() ? Status(Done{}) : write_text(options.junit_file, suite::junit_xml(report));
}

int test(Options& options, const CommonOptions& common) {
  options.suite.device = common.device;
  if (options.suite.jobs > 1 && common.device.raster.threads == 0) options.suite.device.raster.threads = 1;
  const Result<std::vector<std::string>> scenes = suite::find_scenes(options.suite.paths);
  if (!scenes) return report_wrong_use(scenes.diags(), "tessera test");
  Progress progress("scene", scenes->size(), common.quiet);
  const Result<suite::SuiteReport> report = suite::run_suite(options.suite, [&](const suite::SceneReport& scene) {
    progress.clear();
    print_scene(scene, common.quiet);
    progress.step();
  });
  progress.clear();
  if (!report) return report_wrong_use(report.diags(), "tessera test");
  for (const std::string& image : report->extra_images)
    print(fmt::format("FAIL  {}: no scene expects this image\n", image));
  if (report->scenes.empty()) print("FAIL  no scene was found\n");
  if (Status s = write_reports(options, *report); !s) return report_wrong_use(s.diags(), "tessera test");
  print(fmt::format("{} passed, {} failed, 0 skipped\n", report->passed,
                    report->failed + (report->scenes.empty() ? 1 : 0)));
  return report->exit_status();
}

}  // namespace

Run declare_test(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  app.add_option("PATH", options->suite.paths, "scene files, or folders that are searched for them")->required();
  app.add_flag("--update", options->suite.update, "write the expected images that do not match anew");
  app.add_option("--report", options->report_folder, "folder for an HTML report, index.html");
  app.add_option("--junit", options->junit_file, "file for a JUnit XML report");
  app.add_option("--baseline", options->suite.baselines,
                 "folder with other expected images, as DIR/PATH-OF-THE-IMAGE; repeated: the first that has one counts")
      ->allow_extra_args(false);
  app.add_option("--jobs", options->suite.jobs, "scenes that run at once, one thread each unless --threads is given")
      ->check(CLI::Range(1, 256));
  return [options, &common] { return test(*options, common); };
}

}  // namespace tessera::tool
