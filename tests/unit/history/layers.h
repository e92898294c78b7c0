// tests/unit/history/layers.h: scenes of many layers of triangles at random, and what a pixel of them holds after a
// part of the draws: the slow and obvious way to a pixel's history.
#pragma once

#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "frontend/pixel_inspection.h"

namespace tessera::tests {

struct LayerKind {
  const char* name;
  const char* target;            // lines of [target]
  const char* state;             // lines of [state]
  const char* fragment;          // the fragment program
  const char* clear_depth;       // at the start; "": there is no depth
};
// Early and late tests, blending, stencil, kill, alpha test, several samples, shading a sample, float targets.
const std::vector<LayerKind>& layer_kinds();

inline constexpr uint32_t kLayers = 50, kLayerSize = 40;

// A scene that draws the first `layers` of the triangles: each with a draw, or all with one.
std::string layered_scene(const LayerKind& kind, uint32_t seed, uint32_t layers, bool one_draw);

inline scene::PixelQuery random_place(std::mt19937& random, uint32_t width, uint32_t height) {
  scene::PixelQuery query;
  query.x = static_cast<uint32_t>(random() % width);
  query.y = static_cast<uint32_t>(random() % height);
  return query;
}

struct StoredPixel {
  std::vector<std::byte> color, depth;
  bool operator==(const StoredPixel&) const = default;
};
// Runs the scene as it is; what a sample of the main target then holds.
StoredPixel render_pixel(const std::string& scene, uint32_t x, uint32_t y, uint32_t sample);

}  // namespace tessera::tests
