// Compressed images through the API: boxes of whole blocks, copies, reading back, drawing.
#include <bit>
#include <catch2/catch.hpp>

#include "frontend/device.h"

using namespace tessera;

namespace {

constexpr std::string_view kVertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n";
constexpr std::string_view kTextured =
    "FRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nIMM[0] FLT32 {0.5, 0.5, 0.0, 0.0}\n"
    "0: TEX OUT[0], IMM[0], SAMP[0], 2D\n1: END\n";

// BC1 blocks of one colour each.
constexpr uint64_t kRed = 0xf800f800, kGreen = 0x07e007e0, kBlue = 0x001f001f;

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 1}}).value());
  Context& c = device->context();

  ResourceRef image(Format format, uint32_t width, uint32_t height, uint32_t levels = 1) {
    return device->create_image({.format = format, .width = width, .height = height, .levels = levels}).value();
  }
  Status write(const ResourceRef& image, const Box& box, const std::vector<uint64_t>& blocks, uint32_t level = 0) {
    return c.write_texels(image, level, box, std::as_bytes(std::span(blocks)));
  }
  uint32_t texel(const ResourceRef& image, uint32_t x, uint32_t y, uint32_t level = 0) {
    const Image picture = c.read_image(image, level).value();
    const uint8_t* rgba = picture.texel(x, y);
    return static_cast<uint32_t>(rgba[0] << 24 | rgba[1] << 16 | rgba[2] << 8 | rgba[3]);
  }
};

std::string text_of(const Status& status) { return status ? "" : status.diags().front().text; }

}  // namespace

TEST_CASE_METHOD(Fixture, "blocks are written by boxes of whole blocks or up to the edge, and read back decoded") {
  const ResourceRef texture = image(Format::DXT1_RGB, 10, 6, 2);
  REQUIRE(write(texture, {.width = 10, .height = 6}, {kRed, kRed, kRed, kGreen, kGreen, kGreen}));
  REQUIRE(write(texture, {.x = 8, .y = 4, .width = 2, .height = 2}, {kBlue}));
  CHECK(texel(texture, 0, 0) == 0xff0000ff);
  CHECK(texel(texture, 7, 5) == 0x00ff00ff);
  CHECK(texel(texture, 9, 5) == 0x0000ffff);
  REQUIRE(write(texture, {.width = 5, .height = 3}, {kGreen, kBlue}, 1));
  CHECK(texel(texture, 4, 2, 1) == 0x0000ffff);
  CHECK(c.read_bytes(texture).value().size() == 3 * 2 * 8);
  CHECK(c.read_bytes(texture, 1).value().size() == 2 * 8);
  const std::vector<Texel> texels = c.read_texels(texture).value();
  REQUIRE(texels.size() == 60);
  CHECK(std::bit_cast<float>(texels[59].word[2]) == 1.0f);
}

TEST_CASE_METHOD(Fixture, "boxes that cut blocks are refused, and the image is kept") {
  const ResourceRef texture = image(Format::DXT1_RGB, 10, 6);
  REQUIRE(write(texture, {.width = 10, .height = 6}, {kRed, kRed, kRed, kRed, kRed, kRed}));
  const std::string blocks = "whole blocks of 4 x 4";
  CHECK(text_of(write(texture, {.x = 2, .width = 4, .height = 4}, {kBlue})).find(blocks) != std::string::npos);
  CHECK(text_of(write(texture, {.y = 1, .width = 4, .height = 4}, {kBlue})).find(blocks) != std::string::npos);
  CHECK(text_of(write(texture, {.width = 3, .height = 4}, {kBlue})).find(blocks) != std::string::npos);
  CHECK(text_of(write(texture, {.x = 8, .width = 1, .height = 4}, {kBlue})).find(blocks) != std::string::npos);
  CHECK(text_of(write(texture, {.width = 12, .height = 4}, {kBlue, kBlue, kBlue})).find("not inside") !=
        std::string::npos);
  CHECK(text_of(write(texture, {.width = 8, .height = 4}, {kBlue})).find("expected 16") != std::string::npos);
  CHECK(text_of(c.generate_mips(image(Format::DXT1_RGB, 8, 8, 4))) != "");
  CHECK(text_of(c.set_color_target(0, {texture})).find("cannot be drawn into") != std::string::npos);
  CHECK(texel(texture, 0, 0) == 0xff0000ff);
}

