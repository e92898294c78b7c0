#include "frontend/tool/private_folder.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace tessera::tool {

Result<PrivateFolder> PrivateFolder::create() {
  std::error_code no_folder;
  const std::filesystem::path parent = std::filesystem::temp_directory_path(no_folder);
  if (no_folder) return error(fmt::format("TMPDIR: {}", no_folder.message()));
  std::string path = (parent / "tessera-run-XXXXXX").string();
  if (!mkdtemp(path.data())) return error(fmt::format("{}: {}", path, std::strerror(errno)));
  return PrivateFolder(path);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

}  // namespace tessera::tool
