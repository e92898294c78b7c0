// Pictures through the protocol: what is drawn, uploaded and copied is what is fetched.
#include <catch2/catch.hpp>

#include <cstring>

#include "client.h"
#include "frontend/vtest/caps.h"

using namespace tessera;
using tests::bits_of;
using tests::Client;
using tests::command;
using tests::joined;

namespace {

constexpr std::string_view kVertexText = "VERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
                                         "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[1]\n  2: END\n";
constexpr std::string_view kFragmentText = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                                           "DCL CONST[0..0]\nDCL TEMP[0..3]\n"
                                           "  0: MUL OUT[0], IN[0], CONST[0].xxxx\n  1: END\n";

// Resource 1: 8 x 8 BGRA with shared memory. Sub-context 1 with surface 1 of it as target 0.
tests::Mapping start(Client& client) {
  client.send({4, 8, 0x0074});                            // CREATE_RENDERER: "t"
  tests::Mapping area = client.create_shared({1, 2, 1, 0x8a, 8, 8, 1, 1, 0, 0, 256});
  client.submit(joined({command(29, 0, {1}), command(28, 0, {1}), command(1, 8, {1, 1, 1, 0, 0}),
                        command(5, 0, {1, 0, 1})}));
  return area;
}

uint32_t pixel(const tests::Mapping& area, size_t x, size_t y) {
  uint32_t word;
  std::memcpy(&word, area.bytes.data() + (8 * y + x) * 4, 4);
  return word;
}

// Blend, rasterizer, depth-stencil and vertex element objects 2 to 5, bound; a viewport over the whole target.
constexpr uint32_t kUsualRasterizer = 1u << 1 | 1u << 15 | 1u << 29;   // depth clip, front_ccw, half pixel centre
std::vector<uint32_t> usual_state(bool window_is_flipped, uint32_t rasterizer = kUsualRasterizer) {
  const float scale_y = window_is_flipped ? -4.f : 4.f;
  return joined({command(1, 1, {2, 0, 0, 15u << 27, 15u << 27, 0, 0, 0, 0, 0, 0}), command(2, 1, {2}),
                 command(1, 2, {3, rasterizer, bits_of(1), 0, 0, bits_of(1), 0, 0, 0}), command(2, 2, {3}),
                 command(1, 3, {4, 0, 0, 0, 0}), command(2, 3, {4}),
                 command(1, 5, {5, 0, 0, 0, 31, 16, 0, 0, 31}), command(2, 5, {5}),
                 command(4, 0, {0, bits_of(4), bits_of(scale_y), bits_of(0.5f), bits_of(4), bits_of(4), bits_of(0.5f)})});
}

}  // namespace

TEST_CASE("a triangle through buffers, constants and shaders covers the half of a window that it should") {
  Client client;
  const tests::Mapping area = start(client);
  // The lower left half in OpenGL's orientation, in green at half strength.
  const float vertices[3][8] = {{-1, -1, 0, 1, 0, 1, 0, 1}, {1, -1, 0, 1, 0, 1, 0, 1}, {-1, 1, 0, 1, 0, 1, 0, 1}};
  const tests::Mapping buffer = client.create_shared({2, 0, 64, 0x10, sizeof vertices, 1, 1, 1, 0, 0, sizeof vertices});
  std::memcpy(buffer.bytes.data(), vertices, sizeof vertices);
  client.submit(joined({command(43, 0, {2, 0, 2, 0, 0, 0, 0, 0, sizeof vertices, 1, 1, 0, 1}),
                        command(44, 0, {0xdead, 0xbeef}), command(28, 0, {1}),
                        command(7, 0, {4, bits_of(1), 0, 0, bits_of(1), 0, 0, 0}), usual_state(true),
                        tests::program(6, 0, kVertexText), command(31, 0, {6, 0}),
                        tests::program(7, 1, kFragmentText), command(31, 0, {7, 1}),
                        command(12, 0, {1, 0, bits_of(0.2f), 0, 0, 0}), command(6, 0, {32, 0, 2}),
                        command(8, 0, {0, 3, 4, 0, 1, 0, 0, 0, 0, 0, 2, 0})}));
  client.fetch(1, 8, 8);
  INFO(client.log_text());
  CHECK(pixel(area, 0, 7) == 0x33003300);                 // 0.2 * 255 = 51, alpha too; BGRA
  CHECK(pixel(area, 5, 7) == 0x33003300);
  CHECK(pixel(area, 0, 1) == 0x33003300);
  CHECK(pixel(area, 7, 0) == 0xffff0000);
  CHECK(pixel(area, 4, 0) == 0xffff0000);
}

