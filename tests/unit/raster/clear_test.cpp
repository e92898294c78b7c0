// Clears of many tiles at once against clears pixel by pixel.
#include <catch2/catch.hpp>

#include <cstring>
#include <random>

#include "core/format.h"
#include "raster/renderer.h"
#include "tests/support/random.h"
#include "tests/unit/raster/draw_call.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::tests;

namespace {

std::byte* texel(const Surface& surface, uint32_t x, uint32_t y) {
  return surface.storage->slice(0, 0) + size_t{y} * surface.storage->level(0).row_bytes +
         size_t{x} * format_info(surface.format).block_bytes;
}

// RGBA8 and Z24S8, one aspect and channel after the other.
void clear_pixel(const Framebuffer& target, const ClearCommand& clear, uint32_t x, uint32_t y) {
  if (clear.color_targets & 1) {
    std::byte packed[4];
    pack_texel(Format::R8G8B8A8_UNORM, clear.color[0], packed);
    for (uint32_t c = 0; c < 4; ++c)
      if (clear.color_mask >> c & 1) texel(target.color[0], x, y)[c] = packed[c];
  }
  std::byte* z = texel(target.depth_stencil, x, y);
  const uint8_t stencil = unpack_stencil(Format::Z24_UNORM_S8_UINT, z);
  if (clear.depth) pack_depth(Format::Z24_UNORM_S8_UINT, clear.depth_value, z);
  const uint8_t mask = clear.stencil ? clear.stencil_mask : uint8_t{0};
  pack_stencil(Format::Z24_UNORM_S8_UINT, uint8_t((clear.stencil_value & mask) | (stencil & ~mask)), z);
}

ClearCommand random_clear(std::mt19937& random, int32_t width, int32_t height) {
  std::uniform_real_distribution<float> unit(0, 1);
  ClearCommand clear;
  clear.rect = {0, 0, width, height};
  if (random() % 3 == 0) clear.rect.x0 = int32_t(random() % uint32_t(width));
  if (random() % 3 == 0) clear.rect.y1 = 1 + int32_t(random() % uint32_t(height));
  clear.color_targets = random() % 2;
  clear.color_mask = random() % 3 ? 15 : uint8_t(random() % 16);
  for (uint32_t& word : clear.color[0].word) {
    const float value = unit(random);
    std::memcpy(&word, &value, 4);
  }
  clear.depth = random() % 2;
  clear.depth_value = unit(random);
  clear.stencil = random() % 2;
  clear.stencil_value = uint8_t(random());
  clear.stencil_mask = random() % 3 ? 255 : uint8_t(random());
  return clear;
}

}  // namespace

TEST_CASE("clears over many tiles leave what clears pixel by pixel leave", "[renderer][clear]") {
  std::mt19937 random(seed());
  CAPTURE(seed());
  for (uint32_t round = 0; round < rounds(60); ++round) {
    CAPTURE(round);
    const int32_t width = 1 + int32_t(random() % 1100), height = 1 + int32_t(random() % 200);
    const Framebuffer drawn = target_of(uint32_t(width), uint32_t(height), Format::Z24_UNORM_S8_UINT);
    const Framebuffer expected = target_of(uint32_t(width), uint32_t(height), Format::Z24_UNORM_S8_UINT);
    RendererOptions options;
    options.threads = 1 + round % 3;
    options.shuffle_tiles = round % 2;
    Renderer renderer(options);
    for (uint32_t i = 1 + random() % 4; i > 0; --i) {
      const ClearCommand clear = random_clear(random, width, height);
      REQUIRE(renderer.clear(drawn, clear).ok());
      for (int32_t y = clear.rect.y0; y < clear.rect.y1; ++y)
        for (int32_t x = clear.rect.x0; x < clear.rect.x1; ++x) clear_pixel(expected, clear, uint32_t(x), uint32_t(y));
    }
    REQUIRE(renderer.flush().ok());
    const auto same = [](const Surface& a, const Surface& b) {
      return std::memcmp(a.storage->data(), b.storage->data(), a.storage->size_bytes()) == 0;
    };
    REQUIRE(same(drawn.color[0], expected.color[0]));
    REQUIRE(same(drawn.depth_stencil, expected.depth_stencil));
  }
}

TEST_CASE("a strip of cleared tiles is counted tile by tile", "[renderer][clear]") {
  const Framebuffer target = target_of(640, 100);
  RendererOptions options;
  options.time_tiles = true;
  Renderer renderer(options);
  ClearCommand clear;
  clear.rect = {0, 0, 640, 100};
  clear.color_targets = 1;
  REQUIRE(renderer.clear(target, clear).ok());
  REQUIRE(renderer.flush().ok());
  CHECK(renderer.counters().tiles == 20);
}
