// Clears of rectangles, channels, bits and layers, against texels changed one by one.
#include <bit>
#include <catch2/catch.hpp>
#include <random>

#include "frontend/device.h"

using namespace tessera;

namespace {

using Bytes = std::vector<std::byte>;

std::unique_ptr<Device> new_device() {
  return std::move(Device::create({.raster = {.threads = 2, .tile_size_px = 32}}).value());
}

// The bits of a texel that hold the masked channels.
Texel merged(const Texel& before, const Texel& color, uint32_t mask) {
  Texel texel = before;
  for (uint32_t c = 0; c < 4; ++c)
    if (mask >> c & 1) texel.word[c] = color.word[c];
  return texel;
}

}  // namespace

TEST_CASE("clears of colours touch the pixels, layers and channels of their region and no others", "[clears]") {
  const std::unique_ptr<Device> device = new_device();
  Context& c = device->context();
  const Format formats[] = {Format::R8G8B8A8_UNORM,     Format::B5G6R5_UNORM,     Format::R16G16B16A16_FLOAT,
                            Format::R32G32B32A32_FLOAT, Format::R8G8B8A8_UINT,    Format::R16G16_SINT,
                            Format::R8G8B8A8_SRGB,      Format::R10G10B10A2_UNORM};
  const uint32_t seed = 99;
  std::mt19937 random(seed);
  for (const Format format : formats) {
    CAPTURE(format_info(format).name, seed);
    const bool integers = format_info(format).is_pure_integer();
    const ResourceRef image =
        device
            ->create_image({.kind = ResourceKind::Tex2DArray, .format = format, .width = 75, .height = 53, .layers = 5})
            .value();
    const auto read = [&](uint32_t layer) { return c.read_texels(image, 0, layer).value(); };
    const auto random_color = [&] {
      Texel t;
      for (uint32_t& w : t.word)
        w = integers ? static_cast<uint32_t>(random() % 100)
                     : std::bit_cast<uint32_t>(static_cast<float>(random() % 17) / 16);
      return t;
    };
    REQUIRE(c.set_color_target(0, {.resource = image, .layer = 1, .layers = 4}));
    REQUIRE(c.clear_color(0, random_color()));
    for (int round = 0; round < 12; ++round) {
      const auto x = static_cast<int32_t>(random() % 90) - 10, y = static_cast<int32_t>(random() % 70) - 10;
      const raster::IRect rect{x, y, x + static_cast<int32_t>(random() % 60), y + static_cast<int32_t>(random() % 60)};
      ClearRegion region{.first_layer = static_cast<uint32_t>(random() % 4),
                         .color_mask = static_cast<uint8_t>(random() % 16)};
      if (random() % 3) region.rect = rect;
      if (random() % 2) region.layers = static_cast<uint32_t>(random() % (5 - region.first_layer));
      const Texel color = random_color();
      std::vector<std::vector<Texel>> expected;
      for (uint32_t layer = 0; layer < 5; ++layer) expected.push_back(read(layer));
      const uint32_t begin = 1 + region.first_layer, end = begin + region.layers.value_or(4 - region.first_layer);
      for (uint32_t layer = begin; layer < end; ++layer)
        for (int32_t py = 0; py < 53; ++py)
          for (int32_t px = 0; px < 75; ++px) {
            if (region.rect && (px < rect.x0 || px >= rect.x1 || py < rect.y0 || py >= rect.y1)) continue;
            Texel& texel = expected[layer][static_cast<size_t>(py) * 75 + static_cast<size_t>(px)];
            // Through the format, as a store would.
            std::byte bytes[16];
            pack_texel(format, merged(texel, color, region.color_mask), bytes);
            texel = unpack_texel(format, bytes);
          }
      REQUIRE(c.clear_color(0, color, region));
      CAPTURE(round);
      for (uint32_t layer = 0; layer < 5; ++layer) REQUIRE(read(layer) == expected[layer]);
    }
  }
}

TEST_CASE("clears of depth and stencil keep what they do not name", "[clears]") {
  const std::unique_ptr<Device> device = new_device();
  Context& c = device->context();
  for (const Format format : {Format::Z24_UNORM_S8_UINT, Format::S8_UINT_Z24_UNORM, Format::Z32_FLOAT_S8X24_UINT}) {
    CAPTURE(format_info(format).name);
    const ResourceRef image = device->create_image({.format = format, .width = 70, .height = 40}).value();
    const auto at = [&](uint32_t x, uint32_t y) {
      const Bytes bytes = c.read_bytes(image).value();
      const std::byte* const texel = &bytes[(size_t{y} * 70 + x) * format_info(format).block_bytes];
      return std::pair(unpack_depth(format, texel), unpack_stencil(format, texel));
    };
    REQUIRE(c.set_depth_target({image}));
    REQUIRE(c.clear_depth_stencil(0.5f, 0xa5));
    const float half = at(0, 0).first;
    REQUIRE(c.clear_depth(1, {.rect = raster::IRect{3, 4, 40, 30}}));
    CHECK(at(3, 4) == std::pair(1.0f, uint8_t{0xa5}));
    CHECK(at(39, 29) == std::pair(1.0f, uint8_t{0xa5}));
    CHECK(at(40, 29) == std::pair(half, uint8_t{0xa5}));
    REQUIRE(c.clear_stencil(0x3c, {.stencil_mask = 0x0f}));
    CHECK(at(3, 4) == std::pair(1.0f, uint8_t{0xac}));
    CHECK(at(69, 39) == std::pair(half, uint8_t{0xac}));
    REQUIRE(c.clear_depth_stencil(0.0f, 7, {.rect = raster::IRect{69, 39, 900, 900}}));
    CHECK(at(69, 39) == std::pair(0.0f, uint8_t{7}));
    CHECK(at(68, 39) == std::pair(half, uint8_t{0xac}));
  }
}

TEST_CASE("a clear that cannot be names the field and changes nothing", "[clears]") {
  const std::unique_ptr<Device> device = new_device();
  Context& c = device->context();
  const ResourceRef color =
      device->create_image({.kind = ResourceKind::Tex2DArray, .width = 8, .height = 8, .layers = 3}).value();
  const auto names = [](const Status& status, std::string_view field) {
    return !status && status.diags().front().text.find(field) != std::string::npos;
  };
  CHECK_FALSE(c.clear_color({0, 0, 0, 0}));
  REQUIRE(c.set_color_target(0, {.resource = color, .layers = 3}));
  CHECK(names(c.clear_color({1, 1, 1, 1}, {.first_layer = 3}), "region.first_layer"));
  CHECK(names(c.clear_color({1, 1, 1, 1}, {.first_layer = 1, .layers = 3}), "region.layers"));
  CHECK(names(c.clear_color({1, 1, 1, 1}, {.color_mask = 16}), "region.color_mask"));
  CHECK(names(c.clear_color(1, Texel{}), "target"));
  CHECK(names(c.clear_depth(1), "depth"));
  CHECK(names(c.clear_stencil(1), "stencil"));
  REQUIRE(c.set_depth_target(
      {device
           ->create_image(
               {.kind = ResourceKind::Tex2DArray, .format = Format::Z16_UNORM, .width = 8, .height = 8, .layers = 3})
           .value()}));
  CHECK(names(c.clear_depth(1.5f), "depth"));
  CHECK(names(c.clear_depth_stencil(0.5f, 1), "stencil"));
  const std::vector<Texel> texels = c.read_texels(color).value();
  for (const Texel& t : texels) CHECK(t == Texel{});
}
