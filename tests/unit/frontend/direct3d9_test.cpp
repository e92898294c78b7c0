// Draws through Direct3d9: linking by semantic, fixed function, states, and what is refused.
#include "frontend/direct3d9.h"

#include <catch2/catch.hpp>

#include <bit>

#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"

using namespace tessera;
using direct3d9::RenderState;
using direct3d9::SamplerState;

namespace {

constexpr uint32_t kSize = 8;
using Vec4 = std::array<float, 4>;

const char* const kPlainVertex =
    "vs_3_0\ndcl_position v0\ndcl_texcoord v1\ndcl_position o0\ndcl_texcoord o1\nmov o0, v0\nmov o1, v1\n";

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 2}}).value());
  Context& context = device->context();
  Direct3d9 d3d{*device};
  ResourceRef target = image(Format::R32G32B32A32_FLOAT);

  ResourceRef image(Format format) {
    return device->create_image({.format = format, .width = kSize, .height = kSize}).value();
  }

  Fixture() {
    set(RenderState::ZEnable, 0);
    set(RenderState::CullMode, 1);
    set(RenderState::Lighting, 0);
    draw_into(target);
    // A strip over the whole target; the coordinate is the same everywhere.
    const float vertices[] = {-1, -1, 0.5f, 0.25f, 0.5f, 0.75f, 1, -1, 1, 0.5f, 0.25f, 0.5f, 0.75f, 1,
                              1,  -1, 0.5f, 0.25f, 0.5f, 0.75f, 1, 1,  1, 0.5f, 0.25f, 0.5f, 0.75f, 1};
    const ResourceRef buffer = device->create_buffer(std::as_bytes(std::span(vertices))).value();
    REQUIRE(context.set_vertex_buffer(0, buffer, 7 * sizeof(float)));
    d3d.set_declaration({{{d3d9::Usage::Position, 0}, {.format = Format::R32G32B32_FLOAT}},
                         {{d3d9::Usage::Texcoord, 0}, {.offset_bytes = 12}}});
  }
  void draw_into(const ResourceRef& color) {
    target = color;
    REQUIRE(d3d.set_color_target(0, {color}));
    REQUIRE(context.set_color_target(0, {color}));
    REQUIRE(context.clear_color({0.125f, 0.125f, 0.125f, 0.125f}));
  }
  void set(RenderState state, uint32_t value) { d3d.states.render[static_cast<size_t>(state)] = value; }
  void use(ir::Stage stage, const std::string& text) {
    const Result<D3d9ShaderRef> shader = Direct3d9::create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(d3d.set_shader(*shader));
  }
  void use(const std::string& vertex, const std::string& pixel) {
    use(ir::Stage::Vertex, vertex);
    use(ir::Stage::Fragment, pixel);
  }
  Status draw() { return d3d.draw({.primitive = raster::Primitive::TriangleStrip, .count = 4}); }
  Vec4 pixel(uint32_t x = 3, uint32_t y = 4) {
    const Status drawn = draw();
    if (!drawn) FAIL(drawn.diags().front().text);
    return std::bit_cast<Vec4>(context.read_texels(target).value()[y * kSize + x].word);
  }
  std::string refusal() {
    const Status drawn = draw();
    return drawn ? "" : drawn.diags().front().text;
  }
};

std::string scene_error(const std::string& text) {
  const Result<scene::Scene> scene = scene::parse_scene(text);
  if (scene) return "";
  const Diag& d = scene.diags().front();
  return std::to_string(d.loc.line) + ":" + std::to_string(d.loc.column) + " " + d.text;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "components that share a register reach the pixel shader by usage and name", "[d3d9]") {
  use("vs_3_0\ndef c0, 0.125, 0.25, 0.375, 0.5\ndef c1, 0, 0.625, 0.75, 0.875\ndcl_position v0\ndcl_position o0\n"
      "dcl_normal o1.xyz\ndcl_blendweight o1.w\ndcl_texcoord1 o2.y\ndcl_texcoord0 o2.zw\n"
      "mov o0, v0\nmov o1, c0\nmov o2.yzw, c1\n",
      "ps_3_0\ndcl_normal v0.xyz\ndcl_blendweight v0.w\ndcl_texcoord1 v1.y\ndcl_texcoord0 v1.zw\n"
      "mov r0.xy, v1.zwzw\nmov r0.z, v1.y\nmov r0.w, v0.w\nmov oC0, r0\n");
  CHECK(pixel() == Vec4{0.75f, 0.875f, 0.625f, 0.5f});
}

