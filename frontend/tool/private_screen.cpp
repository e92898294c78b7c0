#include "frontend/tool/private_screen.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>

namespace tessera::tool {
namespace {

constexpr uint32_t kLargestSide_px = 16384;
constexpr int kLongestStart_ms = 20'000;

// An entry of an X authority file: counted texts, big-endian counts. The family stands for every host and display.
std::string authority_entry(std::string_view key) {
  const auto counted = [](std::string_view text) {
    return std::string{static_cast<char>(text.size() >> 8), static_cast<char>(text.size() & 255)} + std::string(text);
  };
  return "\xff\xff" + counted("") + counted("") + counted("MIT-MAGIC-COOKIE-1") + counted(key);
}

Status write_authority(const std::string& path) {
  char key[16];
  if (getrandom(key, sizeof key, 0) != sizeof key) return error("getrandom: no random bytes");
  const std::string entry = authority_entry({key, sizeof key});
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  const bool is_written = file >= 0 && write(file, entry.data(), entry.size()) == static_cast<ssize_t>(entry.size());
  if (file >= 0) close(file);
  return is_written ? Status(Done{}) : Status(error(fmt::format("{}: cannot be written", path)));
}

// The number that the server picks, a line.
std::string read_number(int pipe) {
  std::string number;
  for (char c = 0; number.size() < 10; number += c) {
    pollfd waiting{pipe, POLLIN, 0};
    if (poll(&waiting, 1, kLongestStart_ms) != 1 || read(pipe, &c, 1) != 1) return {};
    if (c == '\n') return number;
  }
  return {};
}

}  // namespace

Result<ScreenSize> read_screen_size(std::string_view text) {
  ScreenSize size;
  const char* const end = text.data() + text.size();
  const auto width = std::from_chars(text.data(), end, size.width_px);
  const bool has_cross = width.ec == std::errc{} && width.ptr != end && *width.ptr == 'x';
  const auto height = has_cross ? std::from_chars(width.ptr + 1, end, size.height_px) : std::from_chars_result{};
  const auto is_side = [](uint32_t side) { return side >= 1 && side <= kLargestSide_px; };
  const bool is_read = has_cross && height.ec == std::errc{} && height.ptr == end;
  if (!is_read || !is_side(size.width_px) || !is_side(size.height_px))
    return error(fmt::format("expected WIDTHxHEIGHT, each from 1 to {}, found '{}'", kLargestSide_px, text));
  return size;
}

bool has_xvfb() {
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "";
  while (!rest.empty()) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    if (access((std::string(folder) + "/Xvfb").c_str(), X_OK) == 0) return true;
    rest.remove_prefix(std::min(rest.size(), folder.size() + 1));
  }
  return false;
}

Result<PrivateScreen> PrivateScreen::create(const PrivateFolder& folder, const ScreenSize& size) {
  if (!has_xvfb()) return error("Xvfb is not installed (Debian: the package xvfb)");
  const std::string authority = folder.path() + "/authority";
  if (Status s = write_authority(authority); !s) return s.diags();
  int number_pipe[2];
  if (pipe2(number_pipe, O_CLOEXEC) != 0) return error("pipe: none is free");
  Result<ChildProcess> server = ChildProcess::start(
      {"Xvfb", "-displayfd", fmt::format("{}", number_pipe[1]), "-screen", "0",
       fmt::format("{}x{}x24", size.width_px, size.height_px), "-auth", authority, "-nolisten", "tcp"},
      {}, number_pipe[1], true);
  close(number_pipe[1]);
  const std::string number = server ? read_number(number_pipe[0]) : "";
  close(number_pipe[0]);
  if (!server) return server.diags();
  if (number.empty()) return error("Xvfb does not start");
  return PrivateScreen(std::move(*server), {{"DISPLAY", ":" + number}, {"XAUTHORITY", authority}});
}

}  // namespace tessera::tool
