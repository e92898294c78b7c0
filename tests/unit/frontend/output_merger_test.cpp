// The output merger through the C++ API and scenes: state that cannot hold is refused by its field and changes nothing;
// what surfaces and tiles take of memory.
#include <catch2/catch.hpp>

#include <functional>
#include <limits>

#include "frontend/device.h"
#include "frontend/scene_parser.h"
#include "raster/planes.h"
#include "raster/tile.h"

using namespace tessera;
using namespace tessera::raster;

namespace {

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 1}}).value());
  Context& c = device->context();
  ResourceRef target = device->create_image({.width = 16, .height = 16}).value();
  ResourceRef depth = device->create_image({.format = Format::Z24_UNORM_S8_UINT, .width = 16, .height = 16}).value();

  Fixture() {
    REQUIRE(c.set_color_target(0, {target}));
    REQUIRE(c.set_depth_target({depth}));
    use(ir::Stage::Vertex, "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n");
    use(ir::Stage::Fragment,
        "FRAG\nPROPERTY FS_BLEND_EQUATION_ADVANCED 2\nDCL OUT[0], COLOR\n"
        "IMM[0] FLT32 {1, 1, 1, 1}\n0: MOV OUT[0], IMM[0]\n1: END\n");
    const float corners[3][4] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
    const VertexElement elements[] = {{}};
    REQUIRE(c.set_vertex_elements(elements));
    REQUIRE(c.set_vertex_buffer(0, device->create_buffer(std::as_bytes(std::span(corners))).value(), 16));
  }
  void use(ir::Stage stage, std::string_view text) {
    REQUIRE(c.set_shader(device->create_shader(stage, text).value()));
  }
};

}  // namespace

TEST_CASE_METHOD(Fixture, "state that cannot hold is refused by its field, and the framebuffer is as it was") {
  struct Case {
    const char* field;
    std::function<void(BlendState&, DepthStencilAlphaState&, RasterizerState&)> damage;
  };
  using B = BlendState;
  using D = DepthStencilAlphaState;
  using R = RasterizerState;
  const auto bounds = [](float lo, float hi) {
    return [lo, hi](B&, D& d, R&) { d.depth_bounds_test = true, d.depth_bounds_min = lo, d.depth_bounds_max = hi; };
  };
  const auto advanced = [](int equation) {
    return [equation](B& b, D&, R&) { b.advanced = AdvancedEquation(equation), b.target[0].enabled = true; };
  };
  constexpr float kNan = std::numeric_limits<float>::quiet_NaN(), kInfinity = std::numeric_limits<float>::infinity();
  const Case cases[] = {
      {"blend.advanced", advanced(2)},  // screen: not among the program's equations
      {"blend.advanced", advanced(16)},
      {"blend.advanced", advanced(255)},
      {"blend.logic_op", [](B& b, D&, R&) { b.logic_op = LogicOp(16); }},
      {"blend.target[0]", [](B& b, D&, R&) { b.target[0].rgb_src = BlendFactor(19); }},
      {"blend.target[1]", [](B& b, D&, R&) { b.target[1].alpha_dst = BlendFactor(255); }},
      {"blend.target[7]", [](B& b, D&, R&) { b.target[7].rgb_equation = BlendEquation(5); }},
      {"depth_stencil_alpha.depth_func", [](B&, D& d, R&) { d.depth_func = Compare(8); }},
      {"depth_stencil_alpha.alpha_func", [](B&, D& d, R&) { d.alpha_func = Compare(200); }},
      {"depth_stencil_alpha.stencil[0]", [](B&, D& d, R&) { d.stencil[0].func = Compare(8); }},
      {"depth_stencil_alpha.stencil[1]", [](B&, D& d, R&) { d.stencil[1].depth_pass = StencilOp(8); }},
      {"depth_stencil_alpha.depth_bounds_min", bounds(0.75f, 0.5f)},
      {"depth_stencil_alpha.depth_bounds_min", bounds(-0.1f, 0.5f)},
      {"depth_stencil_alpha.depth_bounds_min", bounds(0, 1.5f)},
      {"depth_stencil_alpha.depth_bounds_min", bounds(kNan, 1)},
      {"depth_stencil_alpha.depth_bounds_min", bounds(0, kNan)},
      {"rasterizer.cull", [](B&, D&, R& r) { r.cull = CullFace(4); }},
      {"rasterizer.offset_units", [](B&, D&, R& r) { r.offset_scale = kInfinity; }},
  };
  REQUIRE(c.clear_color({0.25f, 0.5f, 0.75f, 1}));
  REQUIRE(c.clear_depth(0.5f));
  const auto color_before = c.read_bytes(target).value(), depth_before = c.read_bytes(depth).value();
  for (const Case& test : cases) {
    BlendState blend;
    DepthStencilAlphaState tests;
    RasterizerState rasterizer;
    test.damage(blend, tests, rasterizer);
    c.set_blend(blend);
    c.set_depth_stencil_alpha(tests);
    c.set_rasterizer(rasterizer);
    const Status status = c.draw({.count = 3});
    CAPTURE(test.field);
    REQUIRE_FALSE(status);
    CHECK_THAT(status.diags().front().text, Catch::StartsWith(test.field));
    CHECK(c.read_bytes(target).value() == color_before);
    CHECK(c.read_bytes(depth).value() == depth_before);
  }
  c.set_blend({});
  c.set_depth_stencil_alpha({});
  c.set_rasterizer({});
  REQUIRE(c.draw({.count = 3}));
  CHECK(c.read_bytes(target).value() != color_before);
}

