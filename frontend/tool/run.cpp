#include <fmt/format.h>
#include <signal.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <thread>

#include "frontend/tool/private_screen.h"
#include "frontend/tool/server_options.h"

namespace tessera::tool {
namespace {

struct Options {
  std::vector<std::string> command;
  std::string size;                              // of a screen of its own; empty: none is wanted
  ServerFlags flags;
};

// Beside the tool where it was built, or in the library folder beside the tool's where it was installed.
Result<std::string> find_redirection() {
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::filesystem::path& place : {folder, folder.parent_path() / "lib" / "tessera"})
    if (const auto file = place / "tessera-connect.so"; std::filesystem::exists(file)) return file.string();
  return error(fmt::format("tessera-connect.so is neither in {} nor in ../lib/tessera", folder.string()));
}

// What makes Mesa draw on the server at `socket`.
Environment client_environment(const std::string& socket, const std::string& redirection) {
  const char* others = std::getenv("LD_PRELOAD");
  return {{"LD_PRELOAD", others ? redirection + ":" + others : redirection},
          {"TESSERA_VTEST_SOCKET", socket},
          {"LIBGL_ALWAYS_SOFTWARE", "1"},
          {"GALLIUM_DRIVER", "virpipe"}};
}

// A program without a screen may still draw (EGL surfaceless), so it is started all the same.
void warn_without_screen(const CommonOptions& common) {
  if (std::getenv("DISPLAY") || std::getenv("WAYLAND_DISPLAY") || std::getenv("EGL_PLATFORM") || common.quiet) return;
  std::fputs("tessera run: DISPLAY is not set: programs with windows need --size WIDTHxHEIGHT\n", stderr);
}

// The signals that end programs, taken by one thread: they are handed on to the program, so that its end is waited for
// and nothing stays behind.
class SignalRelay {
 public:
  SignalRelay() {                                // before any other thread exists
    sigemptyset(&relayed_);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1}) sigaddset(&relayed_, signal);
    pthread_sigmask(SIG_BLOCK, &relayed_, nullptr);
  }
  int run(ChildProcess& program) {
    std::thread relay([this, &program] {
      for (;;) {
        siginfo_t info{};
        const int signal = sigwaitinfo(&relayed_, &info);
        if (is_over_) return;
        // A terminal's signals reach the program by themselves.
        if (signal > 0 && info.si_code != SI_KERNEL) program.send(signal);
      }
    });
    const int status = program.wait();
    is_over_ = true;
    pthread_kill(relay.native_handle(), SIGUSR1);
    relay.join();
    return status;
  }

 private:
  sigset_t relayed_;
  std::atomic<bool> is_over_ = false;
};

// False: a frame that should be saved was never shown.
bool report_missing_screenshots(const vtest::Server& server) {
  const std::vector<uint64_t> missing = server.observer().missing_screenshots();
  for (const uint64_t frame : missing)
    std::fputs(fmt::format("tessera run: --screenshot: there was no frame {}\n", frame).c_str(), stderr);
  return missing.empty();
}

Result<int> run(const Options& options, const CommonOptions& common) {
  SignalRelay signals;
  const Result<std::string> redirection = find_redirection();
  if (!redirection) return redirection.diags();
  const Result<PrivateFolder> folder = PrivateFolder::create();
  if (!folder) return folder.diags();
  const std::string socket = folder->path() + "/vtest";
  const Result<vtest::ServerOptions> server_options = tool::server_options(options.flags, common, socket);
  if (!server_options) return server_options.diags();

  Environment environment = client_environment(socket, *redirection);
  std::optional<PrivateScreen> screen;
  if (options.size.empty()) warn_without_screen(common);
  else {
    const Result<ScreenSize> size = read_screen_size(options.size);
    if (!size) return error("--size: " + size.diags().front().text);
    Result<PrivateScreen> started = PrivateScreen::create(*folder, *size);
    if (!started) return error("--size: " + started.diags().front().text);
    environment.insert(started->environment().begin(), started->environment().end());
    screen.emplace(std::move(*started));
  }

  const bool quiet = common.quiet;
  const auto print_log = [quiet](std::string_view line) {
    if (!quiet) std::fputs(fmt::format("tessera run: {}\n", line).c_str(), stderr);
  };
  Result<std::unique_ptr<vtest::Server>> server = vtest::Server::create(*server_options, print_log);
  if (!server) return server.diags();
  Result<ChildProcess> program = ChildProcess::start(options.command, environment);
  if (!program) return program.diags();
  std::thread serving([&server] { (*server)->run(); });
  const int status = signals.run(*program);
  (*server)->stop();
  serving.join();
  const bool is_complete = report_missing_screenshots(**server);
  return status == 0 && !is_complete ? kFailed : status;
}

}  // namespace

Run declare_run(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  app.add_option("--size", options->size, "WIDTHxHEIGHT: gives the program a screen of its own, seen by nobody (Xvfb)");
  add_server_options(app, common, options->flags);
  app.add_option("PROGRAM", options->command, "behind --: the program and its arguments")->required();
  return [options, &common] {
    const Result<int> status = run(*options, common);
    return status ? *status : report_wrong_use(status.diags(), "tessera run");
  };
}

}  // namespace tessera::tool
