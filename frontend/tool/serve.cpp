#include <fmt/format.h>
#include <signal.h>

#include <cstdio>
#include <memory>
#include <thread>

#include "frontend/tool/server_options.h"

namespace tessera::tool {
namespace {

struct Options {
  std::string socket = "/tmp/.virgl_test";
  ServerFlags flags;
};

void print_log(std::string_view line) { std::fputs(fmt::format("tessera serve: {}\n", line).c_str(), stderr); }

int serve(const Options& options, const CommonOptions& common) {
  // Blocked before any thread exists, so that only the one below takes them: the socket's file goes in every case.
  sigset_t ending;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);

  const Result<vtest::ServerOptions> server_options = tool::server_options(options.flags, common, options.socket);
  if (!server_options) return report_wrong_use(server_options.diags(), "tessera serve");
  Result<std::unique_ptr<vtest::Server>> server = vtest::Server::create(*server_options, print_log);
  if (!server) return report_wrong_use(server.diags(), options.socket);
  if (!common.quiet) print(fmt::format("listening on {}\n", options.socket));
  std::fflush(stdout);
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
  add_server_options(app, common, options->flags);
  return [options, &common] { return serve(*options, common); };
}

}  // namespace tessera::tool
