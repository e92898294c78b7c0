#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "raster/pipeline.h"
#include "tests/unit/raster/copy_shader.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::tests;

namespace {

PipelineDesc valid_desc() {
  PipelineDesc desc;
  desc.vertex = copy_vertex_shader(2);
  desc.fragment = copy_fragment_shader(1);
  desc.elements.resize(3);
  desc.color_count = 1;
  desc.color_formats[0] = Format::R8G8B8A8_UNORM;
  desc.depth_format = Format::Z32_FLOAT;
  return desc;
}

std::shared_ptr<const Executable> fragment_with(const ir::Input& input) {
  return std::make_shared<CopyShader>(ir::Stage::Fragment, std::vector{input}, std::vector<ir::Output>{},
                                      std::vector<uint32_t>{});
}

ir::Input semantic_input(ir::Semantic semantic, uint8_t component = 0, bool system_value = false) {
  ir::Input in;
  in.semantic = semantic;
  in.component = component;
  in.system_value = system_value;
  return in;
}

}  // namespace

TEST_CASE("every broken field of a pipeline is named", "[pipeline]") {
  struct Case {
    const char* field;
    std::function<void(PipelineDesc&)> damage;
  };
  const std::vector<Case> cases = {
      {"vertex:", [](PipelineDesc& d) { d.vertex = nullptr; }},
      {"vertex:", [](PipelineDesc& d) { d.vertex = copy_fragment_shader(1); }},
      {"fragment:", [](PipelineDesc& d) { d.fragment = copy_vertex_shader(1); }},
      {"fragment:", [](PipelineDesc& d) { d.fragment = fragment_with(semantic_input(ir::Semantic::TessCoord, 0, true)); }},
      {"elements:", [](PipelineDesc& d) { d.elements.resize(33); }},
      {"elements[1].format", [](PipelineDesc& d) { d.elements[1].format = Format::Z32_FLOAT; }},
      {"elements[1].format", [](PipelineDesc& d) { d.elements[1].format = Format(60000); }},
      {"elements[0].format", [](PipelineDesc& d) { d.elements[0].format = Format::NONE; }},
      {"elements[2].buffer", [](PipelineDesc& d) { d.elements[2].buffer = 32; }},
      {"color_count", [](PipelineDesc& d) { d.color_count = 9; }},
      {"color_formats[0]", [](PipelineDesc& d) { d.color_formats[0] = Format::Z32_FLOAT; }},
      {"color_formats[0]", [](PipelineDesc& d) { d.color_formats[0] = Format(60000); }},
      {"depth_format", [](PipelineDesc& d) { d.depth_format = Format::R8_UNORM; }},
      {"samples", [](PipelineDesc& d) { d.samples = 3; }},
      {"rasterizer.fill_front", [](PipelineDesc& d) { d.rasterizer.fill_front = FillMode(3); }},
      {"rasterizer.fill_back", [](PipelineDesc& d) { d.rasterizer.fill_back = FillMode(9); }},
      {"rasterizer.point_size", [](PipelineDesc& d) { d.rasterizer.point_size = -1; }},
      {"rasterizer.line_width", [](PipelineDesc& d) { d.rasterizer.line_width = std::nanf(""); }},
      {"rasterizer.line_stipple_factor", [](PipelineDesc& d) { d.rasterizer.line_stipple_factor = 0; }},
      {"rasterizer.line_stipple_factor", [](PipelineDesc& d) { d.rasterizer.line_stipple_factor = 257; }},
      {"rasterizer.cull", [](PipelineDesc& d) { d.rasterizer.cull = CullFace(9); }},
      {"rasterizer.offset_units", [](PipelineDesc& d) { d.rasterizer.offset_units = 1e30f * 1e30f; }},
      {"depth_stencil_alpha.depth_func", [](PipelineDesc& d) { d.depth_stencil_alpha.depth_func = Compare(8); }},
      {"depth_stencil_alpha.alpha_func", [](PipelineDesc& d) { d.depth_stencil_alpha.alpha_func = Compare(99); }},
      {"depth_stencil_alpha.stencil[1]",
       [](PipelineDesc& d) { d.depth_stencil_alpha.stencil[1].depth_fail = StencilOp(8); }},
      {"depth_stencil_alpha.depth_bounds_min",
       [](PipelineDesc& d) {
         d.depth_stencil_alpha.depth_bounds_test = true;
         d.depth_stencil_alpha.depth_bounds_min = 0.75f;
         d.depth_stencil_alpha.depth_bounds_max = 0.5f;
       }},
      {"blend.advanced: the value",
       [](PipelineDesc& d) { d.blend.target[0].enabled = true, d.blend.advanced = AdvancedEquation(16); }},
      {"blend.advanced: the fragment program does not allow",
       [](PipelineDesc& d) { d.blend.target[0].enabled = true, d.blend.advanced = AdvancedEquation::Screen; }},
      {"blend.advanced: an advanced equation blends colour target 0 alone",
       [](PipelineDesc& d) {
         d.blend.target[0].enabled = true, d.blend.advanced = AdvancedEquation::Screen;
         d.color_count = 3, d.color_formats[2] = Format::R8G8B8A8_UNORM;
       }},
      {"blend.logic_op", [](PipelineDesc& d) { d.blend.logic_op = LogicOp(16); }},
      {"blend.target[3]", [](PipelineDesc& d) { d.blend.target[3].rgb_dst = BlendFactor(50); }},
      {"blend.target[0]", [](PipelineDesc& d) { d.blend.target[0].alpha_equation = BlendEquation(5); }},
  };
  REQUIRE(make_pipeline(valid_desc()).ok());
  for (const Case& c : cases) {
    PipelineDesc desc = valid_desc();
    c.damage(desc);
    const auto result = make_pipeline(std::move(desc));
    CAPTURE(c.field);
    REQUIRE_FALSE(result.ok());
    CAPTURE(result.diags().front().text);
    CHECK(result.diags().front().text.find(c.field) == 0);
  }
}

