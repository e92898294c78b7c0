#include "frontend/tool/svg_plot.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/math.h"
#include "frontend/test_report.h"

namespace tessera::bench {
namespace {

constexpr double kWidth = 760, kHeight = 420, kLeft = 70, kRight = 130, kTop = 16, kBottom = 46;

double log10_of(double value) { return static_cast<double>(math::lg2(static_cast<float>(value))) * 0.30102999566398120; }

class Axes {
 public:
  explicit Axes(const Plot& plot) : plot_(plot) {}
  double x(double value) const { return kLeft + part(plot_.x, value) * (kWidth - kLeft - kRight); }
  double y(double value) const { return kHeight - kBottom - part(plot_.y, value) * (kHeight - kTop - kBottom); }

  // Round numbers inside of a range: decades, or about six equal steps.
  std::vector<double> ticks(const Range& range) const {
    std::vector<double> ticks;
    if (plot_.scale == Scale::Logarithmic) {
      for (double tick = 1e-9; tick <= range.high * 1.0001; tick *= 10)
        for (const double times : {1.0, 2.0, 5.0})
          if (tick * times >= range.low && tick * times <= range.high * 1.0001) ticks.push_back(tick * times);
      return ticks;
    }
    double step = 1;
    while ((range.high - range.low) / step > 8) step *= 2;
    while ((range.high - range.low) / step < 3) step /= 2;
    for (double tick = range.low; tick <= range.high * 1.0001; tick += step) ticks.push_back(tick);
    return ticks;
  }

 private:
  double part(const Range& range, double value) const {
    if (plot_.scale == Scale::Linear) return (value - range.low) / (range.high - range.low);
    const double low = log10_of(range.low), high = log10_of(range.high);
    return (log10_of(std::max(value, range.low)) - low) / (high - low);
  }
  const Plot& plot_;
};

std::string frame(const Plot& plot, const Axes& axes) {
  std::string svg;
  for (const double tick : axes.ticks(plot.x))
    svg += fmt::format("<line x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#eee\"/><text x=\"{0:.1f}\" "
                       "y=\"{3}\" text-anchor=\"middle\">{4:.4g}</text>\n",
                       axes.x(tick), kTop, kHeight - kBottom, kHeight - kBottom + 16, tick);
  for (const double tick : axes.ticks(plot.y))
    svg += fmt::format("<line y1=\"{0:.1f}\" y2=\"{0:.1f}\" x1=\"{1}\" x2=\"{2}\" stroke=\"#eee\"/><text y=\"{3:.1f}\" "
                       "x=\"{4}\" text-anchor=\"end\">{5:.4g}</text>\n",
                       axes.y(tick), kLeft, kWidth - kRight, axes.y(tick) + 4, kLeft - 6, tick);
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", (kLeft + kWidth - kRight) / 2,
                     kHeight - 8, plot.x_label);
  return svg + fmt::format("<text transform=\"translate(16,{}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                           (kTop + kHeight - kBottom) / 2, plot.y_label);
}

std::string draw(const Series& s, const Axes& axes) {
  const std::string name = suite::escape_xml(s.name);
  std::string points, svg;
  for (const Point& p : s.points) points += fmt::format("{:.1f},{:.1f} ", axes.x(p.x), axes.y(p.y));
  if (s.is_line)
    svg += fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\"/>\n", points, s.color);
  for (const Point& p : s.points)
    if (!s.is_line)
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4\" fill=\"{}\"><title>{}: {:.4g}, {:.4g}</title>"
                         "</circle>\n", axes.x(p.x), axes.y(p.y), s.color, name, p.x, p.y);
  return svg;
}

// Names at the right end, moved apart where they would lie on each other.
std::string names(const std::vector<Series>& series, const Axes& axes) {
  struct Label { double x, y; const Series* series; };
  std::vector<Label> labels;
  for (const Series& s : series)
    if (!s.points.empty())
      labels.push_back({axes.x(s.points.back().x) + 7, axes.y(s.points.back().y) + 4, &s});
  std::sort(labels.begin(), labels.end(), [](const Label& a, const Label& b) { return a.y < b.y; });
  std::string svg;
  double last = -100;
  for (Label& label : labels) {
    label.y = std::max(label.y, last + 12);
    last = label.y;
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" fill=\"{}\">{}</text>\n", label.x, label.y, label.series->color,
                       suite::escape_xml(label.series->name));
  }
  return svg;
}

}  // namespace

std::string svg_plot(const Plot& plot, const std::vector<Series>& series) {
  const Axes axes(plot);
  std::string svg = fmt::format("<svg width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\">\n", kWidth, kHeight);
  svg += frame(plot, axes);
  for (const Series& s : series) svg += draw(s, axes);
  return svg + names(series, axes) + "</svg>\n";
}

}  // namespace tessera::bench
