// Drawing into several layers at once, and into nothing.
#include "frontend/device.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

using namespace tessera;

namespace {

// IN[0] is a position, i the instance's number plus CONST[0].x: moved right by i / 8; the layer is i + CONST[0].y.
constexpr std::string_view kLayerVertex =
    "VERT\nDCL IN[0]\nDCL SV[0], INSTANCEID\nDCL OUT[0], POSITION\nDCL OUT[1], LAYER\nDCL CONST[0]\nDCL TEMP[0]\n"
    "IMM[0] FLT32 {0.125, 0.0, 0.0, 0.0}\n"
    "0: UADD TEMP[0].y, SV[0].xxxx, CONST[0].xxxx\n1: I2F TEMP[0].x, TEMP[0].yyyy\n2: MOV OUT[0], IN[0]\n"
    "3: MAD OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx, IN[0].xxxx\n4: UADD OUT[1].x, TEMP[0].yyyy, CONST[0].yyyy\n5: END\n";
constexpr std::string_view kLayerColor =
    "FRAG\nDCL IN[0], LAYER, CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {1.0, 0.1, 0.0, 0.0}\n"
    "0: U2F TEMP[0].x, IN[0].xxxx\n1: MAD OUT[0], TEMP[0].xxxx, IMM[0].yyyy, IMM[0].yyyx\n2: END\n";

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 2}}).value());
  Context& c = device->context();

  Fixture() {
    const float positions[] = {-0.9f, -0.8f, 0.1f, -0.7f, -0.4f, 0.85f};
    const ResourceRef corners = device->create_buffer(std::as_bytes(std::span(positions))).value();
    const raster::VertexElement element{.format = Format::R32G32_FLOAT};
    REQUIRE(c.set_vertex_elements({&element, 1}));
    REQUIRE(c.set_vertex_buffer(0, corners, 8));
    use(ir::Stage::Vertex, kLayerVertex);
    use(ir::Stage::Fragment, kLayerColor);
    numbers(0, 0);
  }
  void use(ir::Stage stage, std::string_view text) {
    const Result<ShaderRef> shader = device->create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(c.set_shader(*shader));
  }
  void numbers(uint32_t first_instance, uint32_t first_layer) {
    const uint32_t words[] = {first_instance, first_layer};
    REQUIRE(c.set_constants(ir::Stage::Vertex, 0, std::span<const uint32_t>(words)));
  }
  ResourceRef image(const ResourceDesc& desc) { return device->create_image(desc).value(); }
  std::vector<Texel> layer(const ResourceRef& from, uint32_t l) { return c.read_texels(from, 0, l).value(); }
};

bool same(const std::vector<Texel>& a, const std::vector<Texel>& b) {
  for (size_t i = 0; i < a.size(); ++i)
    for (size_t k = 0; k < 4; ++k)
      if (a[i].word[k] != b[i].word[k]) return false;
  return a.size() == b.size();
}

}  // namespace

