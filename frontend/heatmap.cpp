#include "frontend/heatmap.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera {
namespace {

using raster::LogSpan;

using Rgb = std::array<uint8_t, 3>;
constexpr std::array<Rgb, 9> kColors = {{{13, 8, 32}, {58, 12, 94}, {110, 24, 110}, {160, 42, 99}, {205, 66, 71},
                                         {237, 105, 37}, {251, 155, 6}, {247, 209, 61}, {252, 255, 200}}};
constexpr std::array<uint8_t, 3> kPaper = {250, 250, 250}, kInk = {20, 20, 20};
constexpr uint32_t kBar_px = 14, kMargin_px = 8;

// In steps that the eye does not see, so few that the picture's file can have a palette.
constexpr float kSteps = 240;

Rgb color_of_step(float step) {
  const float at = step / kSteps * static_cast<float>(kColors.size() - 1);
  const size_t i = std::min(static_cast<size_t>(at), kColors.size() - 2);
  const float rest = at - static_cast<float>(i);
  std::array<uint8_t, 3> color;
  for (size_t c = 0; c < 3; ++c) {
    const auto a = static_cast<float>(kColors[i][c]), b = static_cast<float>(kColors[i + 1][c]);
    color[c] = static_cast<uint8_t>(a + (b - a) * rest + 0.5f);
  }
  return color;
}

Rgb color_of(float part) {
  static const std::vector<Rgb> colors = [] {
    std::vector<Rgb> made;
    for (float step = 0; step <= kSteps; ++step) made.push_back(color_of_step(step));
    return made;
  }();
  return colors[static_cast<size_t>(std::clamp(part, 0.0f, 1.0f) * kSteps + 0.5f)];
}

struct HeatInfo { const char* title; const char* unit; };
constexpr HeatInfo kHeatInfo[] = {{"time a tile", "us"},
                                  {"fragments shaded a pixel", ""},
                                  {"fragments written a pixel", ""},
                                  {"shaded lanes that were covered", "%"}};

// Calls `use(span, rect)` for the tiles of the image's layer 0, one at a time.
template <class F>
void for_each_tile(const raster::FrameLog& log, const Resource& image, F&& use) {
  for (const std::vector<LogSpan>& spans : log.by_worker())
    for (const LogSpan& span : spans)
      if (span.kind == LogSpan::Kind::Tile && span.target == image.storage().get() && span.layer == 0) use(span);
}

// A sum by blocks of 8x8 pixels, of which every tile has whole ones.
struct BlockSums {
  uint32_t in_row, rows;
  std::vector<double> sum;
  explicit BlockSums(const HeatGrid& grid)
      : in_row((grid.width + 7) / 8), rows((grid.height + 7) / 8), sum(size_t{in_row} * rows) {}

  void add(const raster::IRect& pixels, double value) {
    for (int32_t y = pixels.y0 / 8; y < (pixels.y1 + 7) / 8; ++y)
      for (int32_t x = pixels.x0 / 8; x < (pixels.x1 + 7) / 8; ++x)
        sum[static_cast<size_t>(y) * in_row + static_cast<size_t>(x)] += value;
  }
  double at(uint32_t x, uint32_t y) const { return sum[size_t{y / 8} * in_row + x / 8]; }
};

uint32_t tile_size(const raster::FrameLog& log, const Resource& image) {
  int32_t size_px = raster::kBlockSize_px;
  for_each_tile(log, image,
                [&](const LogSpan& span) { size_px = std::max(size_px, span.pixels.y1 - span.pixels.y0); });
  return static_cast<uint32_t>(size_px);
}

// A strip of several tiles has one time: each of them gets its part of it.
void time_by_tile(const raster::FrameLog& log, const Resource& image, HeatGrid& grid) {
  BlockSums sums(grid);
  const auto tile_px = static_cast<int32_t>(tile_size(log, image));
  for_each_tile(log, image, [&](const LogSpan& span) {
    const int32_t tiles = (span.pixels.x1 - span.pixels.x0 + tile_px - 1) / tile_px;
    sums.add(span.pixels, std::chrono::duration<double, std::micro>(span.end - span.begin).count() / tiles);
  });
  for (uint32_t y = 0; y < grid.height; ++y)
    for (uint32_t x = 0; x < grid.width; ++x)
      grid.value[size_t{y} * grid.width + x] = static_cast<float>(sums.at(x, y));
}

float heat_at(const raster::PixelHeat& heat, HeatOf of, uint32_t x, uint32_t y) {
  if (of == HeatOf::Overdraw) return static_cast<float>(heat.written(x, y));
  const auto shaded = static_cast<float>(heat.shaded(x, y));
  if (of == HeatOf::Fragments) return shaded;
  const uint32_t runs = heat.quad_runs(x, y);
  return runs == 0 ? 0.0f : 100.0f * shaded / static_cast<float>(runs);
}

// Means over the tiles; of quads, over what was shaded.
void mean_by_tile(const raster::PixelHeat& heat, HeatOf of, uint32_t tile_px, HeatGrid& grid) {
  for (uint32_t ty = 0; ty < grid.height; ty += tile_px) {
    for (uint32_t tx = 0; tx < grid.width; tx += tile_px) {
      const uint32_t x1 = std::min(tx + tile_px, grid.width), y1 = std::min(ty + tile_px, grid.height);
      double sum = 0, whole = 0;
      for (uint32_t y = ty; y < y1; ++y) {
        for (uint32_t x = tx; x < x1; ++x) {
          sum += of == HeatOf::Overdraw ? heat.written(x, y) : heat.shaded(x, y);
          whole += of == HeatOf::Quads ? heat.quad_runs(x, y) : 1;
        }
      }
      const double value = whole > 0 ? (of == HeatOf::Quads ? 100 : 1) * sum / whole : 0;
      for (uint32_t y = ty; y < y1; ++y)
        std::fill_n(grid.value.begin() + static_cast<ptrdiff_t>(size_t{y} * grid.width + tx), x1 - tx,
                    static_cast<float>(value));
    }
  }
}

}  // namespace

