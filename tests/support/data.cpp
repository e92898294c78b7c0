#include "tests/support/data.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tessera::tests {
namespace {

namespace fs = std::filesystem;

fs::path existing(const fs::path& path) {
  if (!fs::exists(path)) throw std::runtime_error("missing: " + path.string());
  return path;
}

std::optional<fs::path> data_folder() {
  const char* named = std::getenv("TESSERA_DATA");
  if (named != nullptr && *named != '\0') return existing(named);
  const fs::path beside = fs::path(TESSERA_SOURCE_DIR) / ".." / "shared";
  if (fs::is_directory(beside)) return beside;
  return std::nullopt;
}

}  // namespace

std::optional<fs::path> data_path(std::string_view relative) {
  const auto folder = data_folder();
  if (!folder) {
    report_skip("no data folder, so no " + std::string(relative));
    return std::nullopt;
  }
  return existing(*folder / relative);
}

fs::path source_path(std::string_view relative) { return existing(fs::path(TESSERA_SOURCE_DIR) / relative); }

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::string text((std::istreambuf_iterator<char>(file)), {});
  if (!file) throw std::runtime_error("cannot read " + path.string());
  return text;
}

void report_skip(std::string_view reason) {
  std::printf("SKIPPED: %.*s\n", static_cast<int>(reason.size()), reason.data());
  std::fflush(stdout);
}

}  // namespace tessera::tests
