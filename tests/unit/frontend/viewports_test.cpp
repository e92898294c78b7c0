// Viewport and scissor arrays: what a program that chooses viewports draws, against one draw a triangle.
#include <array>
#include <catch2/catch.hpp>
#include <limits>
#include <random>

#include "frontend/device.h"

using namespace tessera;

namespace {

constexpr uint32_t kSize = 120;

struct Vertex {
  float position[4];
  float color[4];
  uint32_t viewport;
};

std::string vertex_text(bool chooses) {
  std::string text = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL IN[2]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR\n";
  if (chooses) text += "DCL OUT[2], VIEWPORT_INDEX\n";
  text += "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n";
  return text + (chooses ? "2: MOV OUT[2].x, IN[2].xxxx\n3: END\n" : "2: END\n");
}

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 2}}).value());
  Context& c = device->context();
  ShaderRef chooses = device->create_shader(ir::Stage::Vertex, vertex_text(true)).value();
  ShaderRef single = device->create_shader(ir::Stage::Vertex, vertex_text(false)).value();

  struct View { float x, y, width, height, near, far; raster::IRect scissor; };

  void use(uint32_t index, const View& v) {
    REQUIRE(c.set_viewport_rect_at(index, v.x, v.y, v.width, v.height, v.near, v.far));
    REQUIRE(c.set_scissor_at(index, v.scissor));
  }
  void use_all(const View& v) {
    c.set_viewport_rect(v.x, v.y, v.width, v.height, v.near, v.far);
    c.set_scissor(v.scissor);
  }
  struct Targets { ResourceRef color, depth; };
  Targets new_targets(uint32_t samples) {
    const Targets t{device->create_image({.format = Format::R32G32B32A32_FLOAT, .width = kSize, .height = kSize,
                                          .samples = samples}).value(),
                    device->create_image({.format = Format::Z32_FLOAT, .width = kSize, .height = kSize,
                                          .samples = samples}).value()};
    REQUIRE(c.set_color_target(0, {t.color}));
    REQUIRE(c.set_depth_target({t.depth}));
    REQUIRE(c.clear_color({0, 0, 0, 0}));
    REQUIRE(c.clear_depth(1));
    return t;
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "each primitive goes through the viewport and scissor that its provoking vertex names",
                 "[viewports]") {
  REQUIRE(c.set_shader(device
                           ->create_shader(ir::Stage::Fragment,
                                           "FRAG\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\n0: MOV OUT[0], IN[0]\n1: END\n")
                           .value()));
  const raster::VertexElement elements[] = {{.offset_bytes = 0, .format = Format::R32G32B32A32_FLOAT},
                                            {.offset_bytes = 16, .format = Format::R32G32B32A32_FLOAT},
                                            {.offset_bytes = 32, .format = Format::R32_UINT}};
  REQUIRE(c.set_vertex_elements(elements));
  raster::DepthStencilAlphaState depth;
  depth.depth_test = depth.depth_write = true;
  c.set_depth_stencil_alpha(depth);

  const uint32_t seed = 4242;
  std::mt19937 random(seed);
  const auto real = [&](float low, float high) {
    return low + (high - low) * static_cast<float>(random() % 4097) / 4096.0f;
  };
  for (int round = 0; round < 24; ++round) {
    CAPTURE(seed, round);
    raster::RasterizerState rasterizer;
    rasterizer.provoking_first = round & 1;
    rasterizer.scissor = round & 2;
    rasterizer.depth_clip = !(round & 4);
    rasterizer.flat_shade = round % 3 == 0;
    if (round % 5 == 0) rasterizer.cull = raster::CullFace::Back;
    c.set_rasterizer(rasterizer);
    const uint32_t samples = round % 6 == 5 ? 4 : 1;

    std::array<View, 16> views;
    for (View& v : views) {
      const auto x = static_cast<int32_t>(random() % 60), y = static_cast<int32_t>(random() % 60);
      v = {real(-10, 70), real(-10, 70), real(20, 60),          real(20, 60),
           real(0, 0.5f), real(0.5f, 1), {x, y, x + 50, y + 40}};
      if (random() % 4 == 0) v.height = -v.height, v.y -= v.height;
    }
    std::vector<Vertex> vertices(90);
    for (Vertex& v : vertices) {
      v = {{real(-1.3f, 1.3f), real(-1.3f, 1.3f), real(-1.4f, 1.4f), real(0.6f, 1.4f)},
           {real(0, 1), real(0, 1), real(0, 1), 1},
           static_cast<uint32_t>(random() % 20)};                 // 16 and more: viewport 0
      if (random() % 16 == 0) v.viewport = 0x80000000u + static_cast<uint32_t>(random() % 3);
    }
    const ResourceRef buffer = device->create_buffer(std::as_bytes(std::span(vertices))).value();
    REQUIRE(c.set_vertex_buffer(0, buffer, sizeof(Vertex)));

    REQUIRE(c.set_shader(chooses));
    const Targets together = new_targets(samples);
    for (uint32_t i = 0; i < 16; ++i) use(i, views[i]);
    REQUIRE(c.draw({.primitive = raster::Primitive::TriangleStrip, .count = 90}));

    // One triangle of the strip at a time, by indices that keep its winding and its provoking corner.
    REQUIRE(c.set_shader(single));
    const Targets apart = new_targets(samples);
    for (uint32_t t = 0; t < 88; ++t) {
      const bool first = rasterizer.provoking_first;
      const uint32_t provoking = first ? t : t + 2;
      std::array<uint32_t, 3> ids = {t, t + 1, t + 2};
      if (t % 2 == 1) ids = first ? std::array{t, t + 2, t + 1} : std::array{t + 1, t, t + 2};
      const ResourceRef indices = device->create_buffer(std::as_bytes(std::span(ids))).value();
      REQUIRE(c.set_index_buffer(indices, 4));
      const uint32_t viewport = vertices[provoking].viewport;
      use_all(views[viewport < 16 ? viewport : 0]);
      REQUIRE(c.draw({.count = 3, .indexed = true}));
    }
    for (uint32_t sample = 0; sample < samples; ++sample) {
      CHECK(c.read_bytes(together.color, 0, 0, sample).value() == c.read_bytes(apart.color, 0, 0, sample).value());
      CHECK(c.read_bytes(together.depth, 0, 0, sample).value() == c.read_bytes(apart.depth, 0, 0, sample).value());
    }
  }
}

