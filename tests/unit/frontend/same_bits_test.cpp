// The promise of the project: one scene, one picture, whatever the machine does.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "frontend/image_compare.h"
#include "frontend/scene_runner.h"
#include "frontend/test_suite.h"
#include "tests/support/data.h"

using namespace tessera;

namespace {

struct Variant {
  std::string name;
  DeviceOptions options;
};

std::vector<Variant> variants() {
  std::vector<Variant> all;
  const auto add = [&](std::string name, auto change) {
    DeviceOptions options;
    options.raster.threads = 2;
    change(options.raster);
    all.push_back({std::move(name), options});
  };
  for (const uint32_t threads : {1u, 2u, 3u, 7u})
    add(std::to_string(threads) + " threads", [&](raster::RendererOptions& r) { r.threads = threads; });
  for (const SimdTarget simd : available_simd_targets())
    add("simd " + std::string(simd_target_name(simd)), [&](raster::RendererOptions& r) { r.simd = simd; });
  for (const int32_t size : {32, 16})
    add(std::to_string(size) + "-pixel tiles", [&](raster::RendererOptions& r) { r.tile_size_px = size; });
  add("shuffled tiles", [](raster::RendererOptions& r) { r.shuffle_tiles = 12345, r.threads = 3; });
  add("a tiny binning budget", [](raster::RendererOptions& r) { r.binning_budget_bytes = 1u << 16; });
  add("hidden work drawn", [](raster::RendererOptions& r) { r.drop_hidden = false; });
  return all;
}

Image picture(const std::string& path, const DeviceOptions& options) {
  std::string source;
  Result<scene::SceneResult> result = scene::run_scene_file(options, path, source);
  if (!result) FAIL(format_diags(result.diags(), path, source));
  if (result->failure) FAIL(result->failure->text);
  return std::move(result->picture);
}

bool shows_something(const Image& image) {
  const uint32_t first = *reinterpret_cast<const uint32_t*>(image.texel(0, 0));
  for (size_t i = 0; i < image.rgba_un8.size(); i += 4)
    if (*reinterpret_cast<const uint32_t*>(&image.rgba_un8[i]) != first) return true;
  return false;
}

}  // namespace

TEST_CASE("every sample has the same bits for any threads, instruction set, tiles, order and memory", "[same bits]") {
  const Result<std::vector<std::string>> scenes = suite::find_scenes({tests::source_path("samples").string()});
  REQUIRE(scenes);
  REQUIRE(scenes->size() >= 10);
  DeviceOptions plain;
  plain.raster.threads = 1;
  plain.raster.simd = available_simd_targets().front();
  for (const std::string& path : *scenes) {
    const Image expected = picture(path, plain);
    INFO(path);
    CHECK(shows_something(expected));
    for (const Variant& variant : variants()) {
      INFO(variant.name);
      const ImageComparison comparison = compare_images(expected, picture(path, variant.options), {});
      INFO(comparison.text);
      CHECK(comparison.passed);
    }
  }
}
