#include "frontend/pixel_runs.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace tessera {
namespace {

struct Span {
  double begin = 0, end = 0;
  bool empty() const { return !(begin < end); }
};

// One axis of the grid.
struct Axis {
  double origin, zoom, size;
  double center;                                   // of pixel 0
  bool owns_end;  // pixels with their centre on the far edge, not those on the near one
  bool samples;

  Span span(uint32_t n) const {
    const double at = n, a = origin + zoom * at, b = origin + zoom * (at + 1);
    const double low = std::min(a, b), high = std::max(a, b);
    if (samples) return {std::clamp(low, -1.0, size + 1), std::clamp(high, -1.0, size + 1)};
    const auto pixel = [&](double edge) { return owns_end ? std::floor(edge - center) + 1 : std::ceil(edge - center); };
    return {std::clamp(pixel(low), 0.0, size), std::clamp(pixel(high), 0.0, size)};
  }
  // The coordinate that a span's end has in the window.
  float window(double at) const { return static_cast<float>(samples ? at : at + center - 0.5); }
};

bool alike(const PixelValue& a, const PixelValue& b) {
  return std::memcmp(a.color.data(), b.color.data(), sizeof a.color) == 0 && std::memcmp(&a.depth, &b.depth, 4) == 0 &&
         a.stencil == b.stencil && a.drawn == b.drawn;
}

}  // namespace

std::vector<PixelInstance> make_runs(const PixelGrid& grid, uint32_t width, uint32_t height,
                                     std::span<const PixelValue> values) {
  const double center = grid.half_pixel_center ? 0.5 : 0.0;
  const Axis along{grid.x, grid.zoom_x, double(grid.target_width), center, false, grid.samples};
  const Axis down{grid.y, grid.zoom_y, double(grid.target_height), center, grid.bottom_edge_rule, grid.samples};
  std::vector<PixelInstance> runs;
  for (uint32_t m = 0; m < height; ++m) {
    const Span rows = down.span(m);
    if (rows.empty()) continue;
    const std::span<const PixelValue> row = values.subspan(size_t{m} * width, width);
    for (uint32_t n = 0; n < width;) {
      const PixelValue& value = row[n];
      Span columns = along.span(n++);
      for (; n < width && alike(row[n], value); ++n) {
        const Span next = along.span(n);
        columns = {std::min(columns.begin, next.begin), std::max(columns.end, next.end)};
      }
      if (!value.drawn || columns.empty()) continue;
      runs.push_back({{along.window(columns.begin), down.window(rows.begin), along.window(columns.end),
                       down.window(rows.end)},
                      value.color, value.depth, value.stencil});
    }
  }
  return runs;
}

}  // namespace tessera