TEST_CASE_METHOD(Fixture, "a packed pixel shader samples at a coordinate that it wrote in part", "[d3d9]") {
  const ResourceRef texture = device->create_image({.format = Format::R8G8B8A8_UNORM, .width = 1, .height = 1}).value();
  const uint32_t texel = 0xff0080ffu;
  REQUIRE(context.write_texels(texture, 0, {}, std::as_bytes(std::span(&texel, 1))));
  REQUIRE(d3d.set_texture(0, {texture}));
  use(kPlainVertex, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\nmov r0.xy, v0\ntexld r0, r0, s0\nmov oC0, r0\n");
  CHECK(pixel() == Vec4{1, 128 / 255.0f, 0, 1});
}

TEST_CASE_METHOD(Fixture, "what nothing feeds reads 0, and earlier models meet by register", "[d3d9]") {
  use(kPlainVertex, "ps_3_0\ndcl_texcoord1 v0\nadd oC0, v0, -v0_abs\n");
  CHECK(pixel() == Vec4{0, 0, 0, 0});
  use("vs_1_1\ndcl_position v0\ndcl_texcoord v1\nmov oPos, v0\nmov oD1, v1\nmov oT2, v1\n",
      "ps_2_0\ndcl v0\ndcl v1\ndcl t2\nadd r0, v1, t2\nmul r0, r0, v0\nmov oC0, r0\n");
  CHECK(pixel() == Vec4{0.5f, 1, 1.5f, 2});
}

TEST_CASE_METHOD(Fixture, "a vertex input that is not declared reads 0", "[d3d9]") {
  use("vs_2_0\ndcl_position v0\ndcl_normal v1\nmov oPos, v0\nmov oD0, v1\n", "ps_2_0\ndcl v0\nmov oC0, v0\n");
  CHECK(pixel() == Vec4{0, 0, 0, 0});
}

TEST_CASE_METHOD(Fixture, "fixed-function vertices are white and keep their coordinates", "[d3d9]") {
  use(ir::Stage::Fragment, "ps_2_0\ndcl v0\ndcl v1\ndcl t0\nadd r0, v0, -t0\nadd r0, r0, v1\nmov oC0, r0\n");
  CHECK(pixel() == Vec4{0.75f, 0.5f, 0.25f, 0});
  set(RenderState::Lighting, 1);                     // and no light
  use(ir::Stage::Fragment, "ps_2_0\ndcl v0\nmov oC0, v0\n");
  CHECK(pixel() == Vec4{0, 0, 0, 1});
}

TEST_CASE_METHOD(Fixture, "a target whose colour is not written keeps what it holds", "[d3d9]") {
  const ResourceRef second = image(Format::R32G32B32A32_FLOAT);
  REQUIRE(d3d.set_color_target(1, {second}));
  use(kPlainVertex, "ps_3_0\ndcl_texcoord v0\nmov oC0, v0\n");
  CHECK(pixel() == Vec4{0.25f, 0.5f, 0.75f, 1});
  CHECK(std::bit_cast<Vec4>(context.read_texels(second).value()[0].word) == Vec4{});
}

TEST_CASE_METHOD(Fixture, "alpha is tested in eight bits, fog and sRGB come after the shader", "[d3d9]") {
  draw_into(image(Format::B8G8R8A8_UNORM));
  use(kPlainVertex, "ps_3_0\ndef c0, 0.5, 0.5, 0.5, 0.501\nmov oC0, c0\n");      // 0.501 * 255 = 127.755: 128
  set(RenderState::AlphaTestEnable, 1);
  set(RenderState::AlphaRef, 128);
  set(RenderState::AlphaFunc, 3);
  CHECK(pixel()[3] == 128 / 255.0f);
  CHECK(context.clear_color({0, 0, 0, 0}).ok());
  set(RenderState::AlphaFunc, 6);
  CHECK(pixel()[3] == 0);
  set(RenderState::AlphaTestEnable, 0);
  set(RenderState::FogEnable, 1);                                                 // no fog output: factor 0
  set(RenderState::FogColor, 0xff00ff00);
  CHECK(pixel() == Vec4{0, 1, 0, 128 / 255.0f});
  set(RenderState::FogTableMode, 3);                                              // depth 0.5 of 0 to 1
  CHECK(pixel()[1] == 191 / 255.0f);
  set(RenderState::FogEnable, 0);
  set(RenderState::SrgbWriteEnable, 1);
  CHECK(draw().ok());
  const std::vector<std::byte> bytes = context.read_bytes(target).value();
  CHECK(bytes[0] == std::byte{0xbc});
}

TEST_CASE_METHOD(Fixture, "vPos counts whole pixels and vFace is positive for clockwise triangles", "[d3d9]") {
  use(kPlainVertex, "ps_3_0\ndef c0, 1, 0, 0, 0\ndcl vPos.xy\ndcl vFace\nmov r0, c0.y\nmov r0.xy, vPos\nmov r1, c0.x\n"
                    "cmp r0.z, vFace, c0.x, c0.y\nmov oC0, r0\n");
  CHECK(pixel(3, 4) == Vec4{3, 4, 1, 0});
  CHECK(pixel(0, 7) == Vec4{0, 7, 1, 0});
  set(RenderState::CullMode, 2);                     // drops clockwise ones
  REQUIRE(context.clear_color({0, 0, 0, 0}));
  CHECK(pixel(3, 4) == Vec4{0, 0, 0, 0});
}

TEST_CASE_METHOD(Fixture, "a sampler that is declared 2D samples the cube that is bound", "[d3d9]") {
  const ResourceRef cube = device->create_image({.kind = ResourceKind::Cube, .format = Format::R8G8B8A8_UNORM,
                                                 .width = 1, .height = 1, .layers = 6}).value();
  uint32_t faces[6] = {};
  faces[4] = 0xff00ff00u;                            // +z: the coordinate's largest component
  REQUIRE(context.write_texels(cube, 0, {.depth = 6}, std::as_bytes(std::span(faces))));
  REQUIRE(d3d.set_texture(0, {cube}));
  use(kPlainVertex, "ps_3_0\ndcl_texcoord v0\ndcl_2d s0\ntexld r0, v0, s0\nmov oC0, r0\n");
  CHECK(pixel() == Vec4{0, 1, 0, 1});
  REQUIRE(d3d.set_texture(0, {}));
  CHECK(pixel() == Vec4{0, 0, 0, 1});
}

TEST_CASE_METHOD(Fixture, "constants are set by register; names have to be in the shader's table", "[d3d9]") {
  use(kPlainVertex, "ps_3_0\nmov oC0, c5\n");
  const Vec4 color = {0.25f, 0.5f, 0.75f, 1};
  const auto words = std::bit_cast<std::array<uint32_t, 4>>(color);
  REQUIRE(d3d.set_constants(ir::Stage::Fragment, d3d9::File::Const, 5, words));
  CHECK(pixel() == color);
  CHECK_FALSE(d3d.set_constants(ir::Stage::Fragment, d3d9::File::Const, 8192, words));
  const Status named = d3d.set_constants(ir::Stage::Fragment, "Color", words);
  REQUIRE_FALSE(named);
  CHECK(named.diags().front().text == "the shader's constant table has no 'Color'");
}

TEST_CASE_METHOD(Fixture, "values that a state does not have are refused by its name", "[d3d9]") {
  use(kPlainVertex, "ps_3_0\ndcl_texcoord v0\nmov oC0, v0\n");
  set(RenderState::CullMode, 9);
  CHECK(refusal() == "cullmode: 9 is none of its values");
  set(RenderState::CullMode, 1);
  d3d.states.samplers[2].values[static_cast<size_t>(SamplerState::AddressU)] = 0;
  CHECK(refusal() == "sampler 2: addressu: 0 is none of its values");
  CHECK_FALSE(Direct3d9::create_shader(ir::Stage::Vertex, "ps_3_0\nmov oC0, c0\n"));
}

TEST_CASE("errors of scenes with Direct3D 9 shaders have their place", "[d3d9]") {
  const std::string shaders = "[vertex shader d3d9]\nvs_1_1\ndcl_position v0\nmov oPos, v0\n";
  const std::string test = "[test]\ndraw rect -1 -1 2 2\n";
  CHECK(scene_error(shaders + test).empty());
  CHECK(scene_error(shaders + "[state]\ncullmode sideways\n" + test) ==
        "6:10 expected one of none, cw, ccw for cullmode, found 'sideways'");
  CHECK(scene_error(shaders + "[state]\nblend one one\n" + test) == "6:1 there is no state 'blend'");
  CHECK(scene_error(shaders + "[sampler 0]\nwrap repeat\n" + test) == "6:1 there is no sampler state 'wrap'");
  CHECK(scene_error(shaders + "[state]\nstage 9 colorop add\n" + test).starts_with("6:7 "));
  CHECK(scene_error(shaders + "[constants]\npixel c9000: 1\n" + test) == "6:7 registers are below 8192");
  CHECK(scene_error(shaders + "[fragment shader tgsi]\nFRAG\n0: END\n" + test) ==
        "5:1 a scene with Direct3D 9 shaders has no others");
  CHECK(scene_error("[vertex data]\nposition/float3\n0 0 0\n[test]\ndraw triangles\n") ==
        "1:1 only scenes with Direct3D 9 shaders name attributes by usage");
}

TEST_CASE("an error in a Direct3D 9 shader of a scene has its place in the scene", "[d3d9]") {
  const Result<scene::Scene> scene = scene::parse_scene(
      "[target]\nsize 8 8\n[vertex shader d3d9]\nvs_1_1\nmov oPos, v0, v0\n[test]\ndraw rect -1 -1 2 2\n");
  REQUIRE(scene);
  const auto device = std::move(Device::create({}).value());
  const auto result = scene::run_scene(*device, *scene, "");
  REQUIRE_FALSE(result);
  CHECK(result.diags().front().loc.line == 5);
}
