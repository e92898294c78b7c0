// A pixel's history against brute force: the scene cut off after each draw or primitive and rendered as ever.
#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

#include "frontend/pixel_inspection.h"
#include "frontend/scene_parser.h"
#include "raster/depth_stencil.h"
#include "tests/support/random.h"
#include "tests/unit/history/layers.h"

using namespace tessera;
using namespace tessera::tests;
using raster::PixelEvent;

namespace {

scene::PixelReport inspect(const std::string& text, const scene::PixelQuery& query) {
  const Result<scene::Scene> scene = scene::parse_scene(text);
  if (!scene) FAIL(format_diags(scene.diags(), "layers.scene", text));
  Result<scene::PixelReport> report = scene::inspect_pixel({}, *scene, "", query);
  if (!report) FAIL(format_diags(report.diags(), "layers.scene", text));
  return *report;
}

StoredPixel stored(const PixelEvent& event, const raster::PixelState& state) {
  StoredPixel pixel;
  const size_t color_bytes = format_info(event.color_format[0]).block_bytes;
  pixel.color.assign(state.color[0].begin(), state.color[0].begin() + static_cast<ptrdiff_t>(color_bytes));
  if (event.depth_format == Format::NONE) return pixel;
  pixel.depth.resize(format_info(event.depth_format).block_bytes);
  raster::join_texel(raster::depth_layout(event.depth_format), state.depth_key, state.depth_rest, pixel.depth.data());
  return pixel;
}

// What the pixel holds after each number of layers, from none to all.
std::vector<StoredPixel> by_brute_force(const LayerKind& kind, uint32_t seed, bool one_draw,
                                        const scene::PixelQuery& q) {
  std::vector<StoredPixel> pixels;
  for (uint32_t layers = 0; layers <= kLayers; ++layers)
    pixels.push_back(render_pixel(layered_scene(kind, seed, layers, one_draw), q.x, q.y, q.sample));
  return pixels;
}

void check_history(const LayerKind& kind, uint32_t seed, bool one_draw, const scene::PixelQuery& query) {
  CAPTURE(kind.name, seed, one_draw, query.x, query.y, query.sample);
  const std::vector<StoredPixel> expected = by_brute_force(kind, seed, one_draw, query);
  const scene::PixelReport report = inspect(layered_scene(kind, seed, kLayers, one_draw), query);
  size_t done = 0;                               // layers that earlier events tell of
  for (const PixelEvent* event : scene::fragments_of(report)) {
    const size_t layer = one_draw ? event->primitive : event->draw_number - 1;
    REQUIRE(layer >= done);
    REQUIRE(layer < kLayers);
    for (size_t skipped = done; skipped < layer; ++skipped) CHECK(expected[skipped + 1] == expected[skipped]);
    CHECK(stored(*event, event->before) == expected[layer]);
    CHECK(stored(*event, event->after) == expected[layer + 1]);
    const bool all_passed =
        std::all_of(event->tests.begin(), event->tests.end(), [](const auto& t) { return t.passed; });
    CHECK(all_passed == event->is_written);
    if (!event->is_written) CHECK(event->before.color == event->after.color);
    if (!event->is_written) CHECK(event->before.depth_key == event->after.depth_key);
    done = layer + 1;
  }
  for (size_t skipped = done; skipped < kLayers; ++skipped) CHECK(expected[skipped + 1] == expected[skipped]);
}

}  // namespace

TEST_CASE("a pixel's history agrees with the scene cut off after each draw and each primitive", "[history]") {
  std::mt19937 random(seed());
  CAPTURE(seed());
  for (const LayerKind& kind : layer_kinds()) {
    const bool has_samples = std::string_view(kind.target).starts_with("samples 4");
    for (uint32_t i = 0; i < rounds(1); ++i)
      for (const bool one_draw : {false, true}) {
        const auto scene_seed = static_cast<uint32_t>(random());
        scene::PixelQuery query = random_place(random, kLayerSize, kLayerSize);
        if (has_samples) query.sample = static_cast<uint32_t>(random() % 4);
        check_history(kind, scene_seed, one_draw, query);
      }
  }
}

TEST_CASE("written fragments of a pixel are those that change it where every fragment adds something", "[history]") {
  // One primitive a draw, each adding 1 to the stencil where it passes: the last value counts the written ones.
  const LayerKind counting{"counting", "depth z24_unorm_s8_uint\n",
                           "depth_test less\nstencil both always 0 255 255\nstencil_op both keep keep incr\n",
                           layer_kinds().front().fragment, "1"};
  std::mt19937 random(seed());
  CAPTURE(seed());
  for (uint32_t i = 0; i < rounds(10); ++i) {
    const auto scene_seed = static_cast<uint32_t>(random());
    const scene::PixelReport report = inspect(layered_scene(counting, scene_seed, kLayers, true),
                                              random_place(random, kLayerSize, kLayerSize));
    const auto fragments = scene::fragments_of(report);
    const auto written = std::count_if(fragments.begin(), fragments.end(), [](const auto* f) { return f->is_written; });
    CHECK(static_cast<uint32_t>(written) == (report.events.back().after.depth_rest & 255));
  }
}
