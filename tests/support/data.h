// tests/support/data.h: where tests find files: those of the source tree, and outside data (golden vectors, shader
// corpora, meshes) that is not part of it.
//
// The folder of outside data is $TESSERA_DATA (tests/run.sh --data DIR sets it), else `../shared` beside the source
// tree. Without either, a test that needs data is skipped and counted as such. With one, a missing file is a failure.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace tessera::tests {

// A file or folder of outside data. Nothing when there is no data folder: the skip is reported, the test returns.
//     const auto path = data_path("goldens/tgsi-alu.jsonl");
//     if (!path) return;
// Throws std::runtime_error when the data folder is there (or was named) and the file is not.
std::optional<std::filesystem::path> data_path(std::string_view relative);

// A file or folder of the source tree. Throws std::runtime_error when it is not there.
std::filesystem::path source_path(std::string_view relative);

// The whole file. Throws std::runtime_error when it cannot be read.
std::string read_file(const std::filesystem::path& path);

// Prints `SKIPPED: reason`. tests/run.sh counts the lines; the test case itself must then return.
void report_skip(std::string_view reason);

}  // namespace tessera::tests
