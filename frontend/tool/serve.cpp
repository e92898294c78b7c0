#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <memory>
#include <thread>

#include "frontend/tool/command.h"
#include "frontend/vtest/server.h"

namespace tessera::tool {
namespace {

struct Options {
  std::string socket = "/tmp/.virgl_test";
  double memory_gib = 4;
};

void print_log(std::string_view line) { std::fputs(fmt::format("tessera serve: {}\n", line).c_str(), stderr); }

int serve(const Options& options, const CommonOptions& common) {
  // Blocked before any thread exists, so that only the one below takes them.
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);

  vtest::ServerOptions server_options{.socket_path = options.socket, .device = common.device};
  server_options.limits.memory_bytes = static_cast<uint64_t>(options.memory_gib * (uint64_t{1} << 30));
  Result<std::unique_ptr<vtest::Server>> server = vtest::Server::create(server_options, print_log);
  if (!server) return report_wrong_use(server.diags(), options.socket);
  if (!common.quiet) print(fmt::format("listening on {}\n", options.socket));
  std::thread([&ending, &server] {
    int signal = 0;
    sigwait(&ending, &signal);
    (*server)->stop();
  }).detach();
  (*server)->run();
  return kSuccess;
}

}  // namespace

Run declare_serve(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  app.add_option("--socket", options->socket, "where to listen; Mesa 22.3 looks at the default")->capture_default_str();
  app.add_option("--memory", options->memory_gib, "GiB that one client may take")
      ->check(CLI::Range(0.001, 1024.0))
      ->capture_default_str();
  return [options, &common] { return serve(*options, common); };
}

}  // namespace tessera::tool
