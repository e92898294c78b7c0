// Images of several samples as textures: drawn into, then read sample by sample.
#include <bit>
#include <catch2/catch.hpp>

#include "frontend/device.h"

using namespace tessera;

namespace {

constexpr std::string_view kVertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n";
constexpr std::string_view kGreen =
    "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0.0, 1.0, 0.0, 1.0}\n0: MOV OUT[0], IMM[0]\n1: END\n";
// Pixel x of the target asks for sample x.
constexpr std::string_view kHead =
    "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D_MSAA, FLOAT\n"
    "DCL TEMP[0]\nIMM[0] INT32 {0, 0, 0, 0}\n0: MOV TEMP[0], IMM[0]\n1: F2I TEMP[0].w, IN[0].xxxx\n";
constexpr std::string_view kFetch = "2: TXF OUT[0], TEMP[0], SAMP[0], 2D_MSAA\n3: END\n";
constexpr std::string_view kFetch2007 = "2: SAMPLE_I_MS OUT[0], TEMP[0], SVIEW[0], TEMP[0].wwww\n3: END\n";
constexpr std::string_view kPosition =
    "2: SAMPLE_POS OUT[0].xy, SVIEW[0], TEMP[0].wwww\n3: SAMPLE_INFO TEMP[0].x, SVIEW[0]\n"
    "4: U2F OUT[0].z, TEMP[0].xxxx\n5: MOV OUT[0].w, IMM[0].xxxx\n6: END\n";

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 1}}).value());
  Context& c = device->context();
  ResourceRef samples = device->create_image({.samples = 4}).value();
  ResourceRef target = device->create_image({.format = Format::R32G32B32A32_FLOAT, .width = 5}).value();

  // The left half of the one pixel is green, the rest red.
  Fixture() {
    const raster::VertexElement element{.format = Format::R32G32_FLOAT};
    REQUIRE(c.set_vertex_elements({&element, 1}));
    use(ir::Stage::Vertex, kVertex);
    use(ir::Stage::Fragment, kGreen);
    REQUIRE(c.set_color_target(0, {samples}));
    REQUIRE(c.clear_color({1, 0, 0, 1}));
    REQUIRE(draw({0, -9, 0, 9, -9, 0}));
    REQUIRE(c.set_color_target(0, {target}));
    REQUIRE(c.set_texture(ir::Stage::Fragment, 0, {samples}));
  }
  void use(ir::Stage stage, std::string_view text) {
    const Result<ShaderRef> shader = device->create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(c.set_shader(*shader));
  }
  Status draw(const std::array<float, 6>& corners) {
    const ResourceRef buffer = device->create_buffer(std::as_bytes(std::span(corners))).value();
    REQUIRE(c.set_vertex_buffer(0, buffer, 8));
    return c.draw({.count = 3});
  }
  // The texels that a shader with this end gives.
  std::vector<std::array<float, 4>> answers(std::string_view end) {
    use(ir::Stage::Fragment, std::string(kHead) + std::string(end));
    REQUIRE(draw({-1, -1, 3, -1, -1, 3}));
    const std::vector<Texel> texels = c.read_texels(target).value();
    std::vector<std::array<float, 4>> all;
    for (const Texel& t : texels)
      all.push_back({std::bit_cast<float>(t.word[0]), std::bit_cast<float>(t.word[1]), std::bit_cast<float>(t.word[2]),
                     std::bit_cast<float>(t.word[3])});
    return all;
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "the samples of an image are fetched one by one, and none beyond them", "[multisample]") {
  const std::array<float, 4> red = {1, 0, 0, 1}, green = {0, 1, 0, 1}, nothing = {0, 0, 0, 0};
  const std::vector<std::array<float, 4>> expected = {green, red, green, red, nothing};
  CHECK(answers(kFetch) == expected);
  CHECK(answers(kFetch2007) == expected);
}

TEST_CASE_METHOD(Fixture, "a shader learns how many samples there are and where they lie", "[multisample]") {
  const std::vector<std::array<float, 4>> expected = {
      {0.375f, 0.125f, 4, 0}, {0.875f, 0.375f, 4, 0}, {0.125f, 0.625f, 4, 0}, {0.625f, 0.875f, 4, 0}, {0.5f, 0.5f, 4, 0}};
  CHECK(answers(kPosition) == expected);
}

TEST_CASE_METHOD(Fixture, "filtering an image of several samples is refused, and so is drawing into what is read",
                 "[multisample][bad input]") {
  use(ir::Stage::Fragment,
      "FRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
      "0: TEX OUT[0], IN[0], SAMP[0], 2D\n1: END\n");
  Status status = draw({-1, -1, 3, -1, -1, 3});
  REQUIRE_FALSE(status);
  CHECK(status.diags().front().text == "texture unit 0: the shader samples Tex2D, the view is 2D of 4 samples");
  use(ir::Stage::Fragment, std::string(kHead) + std::string(kFetch));
  REQUIRE(c.set_color_target(0, {samples}));
  status = draw({-1, -1, 3, -1, -1, 3});
  REQUIRE_FALSE(status);
  CHECK_THAT(status.diags().front().text, Catch::Contains("also drawn into"));
}
