// frontend/vtest/log.h: what a server says about its clients. Errors of commands come in floods: each text is written
// once a connection, so that a broken client fills no disk.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <unordered_set>

namespace tessera::vtest {

class Log {
 public:
  using Sink = std::function<void(std::string_view line)>;   // may be called by several threads, each with its own Log
  explicit Log(Sink sink) : sink_(std::move(sink)) {}

  void name_client(std::string_view name);                   // escaped: it comes from outside
  void write(std::string_view text);                         // escaped but for ends of lines; cut
  void write_once(std::string_view text);

 private:
  static constexpr size_t kMostTexts = 1000, kLongestText_bytes = 16384;
  Sink sink_;
  std::string client_ = "client";
  std::unordered_set<std::string> written_;
};

}  // namespace tessera::vtest
