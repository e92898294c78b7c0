// frontend/tool/svg_plot.h: points and lines over two axes as an SVG picture, to stand inside of HTML.
#pragma once

#include <string>
#include <vector>

namespace tessera::bench {

struct Point { double x = 0, y = 0; };
struct Range { double low = 0, high = 1; };
enum class Scale : uint8_t { Linear, Logarithmic };   // of both axes

struct Series {
  std::string name;
  const char* color = "#000";
  std::vector<Point> points;
  bool is_line = true;                           // else dots, with the name beside
};

struct Plot {
  const char* x_label;
  const char* y_label;
  Scale scale = Scale::Linear;
  Range x, y;                                    // logarithmic: above 0
};

std::string svg_plot(const Plot& plot, const std::vector<Series>& series);

}  // namespace tessera::bench
