// Pixel rectangles and bitmaps: each pixel of the target looks for the texel whose rectangle holds its centre.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <random>

#include "frontend/device.h"
#include "frontend/raster_position.h"

using namespace tessera;

namespace {

using Bytes = std::vector<std::byte>;

constexpr std::string_view kColor = "FRAG\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\n0: MOV OUT[0], IN[0]\n1: END\n";

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 2}}).value());
  Context& c = device->context();
  ResourceRef target, depth;
  static constexpr int32_t kWidth = 61, kHeight = 47;

  Fixture() {
    fragment(kColor);
    targets(1);
  }
  void fragment(std::string_view text) {
    REQUIRE(c.set_shader(device->create_shader(ir::Stage::Fragment, text).value()));
  }
  void targets(uint32_t samples) {
    const auto image = [&](Format format) {
      return device->create_image({.format = format, .width = kWidth, .height = kHeight, .samples = samples}).value();
    };
    target = image(Format::R32G32B32A32_FLOAT);
    depth = image(Format::Z24_UNORM_S8_UINT);
    REQUIRE(c.set_color_target(0, {target}));
    REQUIRE(c.set_depth_target({depth}));
    clear();
  }
  void clear() {
    REQUIRE(c.clear_color({-1, 0, 0, 0}));
    REQUIRE(c.clear_depth_stencil(1.0f, 0x55));
  }
  std::array<float, 4> at(int32_t x, int32_t y) {
    const Texel t = colors[static_cast<size_t>(y) * kWidth + static_cast<size_t>(x)];
    return {std::bit_cast<float>(t.word[0]), std::bit_cast<float>(t.word[1]), std::bit_cast<float>(t.word[2]),
            std::bit_cast<float>(t.word[3])};
  }
  void read() { colors = c.read_texels(target).value(); }
  std::vector<Texel> colors;
  std::pair<float, uint8_t> depth_at(int32_t x, int32_t y) {
    const Bytes bytes = c.read_bytes(depth).value();
    const std::byte* const texel = &bytes[(static_cast<size_t>(y) * kWidth + static_cast<size_t>(x)) * 4];
    return {unpack_depth(Format::Z24_UNORM_S8_UINT, texel), unpack_stencil(Format::Z24_UNORM_S8_UINT, texel)};
  }
};

Bytes random_bytes(size_t count, std::mt19937& random) {
  Bytes bytes(count);
  for (std::byte& b : bytes) b = static_cast<std::byte>(random());
  return bytes;
}

// The texel whose stretch from origin + zoom * n to origin + zoom * (n + 1) holds the centre; -1: none.
int texel_at(double center, double origin, double zoom, int count, bool owns_far_edge) {
  for (int n = 0; n < count; ++n) {
    const double a = origin + zoom * n, b = origin + zoom * (n + 1), low = std::min(a, b), high = std::max(a, b);
    if (owns_far_edge ? center > low && center <= high : center >= low && center < high) return n;
  }
  return -1;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "each pixel shows the texel whose zoomed rectangle holds its centre", "[pixels]") {
  const uint32_t seed = 31337;
  std::mt19937 random(seed);
  const auto quarter = [&](int32_t low, int32_t high) {
    return static_cast<float>(low * 4 + static_cast<int32_t>(random() % static_cast<uint32_t>((high - low) * 4))) / 4;
  };
  for (int round = 0; round < 60; ++round) {
    CAPTURE(seed, round);
    const uint32_t width = 1 + static_cast<uint32_t>(random() % 20), height = 1 + static_cast<uint32_t>(random() % 20);
    const Bytes texels = random_bytes(size_t{width} * height * 4, random);
    RasterPosition position{.x = quarter(-10, 50), .y = quarter(-10, 40), .z = 0.25f};
    PixelTransfer transfer{.zoom_x = quarter(-4, 5), .zoom_y = quarter(-4, 5)};
    if (round % 3 == 0) transfer.zoom_x /= 3, position.x += 0.1f;
    if (round % 4 == 0) transfer.scale = {0.5f, 2, 1, 1}, transfer.bias = {0.25f, -0.5f, 0.125f, 0};
    raster::RasterizerState state;
    state.half_pixel_center = !(round & 1);
    state.bottom_edge_rule = round & 2;
    state.cull = raster::CullFace::FrontAndBack;               // does not count
    c.set_rasterizer(state);
    clear();
    c.set_raster_position(position);
    REQUIRE(c.set_pixel_transfer(transfer));
    REQUIRE(c.draw_pixels({.format = Format::R8G8B8A8_UNORM, .width = width, .height = height, .bytes = texels}));
    read();
    const double center = state.half_pixel_center ? 0.5 : 0;
    for (int32_t y = 0; y < kHeight; ++y)
      for (int32_t x = 0; x < kWidth; ++x) {
        const int n = texel_at(x + center, double{position.x}, double{transfer.zoom_x}, static_cast<int>(width), false);
        const int m = texel_at(y + center, double{position.y}, double{transfer.zoom_y}, static_cast<int>(height),
                               state.bottom_edge_rule);
        std::array<float, 4> expected = {-1, 0, 0, 0};
        if (n >= 0 && m >= 0) {
          const Texel t = unpack_texel(Format::R8G8B8A8_UNORM,
                                       &texels[(static_cast<size_t>(m) * width + static_cast<size_t>(n)) * 4]);
          for (size_t i = 0; i < 4; ++i)
            expected[i] =
                std::clamp(std::bit_cast<float>(t.word[i]) * transfer.scale[i] + transfer.bias[i], 0.0f, 1.0f);
        }
        CAPTURE(x, y, n, m);
        REQUIRE(at(x, y) == expected);
      }
  }
}

