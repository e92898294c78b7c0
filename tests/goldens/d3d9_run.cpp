// tests/goldens/d3d9_run.cpp: Direct3D 9 pixel records: operations on a target, then probes of single pixels.
#include <fmt/format.h>

#include <algorithm>

#include "frontend/direct3d9/formats.h"
#include "tests/goldens/d3d9_setup.h"

namespace tessera::goldens {
namespace {

struct Target {
  ResourceRef color, depth;
  uint32_t width, height;
};

Target make_target(Device& device, const Json& json) {
  const auto format = direct3d9::texture_format(json.at("format").get<std::string>());
  if (!format) throw BadRecord("unknown target format");
  const uint32_t width = json.at("width"), height = json.at("height");
  return {value_of(device.create_image({.format = format->format, .width = width, .height = height})),
          value_of(device.create_image({.format = Format::Z32_FLOAT, .width = width, .height = height})), width,
          height};
}

void clear(Device& device, const Target& target, const Json& op) {
  raster::ClearCommand command;
  command.rect = {0, 0, static_cast<int32_t>(target.width), static_cast<int32_t>(target.height)};
  std::vector<raster::IRect> rects;
  for (const Json& r : op.value("rects", Json::array())) rects.push_back({r[0], r[1], r[2], r[3]});
  if (rects.empty()) rects.push_back(command.rect);
  raster::Framebuffer framebuffer{.color_count = 1, .width = target.width, .height = target.height};
  framebuffer.color[0] = {target.color->storage(), target.color->desc().format};
  framebuffer.depth_stencil = {target.depth->storage(), target.depth->desc().format};
  if (op.contains("color")) {
    command.color_targets = 1;
    const auto color = direct3d9::color_of(parse_hex(op["color"]));
    std::ranges::transform(color, command.color[0].word, [](float c) { return std::bit_cast<uint32_t>(c); });
  }
  if (op.contains("z")) command.depth = true, command.depth_value = op["z"];
  for (const raster::IRect& rect : rects) {
    command.rect = rect;
    require(device.context().renderer().clear(framebuffer, command));
  }
}

void draw(Device& device, Direct3d9& d3d, const Target& target, const Json& op) {
  const uint32_t output = op.value("output", 0u);
  for (uint32_t i = 0; i < 4; ++i)
    require(d3d.set_color_target(i, i == output ? Attachment{target.color} : Attachment{}));
  require(d3d.set_depth_target({target.depth}));
  set_up_draw(device, d3d, op);
  const uint32_t count = op.at("count");
  const bool is_list = op.at("primitive") == "trianglelist";
  raster::DrawInfo info;
  info.primitive = is_list ? raster::Primitive::Triangles : raster::Primitive::TriangleStrip;
  info.count = is_list ? 3 * count : count + 2;
  info.indexed = op.contains("indices");
  require(d3d.draw(info));
}

bool is_match(uint32_t found, uint32_t want, uint32_t mask, int32_t tolerance) {
  for (uint32_t shift = 0; shift < 32; shift += 8) {
    const auto channel = [&](uint32_t word) { return static_cast<int32_t>((word & mask) >> shift & 255); };
    if (std::abs(channel(found) - channel(want)) > tolerance) return false;
  }
  return true;
}

Outcome check(const Json& probe, const std::vector<std::byte>& pixels, const Target& target) {
  const uint32_t mask = parse_hex(probe.at("mask"));
  const bool all = probe.value("all", 0) != 0;
  for (uint32_t y = 0; y < target.height; ++y)
    for (uint32_t x = 0; x < target.width; ++x) {
      if (!all && (x != probe.at("x").get<uint32_t>() || y != probe.at("y").get<uint32_t>())) continue;
      uint32_t found;
      std::memcpy(&found, pixels.data() + (size_t{y} * target.width + x) * sizeof found, sizeof found);
      if (std::ranges::none_of(probe.at("expect"), [&](const Json& e) {
            return is_match(found, parse_hex(e.at("color")), mask, e.at("tol").get<int32_t>());
          }))
        return failed(fmt::format("pixel {}, {}: expected {} under {:08x}, found {:08x}", x, y, probe["expect"].dump(),
                                  mask, found));
    }
  return {};
}

}  // namespace

bool is_d3d9_pixels_record(const Json& record) { return record.contains("ops") && record.contains("probes"); }

Outcome run_d3d9_pixels_record(const Json& record) {
  const std::unique_ptr<Device> device = value_of(Device::create({}));
  Direct3d9 d3d(*device);
  const Target target = make_target(*device, record.at("target"));
  for (const Json& op : record.at("ops"))
    op.at("op") == "clear" ? clear(*device, target, op) : draw(*device, d3d, target, op);
  const std::vector<std::byte> pixels = value_of(device->context().read_bytes(target.color));
  for (const Json& probe : record.at("probes"))
    if (Outcome outcome = check(probe, pixels, target); outcome.kind != Outcome::Kind::Passed) return outcome;
  return {};
}

}  // namespace tessera::goldens
