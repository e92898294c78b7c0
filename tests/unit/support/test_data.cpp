#include <catch2/catch.hpp>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "tests/support/data.h"

namespace tessera::tests {
namespace {

// Names a data folder for a scope.
class DataFolder {
 public:
  explicit DataFolder(const std::string& folder) {
    if (const char* old = std::getenv("TESSERA_DATA")) saved_ = old;
    setenv("TESSERA_DATA", folder.c_str(), 1);
  }
  ~DataFolder() { saved_.empty() ? unsetenv("TESSERA_DATA") : setenv("TESSERA_DATA", saved_.c_str(), 1); }

 private:
  std::string saved_;
};

}  // namespace

TEST_CASE("a file of the named data folder is found", "[support]") {
  const DataFolder folder(source_path("tests").string());
  const auto path = data_path("support/data.h");
  REQUIRE(path);
  CHECK(read_file(*path).find("data_path") != std::string::npos);
}

TEST_CASE("a file that a data folder lacks is a failure, not a skip", "[support]") {
  const DataFolder folder(source_path("tests").string());
  CHECK_THROWS_AS(data_path("no/such/file"), std::runtime_error);
}

TEST_CASE("a named data folder that is not there is a failure, not a skip", "[support]") {
  const DataFolder folder("/no/such/folder");
  CHECK_THROWS_AS(data_path("goldens"), std::runtime_error);
}

TEST_CASE("a file that cannot be read is a failure", "[support]") {
  CHECK_THROWS_AS(read_file("/no/such/file"), std::runtime_error);
}

}  // namespace tessera::tests
