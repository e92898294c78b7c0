// A device for tests of the stages between vertex shading and clipping: programs as text, floats in and out.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "frontend/device.h"

namespace tessera::tests {

// IN[0] is a position and goes on as GENERIC[0]; GENERIC[1].x is the vertex's number.
inline constexpr std::string_view kPassVertex =
    "VERT\nDCL IN[0]\nDCL SV[0], VERTEXID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL OUT[2].x, GENERIC[1]\n"
    "MOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nU2F OUT[2].x, SV[0].xxxx\nEND\n";
inline constexpr std::string_view kWhite =
    "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\nMOV OUT[0], IMM[0]\nEND\n";

struct GeometryFixture {
  std::unique_ptr<Device> device;
  Context& c;
  ResourceRef target, positions;

  explicit GeometryFixture(uint32_t threads = 1, uint32_t size = 16)
      : device(std::move(Device::create({.raster = {.threads = threads}}).value())), c(device->context()) {
    target = device->create_image({.width = size, .height = size}).value();
    REQUIRE(c.set_color_target(0, {target}));
    use(ir::Stage::Vertex, kPassVertex);
    use(ir::Stage::Fragment, kWhite);
    set_positions(std::vector<float>(4 * 64, 0.0f));
  }

  void use(ir::Stage stage, std::string_view text) {
    const Result<ShaderRef> shader = device->create_shader(stage, text);
    if (!shader) FAIL(format_diags(shader.diags(), "shader", text));
    REQUIRE(c.set_shader(*shader));
  }

  template <class T>
  ResourceRef buffer(const std::vector<T>& values) {
    return device->create_buffer(std::as_bytes(std::span(values))).value();
  }

  // Four floats a vertex.
  void set_positions(const std::vector<float>& values) {
    positions = buffer(values);
    const raster::VertexElement element{.format = Format::R32G32B32A32_FLOAT};
    REQUIRE(c.set_vertex_elements({&element, 1}));
    REQUIRE(c.set_vertex_buffer(0, positions, 16));
  }

  void discard(bool on = true) { c.set_rasterizer({.discard = on}); }

  // Stream output of one output's components to one buffer of `bytes`, packed; the target.
  StreamTargetRef stream_one(const raster::StreamElement& element, uint32_t bytes) {
    raster::StreamLayout layout;
    layout.elements = {element};
    layout.stride_bytes[element.buffer] = static_cast<uint16_t>(4 * element.component_count);
    REQUIRE(c.set_stream_output(layout));
    const StreamTargetRef made = c.create_stream_target(buffer(std::vector<std::byte>(bytes))).value();
    std::vector<StreamTargetRef> targets(element.buffer + 1u);
    targets[element.buffer] = made;
    REQUIRE(c.set_stream_targets(targets));
    return made;
  }

  void draw(const raster::DrawInfo& info) {
    const Status status = c.draw(info);
    if (!status) FAIL(format_diags(status.diags(), "draw"));
  }

  std::vector<float> floats(const ResourceRef& resource, size_t count) {
    const std::vector<std::byte> bytes = c.read_bytes(resource).value();
    std::vector<float> values(count);
    REQUIRE(bytes.size() >= count * 4);
    std::memcpy(values.data(), bytes.data(), count * 4);
    return values;
  }

  uint64_t count_white() {
    const Image picture = c.read_image(target).value();
    uint64_t count = 0;
    for (uint32_t y = 0; y < picture.height; ++y)
      for (uint32_t x = 0; x < picture.width; ++x) count += picture.texel(x, y)[0] == 255;
    return count;
  }
};

template <class T>
std::string text_of(const Result<T>& result) { return result ? "" : result.diags().front().text; }

// The number of a vertex, in GENERIC[1].x.
inline constexpr raster::StreamElement kNumber{.semantic = ir::Semantic::Generic, .index = 1, .component_count = 1};

}  // namespace tessera::tests
