#include "frontend/tool/child_process.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tessera::tool {
namespace {

// What execvpe() takes: made before fork(), behind which a process with threads may not ask for memory.
std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> all;
  for (std::string& text : texts) all.push_back(text.data());
  all.push_back(nullptr);
  return all;
}

std::vector<std::string> whole_environment(const Environment& extra) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    const std::string_view text = *entry;
    if (!extra.contains(std::string(text.substr(0, text.find('='))))) all.emplace_back(text);
  }
  for (const auto& [name, value] : extra) all.push_back(name + "=" + value);
  return all;
}

// Behind fork(), in the child: becomes the program; only returns where that fails.
void become(char* const* arguments, char* const* environment, int kept, bool is_helper) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  if (kept >= 0) fcntl(kept, F_SETFD, 0);
  if (is_helper) {
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
  }
  execvpe(arguments[0], arguments, environment);
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments, const Environment& extra, int kept,
                                         bool is_helper) {
  std::vector<std::string> texts = arguments, variables = whole_environment(extra);
  const std::vector<char*> argument_pointers = pointers(texts), variable_pointers = pointers(variables);
  int failure[2];                                 // what execvpe() says, where it fails
  if (pipe2(failure, O_CLOEXEC) != 0) return error(fmt::format("pipe: {}", std::strerror(errno)));
  const pid_t id = fork();
  if (id == 0) {
    become(argument_pointers.data(), variable_pointers.data(), kept, is_helper);
    const int reason = errno;
    [[maybe_unused]] const ssize_t written = write(failure[1], &reason, sizeof reason);
    _exit(127);
  }
  int reason = errno;
  close(failure[1]);
  ChildProcess child(id > 0 ? id : 0);
  const bool has_failed = id < 0 || read(failure[0], &reason, sizeof reason) == sizeof reason;
  close(failure[0]);
  if (has_failed) return error(fmt::format("{}: {}", arguments[0], std::strerror(reason)));
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept : id_(other.id_.exchange(0)) {}

ChildProcess::~ChildProcess() {
  send(SIGTERM);
  wait();
}

int ChildProcess::wait() {
  if (id_ == 0) return 0;
  int status = 0;
  while (waitpid(id_, &status, 0) < 0 && errno == EINTR) {
  }
  id_ = 0;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void ChildProcess::send(int signal) const {
  if (const pid_t id = id_; id != 0) kill(id, signal);
}

}  // namespace tessera::tool
