#include <catch2/catch.hpp>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "raster/draw_check.h"
#include "tests/unit/raster/draw_call.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::tests;

namespace {

void check_names_field(const Status& status, const std::string& field) {
  CAPTURE(field);
  REQUIRE_FALSE(status.ok());
  CAPTURE(status.diags().front().text);
  CHECK(status.diags().front().text.find(field) == 0);
}

}  // namespace

TEST_CASE("every broken field of a framebuffer is named", "[draw_check]") {
  struct Case {
    const char* field;
    std::function<void(Framebuffer&)> damage;
  };
  const auto layered = [](uint32_t layers) {
    ResourceDesc desc;
    desc.kind = ResourceKind::Tex2DArray;
    desc.width = desc.height = 64;
    desc.layers = layers;
    return std::make_shared<Storage>(desc);
  };
  const std::vector<Case> cases = {
      {"framebuffer.color_count", [](Framebuffer& f) { f.color_count = 9; }},
      {"framebuffer.width, height", [](Framebuffer& f) { f.width = 0; }},
      {"framebuffer.width, height", [](Framebuffer& f) { f.height = 16385; }},
      {"framebuffer.samples", [](Framebuffer& f) { f.samples = 3; }},
      {"framebuffer.color[0]", [](Framebuffer& f) { f.width = 65; }},
      {"framebuffer.color[0]", [](Framebuffer& f) { f.color[0].storage = buffer_of(std::span<const uint32_t>()); }},
      {"framebuffer.color[0].format", [](Framebuffer& f) { f.color[0].format = Format::Z32_FLOAT; }},
      {"framebuffer.color[0].format", [](Framebuffer& f) { f.color[0].format = Format::R8_UNORM; }},
      {"framebuffer.color[0].format", [](Framebuffer& f) { f.color[0].format = Format(50000); }},
      {"framebuffer.color[0].level", [](Framebuffer& f) { f.color[0].level = 1; }},
      {"framebuffer.color[0]: layers", [](Framebuffer& f) { f.color[0].first_layer = f.color[0].last_layer = 1; }},
      {"framebuffer.color[0]: layers",
       [&](Framebuffer& f) {
         f.color[0].storage = layered(4);
         f.color[0].first_layer = 2;
         f.color[0].last_layer = 1;
       }},
      {"framebuffer.depth_stencil.format", [](Framebuffer& f) { f.depth_stencil.format = Format::R32_FLOAT; }},
      {"framebuffer.depth_stencil", [](Framebuffer& f) { f.depth_stencil.storage = image_of(Format::Z32_FLOAT, 8, 8); }},
  };
  const Framebuffer valid = target_of(64, 64, Format::Z32_FLOAT);
  REQUIRE(check_framebuffer(valid).ok());
  for (const Case& c : cases) {
    Framebuffer f = valid;
    c.damage(f);
    check_names_field(check_framebuffer(f), c.field);
  }
}

TEST_CASE("a framebuffer may have holes, and no targets at all", "[draw_check]") {
  Framebuffer f = target_of(64, 64);
  f.color[2] = f.color[0];
  f.color[0] = {};
  f.color_count = 3;
  CHECK(check_framebuffer(f).ok());
  Framebuffer none;
  none.width = none.height = 10;
  CHECK(check_framebuffer(none).ok());
}

TEST_CASE("a clear of what is not there is refused", "[draw_check]") {
  const Framebuffer color_only = target_of(64, 64);
  ClearCommand clear;
  clear.rect = {0, 0, 64, 64};
  clear.color_targets = 1;
  CHECK(check_clear(color_only, clear).ok());
  clear.color_targets = 2;
  check_names_field(check_clear(color_only, clear), "clear.color_targets");
  clear.color_targets = 1u << 31;
  check_names_field(check_clear(color_only, clear), "clear.color_targets");
  clear.color_targets = 0;
  clear.depth = true;
  check_names_field(check_clear(color_only, clear), "clear.depth");
  const Framebuffer with_depth = target_of(64, 64, Format::Z32_FLOAT);
  CHECK(check_clear(with_depth, clear).ok());
  clear.depth_value = std::numeric_limits<float>::quiet_NaN();
  check_names_field(check_clear(with_depth, clear), "clear.depth_value");
  clear.depth_value = 1;
  clear.stencil = true;
  check_names_field(check_clear(with_depth, clear), "clear.stencil");
}

TEST_CASE("every broken field of a draw is named", "[draw_check]") {
  const Framebuffer target = target_of(64, 64);
  const auto pipeline = make_pipeline(color_pipeline_desc(target)).value();
  const std::vector<Vertex> vertices(3);
  const std::vector<uint32_t> indices = {0, 1, 2, 2, 1, 0};
  const auto repipe = [&](DrawCall& d, const std::function<void(PipelineDesc&)>& change) {
    PipelineDesc desc = color_pipeline_desc(target);
    change(desc);
    d.pipeline = make_pipeline(std::move(desc)).value();
  };
  struct Case {
    const char* field;
    std::function<void(DrawCall&)> damage;
  };
  const std::vector<Case> cases = {
      {"pipeline:", [](DrawCall& d) { d.pipeline = nullptr; }},
      {"pipeline.color_count", [&](DrawCall& d) { repipe(d, [](PipelineDesc& p) { p.color_count = 0; }); }},
      {"pipeline.color_formats[0]",
       [&](DrawCall& d) { repipe(d, [](PipelineDesc& p) { p.color_formats[0] = Format::B8G8R8A8_UNORM; }); }},
      {"pipeline.depth_format",
       [&](DrawCall& d) { repipe(d, [](PipelineDesc& p) { p.depth_format = Format::Z32_FLOAT; }); }},
      {"viewport", [](DrawCall& d) { d.viewport.scale[2] = std::numeric_limits<float>::infinity(); }},
      {"viewport", [](DrawCall& d) { d.viewport.translate[0] = std::numeric_limits<float>::quiet_NaN(); }},
      {"info.primitive", [](DrawCall& d) { d.info.primitive = Primitive::Patches; }},
      {"info.primitive", [](DrawCall& d) { d.info.primitive = Primitive(77); }},
      {"vertex_buffers[0]", [](DrawCall& d) { d.vertex_buffers.clear(); }},
      {"vertex_buffers[0]", [](DrawCall& d) { d.vertex_buffers[0].storage = nullptr; }},
      {"vertex_buffers[0].offset_bytes", [](DrawCall& d) { d.vertex_buffers[0].offset_bytes = 97; }},
      {"index_buffer:", [](DrawCall& d) { d.index_buffer.storage = nullptr; }},
      {"index_buffer.index_bytes", [](DrawCall& d) { d.index_buffer.index_bytes = 3; }},
      {"info.count", [](DrawCall& d) { d.info.count = 7; }},
      {"info.count", [](DrawCall& d) { d.info.start = 1; }},
      {"info.count", [](DrawCall& d) { d.info.start = ~0u; }},
      {"info.count", [](DrawCall& d) { d.index_buffer.offset_bytes = 1; }},
      {"info.count", [](DrawCall& d) { d.info.indexed = false, d.info.start = ~0u, d.info.count = 2; }},
  };
  DrawCall valid = draw_of(target, pipeline, vertices);
  set_indices(valid, indices);
  REQUIRE(check_draw(target, valid).ok());
  for (const Case& c : cases) {
    DrawCall d = valid;
    c.damage(d);
    check_names_field(check_draw(target, d), c.field);
  }
}
