#include "frontend/test_suite.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>
#include <thread>

#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"

namespace tessera::suite {
namespace {

namespace fs = std::filesystem;

std::string normal_path(const std::string& path) { return fs::path(path).lexically_normal().string(); }

Check judge_probe(const scene::ProbeOutcome& probe) {
  return {.loc = probe.loc, .passed = probe.passed, .text = probe.text, .image = {}};
}

// Below the folder, whatever the scene's path: parts that lead out of it are left out.
std::string baseline_path(const std::string& folder, const std::string& image) {
  fs::path path = folder;
  for (const fs::path& part : fs::path(normal_path(image)).relative_path())
    if (part != "..") path /= part;
  return path.string();
}

std::string expected_path(const std::string& image, const SuiteOptions& options) {
  if (options.update && !options.baselines.empty()) return baseline_path(options.baselines.front(), image);
  for (const std::string& folder : options.baselines) {
    const std::string path = baseline_path(folder, image);
    std::error_code code;
    if (fs::exists(path, code)) return path;
  }
  return image;
}

Check judge_image(scene::ImageExpectation& expectation, const SuiteOptions& options) {
  Check check{.loc = expectation.loc, .is_image = true, .image = {}};
  ImageCheck& image = check.image;
  image.path = expected_path(expectation.path, options);
  image.actual = std::move(expectation.actual);
  Result<Image> expected = read_image_file(image.path);
  if (expected) {
    image.expected = std::move(*expected);
    image.comparison = compare_images(image.expected, image.actual, {expectation.tolerance_un8, expectation.count});
  } else {
    image.comparison.text = expected.diags().front().text;
  }
  check.passed = image.comparison.passed;
  check.text = fmt::format("image {}: {}", image.path, image.comparison.text);
  return check;
}

Status update_image(SceneReport& report, Check& check) {
  const ImageCheck& image = check.image;
  if (image.expected == image.actual) return Done{};
  std::error_code ignored;   // writing the file reports what is wrong with the folder
  fs::create_directories(fs::path(image.path).parent_path(), ignored);
  if (Status s = write_png_file(image.path, image.actual); !s) return s;
  report.updated.push_back(image.path);
  check.passed = true;
  check.text = fmt::format("image {}: written anew", image.path);
  return Done{};
}

SceneReport run_one(const std::string& path, const SuiteOptions& options) {
  SceneReport report;
  report.path = path;
  const auto begin = std::chrono::steady_clock::now();
  std::string source;
  Result<scene::SceneResult> result = scene::run_scene_file(options.device, path, source);
  if (!result) {
    report.unreadable = true;
    report.errors = format_diags(result.diags(), path, source);
  } else if (result->failure) {
    report.errors = format_diags({*result->failure}, path, source);
  } else {
    for (const scene::ProbeOutcome& probe : result->probes) report.checks.push_back(judge_probe(probe));
    for (scene::ImageExpectation& image : result->images) report.checks.push_back(judge_image(image, options));
    if (report.checks.empty())
      report.errors = format_diags({error("the scene checks nothing: no probe, no expected image")}, path);
  }
  for (Check& check : report.checks) {
    if (options.update && check.is_image)
      if (Status s = update_image(report, check); !s) report.errors += format_diags(s.diags(), path);
    if (check.passed) check.image = {};   // reports show failed ones only
  }
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

// Runs all scenes on `jobs` threads and hands the reports over in order.
std::vector<SceneReport> run_all(const std::vector<std::string>& paths, const SuiteOptions& options,
                                 const std::function<void(const SceneReport&)>& done) {
  std::vector<SceneReport> reports(paths.size());
  std::vector<char> finished(paths.size(), 0);
  std::atomic<size_t> next{0};
  std::mutex mutex;
  std::condition_variable changed;
  const auto work = [&] {
    for (size_t i = next++; i < paths.size(); i = next++) {
      reports[i] = run_one(paths[i], options);
      const std::lock_guard lock(mutex);
      finished[i] = 1;
      changed.notify_one();
    }
  };
  std::vector<std::thread> workers;
  for (uint32_t i = 0; i < std::min<size_t>(std::max(1u, options.jobs), paths.size()); ++i) workers.emplace_back(work);
  for (size_t i = 0; i < paths.size(); ++i) {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return finished[i] != 0; });
    lock.unlock();
    done(reports[i]);
  }
  for (std::thread& worker : workers) worker.join();
  return reports;
}

// The files that a scene names: expected images and textures.
void add_named_files(const std::string& path, std::set<std::string>& named, std::set<std::string>& image_folders) {
  const Result<std::vector<uint8_t>> file = read_file(path);
  if (!file) return;
  const Result<scene::Scene> scene =
      scene::parse_scene(std::string_view(reinterpret_cast<const char*>(file->data()), file->size()));
  if (!scene) return;
  const std::string directory = scene::directory_of(path);
  for (const auto& [number, texture] : scene->textures)
    for (const scene::TexturePart& part : texture.parts)
      if (const auto* texture_file = std::get_if<scene::FileSource>(&part.source))
        named.insert(normal_path(directory + texture_file->path));
  for (const scene::Command& command : scene->commands)
    if (const auto* expect = std::get_if<scene::ExpectImage>(&command.action)) {
      named.insert(normal_path(directory + expect->path));
      image_folders.insert(normal_path(scene::directory_of(directory + expect->path)));
    }
}

bool is_below(const std::string& path, const std::vector<std::string>& folders) {
  return std::any_of(folders.begin(), folders.end(), [&](const std::string& folder) {
    std::error_code code;
    const std::string prefix = normal_path(folder + "/");
    return fs::is_directory(folder, code) &&
           (prefix == "./" ? !path.starts_with("/") && !path.starts_with("..") : path.starts_with(prefix));
  });
}

// Only where whole folders are tested: a single scene says nothing about its neighbours' images.
std::vector<std::string> find_extra_images(const std::vector<std::string>& scenes,
                                           const std::vector<std::string>& paths) {
  std::set<std::string> named, folders;
  for (const std::string& scene : scenes) add_named_files(scene, named, folders);
  std::vector<std::string> extra;
  for (const std::string& folder : folders) {
    std::error_code code;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder.empty() ? "." : folder, code)) {
      const std::string file = normal_path(entry.path().string());
      if (file.ends_with(".png") && !named.contains(file) && is_below(file, paths)) extra.push_back(file);
    }
  }
  std::sort(extra.begin(), extra.end());
  return extra;
}

}  // namespace