TEST_CASE_METHOD(Fixture, "bitmaps draw their bits in the raster colour, whole pixels, and move the position",
                 "[pixels]") {
  std::mt19937 random(5);
  for (const uint32_t samples : {1u, 4u})
    for (int round = 0; round < 16; ++round) {
      targets(samples);
      raster::RasterizerState state;
      state.half_pixel_center = !(round & 1);
      state.bottom_edge_rule = round & 2;
      c.set_rasterizer(state);
      const bool up = round & 4;
      const Bytes bits = random_bytes(7 * 3, random);          // 13 bits, then 3 bytes a row
      const RasterPosition position{.x = 20.25f + static_cast<float>(round), .y = 17.75f, .color = {0.5f, 0.25f, 1, 1}};
      c.set_raster_position(position);
      REQUIRE(c.draw_bitmap({.width = 13, .height = 7, .origin_x = 2.5f, .origin_y = 1, .move_x = 9, .move_y = -2.5f,
                             .rows_up = up, .bits = bits, .row_bytes = 3}));
      CHECK(c.raster_position().x == position.x + 9);
      CHECK(c.raster_position().y == position.y - 2.5f);
      const auto left = static_cast<int32_t>(std::floor(position.x - 2.5f));
      const auto first = static_cast<int32_t>(up ? std::ceil(position.y + 1) - 1 : std::floor(position.y - 1));
      for (uint32_t sample = 0; sample < samples; ++sample) {
        colors = c.read_texels(target, 0, 0, sample).value();
        for (int32_t y = 0; y < kHeight; ++y)
          for (int32_t x = 0; x < kWidth; ++x) {
            const int32_t n = x - left, m = up ? first - y : y - first;
            const bool set = n >= 0 && n < 13 && m >= 0 && m < 7 &&
                             (static_cast<int>(bits[static_cast<size_t>(m * 3 + n / 8)]) >> (7 - n % 8) & 1) != 0;
            CAPTURE(samples, round, x, y);
            REQUIRE(at(x, y) == (set ? position.color : std::array<float, 4>{-1, 0, 0, 0}));
          }
      }
    }
}

TEST_CASE_METHOD(Fixture, "fragments of pixel rectangles go through program, tests and blending", "[pixels]") {
  fragment(
      "FRAG\nDCL IN[0], COLOR\nDCL IN[1], TEXCOORD[3]\nDCL IN[2], FOG\nDCL IN[3], COLOR[1]\nDCL OUT[0], COLOR\nDCL "
      "TEMP[0]\n"
      "0: MUL TEMP[0], IN[0], IN[1]\n1: MAD TEMP[0], IN[3], IN[2].xxxx, TEMP[0]\n2: MOV OUT[0], TEMP[0]\n3: END\n");
  REQUIRE(c.clear_color({0.5f, 0.5f, 0.5f, 0.5f}));
  REQUIRE(c.clear_depth(0.5f, {.rect = raster::IRect{0, 0, 30, 47}}));
  raster::BlendState blend;
  blend.target[0].enabled = true;
  blend.target[0].rgb_dst = blend.target[0].alpha_dst = raster::BlendFactor::One;
  c.set_blend(blend);
  raster::RasterizerState rasterizer;
  rasterizer.scissor = true;
  c.set_rasterizer(rasterizer);
  c.set_scissor({10, 5, 60, 40});
  raster::DepthStencilAlphaState tests;
  tests.depth_test = true;
  tests.depth_func = raster::Compare::Less;
  tests.alpha_test = true;
  tests.alpha_func = raster::Compare::Greater;
  tests.alpha_ref = 0.3f;
  c.set_depth_stencil_alpha(tests);
  RasterPosition position{.x = 4, .y = 2, .z = 0.75f, .secondary = {0.25f, 0, 0, 0}, .fog = 0.5f};
  position.texcoord[3] = {0.5f, 1, 0.25f, 1};
  c.set_raster_position(position);
  const float texels[2][4] = {{1, 0.5f, 2, 1}, {1, 1, 1, 0.25f}};
  REQUIRE(c.set_pixel_transfer({.zoom_x = 1, .zoom_y = 20}));
  for (int i = 0; i < 25; ++i) {
    REQUIRE(c.draw_pixels({.format = Format::R32G32B32A32_FLOAT, .width = 1, .height = 2,
                           .bytes = std::as_bytes(std::span(texels))}));
    position.x += 2;
    c.set_raster_position(position);
  }
  read();
  for (int32_t y = 0; y < kHeight; ++y)
    for (int32_t x = 0; x < kWidth; ++x) {
      CAPTURE(x, y);
      const bool drawn = x >= 30 && x < 4 + 50 && (x - 4) % 2 == 0 && y >= 5 && y < 22;   // the second texel fails
      const std::array<float, 4> expected = {0.5f + 0.5f + 0.125f, 0.5f + 0.5f, 0.5f + 0.5f, 0.5f + 1};
      REQUIRE(at(x, y) == (drawn ? expected : std::array<float, 4>{0.5f, 0.5f, 0.5f, 0.5f}));
    }
}