TEST_CASE_METHOD(Fixture, "wrong viewports are refused by number", "[viewports]") {
  CHECK_FALSE(c.set_viewport_at(16, {}));
  CHECK_FALSE(c.set_viewport_rect_at(16, 0, 0, 1, 1));
  CHECK_FALSE(c.set_scissor_at(16, {}));
  new_targets(1);
  REQUIRE(c.set_shader(chooses));
  const float zeros[12] = {};
  REQUIRE(c.set_vertex_buffer(0, device->create_buffer(std::as_bytes(std::span(zeros))).value(), 0));
  const raster::VertexElement elements[] = {{}, {}, {.format = Format::R32_UINT}};
  REQUIRE(c.set_vertex_elements(elements));
  REQUIRE(c.set_viewport_at(7, {{1, 1, 1}, {0, std::numeric_limits<float>::infinity(), 0}}));
  const Status status = c.draw({.count = 3});
  REQUIRE_FALSE(status);
  CHECK(status.diags().front().text.find("viewport[7]") != std::string::npos);
}

TEST_CASE("layers and viewports do not depend on memory, tiles and threads", "[viewports]") {
  // Triangle t goes to layer t % 3 and through viewport t % 5; some leave the guard band, all share vertices.
  const std::string text =
      "VERT\nDCL IN[0]\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\nDCL OUT[1], LAYER\nDCL OUT[2], VIEWPORT_INDEX\n"
      "DCL OUT[3], COLOR\nIMM[0] UINT32 {3, 5, 0, 0}\n0: MOV OUT[0], IN[0]\n1: UMOD OUT[1].x, SV[0].xxxx, IMM[0].xxxx\n"
      "2: UMOD OUT[2].x, SV[0].xxxx, IMM[0].yyyy\n3: MOV OUT[3], IN[0]\n4: END\n";
  std::mt19937 random(12);
  std::vector<std::array<float, 4>> positions(3000);
  for (std::array<float, 4>& p : positions)
    for (size_t i = 0; i < 4; ++i) p[i] = static_cast<float>(random() % 2001) / 1000.0f - (i == 3 ? 0.25f : 1.0f);
  const auto draw = [&](const raster::RendererOptions& options) {
    const std::unique_ptr<Device> device = std::move(Device::create({.raster = options}).value());
    Context& c = device->context();
    const ResourceRef target = device
                                   ->create_image({.kind = ResourceKind::Tex2DArray,
                                                   .format = Format::R32G32B32A32_FLOAT,
                                                   .width = 150,
                                                   .height = 110,
                                                   .layers = 3})
                                   .value();
    REQUIRE(c.set_color_target(0, {.resource = target, .layers = 3}));
    REQUIRE(c.set_shader(device->create_shader(ir::Stage::Vertex, text).value()));
    REQUIRE(
        c.set_shader(device
                         ->create_shader(ir::Stage::Fragment,
                                         "FRAG\nDCL IN[0], COLOR\nDCL OUT[0], COLOR\n0: MOV OUT[0], IN[0]\n1: END\n")
                         .value()));
    const raster::VertexElement element{.format = Format::R32G32B32A32_FLOAT};
    REQUIRE(c.set_vertex_elements({&element, 1}));
    REQUIRE(c.set_vertex_buffer(0, device->create_buffer(std::as_bytes(std::span(positions))).value(), 16));
    for (uint32_t i = 0; i < 5; ++i) {
      const auto offset = static_cast<float>(i);
      REQUIRE(c.set_viewport_rect_at(i, offset * 9 - 5, offset * 4, 100, 90 - offset));
    }
    REQUIRE(c.clear_color({0, 0, 0, 0}));
    REQUIRE(c.draw({.primitive = raster::Primitive::TriangleStrip, .count = 3000}));
    std::vector<std::byte> all;
    for (uint32_t layer = 0; layer < 3; ++layer) {
      const std::vector<std::byte> bytes = c.read_bytes(target, 0, layer).value();
      all.insert(all.end(), bytes.begin(), bytes.end());
    }
    return all;
  };
  const std::vector<std::byte> expected = draw({.threads = 1});
  CHECK(draw({.threads = 3, .tile_size_px = 16, .binning_budget_bytes = 64 << 10, .shuffle_tiles = 5}) == expected);
  CHECK(draw({.threads = 2, .tile_size_px = 32, .binning_budget_bytes = 1, .drop_hidden = false}) == expected);
  for (const SimdTarget simd : available_simd_targets()) CHECK(draw({.threads = 2, .simd = simd}) == expected);
}
