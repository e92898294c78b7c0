#include "frontend/device.h"

#include <bit>
#include <catch2/catch.hpp>

using namespace tessera;

namespace {

constexpr std::string_view kVertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n";
constexpr std::string_view kConstantColor = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\n0: MOV OUT[0], CONST[0]\n1: END\n";
constexpr std::string_view kTextured =
    "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nIMM[0] FLT32 {0.5, 0.5, 0.0, 0.0}\n"
    "0: TEX OUT[0], IMM[0], SAMP[0], 2D\n1: END\n";

// A device with a target of 16 x 16 and one triangle that covers it.
struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 1}}).value());
  Context& c = device->context();
  ResourceRef target = device->create_image({.width = 16, .height = 16}).value();
  ResourceRef corners;

  Fixture() {
    const float positions[] = {-1, -1, 3, -1, -1, 3};
    corners = device->create_buffer(std::as_bytes(std::span(positions))).value();
    const raster::VertexElement element{.format = Format::R32G32_FLOAT};
    REQUIRE(c.set_vertex_elements({&element, 1}));
    REQUIRE(c.set_vertex_buffer(0, corners, 8));
    REQUIRE(c.set_color_target(0, {target}));
    use(ir::Stage::Vertex, kVertex);
    use(ir::Stage::Fragment, kConstantColor);
  }
  void use(ir::Stage stage, std::string_view text) {
    const Result<ShaderRef> shader = device->create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(c.set_shader(*shader));
  }
  void color(float r, float g, float b, float a) {
    const float values[] = {r, g, b, a};
    REQUIRE(c.set_constants(ir::Stage::Fragment, 0, std::span<const float>(values)));
  }
  uint32_t texel(const ResourceRef& image, uint32_t x = 5, uint32_t y = 5) {
    const Image picture = c.read_image(image).value();
    return std::bit_cast<uint32_t>(std::array<uint8_t, 4>{picture.texel(x, y)[0], picture.texel(x, y)[1],
                                                          picture.texel(x, y)[2], picture.texel(x, y)[3]});
  }
};

std::string text_of(const Status& status) { return status ? "" : status.diags().front().text; }
template <class T>
std::string text_of(const Result<T>& result) { return result ? "" : result.diags().front().text; }

}  // namespace

TEST_CASE_METHOD(Fixture, "a triangle over the target gives its colour everywhere") {
  color(1, 0, 0, 1);
  REQUIRE(c.clear_color({0, 0, 1, 1}));
  CHECK(texel(target) == 0xffff0000);
  REQUIRE(c.draw({.count = 3}));
  CHECK(texel(target, 0, 0) == 0xff0000ff);
  CHECK(texel(target, 15, 15) == 0xff0000ff);
}

TEST_CASE_METHOD(Fixture, "constants that change after a draw do not change the draw") {
  REQUIRE(c.clear_color({0, 0, 0, 0}));
  color(0, 1, 0, 1);
  REQUIRE(c.draw({.count = 3}));
  color(1, 0, 0, 1);
  CHECK(texel(target) == 0xff00ff00);
}

TEST_CASE_METHOD(Fixture, "a vertex buffer that is rewritten after a draw does not change the draw") {
  color(1, 1, 1, 1);
  REQUIRE(c.clear_color({0, 0, 0, 1}));
  REQUIRE(c.draw({.count = 3}));
  const float elsewhere[] = {5, 5, 6, 5, 5, 6};
  REQUIRE(c.write_buffer(corners, 0, std::as_bytes(std::span(elsewhere))));
  CHECK(texel(target) == 0xffffffff);
  REQUIRE(c.clear_color({0, 0, 0, 1}));
  REQUIRE(c.draw({.count = 3}));
  CHECK(texel(target) == 0xff000000);
}

TEST_CASE_METHOD(Fixture,
                 "a part of a buffer is rewritten and the rest kept while a draw still reads the old version") {
  color(1, 1, 1, 1);
  REQUIRE(c.clear_color({0, 0, 0, 1}));
  REQUIRE(c.draw({.count = 3}));
  const float x = 1;
  REQUIRE(c.write_buffer(corners, 8, std::as_bytes(std::span(&x, 1))));
  CHECK(texel(target, 15, 0) == 0xffffffff);
  const std::vector<std::byte> bytes = c.read_bytes(corners).value();
  const auto* values = reinterpret_cast<const float*>(bytes.data());
  CHECK(values[0] == -1);
  CHECK(values[2] == 1);
  CHECK(values[5] == 3);
}