Result<HeatGrid> make_heat_grid(const raster::FrameLog& log, const Resource& image, HeatOf of, HeatBy by) {
  if (of == HeatOf::Time && by == HeatBy::Pixel) return error("heat map: time is measured by tile, not by pixel");
  if (log.heat() == nullptr) return error("heat map: the log counted no image");
  HeatGrid grid;
  grid.width = image.desc().width;
  grid.height = image.desc().height;
  grid.value.resize(size_t{grid.width} * grid.height);
  grid.title = kHeatInfo[static_cast<size_t>(of)].title;
  grid.unit = kHeatInfo[static_cast<size_t>(of)].unit;
  const raster::PixelHeat& heat = *log.heat();
  if (of == HeatOf::Time) {
    time_by_tile(log, image, grid);
  } else if (by == HeatBy::Tile) {
    mean_by_tile(heat, of, tile_size(log, image), grid);
  } else {
    for (uint32_t y = 0; y < grid.height; ++y)
      for (uint32_t x = 0; x < grid.width; ++x) grid.value[size_t{y} * grid.width + x] = heat_at(heat, of, x, y);
  }
  grid.most = of == HeatOf::Quads ? 100.0f : *std::max_element(grid.value.begin(), grid.value.end());
  return grid;
}

Image draw_heat(const HeatGrid& grid) {
  Image image{.width = grid.width, .height = grid.height + kLegend_px};
  image.rgba_un8.assign(size_t{image.width} * image.height * 4, 255);
  const float range = grid.most > grid.least ? grid.most - grid.least : 1;
  const auto set = [&](uint32_t x, uint32_t y, const std::array<uint8_t, 3>& color) {
    std::copy(color.begin(), color.end(), image.texel(x, y));
  };
  for (uint32_t y = 0; y < grid.height; ++y)
    for (uint32_t x = 0; x < grid.width; ++x)
      set(x, y, color_of((grid.value[size_t{y} * grid.width + x] - grid.least) / range));
  for (uint32_t y = grid.height; y < image.height; ++y)
    for (uint32_t x = 0; x < image.width; ++x) set(x, y, kPaper);
  const uint32_t bar = image.width > 2 * kMargin_px ? image.width - 2 * kMargin_px : image.width;
  const uint32_t left = (image.width - bar) / 2;
  for (uint32_t y = 0; y < kBar_px; ++y)
    for (uint32_t x = 0; x < bar; ++x)
      set(left + x, grid.height + 4 + y, color_of(static_cast<float>(x) / static_cast<float>(bar)));
  const uint32_t text_y = grid.height + 4 + kBar_px + 3;
  const std::string most = fmt::format("{:.6g}{}{}", grid.most, grid.unit.empty() ? "" : " ", grid.unit);
  draw_label(image, left, text_y, fmt::format("{:.4g}", grid.least), kInk);
  const auto most_px = static_cast<uint32_t>(7 * most.size());
  draw_label(image, bar > most_px ? left + bar - most_px : left, text_y, most, kInk);
  draw_label(image, left, text_y + 10, grid.title, kInk);
  return image;
}

}  // namespace tessera
