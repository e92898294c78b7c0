#include "frontend/tool/bench_html.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "frontend/test_report.h"
#include "frontend/tool/svg_plot.h"

namespace tessera::bench {
namespace {

constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>tessera bench</title><style>
body{font:14px/1.4 system-ui,sans-serif;margin:1.5em;color:#222;background:#fafafa;max-width:1100px}
h1{font-size:1.3em}h2{font-size:1.1em;margin:1.8em 0 .4em}p{max-width:52em}
table{border-collapse:collapse}td,th{border:1px solid #ddd;padding:.2em .6em;text-align:right}
td:first-child,th:first-child{text-align:left}svg{background:#fff;border:1px solid #ddd;font:12px system-ui,sans-serif}
.bar{display:inline-block;height:.8em;vertical-align:middle}
.faster{color:#18794e}.slower{color:#c02020}.same{color:#777}
.key span{display:inline-block;width:.8em;height:.8em;margin:0 .3em 0 1em}
</style></head><body>
)";

struct Stage { const char* name; const char* color; };
constexpr Stage kStages[] = {{"vertex", "#4e79a7"}, {"setup", "#f28e2b"}, {"bin", "#59a14f"}, {"tile", "#b07aa1"}};
constexpr const char* kLineColors[] = {"#4e79a7", "#f28e2b", "#e15759", "#76b7b2", "#59a14f",
                                       "#edc948", "#b07aa1", "#ff9da7", "#9c755f", "#79706e"};

std::string stage_bar(const RunRow& row) {
  double sum = 0;
  for (const Stage& stage : kStages)
    if (const auto found = row.stage_ms.find(stage.name); found != row.stage_ms.end()) sum += found->second;
  if (sum <= 0) return {};
  std::string html;
  for (const Stage& stage : kStages)
    if (const auto found = row.stage_ms.find(stage.name); found != row.stage_ms.end())
      html += fmt::format("<span class=\"bar\" style=\"width:{:.1f}px;background:{}\" title=\"{} {:.3f} ms\"></span>",
                          120 * found->second / sum, stage.color, stage.name, found->second);
  return html;
}

std::string rows_section(const Run& run) {
  std::string html = "<h2>Rows</h2>\n<p class=\"key\">CPU time by stage:";
  for (const Stage& stage : kStages)
    html += fmt::format("<span style=\"background:{}\"></span>{}", stage.color, stage.name);
  html += "</p>\n<table><tr><th>row</th><th>threads</th><th>median ms</th><th>quartiles</th><th>rate</th><th>unit</th>"
          "<th>peak MiB</th><th>stages</th></tr>\n";
  for (const RunRow& row : run.rows)
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.3f}</td><td>{:.3f} - {:.3f}</td><td>{:.1f}</td><td>{}</td>"
                        "<td>{:.0f}</td><td>{}</td></tr>\n",
                        suite::escape_xml(row.name), row.threads, row.median_ms, row.q1_ms, row.q3_ms, row.rate,
                        suite::escape_xml(row.unit), row.peak_mib, stage_bar(row));
  return html + "</table>\n";
}

// ---- scaling --------------------------------------------------------------------------------------------------------

std::string scaling_section(const Run& run) {
  std::map<std::string, std::map<uint32_t, double>> times;         // of rows, by threads
  for (const RunRow& row : run.rows) times[row.name][row.threads] = row.median_ms;
  std::erase_if(times, [](const auto& row) { return row.second.size() < 2; });
  std::string html = "<h2>Scaling</h2>\n";
  if (times.empty())
    return html + "<p>Every row was measured with one number of threads; --scaling measures more.</p>\n";
  double most = 1;
  std::vector<Series> lines;
  for (const auto& [name, by_threads] : times) {
    Series line{name, kLineColors[lines.size() % std::size(kLineColors)], {}, true};
    const auto& [first_threads, first_ms] = *by_threads.begin();
    for (const auto& [threads, ms] : by_threads) {
      line.points.push_back({static_cast<double>(threads), first_threads * first_ms / ms});
      most = std::max(most, static_cast<double>(threads));
    }
    lines.push_back(std::move(line));
  }
  lines.insert(lines.begin(), Series{"ideal", "#bbb", {{1, 1}, {most, most}}, true});
  html += "<p>How many times faster than one thread; on the grey line, each thread brings all that it can.</p>\n";
  return html + svg_plot({"threads", "times faster", Scale::Linear, {0, most}, {0, most}}, lines);
}

// ---- roofline -------------------------------------------------------------------------------------------------------

std::string roofline_section(const Run& run) {
  std::string html = "<h2>Roofline</h2>\n";
  if (!run.limits || !(run.limits->fill_memory > 0) || !(run.limits->fill_tile > 0))
    return html + "<p>The run has no limits of its machine.</p>\n";
  const Limits& limits = *run.limits;
  constexpr double kBytesAFragment = 4;                            // one colour into the tile
  const double memory = limits.fill_memory / 1e9, tile = limits.fill_tile / kBytesAFragment / 1e9;
  std::vector<Series> series;
  Range x{0.05, 4}, y{tile * 2, tile * 2};
  for (const RunRow& row : run.rows) {
    if (row.threads != run.threads || !(row.fragments > 0) || !(row.stored_bytes > 0)) continue;
    const Point point{row.fragments / row.stored_bytes, row.fragments / row.median_ms / 1e6};
    x = {std::min(x.low, point.x / 2), std::max(x.high, point.x * 4)};
    y.low = std::min(y.low, point.y / 2);
    series.push_back({row.name, kLineColors[series.size() % std::size(kLineColors)], {point}, false});
  }
  if (series.empty()) return html + "<p>No row shades fragments.</p>\n";
  const double knee = tile / memory;
  x.high = std::max(x.high, 2 * knee);
  y.low = std::min(y.low, memory * x.low);
  const std::vector<Point> roofs = {{x.low, memory * x.low}, {knee, tile}, {x.high, tile}};
  series.insert(series.begin(), Series{"roofs", "#444", roofs, true});
  html += fmt::format(
      "<p>The roofs are what this machine can do at most: every pixel of the targets is written to memory once "
      "({:.1f} GB/s, the slope), and every fragment puts four bytes into its tile ({:.1f} GB/s, the flat part). How far "
      "a row lies below them is what its shading, tests and textures cost.</p>\n",
      limits.fill_memory / 1e9, limits.fill_tile / 1e9);
  const Plot plot{"fragments for each byte of the targets", "10^9 fragments a second", Scale::Logarithmic, x, y};
  html += svg_plot(plot, series);
  html += "<table><tr><th>row</th><th>10^9 fragments/s</th><th>roof</th><th>of the roof</th></tr>\n";
  for (const Series& s : series) {
    if (s.is_line) continue;
    const double roof = std::min(tile, memory * s.points[0].x);
    html += fmt::format("<tr><td>{}</td><td>{:.3f}</td><td>{:.3f}</td><td>{:.1f} %</td></tr>\n",
                        suite::escape_xml(s.name), s.points[0].y, roof, 100 * s.points[0].y / roof);
  }
  return html + "</table>\n";
}

// ---- comparison -----------------------------------------------------------------------------------------------------

struct VerdictInfo { const char* css; const char* text; };
constexpr VerdictInfo kVerdicts[] = {
    {"same", "no difference beyond the noise"}, {"faster", "faster"}, {"slower", "slower"}};

std::string comparison_section(const Run& run, const Run& before) {
  std::string html = fmt::format(
      "<h2>Comparison</h2>\n<p>Before: {} on {}, {} threads, {}, {}. A verdict counts a difference of medians that is "
      "beyond three standard errors of both, and beyond {:.0f} %.</p>\n",
      suite::escape_xml(before.version), suite::escape_xml(before.cpu), before.threads, suite::escape_xml(before.simd),
      suite::escape_xml(before.executor), 100 * kSteady);
  if (before.cpu != run.cpu) html += "<p class=\"slower\">The runs are from different machines.</p>\n";
  html += "<table><tr><th>row</th><th>threads</th><th>before ms</th><th>now ms</th><th>times faster</th><th>noise</th>"
          "<th>verdict</th></tr>\n";
  size_t counts[3] = {};
  for (const RunRow& row : run.rows) {
    const RunRow* old = find_row(before, row);
    if (old == nullptr) {
      html += fmt::format("<tr><td>{}</td><td>{}</td><td>-</td><td>{:.3f}</td><td>-</td><td>-</td><td>new</td></tr>\n",
                          suite::escape_xml(row.name), row.threads, row.median_ms);
      continue;
    }
    const Comparison c = compare(*old, row);
    const VerdictInfo& verdict = kVerdicts[static_cast<size_t>(c.verdict)];
    ++counts[static_cast<size_t>(c.verdict)];
    html += fmt::format("<tr><td>{}</td><td>{}</td><td>{:.3f}</td><td>{:.3f}</td><td>{:.3f}</td><td>{:.1f} %</td>"
                        "<td class=\"{}\">{}</td></tr>\n",
                        suite::escape_xml(row.name), row.threads, old->median_ms, row.median_ms, c.ratio, 100 * c.noise,
                        verdict.css, verdict.text);
  }
  return html + fmt::format("</table>\n<p>{} faster, {} slower, {} the same.</p>\n", counts[1], counts[2], counts[0]);
}

}  // namespace

std::string html_report(const Run& run, const Run* before) {
  std::string html(kHead);
  html += fmt::format("<h1>tessera bench</h1>\n<p>{} on {}, {} threads, {}, {}</p>\n", suite::escape_xml(run.version),
                      suite::escape_xml(run.cpu), run.threads, suite::escape_xml(run.simd),
                      suite::escape_xml(run.executor));
  if (before) html += comparison_section(run, *before);
  return html + rows_section(run) + scaling_section(run) + roofline_section(run) + "</body></html>\n";
}

}  // namespace tessera::bench
