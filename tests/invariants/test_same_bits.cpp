#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"
#include "tests/support/data.h"

namespace tessera::tests {
namespace {

namespace fs = std::filesystem;

struct Variation {
  std::string name;
  DeviceOptions options;
};

// The plainest way to run: the interpreter, one thread, the slowest instruction set, everything in one part.
DeviceOptions plain() {
  return {.raster = {.threads = 1, .simd = available_simd_targets().front()}, .executor = ExecutorKind::Interpreter};
}

std::vector<Variation> variations() {
  std::vector<Variation> all;
  const auto add = [&](std::string name, auto change) {
    DeviceOptions options = plain();
    change(options.raster);
    all.push_back({std::move(name), options});
  };
  for (const uint32_t threads : {2u, 3u, 7u})
    add(std::to_string(threads) + " threads", [&](auto& o) { o.threads = threads; });
  for (const SimdTarget simd : available_simd_targets())
    add("instruction set " + std::string(simd_target_name(simd)), [&](auto& o) { o.simd = simd; });
  for (const int32_t tile_px : {32, 16})
    add("tiles of " + std::to_string(tile_px), [&](auto& o) { o.tile_size_px = tile_px; });
  for (const uint64_t seed : {1u, 2u})
    add("tiles in shuffled order " + std::to_string(seed), [&](auto& o) { o.shuffle_tiles = seed; });
  add("frames flushed by a small binning budget", [](auto& o) { o.binning_budget_bytes = 64 << 10; });
  add("hidden draws kept", [](auto& o) { o.drop_hidden = false; });
  add("all at once", [](auto& o) {
    o = {.threads = 7, .simd = available_simd_targets().back(), .tile_size_px = 16, .binning_budget_bytes = 256 << 10,
         .drop_hidden = false, .shuffle_tiles = 3};
  });
  for (const uint32_t threads : {1u, 7u}) {
    add("machine code, " + std::to_string(threads) + " threads",
        [&](auto& o) { o.threads = threads, o.simd = available_simd_targets().back(); });
    all.back().options.executor = ExecutorKind::Jit;
  }
  return all;
}

std::vector<fs::path> scene_files() {
  std::vector<fs::path> files;
  for (const char* folder : {"samples", "tests/scenes"}) {
    if (!fs::exists(source_path(".") / folder)) continue;
    for (const auto& entry : fs::recursive_directory_iterator(source_path(folder)))
      if (entry.path().extension() == ".scene") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Image render(const scene::Scene& scene, const fs::path& file, const DeviceOptions& options) {
  const auto device = Device::create(options);
  REQUIRE(device);
  auto result = scene::run_scene(**device, scene, file.parent_path().string() + "/");
  if (!result) FAIL(format_diags(result.diags(), file.string()));
  REQUIRE_FALSE(result->failure);
  return std::move(result->picture);
}

// Where two pictures differ first; empty: nowhere.
std::string first_difference(const Image& a, const Image& b) {
  if (a.width != b.width || a.height != b.height) return "sizes differ";
  for (uint32_t y = 0; y < a.height; ++y)
    for (uint32_t x = 0; x < a.width; ++x)
      if (!std::equal(a.texel(x, y), a.texel(x, y) + 4, b.texel(x, y)))
        return "at " + std::to_string(x) + ", " + std::to_string(y);
  return {};
}

}  // namespace

TEST_CASE("a scene's picture has the same bits for any executor, threads, instruction set, tiles, order and budget",
          "[same-bits]") {
  const auto files = scene_files();
  REQUIRE(files.size() >= 10);
  for (const fs::path& file : files) {
    CAPTURE(file.string());
    const auto scene = scene::parse_scene(read_file(file));
    if (!scene) continue;   // control cases that must fail are no pictures
    const Image expected = render(*scene, file, plain());
    for (const Variation& variation : variations()) {
      CAPTURE(variation.name);
      CHECK(first_difference(render(*scene, file, variation.options), expected) == "");
    }
  }
}

}  // namespace tessera::tests
