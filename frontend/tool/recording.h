// frontend/tool/recording.h: a scene's run with what it took: spans of time by thread, counts by pixel.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "frontend/scene_runner.h"
#include "raster/frame_log.h"

namespace tessera::tool {

using Clock = std::chrono::steady_clock;

struct Recording {
  struct Span { Clock::time_point begin, end; };
  Clock::time_point begin;
  std::shared_ptr<raster::FrameLog> log;
  ResourceRef image;                             // colour 0 of the main target, or its depth
  std::vector<Span> compiles;
  std::vector<Span> commands;                    // by place in Scene::commands
  std::vector<uint64_t> first_draw;              // of each command: draws before it
};

// As scene::run_scene on a fresh device. `by_pixel`: counts by pixel, too.
Result<scene::SceneResult> run_recorded(const DeviceOptions& options, const scene::Scene& scene,
                                        const std::string& directory, bool by_pixel, Recording& recording);

// The recording in the JSON that chrome://tracing and Perfetto open: begin and end events, microseconds.
std::string trace_json(const Recording& recording, const scene::Scene& scene, std::string_view path,
                       std::string_view source);

}  // namespace tessera::tool
