// Assembling takes memory in proportion to the text, whatever the text is.
#include <catch2/catch.hpp>

#include "shader/d3d9/diagnostics.h"
#include "shader/d3d9/parser.h"
#include "shader/d3d9/validate.h"
#include "shader/d3d9/writer.h"
#include "tests/support/allocations.h"

using namespace tessera;

namespace {

std::string repeated(std::string_view text, size_t count) {
  std::string all;
  all.reserve(text.size() * count);
  for (size_t i = 0; i < count; ++i) all += text;
  return all;
}

constexpr size_t kFixed_bytes = size_t{1} << 20, kLargestShare = 64;

}  // namespace

TEST_CASE("assembling and checking takes at most 64 times the text in memory", "[d3d9][size]") {
  const std::string bodies[] = {
      repeated("nop\n", 100'000),
      repeated("mov r0,r1\n", 50'000),
      repeated("mad_sat r0.xyz, r1_abs.x, -c2.wzyx, r3\n", 20'000),
      repeated("def c0,1,2,3,4\n", 50'000),
      repeated("if b0\n", 50'000) + repeated("endif\n", 50'000),
      repeated("call l0\n", 50'000) + "ret\nlabel l0\nret\n",
      repeated("dcl_texcoord v0\n", 50'000),
  };
  for (const std::string& body : bodies) {
    const std::string text = "ps_3_0\n" + body;
    INFO(body.substr(0, 40));
    const tests::AllocationMeter meter;
    const Result<d3d9::Program> program = d3d9::parse(text);
    REQUIRE(program);
    CHECK(d3d9::write(*program).size() > 1);
    CHECK(d3d9::validate(*program, {.strict = true}).size() <= d3d9::kMaxDiags);
    CHECK(meter.peak_bytes() <= kLargestShare * text.size() + kFixed_bytes);
  }
}

TEST_CASE("hostile texts are refused with few errors and in little memory", "[d3d9][size]") {
  const std::string texts[] = {
      std::string(size_t{1} << 22, '('),
      "ps_3_0\n" + std::string(size_t{1} << 22, 'x'),
      "ps_3_0\n" + repeated("foo\n", 1'000'000),
      "ps_3_0\ndef c0, " + std::string(size_t{1} << 22, '9') + "x\n",
      "ps_3_0\nmov r0, c[" + repeated("1+", 1'000'000) + "\n",
      "#if " + std::string(100'000, '(') + "\n#endif\nps_3_0\n",
      "#if " + std::string(100'000, '-') + "1\n#endif\nps_3_0\nfoo\n",
      repeated("#if 1\n", 100'000) + "ps_3_0\n",
      "#define f(x) x\nps_3_0\n" + repeated("f(", 100'000) + repeated(")", 100'000),
      "#define f(x) x x\nps_3_0\n" + repeated("f(", 60) + repeated(")", 60) + "foo\n",
      "#define f(x) f(x x)\nps_3_0\nf(r0)\n",
  };
  for (const std::string& text : texts) {
    INFO(text.substr(0, 60));
    const tests::AllocationMeter meter;
    const Result<d3d9::Program> program = d3d9::parse(text);
    REQUIRE_FALSE(program);
    CHECK(program.diags().size() <= d3d9::kMaxDiags);
    CHECK(meter.peak_bytes() <= kLargestShare * text.size() + (size_t{200} << 20));
  }
}
