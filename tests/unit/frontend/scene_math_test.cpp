#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "frontend/scene_math.h"
#include "frontend/trigonometry.h"

using namespace tessera;
using namespace tessera::scene;

namespace {

std::vector<float> values(std::string_view text) {
  const Result<std::vector<uint32_t>> words = evaluate_values(text, {3, 10});
  if (!words) FAIL(words.diags().front().text);
  std::vector<float> floats;
  for (const uint32_t word : *words) floats.push_back(std::bit_cast<float>(word));
  return floats;
}

}  // namespace

TEST_CASE("blanks and commas separate values, operators join them") {
  CHECK(values("1 -2") == std::vector<float>{1, -2});
  CHECK(values("1 - 2") == std::vector<float>{-1});
  CHECK(values("1-2, 3*4 / 6") == std::vector<float>{-1, 2});
  CHECK(values("(1 -2) 2*(3 + 4)") == std::vector<float>{-1, 14});
  CHECK(values("0x40000000 +1.5e1 -(2)") == std::vector<float>{2, 15, -2});
  CHECK(values("sqrt(2) 1/3") == std::vector<float>{std::sqrt(2.0f), 1.0f / 3.0f});
}

TEST_CASE("quarter turns are exact") {
  CHECK(values("sin(90) cos(90) sin(180) cos(-180) sin(450)") == std::vector<float>{1, 0, 0, -1, 1});
  CHECK(sin_turns(0.125) == Approx(std::sqrt(0.5)).epsilon(1e-15));
  CHECK(cos_turns(-2.125) == Approx(std::sqrt(0.5)).epsilon(1e-15));
}

TEST_CASE("the projection maps the near and far planes to -1 and 1") {
  const std::vector<float> m = values("perspective(90, 2, 1, 10)");
  REQUIRE(m.size() == 16);
  CHECK(m[0] == Approx(0.5f));
  CHECK(m[5] == Approx(1.0f));
  CHECK((m[10] * -1 + m[11]) / 1 == Approx(-1.0f));
  CHECK((m[10] * -10 + m[11]) / 10 == Approx(1.0f));
  CHECK(m[14] == -1);
}

TEST_CASE("a product with the inverse is the identity") {
  const std::vector<float> m =
      values("(translate(1,2,3)*rotate(30, 0, 1, 0)) * inverse(translate(1,2,3)*rotate(30, 0, 1, 0))");
  for (size_t i = 0; i < 16; ++i) CHECK(m[i] == Approx(i % 5 == 0 ? 1.0f : 0.0f).margin(1e-6));
}

TEST_CASE("looking at the origin from +z leaves the axes and moves the scene back") {
  const std::vector<float> m = values("look_at(0,0,5, 0,0,0, 0,1,0)");
  const float expected[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, -5, 0, 0, 0, 1};
  for (size_t i = 0; i < 16; ++i) CHECK(m[i] == expected[i]);
}

TEST_CASE("a wrong expression names its place") {
  const struct { std::string_view text; uint32_t column; std::string_view message;
  } kCases[] = {{"", 10, "expected values"},
                {"1 +", 13, "expected a number"},
                {"foo(1)", 10, "no function 'foo'"},
                {"sin(1, 2)", 13, "sin takes 1"},
                {"(1", 12, "expected ')'"},
                {"1 / identity()", 24, "no divisor"},
                {"1 + identity()", 24, "only numbers"},
                {"transpose(1)", 19, "takes one matrix"},
                {"sin(", 14, "expected a number"},
                {"1 2 $", 14, "expected a number"}};
  for (const auto& c : kCases) {
    CAPTURE(c.text);
    const Result<std::vector<uint32_t>> result = evaluate_values(c.text, {3, 10});
    REQUIRE_FALSE(result);
    const Diag& diag = result.diags().front();
    CHECK(diag.loc == SourceLoc{3, c.column});
    CHECK_THAT(diag.text, Catch::Contains(std::string(c.message)));
  }
}

TEST_CASE("deep nesting is refused, not followed to the end of the stack") {
  CHECK_FALSE(evaluate_values(std::string(100000, '('), {1, 1}));
  CHECK_FALSE(evaluate_values(std::string(100000, '-') + "1", {1, 1}));
}
