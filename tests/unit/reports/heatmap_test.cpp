// What a frame is said to have cost, against what is known of the scene.
#include <catch2/catch.hpp>

#include <map>
#include <nlohmann/json.hpp>

#include "frontend/heatmap.h"
#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"
#include "tests/unit/reports/tool_fixture.h"

using namespace tessera;
using namespace tessera::tests;

namespace {

struct Logged {
  std::unique_ptr<Device> device;
  std::shared_ptr<raster::FrameLog> log;
  ResourceRef image;
};

Logged run_logged(const std::string& text) {
  const Result<scene::Scene> scene = scene::parse_scene(text);
  if (!scene) FAIL(format_diags(scene.diags(), "heat.scene", text));
  Logged logged{.device = std::move(Device::create({}).value())};
  raster::Renderer& renderer = logged.device->context().renderer();
  scene::SceneHooks hooks;
  hooks.prepared = [&](const auto& targets) -> Status {
    logged.image = targets.at("").color[0];
    logged.log = std::make_shared<raster::FrameLog>(renderer.arena().threads(), logged.image);
    renderer.set_frame_log(logged.log);
    return Done{};
  };
  const auto result = scene::run_scene(*logged.device, *scene, "", hooks);
  if (!result) FAIL(format_diags(result.diags(), "heat.scene", text));
  return logged;
}

float at(const HeatGrid& grid, uint32_t x, uint32_t y) { return grid.value[size_t{y} * grid.width + x]; }

}  // namespace

TEST_CASE("a heat map counts what each pixel was shaded and written", "[heatmap]") {
  for (const char* samples : {"", "samples 4\n"}) {
    std::string text = kHeatScene;
    text.insert(text.find("[vertex"), samples);
    text.erase(text.find("probe"));
    const Logged logged = run_logged(text);
    CAPTURE(samples);
    for (const HeatOf of : {HeatOf::Fragments, HeatOf::Overdraw}) {
      const HeatGrid grid = make_heat_grid(*logged.log, *logged.image, of, HeatBy::Pixel).value();
      // Beside the rectangles' diagonals, where both triangles cover samples of a pixel.
      CHECK(at(grid, 10, 30) == 2);
      CHECK(at(grid, 63, 20) == 2);
      CHECK(at(grid, 64, 10) == 1);
      CHECK(at(grid, 127, 40) == 1);
      CHECK(at(grid, 10, 64) == 0);
      if (*samples == '\0') CHECK(grid.most == 2);
    }
  }
}

TEST_CASE("fragments that a test drops are shaded but not written", "[heatmap]") {
  std::string text = kHeatScene;
  text.erase(text.find("probe"));
  text.replace(text.find("blend one one"), 13, "alpha_test less 0.5");
  const Logged logged = run_logged(text);
  CHECK(at(make_heat_grid(*logged.log, *logged.image, HeatOf::Fragments, HeatBy::Pixel).value(), 10, 10) == 2);
  CHECK(at(make_heat_grid(*logged.log, *logged.image, HeatOf::Overdraw, HeatBy::Pixel).value(), 10, 10) == 0);
}

TEST_CASE("a heat map by tile holds the mean of the tile's pixels", "[heatmap]") {
  std::string text = kHeatScene;
  text.erase(text.find("probe"));
  const Logged logged = run_logged(text);
  const HeatGrid grid = make_heat_grid(*logged.log, *logged.image, HeatOf::Fragments, HeatBy::Tile).value();
  CHECK(at(grid, 0, 0) == 2);
  CHECK(at(grid, 100, 0) == 1);
  CHECK(at(grid, 0, 70) == 0);
  const HeatGrid time = make_heat_grid(*logged.log, *logged.image, HeatOf::Time, HeatBy::Tile).value();
  CHECK(at(time, 0, 0) > 0);
  CHECK(at(time, 0, 0) == at(time, 63, 63));
  CHECK(time.most >= at(time, 0, 0));
}

