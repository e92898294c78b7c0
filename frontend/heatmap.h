// frontend/heatmap.h: numbers by pixel as a picture of colours, with a legend below.
// In:     what a FrameLog wrote down about one image.
// Out:    an Image as wide as the target, and kLegend_px higher.
// Errors: what is not measured by pixel.              Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "frontend/image_io.h"
#include "raster/frame_log.h"

namespace tessera {

enum class HeatOf : uint8_t {
  Time,        // microseconds of a tile
  Fragments,   // shaded a pixel
  Overdraw,    // written a pixel: fragments that passed all tests
  Quads        // percent of the lanes that were shaded for a covered pixel
};
enum class HeatBy : uint8_t { Tile, Pixel };   // Tile: the mean of a tile's pixels

struct HeatGrid {
  uint32_t width = 0, height = 0;
  std::vector<float> value;                    // row by row
  float least = 0, most = 0;                   // ends of the scale
  std::string title, unit;
};

inline constexpr uint32_t kLegend_px = 44;

// `image`: what the log's heat counts.
Result<HeatGrid> make_heat_grid(const raster::FrameLog& log, const Resource& image, HeatOf of, HeatBy by);
Image draw_heat(const HeatGrid& grid);

// Text in a small font, its upper left corner at (x, y); what lies outside is cut off.
void draw_label(Image& image, uint32_t x, uint32_t y, const std::string& text, const std::array<uint8_t, 3>& color);

}  // namespace tessera
