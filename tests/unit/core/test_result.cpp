#include <catch2/catch.hpp>

#include "core/result.h"

namespace tessera::tests {
namespace {
Result<int> half_of(int x) {
  if (x % 2) return error_at({3, 7}, "expected an even number");
  return x / 2;
}
}  // namespace

TEST_CASE("a result is a value or its reasons", "[result]") {
  CHECK(*half_of(8) == 4);
  const auto odd = half_of(7);
  REQUIRE_FALSE(odd.ok());
  REQUIRE(odd.diags().size() == 1);
  CHECK(odd.diags()[0].loc == SourceLoc{3, 7});
}

TEST_CASE("a diagnosis prints its place, the line and a caret", "[result]") {
  const std::string_view source = "VERT\nDCL IN[0]\nMUL OUT, IN\n";
  CHECK(format_diags({error_at({3, 5}, "MUL takes 2 sources, found 1")}, "fog.tgsi", source) ==
        "fog.tgsi:3:5: error: MUL takes 2 sources, found 1\n  MUL OUT, IN\n      ^\n");
}

TEST_CASE("a diagnosis without a place names the file alone", "[result]") {
  CHECK(format_diags({error_at({0, 1}, "no version")}, "a.vso") == "a.vso: word 0: error: no version\n");
  CHECK(format_diags({error("no such file")}, "a.scene") == "a.scene: error: no such file\n");
}

TEST_CASE("a place beyond the source prints no line", "[result]") {
  CHECK(format_diags({error_at({9, 1}, "unexpected end")}, "a", "one\ntwo\n") == "a:9:1: error: unexpected end\n");
  CHECK(format_diags({error_at({1, 0}, "word 0")}, "a", "one") == "a:1:0: error: word 0\n  one\n  ^\n");
}

}  // namespace tessera::tests
