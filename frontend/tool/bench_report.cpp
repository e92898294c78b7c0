#include "frontend/tool/bench_report.h"

#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace tessera::bench {
namespace {

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  while (true) {
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) return words;
    line.remove_prefix(begin);
    const size_t end = std::min(line.find_first_of(" \t\r"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
}

std::optional<double> number(std::string_view word) {
  double value = 0;
  const auto [rest, failure] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (failure != std::errc{} || rest != word.data() + word.size() || !(value > 0)) return std::nullopt;
  return value;
}

constexpr uint64_t kTargetBytes = 8;           // RGBA8 and 32-bit depth

double milliseconds(uint64_t nanoseconds) { return double(nanoseconds) / 1e6; }

nlohmann::ordered_json counters_json(const Counters& c) {
  nlohmann::ordered_json json;
#define X(name) json[#name] = c.name;
  TESSERA_COUNTERS(X)
#undef X
  return json;
}

nlohmann::ordered_json stages_json(const Counters& c) {
  nlohmann::ordered_json json;
#define X(name) json[#name] = milliseconds(c.name##_ns);
  TESSERA_STAGES(X)
#undef X
  return json;
}

}  // namespace

Result<std::vector<Peer>> parse_peers(std::string_view text) {
  constexpr std::string_view kDevice = "# device:";
  std::vector<Peer> peers;
  for (uint32_t line_number = 1; !text.empty(); ++line_number) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.starts_with(kDevice)) {
      const auto words = words_of(line.substr(kDevice.size()));
      if (words.empty()) return error_at({line_number, 1}, "a device needs a name");
      peers.push_back({std::string(words[0]), {}});
      continue;
    }
    const auto words = words_of(line);
    if (words.empty() || words[0].starts_with('#')) continue;
    const auto ms = words.size() >= 3 && words[2] == "ms" ? number(words[1]) : std::nullopt;
    if (!ms) return error_at({line_number, 1}, fmt::format("expected `ROW MILLISECONDS ms ...`, found `{}`", line));
    if (peers.empty()) peers.push_back({"peer", {}});
    peers.back().median_ms[std::string(words[0])] = *ms;
  }
  return peers;
}

std::string table_head(const std::vector<Peer>& peers) {
  std::string head = fmt::format("{:<15} {:>7} {:>10} {:>9} {:<9} {:>9} {:>8} {:>8} {:>8}  {}", "row", "threads", "median ms", "rate", "unit",
                                 "tiles/s", "us p50", "us p95", "MiB", "CPU ms a frame: vertex setup bin tile (of it load/store)");
  for (const Peer& peer : peers) head += fmt::format("  vs {}", peer.name);
  return head;
}

std::string table_line(const Measurement& m, const std::vector<Peer>& peers) {
  const Counters& c = m.per_frame;
  std::string line = fmt::format("{:<15} {:>7} {:>10.3f} {:>9.2f} {:<9} {:>9.0f} {:>8.1f} {:>8.1f} {:>8.1f}  {:.2f} {:.2f} {:.2f} {:.2f} ({:.2f})",
                                 m.row->name, m.threads, m.median_ms, m.rate, m.row->unit, m.tiles_per_s, m.tile_us_p50, m.tile_us_p95,
                                 m.peak_mib, milliseconds(c.vertex_ns), milliseconds(c.setup_ns), milliseconds(c.bin_ns),
                                 milliseconds(c.tile_ns), milliseconds(c.load_store_ns));
  if (m.row->moved_bytes != 0) line += fmt::format("  {:.2f} of copy bandwidth", m.of_copy);
  for (const Peer& peer : peers) {
    const auto found = peer.median_ms.find(m.row->name);
    line += found == peer.median_ms.end() ? "  -" : fmt::format("  {:.2f}x", found->second / m.median_ms);
  }
  return line;
}

std::string to_json(const Machine& machine, const Limits& limits, const std::vector<Measurement>& measurements,
                    const std::vector<Peer>& peers) {
  nlohmann::ordered_json json;
  json["machine"] = {{"version", machine.version}, {"cpu", machine.cpu}, {"threads", machine.threads},
                     {"simd", machine.simd}, {"executor", machine.executor}};
  json["limits"] = {{"fill_memory", limits.fill_memory}, {"copy_memory", limits.copy_memory},
                    {"fill_tile", limits.fill_tile}};
  json["rows"] = nlohmann::ordered_json::array();
  for (const Measurement& m : measurements) {
    nlohmann::ordered_json row = {{"name", m.row->name},        {"median_ms", m.median_ms},     {"rate", m.rate},
                                  {"unit", m.row->unit},        {"threads", m.threads},         {"executor", machine.executor},
                                  {"peak_mib", m.peak_mib},     {"tiles_per_s", m.tiles_per_s}, {"tile_us_p50", m.tile_us_p50},
                                  {"tile_us_p95", m.tile_us_p95}, {"stage_ms", stages_json(m.per_frame)}, {"frames", m.frames},
                                  {"counters", counters_json(m.per_frame)}};
    row["q1_ms"] = m.q1_ms;
    row["q3_ms"] = m.q3_ms;
    row["stored_bytes"] = kTargetBytes * m.row->width * m.row->height * m.row->samples;
    if (m.row->moved_bytes != 0) row["of_copy_bandwidth"] = m.of_copy;
    for (const Peer& peer : peers)
      if (const auto found = peer.median_ms.find(m.row->name); found != peer.median_ms.end())
        row["ratio"][peer.name] = found->second / m.median_ms;
    json["rows"].push_back(std::move(row));
  }
  return json.dump(1) + "\n";
}

}  // namespace tessera::bench