TEST_CASE("scene lines of the output merger are checked where they stand") {
  const auto error_of = [](const std::string& line) {
    const Result<scene::Scene> parsed = scene::parse_scene("[state]\n" + line + "\n[test]\nclear color 0 0 0 1\n");
    return parsed ? std::string() : parsed.diags().front().text;
  };
  for (const char* line :
       {"blend_advanced hsl_hue", "blend_advanced off", "dither on", "depth_bounds 0 0.5", "depth_bounds off"})
    CHECK(error_of(line).empty());
  for (const char* line : {"blend_advanced add", "blend_advanced", "dither", "dither maybe", "depth_bounds 0.5",
                           "depth_bounds 0.5 0.25", "depth_bounds -1 1", "depth_bounds 0 2"}) {
    CAPTURE(line);
    CHECK_FALSE(error_of(line).empty());
  }
}

TEST_CASE("a tile's targets fit its memory whatever their formats and samples, or are refused") {
  STATIC_REQUIRE(kTileMemory_bytes <= 256 * 1024);
  for (const uint32_t samples : {1u, 2u, 4u, 8u, 16u})
    for (uint32_t targets = 0; targets <= kMaxColorTargets; ++targets)
      for (size_t f = 0; f < all_formats().size(); ++f) {
        const FormatInfo& info = all_formats()[f];
        if (info.block_bytes == 0 || info.is_compressed || info.is_depth_or_stencil()) continue;
        ResourceDesc desc;
        desc.format = static_cast<Format>(f);
        Framebuffer target;
        target.width = target.height = 1;
        target.samples = samples;
        target.color_count = targets;
        const auto storage = std::make_shared<Storage>(desc);
        for (uint32_t i = 0; i < targets; ++i) target.color[i] = {storage, desc.format, 0, 0, 0};
        desc.format = Format::Z32_FLOAT_S8X24_UINT;
        target.depth_stencil = {std::make_shared<Storage>(desc), desc.format, 0, 0, 0};
        // Eight targets of four floats with all samples are what a device must take.
        const bool is_common = info.block_bytes <= 16;
        const int32_t size = tile_size_for(target, 64);
        const bool fits = tile_bytes_per_pixel(target) * static_cast<uint32_t>(size * size) <= kTileMemory_bytes;
        CAPTURE(samples, targets, info.name, size);
        CHECK(size >= 8);
        CHECK((fits || !is_common));
      }
}

TEST_CASE("a surface takes samples times pixels times bytes, and no more") {
  for (const Format format : {Format::R8_UNORM, Format::R8G8B8A8_UNORM, Format::R16G16B16A16_FLOAT,
                              Format::R32G32B32A32_FLOAT, Format::Z24_UNORM_S8_UINT, Format::Z32_FLOAT_S8X24_UINT})
    for (const uint32_t samples : {1u, 2u, 4u, 8u, 16u})
      for (const uint32_t side : {1u, 7u, 64u, 129u}) {
        ResourceDesc desc;
        desc.format = format;
        desc.width = desc.height = side;
        desc.samples = samples;
        const Storage storage(desc);
        CHECK(storage.size_bytes() == size_t{samples} * side * side * format_info(format).block_bytes);
      }
}
