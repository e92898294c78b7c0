// The numbers and views of `tessera test`'s report, and baseline folders.
#include <catch2/catch.hpp>

#include <filesystem>

#include "frontend/image_compare.h"
#include "tests/unit/reports/tool_fixture.h"

using namespace tessera;
using namespace tessera::tests;
using Catch::Contains;

namespace {

Image solid(uint32_t width, uint32_t height, uint8_t value) {
  return {.width = width, .height = height, .rgba_un8 = std::vector<uint8_t>(size_t{width} * height * 4, value)};
}

// Squares of four texels, or what is far from them with the same mean difference.
Image checkered(uint8_t low, uint8_t high) {
  Image image = solid(32, 32, 255);
  for (uint32_t y = 0; y < 32; ++y)
    for (uint32_t x = 0; x < 32; ++x) std::fill_n(image.texel(x, y), 3, (x / 4 + y / 4) % 2 ? high : low);
  return image;
}

}  // namespace

TEST_CASE("similarity is 1 for equal pictures and falls with what people see", "[compare]") {
  CHECK(similarity_of(checkered(60, 200), checkered(60, 200)).mean == Approx(1));
  const Similarity shifted = similarity_of(checkered(60, 200), checkered(70, 210));
  const Similarity inverted = similarity_of(checkered(60, 200), checkered(200, 60));
  CHECK(shifted.mean > 0.98);
  CHECK(inverted.mean < 0);
  CHECK(similarity_of(solid(1, 1, 10), solid(1, 1, 200)).mean < 0.2);
}

TEST_CASE("similarity names the worst window", "[compare]") {
  Image a = checkered(60, 200), b = a;
  for (uint32_t y = 0; y < 8; ++y)
    for (uint32_t x = 0; x < 8; ++x) std::fill_n(b.texel(x, y), 3, uint8_t{130});
  const Similarity similarity = similarity_of(a, b);
  CHECK(similarity.least < 0.1);
  CHECK(similarity.mean > 0.9);
}

TEST_CASE_METHOD(ToolFixture, "a report has numbers and views of each image that does not match", "[report]") {
  folder.write("heat.scene", std::string(kHeatScene) + "expect image heat.png\n");
  REQUIRE(run("test heat.scene --update").status == 0);
  folder.write("heat.scene", std::string(kHeatScene) + "draw rect -1 -1 0.125 0.2\nexpect image heat.png\n");
  CHECK(run("test heat.scene --report report").status == 1);
  const std::string html = text("report/index.html");
  CHECK_THAT(html, Contains("value=\"flicker\"") && Contains("value=\"difference\"") && Contains("value=\"side\""));
  CHECK_THAT(html, Contains("<td>64 (0.625 %)</td><td>64</td><td>255 128 0 0</td>"));
  CHECK_THAT(html, Contains("similarity (SSIM)") && !Contains("src=\"http"));
}

TEST_CASE_METHOD(ToolFixture, "baseline folders come before the scene's own image", "[report]") {
  namespace fs = std::filesystem;
  fs::create_directories(folder.path("scenes"));
  folder.write("scenes/heat.scene", std::string(kHeatScene) + "expect image heat.png\n");
  REQUIRE(run("test scenes/heat.scene --update").status == 0);
  CHECK(run("test scenes/heat.scene --baseline arm").status == 0);         // has none: the scene's own
  fs::create_directories(folder.path("arm/scenes"));
  folder.write("arm/scenes/heat.png", "no picture");
  const ToolOutcome wrong = run("test scenes/heat.scene --baseline arm");
  CHECK(wrong.status == 1);
  CHECK_THAT(wrong.out, Contains("image arm/scenes/heat.png"));
  CHECK(run("test scenes/heat.scene --baseline arm --update").status == 0);
  CHECK(text("arm/scenes/heat.png") == text("scenes/heat.png"));
  CHECK(run("test scenes/heat.scene --baseline none --baseline arm --jobs 2").status == 0);
}