TEST_CASE_METHOD(Fixture, "what was drawn into a texture is read by the next draw") {
  const ResourceRef other = device->create_image({.width = 8, .height = 8}).value();
  color(0, 1, 1, 1);
  REQUIRE(c.clear_color({0, 0, 0, 0}));
  REQUIRE(c.draw({.count = 3}));
  REQUIRE(c.set_color_target(0, {other}));
  use(ir::Stage::Fragment, kTextured);
  REQUIRE(c.set_texture(ir::Stage::Fragment, 0, {target}));
  REQUIRE(c.draw({.count = 3}));
  CHECK(texel(other) == 0xffffff00);
}

TEST_CASE_METHOD(Fixture, "a texture that is rewritten after a draw does not change the draw") {
  const ResourceRef texture = device->create_image({.width = 1, .height = 1}).value();
  const uint32_t red = 0xff0000ff, green = 0xff00ff00;
  REQUIRE(c.write_texels(texture, 0, {}, std::as_bytes(std::span(&red, 1))));
  use(ir::Stage::Fragment, kTextured);
  REQUIRE(c.set_texture(ir::Stage::Fragment, 0, {texture}));
  REQUIRE(c.draw({.count = 3}));
  REQUIRE(c.write_texels(texture, 0, {}, std::as_bytes(std::span(&green, 1))));
  CHECK(texel(target) == 0xff0000ff);
  REQUIRE(c.draw({.count = 3}));
  CHECK(texel(target) == 0xff00ff00);
}

TEST_CASE_METHOD(Fixture, "copies take what was drawn before and nothing of what comes later") {
  const ResourceRef copy = device->create_image({.width = 16, .height = 16}).value();
  color(1, 0, 0, 1);
  REQUIRE(c.draw({.count = 3}));
  REQUIRE(c.copy_texels(target, 0, {.x = 4, .y = 4, .width = 8, .height = 8}, copy, 0, 0, 0, 0));
  color(0, 1, 0, 1);
  REQUIRE(c.draw({.count = 3}));
  CHECK(texel(copy, 7, 7) == 0xff0000ff);
  CHECK(texel(copy, 8, 8) == 0);
  CHECK(texel(target) == 0xff00ff00);
}

TEST_CASE_METHOD(Fixture, "overlapping copies within one image behave as if through a third") {
  const ResourceRef image = device->create_image({.format = Format::R8_UINT, .width = 4, .height = 1}).value();
  const uint8_t texels[] = {1, 2, 3, 4};
  REQUIRE(c.write_texels(image, 0, {.width = 4}, std::as_bytes(std::span(texels))));
  REQUIRE(c.copy_texels(image, 0, {.width = 3}, image, 0, 1, 0, 0));
  const std::vector<std::byte> bytes = c.read_bytes(image).value();
  CHECK(bytes == std::vector<std::byte>{std::byte{1}, std::byte{1}, std::byte{2}, std::byte{3}});
}

TEST_CASE_METHOD(Fixture, "indexed draws read 8, 16 and 32-bit indices") {
  const uint8_t bytes[] = {0, 1, 2, 0}, words[] = {0, 0, 1, 0, 2, 0}, longs[] = {0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0};
  const std::pair<std::span<const uint8_t>, uint32_t> kinds[] = {{bytes, 1}, {words, 2}, {longs, 4}};
  color(1, 1, 1, 1);
  for (const auto& [indices, size] : kinds) {
    REQUIRE(c.clear_color({0, 0, 0, 1}));
    REQUIRE(c.set_index_buffer(device->create_buffer(std::as_bytes(indices)).value(), size));
    REQUIRE(c.draw({.count = 3, .indexed = true}));
    CHECK(texel(target) == 0xffffffff);
  }
}

TEST_CASE_METHOD(Fixture, "the same text gives the same shader") {
  CHECK(device->create_shader(ir::Stage::Vertex, kVertex).value() ==
        device->create_shader(ir::Stage::Vertex, kVertex).value());
}