TEST_CASE("the front is what runs counter-clockwise where rows run down, whether or not the viewport turns y over") {
  Client client;
  const tests::Mapping area = start(client);
  const float corners[4][8] = {{-1, -1, 0, 1, 1, 1, 1, 1}, {1, -1, 0, 1, 1, 1, 1, 1}, {1, 1, 0, 1, 1, 1, 1, 1}, {-1, 1, 0, 1, 1, 1, 1, 1}};
  const tests::Mapping buffer = client.create_shared({2, 0, 64, 0x10, sizeof corners, 1, 1, 1, 0, 0, sizeof corners});
  std::memcpy(buffer.bytes.data(), corners, sizeof corners);
  const bool window_is_flipped = GENERATE(true, false), front_ccw = GENERATE(true, false);
  const uint32_t cull_back = 2u << 8, front_bit = 1u << 15;
  const uint32_t rasterizer = (front_ccw ? kUsualRasterizer : kUsualRasterizer & ~front_bit) | cull_back;
  client.submit(joined({command(43, 0, {2, 0, 2, 0, 0, 0, 0, 0, sizeof corners, 1, 1, 0, 1}), command(28, 0, {1}),
                        command(7, 0, {4, 0, 0, 0, 0, 0, 0, 0}), usual_state(window_is_flipped, rasterizer),
                        tests::program(6, 0, kVertexText), command(31, 0, {6, 0}),
                        tests::program(7, 1, kFragmentText), command(31, 0, {7, 1}),
                        command(12, 0, {1, 0, bits_of(1), 0, 0, 0}), command(6, 0, {32, 0, 2}),
                        command(8, 0, {0, 4, 6, 0, 1, 0, 0, 0, 0, 0, 3, 0})}));
  client.fetch(1, 8, 8);
  INFO(client.log_text());
  // Its corners run counter-clockwise with y up: so they do in a window; in an image whose rows run up they seem to run
  // clockwise when rows are counted downwards.
  CHECK((pixel(area, 4, 4) == 0xffffffff) == (front_ccw == window_is_flipped));
}

TEST_CASE("a polygon drawn as lines shows its own edges, and no diagonal") {
  Client client;
  const tests::Mapping area = start(client);
  const float corners[4][8] = {{-0.6f, -0.6f, 0, 1, 1, 1, 1, 1}, {0.6f, -0.6f, 0, 1, 1, 1, 1, 1}, {0.6f, 0.6f, 0, 1, 1, 1, 1, 1}, {-0.6f, 0.6f, 0, 1, 1, 1, 1, 1}};
  const tests::Mapping buffer = client.create_shared({2, 0, 64, 0x10, sizeof corners, 1, 1, 1, 0, 0, sizeof corners});
  std::memcpy(buffer.bytes.data(), corners, sizeof corners);
  constexpr uint32_t kPolygon = 9, kAsLines = 1u << 10 | 1u << 12;
  REQUIRE((vtest::make_caps().prim_mask >> kPolygon & 1) == 1);
  client.submit(joined({command(43, 0, {2, 0, 2, 0, 0, 0, 0, 0, sizeof corners, 1, 1, 0, 1}), command(28, 0, {1}),
                        command(7, 0, {4, 0, 0, 0, 0, 0, 0, 0}), usual_state(false, kUsualRasterizer | kAsLines),
                        tests::program(6, 0, kVertexText), command(31, 0, {6, 0}),
                        tests::program(7, 1, kFragmentText), command(31, 0, {7, 1}),
                        command(12, 0, {1, 0, bits_of(1), 0, 0, 0}), command(6, 0, {32, 0, 2}),
                        command(8, 0, {0, 4, kPolygon, 0, 1, 0, 0, 0, 0, 0, 3, 0})}));
  client.fetch(1, 8, 8);
  INFO(client.log_text());
  for (size_t i = 2; i < 6; ++i) {
    CAPTURE(i);
    CHECK(pixel(area, i, 1) == 0xffffffff);
    CHECK(pixel(area, 1, i) == 0xffffffff);
    for (size_t j = 2; j < 6; ++j) CHECK(pixel(area, i, j) == 0);
  }
}

