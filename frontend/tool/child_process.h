// frontend/tool/child_process.h: a program that this one starts, with more in its environment, and waits for.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <map>
#include <string>
#include <vector>

#include "core/result.h"

namespace tessera::tool {

using Environment = std::map<std::string, std::string>;

class ChildProcess {
 public:
  // `arguments` begins with the program, which is looked for in PATH. `extra` is added to the environment. The child
  // keeps descriptor `kept` open (-1: none), and takes signals as if started from a shell.
  // `is_helper`: it serves this process alone: the terminal's signals pass it by, and it ends with us in any case.
  // Error: the program could not be started.
  static Result<ChildProcess> start(const std::vector<std::string>& arguments, const Environment& extra,
                                    int kept = -1, bool is_helper = false);
  ChildProcess(ChildProcess&& other) noexcept;
  ~ChildProcess();                                // ends it, where it still runs

  int wait();                                     // its exit status; 128 and the signal's number where one ended it
  void send(int signal) const;

 private:
  explicit ChildProcess(pid_t id) : id_(id) {}
  std::atomic<pid_t> id_;                         // 0: has been waited for; another thread may send meanwhile
};

}  // namespace tessera::tool
