// frontend/scene_runner.h: carries out a scene's commands on a device.
//
// Errors: what is wrong with the scene or the files it names is a Result's Diags, with places in the scene. A frame
// that fails while it runs (a draw over its instruction budget) is SceneResult::failure: there is no picture then.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/counters.h"
#include "frontend/device.h"
#include "frontend/scene.h"
#include "frontend/scene_resources.h"

namespace tessera::scene {

struct ProbeOutcome {
  SourceLoc loc;
  bool passed = false;
  std::string text;              // what was probed, the tolerance, and what was found where it failed
};

// `expect image`: the caller compares, or replaces the file.
struct ImageExpectation {
  SourceLoc loc;
  std::string path;              // joined with the scene's folder
  std::array<uint8_t, 4> tolerance_un8{};
  uint64_t count = 0;
  Image actual;
};

struct SceneResult {
  std::optional<Diag> failure;
  Image picture;                 // colour 0 of the main target
  std::vector<ProbeOutcome> probes;
  std::vector<ImageExpectation> images;
  Counters counters;
  std::vector<Diag> unordered;   // where the picture may depend on the order of invocations (Shader::unordered)
};

// For those who look on while a scene runs.
struct SceneHooks {
  // Before the first command: the images of the targets by name, "" the main one. An error ends the run.
  std::function<Status(const std::map<std::string, TargetImages>& targets)> prepared;
  std::function<void(size_t command)> before_command;      // index into Scene::commands
  std::function<void()> before_compile, after_compile;     // of each shader
};

// `directory` ends in '/' or is empty; files of the scene are named relative to it. The device is a fresh one.
Result<SceneResult> run_scene(Device& device, const Scene& scene, const std::string& directory,
                              const SceneHooks& hooks = {});

// Reads, parses and runs a file. Diags of a scene's text; `source` receives it for printing them.
Result<SceneResult> run_scene_file(const DeviceOptions& options, const std::string& path, std::string& source);

std::string directory_of(const std::string& path);

}  // namespace tessera::scene