TEST_CASE("a vertex buffer that is not there, or begins behind its end, reads as zeros") {
  Client client;
  const tests::Mapping area = start(client);
  const float position[4] = {0.1f, 0.1f, 0, 1};
  const tests::Mapping buffer = client.create_shared({2, 0, 64, 0x10, sizeof position, 1, 1, 1, 0, 0, sizeof position});
  std::memcpy(buffer.bytes.data(), position, sizeof position);
  constexpr std::string_view kOnePlus = "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
                                        "IMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n0: ADD OUT[0], IN[0], IMM[0]\n1: END\n";
  const std::vector<uint32_t> second = GENERATE(std::vector<uint32_t>{16, 0, 0}, std::vector<uint32_t>{16, 4000, 2});
  client.submit(joined({command(43, 0, {2, 0, 2, 0, 0, 0, 0, 0, sizeof position, 1, 1, 0, 1}), command(28, 0, {1}),
                        command(7, 0, {4, 0, 0, 0, 0, 0, 0, 0}), usual_state(false),
                        command(1, 5, {9, 0, 0, 0, 31, 0, 0, 1, 31}), command(2, 5, {9}),   // IN[1] from slot 1
                        tests::program(6, 0, kVertexText), command(31, 0, {6, 0}),
                        tests::program(7, 1, kOnePlus), command(31, 0, {7, 1}),
                        command(6, 0, joined({{16, 0, 2}, second})),
                        command(8, 0, {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0})}));
  client.fetch(1, 8, 8);
  INFO(client.log_text());
  CHECK(pixel(area, 4, 4) == 0xffffffff);
}

TEST_CASE("a clear reaches all layers of each surface, though the surfaces have unequal numbers of them") {
  Client client;
  const tests::Mapping area = start(client);
  client.create_resource({2, 7, 1, 0x0a, 8, 8, 1, 2, 0, 0, 0});        // arrays of 2 and of 4 layers
  client.create_resource({3, 7, 1, 0x0a, 8, 8, 1, 4, 0, 0, 0});
  client.submit(joined({command(28, 0, {1}), command(1, 8, {2, 2, 1, 0, 1u << 16}), command(1, 8, {3, 3, 1, 0, 3u << 16}),
                        command(5, 0, {2, 0, 2, 3}),
                        command(7, 0, {3u << 2, bits_of(1), bits_of(1), bits_of(1), bits_of(1), 0, 0, 0})}));
  const uint32_t resource = GENERATE(2u, 3u), layer = resource == 2 ? 1 : 3;
  client.submit(command(17, 0, {1, 0, 0, 0, 0, resource, 0, 0, 0, layer, 8, 8, 1}));
  client.fetch(1, 8, 8);
  INFO(client.log_text());
  CHECK(pixel(area, 4, 4) == 0xffffffff);
}