TEST_CASE("several errors of a pipeline are reported together", "[pipeline]") {
  PipelineDesc desc = valid_desc();
  desc.samples = 5;
  desc.rasterizer.cull = CullFace(4);
  CHECK(make_pipeline(std::move(desc)).diags().size() == 2);
}

TEST_CASE("fragment inputs are linked to vertex outputs by semantic and index", "[pipeline]") {
  PipelineDesc desc = valid_desc();
  std::vector<ir::Input> inputs = {attribute(1, 2), attribute(1, 0), attribute(0, 3), attribute(5, 3), attribute(1, 2)};
  inputs[1].interpolation = ir::Interpolation::Linear;
  inputs[4].interpolation = ir::Interpolation::Constant;
  desc.fragment = std::make_shared<CopyShader>(ir::Stage::Fragment, inputs, std::vector<ir::Output>{},
                                               std::vector<uint32_t>{});
  const auto p = make_pipeline(std::move(desc)).value();
  // Outputs of the vertex shader: POSITION 0..3, GENERIC[0] 4..7, GENERIC[1] 8..11.
  CHECK(p->varying_outputs == std::vector<uint32_t>{10, 8, 7});
  REQUIRE(p->fragment_inputs.size() == 5);
  CHECK(p->fragment_inputs[0].kind == FragmentInput::Kind::Varying);
  CHECK(p->fragment_inputs[0].varying == 0);
  CHECK(p->fragment_inputs[1].interpolation == ir::Interpolation::Linear);
  CHECK(p->fragment_inputs[2].varying == 2);
  CHECK(p->fragment_inputs[3].kind == FragmentInput::Kind::Default);
  CHECK(p->fragment_inputs[3].component == 3);
  CHECK(p->fragment_inputs[4].varying == 0);
  CHECK(p->fragment_inputs[4].interpolation == ir::Interpolation::Constant);
  for (uint32_t c = 0; c < 4; ++c) CHECK(p->position_output[c] == c);
}

