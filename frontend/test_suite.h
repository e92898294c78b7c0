// frontend/test_suite.h: `tessera test` without its command line: finds scenes, runs them, judges their checks.
// A scene passes when it was read and run, checks something, and all its probes and images match.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "frontend/device.h"
#include "frontend/image_compare.h"

namespace tessera::suite {

struct ImageCheck {
  std::string path;
  Image expected, actual;        // expected: empty where it could not be read
  ImageComparison comparison;
};

struct Check {
  SourceLoc loc;
  bool passed = false;
  std::string text;
  bool is_image = false;
  ImageCheck image;              // where is_image
};

struct SceneReport {
  std::string path;
  bool unreadable = false;       // the scene or a file it names is wrong: `errors` says why
  std::string errors;            // diagnostics, ready to print; also of a frame that failed
  std::vector<Check> checks;
  std::vector<std::string> updated;   // images that were written anew
  double seconds = 0;

  bool passed() const;
};

struct SuiteReport {
  std::vector<SceneReport> scenes;             // in order of path
  std::vector<std::string> extra_images;       // beside expected ones, expected by no scene
  size_t passed = 0, failed = 0;               // scenes; each extra image counts as failed

  // 0: all passed; 1: a check failed, an image is extra, or nothing was run; 2: a scene could not be read.
  int exit_status() const;
};

struct SuiteOptions {
  std::vector<std::string> paths;              // scene files; folders are searched for *.scene
  DeviceOptions device;
  bool update = false;                         // write the images that do not match exactly
  uint32_t jobs = 1;
  // Folders with other expected images, by their paths as scenes name them (without `..` and the root): the first that
  // has an image counts, then the scene's own. Updates go to the first.
  std::vector<std::string> baselines;
};

// The scene files behind `paths`, sorted, each once. Error: a path that does not exist.
Result<std::vector<std::string>> find_scenes(const std::vector<std::string>& paths);

// `done` is called for each scene, in order, one at a time.
Result<SuiteReport> run_suite(const SuiteOptions& options, const std::function<void(const SceneReport&)>& done);

}  // namespace tessera::suite
