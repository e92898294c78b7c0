#include "frontend/tool/server_options.h"

#include <fmt/format.h>

#include <charconv>
#include <filesystem>

namespace tessera::tool {
namespace {

constexpr double kGib = 1 << 30;

void add_gib(CLI::App& app, const char* name, uint64_t& bytes, const char* help) {
  app.add_option_function<double>(name, [&bytes](double gib) { bytes = static_cast<uint64_t>(gib * kGib); }, help)
      ->check(CLI::Range(0.001, 1024.0))
      ->type_name("GIB")
      ->default_str(fmt::format("{:.1f}", static_cast<double>(bytes) / kGib));
}

Status read_screenshots(const std::vector<std::string>& texts, std::map<uint64_t, std::string>& screenshots) {
  for (const std::string& text : texts) {
    uint64_t frame = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), frame);
    const std::string file(end, text.data() + text.size());
    if (failure != std::errc{} || frame == 0 || file.size() < 2 || file[0] != ':')
      return error(fmt::format("--screenshot: expected FRAME:FILE.png with frames from 1 on, found '{}'", text));
    const std::filesystem::path path = file.substr(1);
    std::error_code unreadable;
    if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), unreadable))
      return error(fmt::format("--screenshot: {} is no folder", path.parent_path().string()));
    screenshots[frame] = path.string();
  }
  return Done{};
}

}  // namespace

void add_server_options(CLI::App& app, CommonOptions& common, ServerFlags& flags) {
  vtest::SessionLimits& limits = flags.server.limits;
  add_gib(app, "--memory", limits.memory_bytes, "that one client may take; default: half of the machine's");
  add_gib(app, "--resource-memory", limits.resource_bytes, "that one texture or buffer may take");
  app.add_option("--clients", flags.server.most_clients, "connections at once")
      ->check(CLI::Range(1, 4096))
      ->capture_default_str();
  app.add_option("--draw-limit", common.device.raster.draw_limit,
                 "vertices (of all instances) of one draw, or invocations of one grid; 0: no limit")
      ->capture_default_str();
  app.add_option("--screenshot", flags.screenshots, "FRAME:FILE.png: writes what a frame shows")
      ->allow_extra_args(false);
  app.add_option("--trace-commands", flags.server.observer.command_file,
                 "file for every command of the clients, field by field, and the text of programs");
  app.add_flag("--stats", flags.server.observer.prints_stats, "print the counters of every frame");
}

Result<vtest::ServerOptions> server_options(const ServerFlags& flags, const CommonOptions& common,
                                            const std::string& socket_path) {
  vtest::ServerOptions options = flags.server;
  options.socket_path = socket_path;
  options.device = common.device;
  if (Status s = read_screenshots(flags.screenshots, options.observer.screenshots); !s) return s.diags();
  return options;
}

}  // namespace tessera::tool