TEST_CASE("the rasterizer's own inputs are recognised", "[pipeline]") {
  using Kind = FragmentInput::Kind;
  using ir::Semantic;
  const struct { ir::Input input; Kind kind; } cases[] = {
      {semantic_input(Semantic::Position, 0), Kind::PositionX},
      {semantic_input(Semantic::Position, 3), Kind::PositionW},
      {semantic_input(Semantic::Position, 2, true), Kind::PositionZ},
      {semantic_input(Semantic::Face), Kind::FaceFloat},
      {semantic_input(Semantic::Face, 3), Kind::Default},
      {semantic_input(Semantic::Face, 0, true), Kind::FaceMask},
      {semantic_input(Semantic::PrimitiveId), Kind::PrimitiveId},
      {semantic_input(Semantic::SampleId, 0, true), Kind::SampleId},
      {semantic_input(Semantic::SamplePos, 1, true), Kind::SamplePosY},
      {semantic_input(Semantic::SampleMask, 0, true), Kind::SampleMask},
      {semantic_input(Semantic::HelperInvocation, 0, true), Kind::HelperMask},
      {semantic_input(Semantic::Layer), Kind::Default},   // no vertex output: 0
  };
  for (const auto& c : cases) {
    PipelineDesc desc = valid_desc();
    desc.fragment = fragment_with(c.input);
    CHECK(make_pipeline(std::move(desc)).value()->fragment_inputs[0].kind == c.kind);
  }
}

TEST_CASE("COLOR interpolation is flat or perspective by the rasterizer state", "[pipeline]") {
  for (const bool flat : {false, true}) {
    PipelineDesc desc = valid_desc();
    desc.rasterizer.flat_shade = flat;
    ir::Input in = attribute(0, 0);
    in.interpolation = ir::Interpolation::Color;
    desc.fragment = fragment_with(in);
    CHECK(make_pipeline(std::move(desc)).value()->fragment_inputs[0].interpolation ==
          (flat ? ir::Interpolation::Constant : ir::Interpolation::Perspective));
  }
}

TEST_CASE("derived facts: opaque, early depth, hierarchical rejection", "[pipeline]") {
  const auto make = [](const std::function<void(PipelineDesc&)>& change) {
    PipelineDesc desc = valid_desc();
    desc.depth_stencil_alpha.depth_test = true;
    change(desc);
    return make_pipeline(std::move(desc)).value();
  };
  const auto plain = make([](PipelineDesc&) {});
  CHECK(plain->is_opaque);
  CHECK(plain->early_depth);
  CHECK(plain->hiz_reject);

  CHECK_FALSE(make([](PipelineDesc& d) { d.blend.target[0].enabled = true; })->is_opaque);
  CHECK_FALSE(make([](PipelineDesc& d) { d.blend.target[0].color_mask = 7; })->is_opaque);
  CHECK(make([](PipelineDesc& d) {
          d.blend.target[0].color_mask = 7;
          d.color_formats[0] = Format::B5G6R5_UNORM;
        })->is_opaque);
  CHECK_FALSE(make([](PipelineDesc& d) {
                d.color_count = 2;               // COLOR[1] is not written
                d.color_formats[1] = Format::R8G8B8A8_UNORM;
              })->is_opaque);
  CHECK_FALSE(make([](PipelineDesc& d) { d.blend.logic_op_enabled = true; })->is_opaque);
  CHECK(make([](PipelineDesc& d) { d.depth_stencil_alpha.alpha_test = true; })->early_depth);   // it passes always
  const auto alpha = make([](PipelineDesc& d) {
    d.depth_stencil_alpha.alpha_test = true;
    d.depth_stencil_alpha.alpha_func = Compare::Less;
  });
  CHECK_FALSE(alpha->is_opaque);
  CHECK_FALSE(alpha->early_depth);
  CHECK(alpha->hiz_reject);
  CHECK(make([](PipelineDesc& d) { d.depth_stencil_alpha.depth_func = Compare::Equal; })->hiz_reject);
  CHECK_FALSE(make([](PipelineDesc& d) {
                d.depth_stencil_alpha.stencil[0].enabled = true;
                d.depth_stencil_alpha.stencil[0].depth_fail = StencilOp::Incr;
              })->hiz_reject);
}
