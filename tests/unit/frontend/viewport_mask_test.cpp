// Primitives that go through several viewports at once (VIEWPORT_MASK), and layers relative to the viewport. Viewport i
// is the square of 8 pixels at x = 8 i, which one triangle fills; fragments say which layer and viewport they are of.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <string>

#include "frontend/device.h"

using namespace tessera;

namespace {

constexpr uint32_t kViewports = 16, kSide = 8;

// The vertex program's outputs 1 to 3 are the words of CONST[0]: the mask, the index, the layer.
std::string vertex_text(const std::string& outputs, bool is_relative) {
  std::string text = is_relative ? "VERT\nPROPERTY LAYER_VIEWPORT_RELATIVE 1\n" : "VERT\n";
  text += "DCL IN[0]\nDCL CONST[0]\nDCL OUT[0], POSITION\n";
  if (outputs.find('m') != outputs.npos) text += "DCL OUT[1].x, VIEWPORT_MASK\n";
  if (outputs.find('i') != outputs.npos) text += "DCL OUT[2].x, VIEWPORT_INDEX\n";
  if (outputs.find('l') != outputs.npos) text += "DCL OUT[3].x, LAYER\n";
  text += "MOV OUT[0], IN[0]\n";
  if (outputs.find('m') != outputs.npos) text += "MOV OUT[1].x, CONST[0].xxxx\n";
  if (outputs.find('i') != outputs.npos) text += "MOV OUT[2].x, CONST[0].yyyy\n";
  if (outputs.find('l') != outputs.npos) text += "MOV OUT[3].x, CONST[0].zzzz\n";
  return text + "END\n";
}

// Red: 1 + the layer, green: 1 + the viewport, blue: 1.
constexpr std::string_view kFragment =
    "FRAG\nDCL IN[0], LAYER, CONSTANT\nDCL IN[1], VIEWPORT_INDEX, CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0]\n"
    "IMM[0] FLT32 {1, 0, 0, 0}\nU2F TEMP[0].x, IN[0].xxxx\nU2F TEMP[0].y, IN[1].xxxx\nMOV TEMP[0].zw, IMM[0].yyyy\n"
    "ADD OUT[0], TEMP[0], IMM[0].xxxx\nEND\n";

struct Words { uint32_t mask = 0, index = 0, layer = 0; };

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 2}}).value());
  Context& c = device->context();
  uint32_t layers = 1;
  ResourceRef target;

  explicit Fixture(uint32_t layer_count) : layers(layer_count) {
    const float corners[] = {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
    REQUIRE(c.set_vertex_buffer(0, device->create_buffer(std::as_bytes(std::span(corners))).value(), 16));
    const raster::VertexElement element{.format = Format::R32G32B32A32_FLOAT};
    REQUIRE(c.set_vertex_elements({&element, 1}));
    for (uint32_t i = 0; i < kViewports; ++i)
      REQUIRE(c.set_viewport_rect_at(i, static_cast<float>(i * kSide), 0, kSide, kSide));
    target = device->create_image({.kind = ResourceKind::Tex2DArray, .format = Format::R32G32B32A32_FLOAT,
                                   .width = kViewports * kSide, .height = kSide, .layers = layers}).value();
    REQUIRE(c.set_color_target(0, {.resource = target, .layers = layers}));
    use(ir::Stage::Fragment, std::string(kFragment));
  }
  void use(ir::Stage stage, const std::string& text) {
    const Result<ShaderRef> shader = device->create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(c.set_shader(*shader));
  }
  void draw(const Words& words, const raster::DrawInfo& info = {.count = 3}) {
    const uint32_t constants[] = {words.mask, words.index, words.layer};
    for (const ir::Stage stage : {ir::Stage::Vertex, ir::Stage::Geometry})
      REQUIRE(c.set_constants(stage, 0, std::span<const uint32_t>(constants)));
    REQUIRE(c.clear_color({0, 0, 0, 0}));
    REQUIRE(c.draw(info));
  }
  // Is each viewport of `mask` filled in layer_of(viewport), and nothing else?
  template <class LayerOf>
  void expect(uint32_t mask, LayerOf layer_of) {
    for (uint32_t layer = 0; layer < layers; ++layer) {
      const std::vector<Texel> texels = c.read_texels(target, 0, layer).value();
      for (uint32_t i = 0; i < texels.size(); ++i) {
        const uint32_t viewport = i % (kViewports * kSide) / kSide;
        const bool is_drawn = (mask >> viewport & 1) != 0 && layer_of(viewport) == layer;
        CAPTURE(layer, viewport, i);
        const auto channel = [&](int k) { return std::bit_cast<float>(texels[i].word[k]); };
        REQUIRE(channel(0) == (is_drawn ? 1 + static_cast<float>(layer) : 0));
        REQUIRE(channel(1) == (is_drawn ? 1 + static_cast<float>(viewport) : 0));
        REQUIRE(channel(2) == (is_drawn ? 1 : 0));
      }
    }
  }
};

}  // namespace

