#include "frontend/vtest/observer.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "frontend/vtest/decode.h"

namespace tessera::vtest {

Result<std::unique_ptr<Observer>> Observer::create(const ObserverOptions& options) {
  std::unique_ptr<Observer> observer(new Observer(options));
  if (options.command_file.empty()) return observer;
  observer->commands_ = std::fopen(options.command_file.c_str(), "w");
  if (!observer->commands_) return error(fmt::format("{}: {}", options.command_file, std::strerror(errno)));
  return observer;
}

Observer::~Observer() {
  if (commands_) std::fclose(commands_);
}

void Observer::note_command(std::string_view name, std::string_view fields, Words d) {
  if (!commands_) return;
  const std::string line = decode_command(name, fields, d) + '\n';
  const std::lock_guard lock(mutex_);
  std::fputs(line.c_str(), commands_);
}

void Observer::note_program(std::string_view text) {
  if (!commands_) return;
  const std::lock_guard lock(mutex_);
  std::fputs(fmt::format("{}\n", text).c_str(), commands_);
}

void Observer::forget(const Context& context) {
  const std::lock_guard lock(mutex_);
  last_.erase(&context);
}

std::vector<uint64_t> Observer::missing_screenshots() const {
  const std::lock_guard lock(mutex_);
  std::vector<uint64_t> missing;
  for (const auto& [frame, file] : options_.screenshots)
    if (frame > frames_) missing.push_back(frame);
  return missing;
}

Status Observer::note_frame(Context& context, const ResourceRef& shown) {
  const std::lock_guard lock(mutex_);
  ++frames_;
  if (options_.prints_stats) {
    const Counters now = context.renderer().counters();
    Counters& last = last_[&context];
    std::string line = fmt::format("frame {}:", frames_);
#define X(name) \
  if (now.name != last.name) line += fmt::format(" {} {}", #name, now.name - last.name);
    TESSERA_COUNTERS(X)
#undef X
    std::fputs((line + '\n').c_str(), stderr);
    last = now;
  }
  const auto wanted = options_.screenshots.find(frames_);
  if (wanted == options_.screenshots.end()) return Done{};
  const Result<Image> picture = context.read_image(shown);
  if (!picture) return picture.diags();
  return write_png_file(wanted->second, *picture);
}

}  // namespace tessera::vtest
