// frontend/tool/private_folder.h: a folder that only its owner may enter, gone with everything in it when the object goes.
#pragma once

#include <string>
#include <utility>

#include "core/result.h"

namespace tessera::tool {

class PrivateFolder {
 public:
  static Result<PrivateFolder> create();         // in the system's folder for temporary files
  PrivateFolder(PrivateFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ~PrivateFolder();
  const std::string& path() const { return path_; }

 private:
  explicit PrivateFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

}  // namespace tessera::tool
