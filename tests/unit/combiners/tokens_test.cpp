#include <catch2/catch.hpp>

#include <set>

#include "combiners/formats.h"
#include "combiners/tokens.h"

using namespace tessera::combiners;

namespace {

template <class E>
void check_table() {
  std::set<uint32_t> tokens;
  std::set<std::string_view> texts;
  for (const TokenInfo<E>& row : kTokens<E>) {
    INFO(row.text);
    CHECK(from_token<E>(to_token(row.value)) == row.value);
    CHECK(from_text<E>(row.text) == row.value);
    CHECK(tokens.insert(to_token(row.value)).second);
    CHECK(texts.insert(row.text).second);
  }
  CHECK_FALSE(from_token<E>(0xffff).has_value());
  CHECK_FALSE(from_text<E>("").has_value());
}

}  // namespace

TEST_CASE("every choice is found by its token and by its spelling, and no two share one", "[combiners]") {
  check_table<Register>();
  check_table<Mapping>();
  check_table<Usage>();
  check_table<Portion>();
  check_table<Variable>();
  check_table<Scale>();
  check_table<Bias>();
  check_table<EnvMode>();
  check_table<EnvFunction>();
  check_table<EnvSource>();
  check_table<EnvOperand>();
  check_table<FogMode>();
  check_table<FogSource>();
  check_table<AtiOp>();
  check_table<AtiSource>();
  check_table<AtiReplicate>();
  check_table<AtiSwizzle>();
  check_table<AtiCoordinate>();
}

TEST_CASE("base formats are in the order of their enumeration", "[combiners]") {
  for (const FormatInfo& row : kFormats) CHECK(info(row.format).text == row.text);
}