TEST_CASE_METHOD(Fixture, "triangles go to the layer that their vertices name, in images of every layered kind",
                 "[layers]") {
  const ResourceDesc kinds[] = {
      {.kind = ResourceKind::Cube, .format = Format::R32G32B32A32_FLOAT, .width = 150, .height = 150, .layers = 6},
      {.kind = ResourceKind::Tex3D, .format = Format::R32G32B32A32_FLOAT, .width = 150, .height = 150, .depth = 6},
      {.kind = ResourceKind::Tex2DArray,
       .format = Format::R32G32B32A32_FLOAT,
       .width = 150,
       .height = 150,
       .layers = 6},
      {.kind = ResourceKind::Tex2DArray,
       .format = Format::R32G32B32A32_FLOAT,
       .width = 150,
       .height = 150,
       .layers = 6,
       .samples = 4}};
  for (const ResourceDesc& desc : kinds) {
    CAPTURE(static_cast<int>(desc.kind), desc.samples);
    const ResourceRef layered = image(desc), apart = image(desc);
    const ResourceRef depth = image({.kind = ResourceKind::Tex2DArray, .format = Format::Z32_FLOAT, .width = 150,
                                     .height = 150, .layers = 6, .samples = desc.samples});
    raster::DepthStencilAlphaState state;
    state.depth_test = state.depth_write = true;
    c.set_depth_stencil_alpha(state);
    REQUIRE(c.set_color_target(0, {.resource = layered, .layers = 6}));
    REQUIRE(c.set_depth_target({.resource = depth, .layers = 6}));
    REQUIRE(c.clear_color({0.5f, 0, 0, 1}));     // every layer
    REQUIRE(c.clear_depth(1));
    numbers(0, 0);
    REQUIRE(c.draw({.count = 3, .instance_count = 6}));
    // The same, one layer attached at a time; a layer that is not there becomes the last one.
    for (uint32_t l = 0; l < 6; ++l) {
      REQUIRE(c.set_color_target(0, {.resource = apart, .layer = l}));
      REQUIRE(c.set_depth_target({.resource = depth, .layer = l}));
      REQUIRE(c.clear_color({0.5f, 0, 0, 1}));
      REQUIRE(c.clear_depth(1));
      numbers(l, 0);
      REQUIRE(c.draw({.count = 3}));
    }
    for (uint32_t l = 0; l < 6; ++l) {
      CAPTURE(l);
      const std::vector<Texel> got = layer(layered, l);
      CHECK(same(got, layer(apart, l)));
      uint32_t covered = 0;
      for (uint32_t i = 0; i < got.size(); ++i) {
        const float red = std::bit_cast<float>(got[i].word[0]);
        if (red == 0.5f && std::bit_cast<float>(got[i].word[1]) == 0.0f) continue;
        ++covered;
        REQUIRE(std::bit_cast<float>(got[i].word[1]) == std::fma(static_cast<float>(l), 0.1f, 0.1f));
      }
      CHECK(covered > 1000);
    }
  }
}

TEST_CASE_METHOD(Fixture, "a layer beyond the last is the last", "[layers]") {
  const ResourceRef layered = image(
      {.kind = ResourceKind::Tex2DArray, .format = Format::R32G32B32A32_FLOAT, .width = 40, .height = 40, .layers = 3});
  REQUIRE(c.set_color_target(0, {.resource = layered, .layer = 1, .layers = 2}));
  REQUIRE(c.clear_color({0, 0, 0, 0}));
  numbers(0, 4000000000u);
  REQUIRE(c.draw({.count = 3}));
  const auto any = [&](uint32_t l) {
    for (const Texel& t : layer(layered, l))
      if (t.word[3] != 0) return true;
    return false;
  };
  CHECK_FALSE(any(0));
  CHECK_FALSE(any(1));
  CHECK(any(2));
}

TEST_CASE_METHOD(Fixture, "more layers than there are is refused by name", "[layers]") {
  const ResourceRef array = image({.kind = ResourceKind::Tex2DArray, .layers = 3});
  for (const uint32_t layers : {0u, 3u, ~0u}) {
    const Status status = c.set_color_target(0, {.resource = array, .layer = 1, .layers = layers});
    REQUIRE_FALSE(status);
    CHECK(status.diags().front().text.find("layers") != std::string::npos);
  }
}

TEST_CASE_METHOD(Fixture, "with no target attached work is counted and nothing is stored", "[layers]") {
  CHECK_FALSE(c.draw({.count = 3}));
  CHECK_FALSE(c.set_empty_target(0, 5));
  CHECK_FALSE(c.set_empty_target(5, 5, 0));
  CHECK_FALSE(c.set_empty_target(5, 5, 2049));
  CHECK_FALSE(c.set_empty_target(16384, 16384, 2048));
  CHECK_FALSE(c.set_empty_target(5, 5, 1, 3));
  const auto count = [&] {
    c.renderer().reset_counters();
    REQUIRE(c.draw({.count = 3}));
    REQUIRE(c.flush());
    return c.renderer().counters().samples_passed;
  };
  REQUIRE(c.set_color_target(0, {image({.width = 100, .height = 80})}));
  const uint64_t expected = count();
  REQUIRE(c.set_color_target(0, {}));
  REQUIRE(c.set_empty_target(100, 80));
  CHECK(count() == expected);
  REQUIRE(c.set_empty_target(100, 80, 3, 4));
  const uint64_t samples = count();
  CHECK(samples > 3 * expected);
  CHECK(samples < 5 * expected);
}
