// frontend/vtest/observer.h: who watches what clients do: screenshots, traces of commands, counters a frame.
// A server has one observer for all of its clients; its calls come one at a time.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "frontend/device.h"
#include "frontend/vtest/words.h"

namespace tessera::vtest {

struct ObserverOptions {
  std::map<uint64_t, std::string> screenshots;   // by frame, the first being 1: the PNG file
  std::string command_file;                      // every command field by field, programs as text; empty: none
  bool prints_stats = false;                     // a line a frame on standard error
};

// A frame is shown when a client fetches a whole window buffer.
class Observer {
 public:
  static Result<std::unique_ptr<Observer>> create(const ObserverOptions& options);
  ~Observer();

  void note_command(std::string_view name, std::string_view fields, Words d);
  void note_program(std::string_view text);
  // Error: the picture could not be written.
  Status note_frame(Context& context, const ResourceRef& shown);
  void forget(const Context& context);           // its client leaves
  std::vector<uint64_t> missing_screenshots() const;   // frames that have not come

 private:
  explicit Observer(const ObserverOptions& options) : options_(options) {}

  ObserverOptions options_;
  mutable std::mutex mutex_;
  std::FILE* commands_ = nullptr;
  uint64_t frames_ = 0;
  std::map<const Context*, Counters> last_;      // of each client at its last frame
};

}  // namespace tessera::vtest