TEST_CASE("indexed draws take the offset with the first index in it, and without it") {
  Client client;
  const tests::Mapping area = start(client);
  const float corners[4][8] = {{-1, -1, 0, 1, 1, 1, 1, 1}, {1, -1, 0, 1, 1, 1, 1, 1}, {-1, 1, 0, 1, 1, 1, 1, 1}, {1, 1, 0, 1, 1, 1, 1, 1}};
  const uint8_t indices[9] = {9, 9, 9, 0, 1, 2, 2, 1, 3};
  const tests::Mapping buffer = client.create_shared({2, 0, 64, 0x10, sizeof corners, 1, 1, 1, 0, 0, sizeof corners});
  const tests::Mapping index = client.create_shared({3, 0, 64, 0x20, 9, 1, 1, 1, 0, 0, 9});
  std::memcpy(buffer.bytes.data(), corners, sizeof corners);
  std::memcpy(index.bytes.data(), indices, sizeof indices);
  const uint32_t offset = GENERATE(3u, 0u);
  client.submit(joined({command(43, 0, {2, 0, 2, 0, 0, 0, 0, 0, sizeof corners, 1, 1, 0, 1}),
                        command(43, 0, {3, 0, 2, 0, 0, 0, 0, 0, 9, 1, 1, 0, 1}), command(28, 0, {1}),
                        command(7, 0, {4, 0, 0, 0, 0, 0, 0, 0}), usual_state(false),
                        tests::program(6, 0, kVertexText), command(31, 0, {6, 0}),
                        tests::program(7, 1, kFragmentText), command(31, 0, {7, 1}),
                        command(12, 0, {1, 0, bits_of(1), 0, 0, 0}), command(6, 0, {32, 0, 2}),
                        command(11, 0, {3, 1, offset}), command(8, 0, {3, 6, 4, 1, 1, 0, 0, 0, 0, 0, 3, 0})}));
  client.fetch(1, 8, 8);
  INFO(client.log_text());
  for (size_t y = 0; y < 8; ++y)
    for (size_t x = 0; x < 8; ++x) CHECK(pixel(area, x, y) == 0xffffffff);
}

TEST_CASE("uploads and copies move boxes between shared memory, staging buffers and images") {
  Client client;
  const tests::Mapping area = start(client);
  const tests::Mapping staging = client.create_shared({2, 0, 64, 0x80000, 64, 1, 1, 1, 0, 0, 64});
  for (size_t i = 0; i < 64; ++i) {
    area.bytes[4 * i] = static_cast<std::byte>(i);
    staging.bytes[i] = static_cast<std::byte>(100 + i);
  }
  client.create_resource({3, 2, 1, 0x0a, 8, 8, 1, 1, 0, 0, 0});
  client.submit(joined({command(43, 0, {1, 0, 2, 0, 0, 0, 0, 0, 8, 8, 1, 0, 1}),      // the whole area
                        command(45, 0, {1, 0, 2, 8, 0, 6, 1, 0, 2, 2, 1, 2, 16, 1}),  // 2 x 2 at (6, 1), from byte 16 on
                        command(17, 0, {3, 0, 0, 0, 0, 1, 0, 0, 0, 0, 8, 8, 1}),      // resource 1 to 3
                        command(17, 0, {1, 0, 0, 4, 0, 3, 0, 4, 0, 0, 4, 4, 1})}));   // and a quarter back
  client.fetch(1, 8, 8);
  INFO(client.log_text());
  CHECK(pixel(area, 2, 3) == 26);
  CHECK(pixel(area, 6, 1) == 0x77767574);
  CHECK(pixel(area, 7, 2) == 0x83828180);
  CHECK(pixel(area, 0, 4) == 4);
  CHECK(pixel(area, 2, 5) == 0x77767574);
  CHECK(pixel(area, 4, 4) == 36);
}

TEST_CASE("a resource lives as long as a surface of it, and a bound object longer than its name") {
  Client client;
  const tests::Mapping area = start(client);
  client.create_resource({3, 2, 1, 0x0a, 8, 8, 1, 1, 0, 0, 0});
  client.submit(joined({command(1, 8, {9, 3, 1, 0, 0}), command(5, 0, {2, 0, 1, 9})}));
  client.send({1, 3, 3});                                 // RESOURCE_UNREF
  client.submit(joined({command(3, 8, {9}), command(7, 0, {12, 0, 0, bits_of(1), 0, 0, 0, 0})}));
  client.fetch(1, 8, 8);
  CHECK(client.log_text().empty());
  CHECK(pixel(area, 3, 3) == 0x000000ff);
}
