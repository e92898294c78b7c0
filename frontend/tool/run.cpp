#include <fmt/format.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <thread>

#include "frontend/tool/command.h"
#include "frontend/vtest/server.h"

namespace tessera::tool {
namespace {

struct Options {
  std::vector<std::string> command;
  std::vector<std::string> screenshots;        // FRAME:FILE.png
  vtest::ObserverOptions observer;
};

// A folder of our own that goes with everything in it.
class PrivateFolder {
 public:
  static Result<PrivateFolder> create() {
    std::string path = (std::filesystem::temp_directory_path() / "tessera-run-XXXXXX").string();
    if (!mkdtemp(path.data())) return error(fmt::format("{}: {}", path, std::strerror(errno)));
    return PrivateFolder(path);
  }
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ~PrivateFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

// Beside the tool where it was built, or in the library folder beside the tool's where it was installed.
Result<std::string> find_redirection() {
  const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::filesystem::path& place : {folder, folder.parent_path() / "lib" / "tessera"})
    if (const auto file = place / "tessera-connect.so"; std::filesystem::exists(file)) return file.string();
  return error(fmt::format("tessera-connect.so is neither in {} nor in ../lib/tessera", folder.string()));
}

Status read_screenshots(const std::vector<std::string>& texts, std::map<uint64_t, std::string>& screenshots) {
  for (const std::string& text : texts) {
    uint64_t frame = 0;
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), frame);
    if (failure != std::errc{} || frame == 0 || end == text.data() + text.size() || *end != ':')
      return error(fmt::format("--screenshot: expected FRAME:FILE.png with frames from 1 on, found '{}'", text));
    screenshots[frame] = end + 1;
  }
  return Done{};
}

// In the child: becomes the program. Only returns where that fails.
void become(const std::vector<std::string>& command, const std::string& socket, const std::string& redirection) {
  const char* others = std::getenv("LD_PRELOAD");
  const std::string preload = others ? redirection + ":" + others : redirection;
  setenv("LD_PRELOAD", preload.c_str(), 1);
  setenv("TESSERA_VTEST_SOCKET", socket.c_str(), 1);
  setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
  setenv("GALLIUM_DRIVER", "virpipe", 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
}

// The program's exit status; 128 and the signal's number where one ended it.
Result<int> run_program(const std::vector<std::string>& command, const std::string& socket, const std::string& redirection) {
  int failure[2];                              // what execvp() says, where it fails
  if (pipe2(failure, O_CLOEXEC) != 0) return error(fmt::format("pipe: {}", std::strerror(errno)));
  const pid_t child = fork();
  if (child < 0) return error(fmt::format("fork: {}", std::strerror(errno)));
  if (child == 0) {
    become(command, socket, redirection);
    const int reason = errno;
    [[maybe_unused]] const ssize_t written = write(failure[1], &reason, sizeof reason);
    _exit(127);
  }
  close(failure[1]);
  int reason = 0;
  const bool has_failed = read(failure[0], &reason, sizeof reason) == sizeof reason;
  close(failure[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (has_failed) return error(fmt::format("{}: {}", command[0], std::strerror(reason)));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int run(Options& options, const CommonOptions& common) {
  if (Status s = read_screenshots(options.screenshots, options.observer.screenshots); !s)
    return report_wrong_use(s.diags(), "tessera run");
  const Result<std::string> redirection = find_redirection();
  if (!redirection) return report_wrong_use(redirection.diags(), "tessera run");
  const Result<PrivateFolder> folder = PrivateFolder::create();
  if (!folder) return report_wrong_use(folder.diags(), "tessera run");

  const std::string socket = folder->path() + "/vtest";
  const bool quiet = common.quiet;
  Result<std::unique_ptr<vtest::Server>> server = vtest::Server::create(
      {.socket_path = socket, .device = common.device, .limits = {}, .observer = options.observer},
      [quiet](std::string_view line) {
        if (!quiet) std::fputs(fmt::format("tessera run: {}\n", line).c_str(), stderr);
      });
  if (!server) return report_wrong_use(server.diags(), "tessera run");
  std::thread serving([&server] { (*server)->run(); });
  const Result<int> status = run_program(options.command, socket, *redirection);
  (*server)->stop();
  serving.join();
  return status ? *status : report_wrong_use(status.diags(), "tessera run");
}

}  // namespace

Run declare_run(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<Options>();
  app.add_option("--screenshot", options->screenshots, "FRAME:FILE.png: writes what a frame shows")->allow_extra_args(false);
  app.add_option("--trace-commands", options->observer.command_file, "file for every command and program of the client");
  app.add_flag("--stats", options->observer.prints_stats, "print the counters of every frame");
  app.add_option("PROGRAM", options->command, "behind --: the program and its arguments")->required();
  return [options, &common] { return run(*options, common); };
}

}  // namespace tessera::tool