TEST_CASE("a primitive is drawn once through every viewport of its mask", "[viewport_mask]") {
  Fixture f(1);
  f.use(ir::Stage::Vertex, vertex_text("m", false));
  for (const uint32_t mask : {0u, 1u, 0x8000u, 0xa5c3u, 0xffffu, 0xffff0000u, 0x80020008u}) {
    CAPTURE(mask);
    f.draw({.mask = mask});
    f.expect(mask & 0xffff, [](uint32_t) { return 0u; });
  }
}

TEST_CASE("the mask goes before a viewport index, and every viewport sees the layer that is written",
          "[viewport_mask]") {
  Fixture f(3);
  f.use(ir::Stage::Vertex, vertex_text("mil", false));
  f.draw({.mask = 0x105, .index = 1, .layer = 2});
  f.expect(0x105, [](uint32_t) { return 2u; });
}

TEST_CASE("a layer relative to the viewport has the viewport's number added; beyond the last it is the last",
          "[viewport_mask]") {
  Fixture f(6);
  const auto layer_from = [](uint32_t layer) { return [=](uint32_t v) { return std::min(layer + v, 5u); }; };
  f.use(ir::Stage::Vertex, vertex_text("ml", true));
  f.draw({.mask = 0x17, .layer = 1});
  f.expect(0x17, layer_from(1));
  f.use(ir::Stage::Vertex, vertex_text("m", true));               // without LAYER: that of the viewport
  f.draw({.mask = 0x1d});
  f.expect(0x1d, layer_from(0));
  f.use(ir::Stage::Vertex, vertex_text("il", true));
  f.draw({.index = 3, .layer = 1});
  f.expect(0x8, layer_from(1));
  f.use(ir::Stage::Vertex, vertex_text("l", true));               // viewport 0
  f.draw({.layer = 4});
  f.expect(0x1, layer_from(4));
  f.use(ir::Stage::Vertex, vertex_text("il", false));
  f.draw({.index = 3, .layer = 1});
  f.expect(0x8, [](uint32_t) { return 1u; });
}

TEST_CASE("the mask and the relative layer of the last stage count, here a geometry program's", "[viewport_mask]") {
  Fixture f(4);
  f.use(ir::Stage::Vertex, vertex_text("mil", false));
  f.use(ir::Stage::Geometry,
        "GEOM\nPROPERTY GS_INPUT_PRIMITIVE TRIANGLES\nPROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
        "PROPERTY GS_MAX_OUTPUT_VERTICES 3\nPROPERTY LAYER_VIEWPORT_RELATIVE 1\nDCL IN[][0], POSITION\nDCL CONST[0]\n"
        "DCL OUT[0], POSITION\nDCL OUT[1].x, VIEWPORT_MASK\nDCL OUT[2].x, LAYER\nIMM[0] UINT32 {0, 1, 0, 0}\n"
        "USHR OUT[1].x, CONST[0].xxxx, IMM[0].yyyy\nMOV OUT[2].x, IMM[0].yyyy\nMOV OUT[0], IN[0][0]\nEMIT IMM[0].xxxx\n"
        "MOV OUT[0], IN[1][0]\nEMIT IMM[0].xxxx\nMOV OUT[0], IN[2][0]\nEMIT IMM[0].xxxx\nEND\n");
  f.draw({.mask = 0xe, .index = 9, .layer = 0});
  f.expect(0x7, [](uint32_t viewport) { return 1 + viewport; });
}

TEST_CASE("many primitives that share vertices keep their order in every viewport", "[viewport_mask]") {
  // Triangle strips of instances: the last instance is on top in each viewport, and all are counted.
  Fixture f(1);
  f.use(ir::Stage::Vertex, vertex_text("m", false));
  const QueryRef counted = f.c.create_query(QueryKind::SamplesPassed).value();
  REQUIRE(f.c.begin_query(counted));
  f.draw({.mask = 0x8421}, {.primitive = raster::Primitive::TriangleStrip, .count = 3, .instance_count = 9000});
  REQUIRE(f.c.end_query(counted));
  CHECK(f.c.query_result(counted).value() == uint64_t{9000} * 4 * kSide * kSide);
  f.expect(0x8421, [](uint32_t) { return 0u; });
}