bool SceneReport::passed() const {
  return errors.empty() && !checks.empty() &&
         std::all_of(checks.begin(), checks.end(), [](const Check& c) { return c.passed; });
}

int SuiteReport::exit_status() const {
  if (std::any_of(scenes.begin(), scenes.end(), [](const SceneReport& s) { return s.unreadable; })) return 2;
  return scenes.empty() || failed > 0 ? 1 : 0;
}

Result<std::vector<std::string>> find_scenes(const std::vector<std::string>& paths) {
  std::set<std::string> found;
  for (const std::string& path : paths) {
    std::error_code code;
    if (fs::is_directory(path, code)) {
      for (auto it = fs::recursive_directory_iterator(path, code); !code && it != fs::recursive_directory_iterator();
           it.increment(code))
        if (it->path().extension() == ".scene") found.insert(normal_path(it->path().string()));
    } else if (fs::exists(path, code)) {
      found.insert(normal_path(path));
    } else {
      return error(fmt::format("'{}' does not exist", path));
    }
    if (code) return error(fmt::format("cannot read '{}': {}", path, code.message()));
  }
  return std::vector<std::string>(found.begin(), found.end());
}

Result<SuiteReport> run_suite(const SuiteOptions& options, const std::function<void(const SceneReport&)>& done) {
  Result<std::vector<std::string>> scenes = find_scenes(options.paths);
  if (!scenes) return scenes.diags();
  SuiteReport report;
  report.scenes = run_all(*scenes, options, done);
  report.extra_images = find_extra_images(*scenes, options.paths);
  for (const SceneReport& scene : report.scenes) ++(scene.passed() ? report.passed : report.failed);
  report.failed += report.extra_images.size();
  return report;
}

}  // namespace tessera::suite
