#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "frontend/tool/recording.h"

namespace tessera::tool {
namespace {

using Json = nlohmann::ordered_json;
using raster::LogSpan;

constexpr uint32_t kCallerThread = 0;            // workers follow

struct Named {
  Clock::time_point begin, end;
  std::string name;
  const char* category;
  Json args;
};

class Trace {
 public:
  Trace(const Recording& recording, const scene::Scene& scene, std::string_view path, std::string_view source)
      : recording_(recording), scene_(scene), path_(path), source_(source) {}

  std::string write() {
    name_thread(kCallerThread, "scene");
    add_thread(kCallerThread, caller_spans());
    const auto& workers = recording_.log ? recording_.log->by_worker() : std::vector<std::vector<LogSpan>>{};
    for (size_t i = 0; i < workers.size(); ++i) {
      const auto thread = static_cast<uint32_t>(i) + 1;
      name_thread(thread, fmt::format("worker {}", i));
      std::vector<Named> spans;
      for (const LogSpan& span : workers[i]) spans.push_back(named(span));
      add_thread(thread, std::move(spans));
    }
    const Json json{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events_)}};
    return json.dump() + "\n";
  }

 private:
  // What the calling thread did: compiles, commands, and inside of these the frames that they waited for.
  std::vector<Named> caller_spans() {
    std::vector<Named> spans;
    for (const Recording::Span& s : recording_.compiles) spans.push_back({s.begin, s.end, "compile", "compile", {}});
    for (size_t i = 0; i < recording_.commands.size(); ++i) {
      const uint32_t line = scene_.commands[i].loc.line;
      const Recording::Span& s = recording_.commands[i];
      spans.push_back({s.begin, s.end, text_of(line), "command", {{"line", line}}});
    }
    if (recording_.log)
      for (const LogSpan& span : recording_.log->caller()) spans.push_back(named(span));
    return spans;
  }

  Named named(const LogSpan& s) const {
    static constexpr const char* kNames[] = {"frame", "prepare draws", "vertices", "tiles", "chunk", "tile"};
    Named span{s.begin, s.end, kNames[static_cast<size_t>(s.kind)], "phase", Json::object()};
    if (s.kind == LogSpan::Kind::Chunk) {
      span.name = fmt::format("draw {}", s.draw);
      span.category = "draw";
      span.args = {{"line", line_of_draw(s.draw)}, {"triangles", s.triangles}};
    } else if (s.kind == LogSpan::Kind::Tile) {
      span.name = fmt::format("tile {}, {}", s.pixels.x0, s.pixels.y0);
      span.category = "tile";
      span.args = {{"x0", s.pixels.x0}, {"y0", s.pixels.y0}, {"x1", s.pixels.x1}, {"y1", s.pixels.y1},
                   {"layer", s.layer}, {"fragments", s.fragments}, {"blocks", s.blocks}};
    }
    return span;
  }

  // Draws count from 1; a command may make none or several.
  uint32_t line_of_draw(uint32_t draw) const {
    const auto& first = recording_.first_draw;
    const auto next = std::lower_bound(first.begin(), first.end(), uint64_t{draw});
    return next == first.begin() ? 0 : scene_.commands[static_cast<size_t>(next - first.begin()) - 1].loc.line;
  }

  std::string text_of(uint32_t line) const {
    std::string_view text = source_;
    for (uint32_t n = 1; n < line && text.find('\n') != std::string_view::npos; ++n)
      text.remove_prefix(text.find('\n') + 1);
    return std::string(text.substr(0, text.find('\n')));
  }

  // ---- events ----

  double microseconds(Clock::time_point at) const {
    return std::chrono::duration<double, std::micro>(at - recording_.begin).count();
  }

  // Spans of one thread lie beside or inside of each other: each ends before the one that it began in.
  void add_thread(uint32_t thread, std::vector<Named> spans) {
    std::stable_sort(spans.begin(), spans.end(), [](const Named& a, const Named& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    std::vector<const Named*> open;
    const auto close_until = [&](Clock::time_point at) {
      for (; !open.empty() && open.back()->end <= at; open.pop_back())
        add_event("E", thread, open.back()->end, *open.back());
    };
    for (const Named& span : spans) {
      close_until(span.begin);
      add_event("B", thread, span.begin, span);
      open.push_back(&span);
    }
    close_until(Clock::time_point::max());
  }

  void add_event(const char* phase, uint32_t thread, Clock::time_point at, const Named& span) {
    Json event{{"ph", phase}, {"pid", 1}, {"tid", thread}, {"ts", microseconds(at)}};
    event["name"] = span.name;
    event["cat"] = span.category;
    if (*phase == 'B' && !span.args.empty()) event["args"] = span.args;
    events_.push_back(std::move(event));
  }

  void name_thread(uint32_t thread, const std::string& name) {
    const auto add = [&](const char* what, const std::string& value) {
      events_.push_back({{"ph", "M"}, {"pid", 1}, {"tid", thread}, {"name", what}, {"args", {{"name", value}}}});
    };
    if (thread == kCallerThread) add("process_name", fmt::format("tessera {}", path_));
    add("thread_name", name);
  }

  const Recording& recording_;
  const scene::Scene& scene_;
  std::string_view path_, source_;
  Json events_ = Json::array();
};

}  // namespace

std::string trace_json(const Recording& recording, const scene::Scene& scene, std::string_view path,
                       std::string_view source) {
  return Trace(recording, scene, path, source).write();
}

}  // namespace tessera::tool