TEST_CASE_METHOD(Fixture, "misuse gives an error that names the field, and changes nothing", "[bad input]") {
  color(1, 0, 0, 1);
  CHECK_THAT(text_of(c.set_color_target(8, {target})), Catch::Contains("index"));
  CHECK_THAT(text_of(c.set_color_target(1, {target, 1})), Catch::Contains("attachment.level"));
  CHECK_THAT(text_of(c.set_color_target(1, {target, 0, 1})), Catch::Contains("attachment.layer"));
  CHECK_THAT(text_of(c.set_color_target(1, {corners})), Catch::Contains("attachment.resource"));
  CHECK_THAT(text_of(c.set_color_target(1, {target, 0, 0, Format::R8_UNORM})), Catch::Contains("attachment.format"));
  CHECK_THAT(text_of(c.set_depth_target({target})), Catch::Contains("attachment.format"));
  CHECK_THAT(text_of(c.set_shader(nullptr)), Catch::Contains("shader"));
  CHECK_THAT(text_of(c.set_vertex_buffer(32, corners, 8)), Catch::Contains("slot"));
  CHECK_THAT(text_of(c.set_vertex_buffer(0, target, 8)), Catch::Contains("buffer"));
  CHECK_THAT(text_of(c.set_index_buffer(corners, 3)), Catch::Contains("index_bytes"));
  CHECK_THAT(text_of(c.set_constants(ir::Stage::Fragment, 16, std::span<const float>())), Catch::Contains("buffer"));
  CHECK_THAT(text_of(c.set_constants(static_cast<ir::Stage>(9), 0, std::span<const float>())),
             Catch::Contains("stage"));
  CHECK_THAT(text_of(c.set_texture(ir::Stage::Fragment, 32, {target})), Catch::Contains("unit"));
  CHECK_THAT(text_of(c.clear_depth(1)), Catch::Contains("depth"));
  CHECK_THAT(text_of(c.clear_stencil(1)), Catch::Contains("stencil"));
  CHECK_THAT(text_of(c.clear_color(1, Texel{})), Catch::Contains("target"));
  CHECK_THAT(text_of(c.write_buffer(corners, 20, std::as_bytes(std::span("12345")))), Catch::Contains("offset_bytes"));
  CHECK_THAT(text_of(c.write_buffer(corners, ~0ull, std::as_bytes(std::span("12345")))),
             Catch::Contains("offset_bytes"));
  CHECK_THAT(text_of(c.write_texels(target, 0, {.x = 16}, {})), Catch::Contains("box"));
  CHECK_THAT(text_of(c.write_texels(target, 0, {.x = ~0u, .width = 2}, {})), Catch::Contains("box"));
  CHECK_THAT(text_of(c.write_texels(target, 0, {.width = 2}, {})), Catch::Contains("bytes"));
  CHECK_THAT(text_of(c.write_texels(target, 3, {}, {})), Catch::Contains("level"));
  CHECK_THAT(text_of(c.read_bytes(target, 0, 1)), Catch::Contains("layer"));
  CHECK_THAT(text_of(c.read_image(corners)), Catch::Contains("image"));
  CHECK_THAT(text_of(c.draw({.count = 3, .indexed = true})), Catch::Contains("info.indexed"));
  REQUIRE(c.set_index_buffer(corners, 4));
  CHECK_THAT(text_of(c.draw({.start = 4, .count = 3, .indexed = true})), Catch::Contains("info.start"));
  REQUIRE(c.set_vertex_buffer(0, nullptr, 0));
  CHECK_THAT(text_of(c.draw({.count = 3})), Catch::Contains("vertex_elements[0].buffer"));
  REQUIRE(c.set_vertex_buffer(0, corners, 8));
  REQUIRE(c.set_vertex_elements({}));
  CHECK_THAT(text_of(c.draw({.count = 3})), Catch::Contains("reads IN[0]"));
  CHECK(texel(target) == 0);
}

TEST_CASE_METHOD(Fixture, "drawing into what is sampled is refused", "[bad input]") {
  use(ir::Stage::Fragment, kTextured);
  REQUIRE(c.set_texture(ir::Stage::Fragment, 0, {target}));
  CHECK_THAT(text_of(c.draw({.count = 3})), Catch::Contains("also drawn into"));
}