TEST_CASE_METHOD(Fixture, "depth and stencil rectangles are written, scaled, biased and shifted", "[pixels]") {
  const float depths[] = {0, 0.25f, 0.5f, 1};
  raster::DepthStencilAlphaState tests;
  tests.depth_test = tests.depth_write = true;
  tests.depth_func = raster::Compare::Always;
  tests.stencil[0].write_mask = 0x3f;
  c.set_depth_stencil_alpha(tests);
  c.set_raster_position({.x = 10, .y = 10, .color = {0, 1, 0, 1}});
  REQUIRE(c.set_pixel_transfer({.depth_scale = 0.5f, .depth_bias = 0.125f, .stencil_shift = 1, .stencil_offset = 3}));
  REQUIRE(c.draw_pixels({.kind = PixelKind::Depth, .format = Format::Z32_FLOAT, .width = 4, .height = 1,
                         .bytes = std::as_bytes(std::span(depths))}));
  read();
  for (int32_t i = 0; i < 4; ++i) {
    CHECK(depth_at(10 + i, 10).first == Approx(depths[i] * 0.5 + 0.125).margin(1e-7));
    CHECK(depth_at(10 + i, 10).second == 0x55);
    CHECK(at(10 + i, 10) == std::array<float, 4>{0, 1, 0, 1});
  }
  const uint8_t stencils[] = {1, 2, 0x90, 255};
  c.set_raster_position({.x = 20, .y = 20});
  tests.depth_func = raster::Compare::Never;                   // does not count
  c.set_depth_stencil_alpha(tests);
  REQUIRE(c.draw_pixels({.kind = PixelKind::Stencil, .format = Format::S8_UINT, .width = 2, .height = 2,
                         .bytes = std::as_bytes(std::span(stencils))}));
  read();
  for (int32_t i = 0; i < 4; ++i) {
    const auto written = static_cast<uint8_t>(stencils[i] * 2 + 3);
    CHECK(depth_at(20 + i % 2, 20 + i / 2).second == ((written & 0x3f) | (0x55 & 0xc0)));
    CHECK(depth_at(20 + i % 2, 20 + i / 2).first == 1.0f);
    CHECK(at(20 + i % 2, 20 + i / 2)[0] == -1.0f);
  }
  // Both at once, copied from one place to another.
  REQUIRE(c.set_pixel_transfer({}));
  c.set_raster_position({.x = 40, .y = 30});
  REQUIRE(c.copy_pixels({depth}, {.x = 20, .y = 20, .width = 2, .height = 2}, PixelKind::DepthStencil));
  CHECK(depth_at(41, 31).second == depth_at(21, 21).second);
  // The state that was set still is.
  CHECK_FALSE(c.draw({.count = 3}));                           // no vertex shader
}

TEST_CASE_METHOD(Fixture, "copied colours are read before they are written", "[pixels]") {
  std::mt19937 random(8);
  const Bytes texels = random_bytes(20 * 10 * 4, random);
  c.set_raster_position({.x = 3, .y = 4});
  REQUIRE(c.draw_pixels({.width = 20, .height = 10, .bytes = texels}));
  read();
  std::vector<std::array<float, 4>> before;
  for (int32_t y = 4; y < 14; ++y)
    for (int32_t x = 3; x < 23; ++x) before.push_back(at(x, y));
  c.set_raster_position({.x = 5, .y = 7});
  REQUIRE(c.copy_pixels({target}, {.x = 3, .y = 4, .width = 20, .height = 10}, PixelKind::Color));
  read();
  for (int32_t i = 0; i < 200; ++i) REQUIRE(at(5 + i % 20, 7 + i / 20) == before[static_cast<size_t>(i)]);
}