TEST_CASE_METHOD(Fixture, "blocks are copied, to compressed images and to texels of their size") {
  const ResourceRef from = image(Format::DXT1_RGB, 12, 8), to = image(Format::DXT1_RGBA, 10, 6);
  REQUIRE(write(from, {.width = 12, .height = 8}, {kRed, kGreen, kBlue, kBlue, kGreen, kRed}));
  // The last column and row of blocks reach over the edge of `to`.
  REQUIRE(c.copy_texels(from, 0, {.x = 4, .width = 8, .height = 8}, to, 0, 4, 0, 0));
  CHECK(texel(to, 4, 0) == 0x00ff00ff);
  CHECK(texel(to, 9, 5) == 0xff0000ff);
  CHECK(texel(to, 0, 0) == 0x000000ff);
  // A texel of 64 bits is a block, and back.
  const ResourceRef words = image(Format::R32G32_UINT, 3, 2);
  REQUIRE(c.copy_texels(from, 0, {.width = 12, .height = 8}, words, 0, 0, 0, 0));
  CHECK(c.read_texels(words).value()[1] == Texel{{static_cast<uint32_t>(kGreen), 0, 0, 1}});
  REQUIRE(c.copy_texels(words, 0, {.x = 2, .y = 0, .width = 1, .height = 1}, to, 0, 0, 0, 0));
  CHECK(texel(to, 3, 3) == 0x0000ffff);

  CHECK(text_of(c.copy_texels(from, 0, {.x = 2, .width = 4, .height = 4}, to, 0, 0, 0, 0)).find("whole blocks") !=
        std::string::npos);
  CHECK(text_of(c.copy_texels(from, 0, {.width = 4, .height = 4}, to, 0, 2, 0, 0)).find("whole blocks") !=
        std::string::npos);
  CHECK(text_of(c.copy_texels(from, 0, {.width = 12, .height = 4}, to, 0, 4, 0, 0)).find("not inside") !=
        std::string::npos);
  CHECK(text_of(c.copy_texels(from, 0, {.width = 4, .height = 4}, image(Format::R8_UINT, 8, 8), 0, 0, 0, 0))
            .find("differ in size") != std::string::npos);
  CHECK_FALSE(c.copy_texels(from, 0, {.width = 4, .height = 4}, to, 0, 0xfffffffc, 0, 0).ok());
}

TEST_CASE_METHOD(Fixture, "a compressed texture is drawn as it was at each draw") {
  const ResourceRef texture = image(Format::DXT1_RGB, 4, 4), target = image(Format::R8G8B8A8_UNORM, 4, 4);
  const float positions[] = {-1, -1, 3, -1, -1, 3};
  const raster::VertexElement element{.format = Format::R32G32_FLOAT};
  REQUIRE(c.set_vertex_elements({&element, 1}));
  REQUIRE(c.set_vertex_buffer(0, device->create_buffer(std::as_bytes(std::span(positions))).value(), 8));
  REQUIRE(c.set_color_target(0, {target}));
  REQUIRE(c.set_shader(device->create_shader(ir::Stage::Vertex, kVertex).value()));
  REQUIRE(c.set_shader(device->create_shader(ir::Stage::Fragment, kTextured).value()));
  REQUIRE(c.set_texture(ir::Stage::Fragment, 0, {texture}));
  for (const auto& [block, color] : {std::pair{kRed, 0xff0000ffu}, {kGreen, 0x00ff00ffu}, {kBlue, 0x0000ffffu}}) {
    REQUIRE(write(texture, {.width = 4, .height = 4}, {block}));
    REQUIRE(c.draw({.count = 3}));
    REQUIRE(write(texture, {.width = 4, .height = 4}, {0}));   // after the draw: it must not see it
    CHECK(texel(target, 1, 1) == color);
  }
}
