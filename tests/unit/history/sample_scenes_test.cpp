// A debugger that shows other numbers than the picture has is worse than none: what a pixel's history ends with is the
// picture's pixel, and the picture that comes out beside it is the ordinary one.
#include <catch2/catch.hpp>

#include <cstring>
#include <random>

#include "frontend/pixel_inspection.h"
#include "frontend/scene_parser.h"
#include "tests/support/data.h"
#include "tests/support/random.h"
#include "tests/unit/history/layers.h"

using namespace tessera;
using namespace tessera::tests;

namespace {

// Overlaps, alpha test, lines, points and patterns, stencil, a second target, framebuffer fetch, small triangles.
constexpr const char* kScenes[] = {"vase", "foliage", "lines", "points", "fill_modes", "intersection", "shadow_volume",
                                   "render_to_texture", "fetch_blend", "d3d9_toon", "detail_fog", "split_screen",
                                   "layers", "blend_modes"};

std::string path_of(const std::string& name) { return source_path("samples/" + name + "/" + name + ".scene").string(); }

}  // namespace

TEST_CASE("a pixel's history ends with the picture's pixel, bit for bit, and changes nothing", "[history]") {
  std::mt19937 random(seed());
  for (const std::string name : kScenes) {
    const std::string path = path_of(name), text = tests::read_file(path);
    const scene::Scene scene = scene::parse_scene(text).value();
    auto device = std::move(Device::create({}).value());
    const scene::SceneResult plain = scene::run_scene(*device, scene, scene::directory_of(path)).value();
    for (uint32_t i = 0; i < rounds(6); ++i) {
      const scene::PixelQuery query = random_place(random, plain.picture.width, plain.picture.height);
      CAPTURE(seed(), name, query.x, query.y);
      const Result<scene::PixelReport> report = scene::inspect_pixel({}, scene, scene::directory_of(path), query);
      if (!report) FAIL(format_diags(report.diags(), path, text));
      CHECK(report->picture == plain.picture);
      if (report->target.samples > 1) continue;      // the picture has resolved pixels
      uint8_t last[4] = {};
      for (const raster::PixelEvent& event : report->events)
        if (event.color_format[0] != Format::NONE) std::memcpy(last, event.after.color[0].data(), 4);
      const uint8_t* pixel = plain.picture.texel(query.x, query.y);
      CHECK(std::memcmp(last, pixel, 4) == 0);
    }
  }
}

TEST_CASE("the events of a pixel follow each other without a gap", "[history]") {
  std::mt19937 random(seed());
  for (const std::string name : kScenes) {
    const std::string path = path_of(name);
    const scene::Scene scene = scene::parse_scene(tests::read_file(path)).value();
    const scene::Target& target = scene.targets.at("");
    const scene::PixelQuery query = random_place(random, target.width, target.height);
    CAPTURE(seed(), name, query.x, query.y);
    const scene::PixelReport report = scene::inspect_pixel({}, scene, scene::directory_of(path), query).value();
    const raster::PixelEvent* before = nullptr;
    for (const raster::PixelEvent& event : report.events) {
      if (event.color_format[0] == Format::NONE) continue;
      if (before) CHECK(event.before.color[0] == before->after.color[0]);
      before = &event;
    }
  }
}

TEST_CASE("what comes into a pixel without a draw is an event of its own", "[history]") {
  const std::string text =
      "[target]\nsize 8 8\n[target other]\nsize 8 8\n[test]\nuse target other\nclear color 0 1 0 1\n"
      "use target main\nclear color 1 0 0 1\nblit target other color 0 0 0 8 8 to target main color 0 0 0 8 8\n";
  const Result<scene::Scene> scene = scene::parse_scene(text);
  if (!scene) FAIL(format_diags(scene.diags(), "blit.scene", text));
  const scene::PixelReport report = scene::inspect_pixel({}, *scene, "", {.x = 3, .y = 3}).value();
  REQUIRE(report.events.size() == 2);
  CHECK(report.events[1].kind == raster::PixelEvent::Kind::Elsewhere);
  CHECK(report.events[1].after.color[0][0] == std::byte{0});
  CHECK(report.events[1].after.color[0][1] == std::byte{255});
}