TEST_CASE_METHOD(Fixture, "pixels that cannot be drawn are refused by name, an invalid position draws nothing",
                 "[pixels]") {
  const Bytes bytes(64);
  const auto names = [](const Status& status, std::string_view field) {
    return !status && status.diags().front().text.find(field) != std::string::npos;
  };
  CHECK(names(c.draw_pixels({.format = Format::R8G8B8A8_UINT, .width = 4, .height = 4, .bytes = bytes}),
              "pixels.format"));
  CHECK(names(c.draw_pixels({.format = Format::DXT1_RGB, .width = 4, .height = 4, .bytes = bytes}), "pixels.format"));
  CHECK(names(c.draw_pixels({.kind = PixelKind::Depth, .width = 4, .height = 4, .bytes = bytes}), "pixels.format"));
  CHECK(names(
      c.draw_pixels({.kind = PixelKind::Stencil, .format = Format::Z32_FLOAT, .width = 4, .height = 4, .bytes = bytes}),
      "pixels.format"));
  CHECK(names(c.draw_pixels({.kind = static_cast<PixelKind>(9), .width = 4, .height = 4, .bytes = bytes}),
              "pixels.format"));
  CHECK(names(c.draw_pixels({.format = static_cast<Format>(9999), .width = 4, .height = 4, .bytes = bytes}),
              "pixels.format"));
  CHECK(names(c.draw_pixels({.width = 4, .height = 5, .bytes = bytes}), "bytes"));
  CHECK(names(c.draw_pixels({.width = 20000, .height = 1, .bytes = bytes}), "pixels.width"));
  CHECK(names(c.draw_bitmap({.width = 9, .height = 4, .bits = std::span(bytes).first(7)}), "bitmap.bits"));
  CHECK(names(c.draw_bitmap({.width = 9, .height = 4, .bits = bytes, .row_bytes = 1}), "bitmap.row_bytes"));
  CHECK(names(c.draw_bitmap({.move_x = std::numeric_limits<float>::infinity()}), "bitmap"));
  CHECK(names(c.set_pixel_transfer({.zoom_x = std::numeric_limits<float>::quiet_NaN()}), "zoom_x"));
  CHECK(names(c.copy_pixels({nullptr}, {}, PixelKind::Color), "from.resource"));
  CHECK(names(c.copy_pixels({target}, {.x = 60, .width = 2}, PixelKind::Color), "box"));
  CHECK(names(c.copy_pixels({target}, {}, PixelKind::Depth), "pixels.format"));
  c.set_raster_position({.x = std::numeric_limits<float>::quiet_NaN()});
  CHECK(names(c.draw_pixels({.width = 4, .height = 4, .bytes = bytes}), "raster_position"));
  c.set_raster_position({.valid = false, .x = 5, .y = 5});
  REQUIRE(c.draw_pixels({.width = 4, .height = 4, .bytes = bytes}));
  REQUIRE(c.draw_bitmap({.width = 9, .height = 4, .move_x = 7, .bits = bytes}));
  CHECK(c.raster_position().x == 5);
  read();
  for (int32_t i = 0; i < kWidth * kHeight; ++i) REQUIRE(at(i % kWidth, i / kWidth)[0] == -1.0f);
}

TEST_CASE("a raster position is placed like a vertex, and invalid outside of the view volume", "[pixels]") {
  const raster::Viewport viewport{{50, -40, 0.5f}, {60, 70, 0.5f}};
  raster::RasterizerState state;
  RasterPosition position{.color = {1, 0, 0, 1}};
  place_raster_position({1, -1, 0, 2}, viewport, state, position);
  CHECK(position.valid);
  CHECK(position.x == 85);
  CHECK(position.y == 90);
  CHECK(position.z == 0.5f);
  CHECK(position.color[1] == 0);
  const float infinity = std::numeric_limits<float>::infinity();
  const std::array<float, 4> outside[] = {{3, 0, 0, 2}, {0, -2.5f, 0, 2}, {0, 0, 2.5f, 2},        {0, 0, -2.5f, 2},
                                          {0, 0, 0, 0}, {0, 0, 0, -1},    {0, 0, infinity, infinity}};
  for (const std::array<float, 4>& clip : outside) {
    place_raster_position(clip, viewport, state, position);
    CHECK_FALSE(position.valid);
    CHECK(position.x == 85);
  }
  state.clip_halfz = true;
  place_raster_position({0, 0, -0.5f, 2}, viewport, state, position);
  CHECK_FALSE(position.valid);
  state.depth_clip = false;
  place_raster_position({0, 0, -0.5f, 2}, viewport, state, position);
  CHECK(position.valid);
}
