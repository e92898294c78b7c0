// frontend/pixel_runs.h: a pixel rectangle or bitmap -> rectangles of the window, each of one value.
// In:     texels as fragments will carry them, row by row; where the rectangle lies (frontend/pixels.h).
// Out:    rectangles in the order of the texels; neighbours of a row that are alike are one. None is outside the target.
// Numbers: edges are x + zoom * n in double; without samples, whole pixels, so that the fill rule decides nothing.
// Threads: pure functions.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "frontend/pixels.h"

namespace tessera {

// An instance of the rectangles' vertex program (frontend/pixels.cpp).
struct PixelInstance {
  float rect[4] = {0, 0, 0, 0};                    // x0, y0, x1, y1 in the window
  std::array<float, 4> color{};
  float depth = 0;
  uint32_t stencil = 0;
};

struct PixelValue {
  std::array<float, 4> color{};
  float depth = 0;
  uint32_t stencil = 0;
  bool drawn = true;                               // false: no fragments (bits that are not set)
};

struct PixelGrid {
  double x = 0, y = 0, zoom_x = 1, zoom_y = 1;
  uint32_t target_width = 0, target_height = 0;
  bool half_pixel_center = true, bottom_edge_rule = false;
  bool samples = false;                            // several a pixel: edges stay where they are
};

std::vector<PixelInstance> make_runs(const PixelGrid& grid, uint32_t width, uint32_t height,
                                     std::span<const PixelValue> values);

}  // namespace tessera