TEST_CASE_METHOD(Fixture, "where feedback is allowed, a draw reads what its target held before it") {
  constexpr std::string_view kHalved =
      "FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\n"
      "IMM[0] FLT32 {0.5, 0.5, 0.5, 0.5}\n0: TEX TEMP[0], IN[0], SAMP[0], 2D\n1: MUL OUT[0], TEMP[0], IMM[0]\n2: END\n";
  c.allow_feedback(true);
  color(1, 1, 1, 1);
  REQUIRE(c.draw({.count = 3}));
  use(ir::Stage::Fragment, kHalved);
  REQUIRE(c.set_texture(ir::Stage::Fragment, 0, {target}));
  REQUIRE(c.draw({.count = 3}));
  REQUIRE(c.draw({.count = 3}));
  CHECK(texel(target) == 0x40404040);              // 1/2 is stored as 128/255, its half as 64/255
  const ResourceRef other = device->create_image({.width = 8, .height = 8}).value();
  REQUIRE(c.set_color_target(0, {other}));
  REQUIRE(c.draw({.count = 3}));
  CHECK(texel(other) == 0x20202020);
}

TEST_CASE_METHOD(Fixture, "the texel counter has a lane of each texture instruction that reads, on every stage") {
  constexpr std::string_view kReadsTwice =
      "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0..2]\n"
      "IMM[0] INT32 {0, 0, 0, 0}\n0: TEX TEMP[0], IN[0], SAMP[0], 2D\n1: TXF TEMP[1], IMM[0], SAMP[0], 2D\n"
      "2: TXQ TEMP[2], IMM[0].xxxx, SAMP[0], 2D\n3: ADD TEMP[0], TEMP[0], TEMP[1]\n4: ADD OUT[0], TEMP[0], TEMP[2]\n"
      "5: END\n";
  constexpr std::string_view kFetchingVertex =
      "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nDCL TEMP[0]\nIMM[0] INT32 {0, 0, 0, 0}\n"
      "0: TXF TEMP[0], IMM[0], SAMP[0], 2D\n1: MAD OUT[0], TEMP[0], IMM[0].xxxx, IN[0]\n2: END\n";
  const ResourceRef image = device->create_image({.width = 4, .height = 4}).value();
  for (ir::Stage stage : {ir::Stage::Vertex, ir::Stage::Fragment}) REQUIRE(c.set_texture(stage, 0, {image}));
  const auto counted = [&] {
    c.renderer().reset_counters();
    REQUIRE(c.draw({.count = 3}));
    REQUIRE(c.flush());
    return c.renderer().counters().texels;
  };
  use(ir::Stage::Fragment, kTextured);
  CHECK(counted() == 16 * 16);
  use(ir::Stage::Fragment, kReadsTwice);
  CHECK(counted() == 2 * 16 * 16);
  use(ir::Stage::Vertex, kFetchingVertex);
  CHECK(counted() == 2 * 16 * 16 + 4);             // three vertices run as a quad
}

TEST_CASE_METHOD(Fixture, "sampling another kind of texture than is set is refused", "[bad input]") {
  const ResourceRef cube =
      device->create_image({.kind = ResourceKind::Cube, .width = 4, .height = 4, .layers = 6}).value();
  use(ir::Stage::Fragment, kTextured);
  REQUIRE(c.set_texture(ir::Stage::Fragment, 0, {cube}));
  CHECK_THAT(text_of(c.draw({.count = 3})),
             Catch::Equals("texture unit 0: the shader samples Tex2D, the view is a cube"));
}

TEST_CASE("a context without targets or shaders says what is missing", "[bad input]") {
  const std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 1}}).value());
  CHECK_THAT(text_of(device->context().draw({.count = 3})), Catch::Contains("nothing to draw into"));
  REQUIRE(device->context().set_color_target(0, {device->create_image({}).value()}));
  CHECK_THAT(text_of(device->context().draw({.count = 3})), Catch::Contains("vertex shader"));
}

TEST_CASE("options and sizes of a device are checked", "[bad input]") {
  CHECK_THAT(text_of(Device::create({.raster = {.threads = 100000}})), Catch::Contains("threads"));
  CHECK_THAT(text_of(Device::create({.raster = {.tile_size_px = 24}})), Catch::Contains("tile_size_px"));
  const std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 1}}).value());
  CHECK_FALSE(device->create_image({.width = 0}));
  CHECK_FALSE(device->create_image({.width = 16385}));
  CHECK_FALSE(device->create_image({.kind = ResourceKind::Cube, .width = 4, .height = 4, .layers = 5}));
  CHECK_FALSE(device->create_image({.kind = ResourceKind::Buffer}));
  CHECK_FALSE(device->create_buffer({}));
  CHECK_FALSE(device->create_shader(ir::Stage::Vertex, kConstantColor));
  CHECK_FALSE(device->create_shader(ir::Stage::Vertex, "VERT\nnonsense\n"));
}
