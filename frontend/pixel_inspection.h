// frontend/pixel_inspection.h: runs a scene and tells what happened to one pixel (raster/pixel_history.h).
// In:     a scene; the target, pixel, layer and sample; the number of a fragment to trace.
// Out:    the events; what the pixel holds at the end, the bits of an ordinary render.
// Errors: a place outside of the target; those of scenes. A frame that fails is PixelReport::failure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "frontend/scene_runner.h"
#include "raster/pixel_history.h"

namespace tessera::scene {

struct PixelQuery {
  std::string target;                            // "": the main one
  uint32_t x = 0, y = 0, layer = 0, sample = 0;
  std::optional<uint32_t> step;                  // fragment whose program is traced
};

struct PixelReport {
  PixelQuery query;
  Target target;
  std::optional<Diag> failure;
  Image picture;                                 // SceneResult::picture
  std::vector<raster::PixelEvent> events;        // PixelEvent::place is an index into Scene::commands
};

Result<PixelReport> inspect_pixel(const DeviceOptions& options, const Scene& scene, const std::string& directory,
                                  const PixelQuery& query);

// The events of kind Fragment, by number.
std::vector<const raster::PixelEvent*> fragments_of(const PixelReport& report);

// The fragment program's text that was in use at a command, or null (none, or fixed-function state).
const ShaderText* fragment_text_at(const Scene& scene, uint32_t command);

// The fixed-function section that was in use at a command, or null.
const FixedFunction* fixed_function_at(const Scene& scene, uint32_t command);

}  // namespace tessera::scene