TEST_CASE("quads' utilisation is what of the shaded lanes was covered", "[heatmap]") {
  // One pixel of a quad is covered: a quarter of its lanes.
  const Logged logged = run_logged(
      "[target]\nsize 16 16\n"
      "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n"
      "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\n0: MOV OUT[0], IMM[0]\n1: END\n"
      "[state]\nscissor 4 4 1 1\n[test]\nclear color 0 0 0 1\ndraw rect -1 -1 2 2\n");
  const HeatGrid pixels = make_heat_grid(*logged.log, *logged.image, HeatOf::Quads, HeatBy::Pixel).value();
  CHECK(at(pixels, 4, 4) == 100);
  CHECK(at(pixels, 5, 4) == 0);
  CHECK(at(make_heat_grid(*logged.log, *logged.image, HeatOf::Quads, HeatBy::Tile).value(), 0, 0) == 25);
}

TEST_CASE("time by pixel is refused", "[heatmap]") {
  const Logged logged = run_logged("[target]\nsize 8 8\n[test]\nclear color 0 0 0 1\n");
  const auto grid = make_heat_grid(*logged.log, *logged.image, HeatOf::Time, HeatBy::Pixel);
  REQUIRE(!grid);
  CHECK_THAT(grid.diags().front().text, Catch::Contains("by tile, not by pixel"));
}

TEST_CASE_METHOD(ToolFixture, "render writes heat maps with a legend, and the picture is the same", "[heatmap]") {
  folder.write("heat.scene", kHeatScene);
  REQUIRE(run("render heat.scene -o plain.png").status == 0);
  for (const char* of : {"time", "fragments", "overdraw", "quads"}) {
    const ToolOutcome outcome = run(std::string("render heat.scene -o p.png --heatmap h.png --heatmap-of ") + of);
    CAPTURE(of, outcome.err);
    REQUIRE(outcome.status == 0);
    CHECK(text("p.png") == text("plain.png"));
    const Image heat = read_image_file(folder.path("h.png")).value();
    CHECK(heat.width == 128);
    CHECK(heat.height == 80 + kLegend_px);
    if (std::string_view(of) != "fragments") continue;
    const auto color = [&](uint32_t x, uint32_t y) { return std::vector(heat.texel(x, y), heat.texel(x, y) + 3); };
    CHECK(color(10, 10) == color(60, 60));
    CHECK(color(10, 10) != color(100, 10));
    CHECK(color(100, 10) != color(10, 75));
  }
}

TEST_CASE_METHOD(ToolFixture, "render refuses heat maps that are not, and says where a file cannot be written",
                 "[heatmap]") {
  folder.write("heat.scene", kHeatScene);
  for (const char* arguments :
       {"--heatmap h.png --heatmap-of nonsense", "--heatmap h.png --heatmap-by time", "--heatmap h.png --heatmap-by pixel",
        "--heatmap nosuch/h.png", "--trace nosuch/t.json"}) {
    const ToolOutcome outcome = run(std::string("render heat.scene -o p.png ") + arguments);
    CAPTURE(arguments);
    CHECK(outcome.status == 2);
    CHECK(!outcome.err.empty());
  }
}

TEST_CASE_METHOD(ToolFixture, "a trace is valid JSON in which every event that begins ends, in order", "[trace]") {
  folder.write("heat.scene", kHeatScene);
  REQUIRE(run("render heat.scene -o p.png --trace t.json --threads 2").status == 0);
  const nlohmann::json trace = nlohmann::json::parse(text("t.json"));
  std::map<int, std::vector<std::string>> open;
  std::map<int, double> last;
  std::map<std::string, int> categories;
  for (const auto& event : trace["traceEvents"]) {
    const int thread = event["tid"];
    if (event["ph"] == "M") continue;
    CHECK(event["ts"].get<double>() >= last[thread]);
    last[thread] = event["ts"];
    if (event["ph"] == "B") {
      open[thread].push_back(event["name"]);
      ++categories[event["cat"]];
    } else {
      REQUIRE(event["ph"] == "E");
      REQUIRE(!open[thread].empty());
      CHECK(open[thread].back() == event["name"]);
      open[thread].pop_back();
    }
  }
  for (const auto& [thread, names] : open) CHECK(names.empty());
  CHECK(categories["compile"] == 2);
  CHECK(categories["command"] == 4);
  CHECK(categories["draw"] == 2);
  CHECK(categories["tile"] >= 2);
  CHECK(categories["phase"] >= 3);
}
