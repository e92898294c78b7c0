// Shaders that real programs gave a driver: all are valid; what the IR has operations for compiles.
#include <catch2/catch.hpp>

#include <algorithm>

#include "shader/tgsi/compile.h"
#include "shader/tgsi/parser.h"
#include "shader/tgsi/validate.h"
#include "shader/verify.h"
#include "tests/support/data.h"

using namespace tessera;

TEST_CASE("every shader of the corpus is valid and compiles, or names what is not supported", "[tgsi][corpus]") {
  const auto root = tests::data_path("corpus/tgsi");
  if (!root) return;
  size_t compiled = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*root)) {
    if (entry.path().extension() != ".tgsi") continue;
    INFO(entry.path());
    const std::string text = tests::read_file(entry.path());
    const auto tree = tgsi::parse(text);
    REQUIRE(tree);
    const std::vector<Diag> broken = tgsi::validate(*tree, tgsi::Dialect::Current);
    if (!broken.empty()) FAIL_CHECK(format_diags(broken, "shader", text));
    const auto program = tgsi::compile(text);
    if (program) {
      ++compiled;
      const Status rules = ir::verify(*program);
      if (!rules) FAIL_CHECK(format_diags(rules.diags(), "ir"));
    } else {
      const bool only_unsupported = std::all_of(program.diags().begin(), program.diags().end(),
                                                [](const Diag& d) { return d.id == "not_supported"; });
      if (!only_unsupported) FAIL_CHECK(format_diags(program.diags(), "shader", text));
    }
  }
  CHECK(compiled > 3500);
}
