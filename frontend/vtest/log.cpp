#include "frontend/vtest/log.h"

#include <fmt/format.h>

namespace tessera::vtest {
namespace {

std::string escaped(std::string_view text, std::string_view kept = {}) {
  std::string result;
  for (const char c : text)
    if ((c >= ' ' && c <= '~' && c != '\\') || kept.find(c) != kept.npos) result += c;
    else result += fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
  return result;
}

}  // namespace

void Log::name_client(std::string_view name) { client_ = escaped(name); }

void Log::write(std::string_view text) {
  sink_(fmt::format("{}: {}", client_, escaped(text.substr(0, kLongestText_bytes), "\n")));
}

void Log::write_once(std::string_view text) {
  if (written_.size() >= kMostTexts) return;
  if (!written_.emplace(text.substr(0, kLongestText_bytes)).second) return;
  write(text);
  if (written_.size() == kMostTexts) write("further errors are not written");
}

}  // namespace tessera::vtest
