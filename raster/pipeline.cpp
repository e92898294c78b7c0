#include "raster/pipeline.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "fmt/format.h"
#include "raster/depth_stencil.h"

namespace tessera::raster {
namespace {

using Kind = FragmentInput::Kind;
using ir::Semantic;

constexpr uint32_t kNoOutput = ~0u;

std::string semantic_text(Semantic semantic, uint32_t index) {
  return fmt::format("{}[{}]", ir::semantic_name(semantic), index);
}

// ---- checks ------------------------------------------------------------------------------------------------

void check_shaders(const PipelineDesc& desc, std::vector<Diag>& errors) {
  if (!desc.vertex) {
    errors.push_back(error("vertex: a pipeline needs a vertex shader, found none"));
  } else if (desc.vertex->program().stage != ir::Stage::Vertex) {
    errors.push_back(error("vertex: expected a program of the vertex stage"));
  } else if (const ir::Program& p = last_program(desc); p.clip_distances + p.cull_distances > kMaxClipPlanes) {
    errors.push_back(error(fmt::format("vertex: at most {} clip and cull distances, found {}", kMaxClipPlanes,
                                       p.clip_distances + p.cull_distances)));
  }
  if (desc.fragment && desc.fragment->program().stage != ir::Stage::Fragment)
    errors.push_back(error("fragment: expected a program of the fragment stage"));
}

void check_elements(const PipelineDesc& desc, std::vector<Diag>& errors) {
  if (desc.elements.size() > kMaxVertexElements) {
    errors.push_back(error(
        fmt::format("elements: at most {} vertex elements, found {}", kMaxVertexElements, desc.elements.size())));
    return;
  }
  for (size_t i = 0; i < desc.elements.size(); ++i) {
    const VertexElement& e = desc.elements[i];
    if (size_t(e.format) >= all_formats().size()) {
      errors.push_back(error(fmt::format("elements[{}].format: {} is no format", i, unsigned(e.format))));
      continue;
    }
    const FormatInfo& info = format_info(e.format);
    if (info.block_bytes == 0 || info.is_compressed || info.is_depth_or_stencil())
      errors.push_back(error(fmt::format("elements[{}].format: {} is no vertex format", i, info.name)));
    if (e.buffer >= kMaxVertexElements)
      errors.push_back(
          error(fmt::format("elements[{}].buffer: expected less than {}, found {}", i, kMaxVertexElements, e.buffer)));
  }
}

bool is_renderable(Format format) {
  if (size_t(format) >= all_formats().size()) return false;
  const FormatInfo& info = format_info(format);
  return info.block_bytes != 0 && !info.is_compressed && !info.is_depth_or_stencil() &&
         info.field[0].kind != FieldKind::SharedExp;
}

void check_targets(const PipelineDesc& desc, std::vector<Diag>& errors) {
  if (desc.color_count > kMaxColorTargets) {
    errors.push_back(
        error(fmt::format("color_count: at most {} colour targets, found {}", kMaxColorTargets, desc.color_count)));
    return;
  }
  for (uint32_t i = 0; i < desc.color_count; ++i) {
    if (desc.color_formats[i] != Format::NONE && !is_renderable(desc.color_formats[i]))
      errors.push_back(error(fmt::format("color_formats[{}]: the format cannot be rendered to", i)));
  }
  if (desc.depth_format != Format::NONE && (size_t(desc.depth_format) >= all_formats().size() ||
                                            depth_layout(desc.depth_format).texel_bytes == 0))
    errors.push_back(error("depth_format: expected a format with depth or stencil that can be rendered to"));
  if (!is_sample_count(desc.samples))
    errors.push_back(error(fmt::format("samples: expected 1, 2, 4, 8 or 16 samples a pixel, found {}", desc.samples)));
}

void check_rasterizer(const RasterizerState& state, std::vector<Diag>& errors) {
  if (uint8_t(state.fill_front) > uint8_t(FillMode::Point))
    errors.push_back(error(fmt::format("rasterizer.fill_front: {} is no fill mode", unsigned(state.fill_front))));
  if (uint8_t(state.fill_back) > uint8_t(FillMode::Point))
    errors.push_back(error(fmt::format("rasterizer.fill_back: {} is no fill mode", unsigned(state.fill_back))));
  if (!(state.point_size >= 0)) errors.push_back(error("rasterizer.point_size: expected a number not below 0"));
  if (!(state.line_width >= 0)) errors.push_back(error("rasterizer.line_width: expected a number not below 0"));
  if (state.line_stipple_factor == 0 || state.line_stipple_factor > kMaxStippleFactor)
    errors.push_back(error(fmt::format("rasterizer.line_stipple_factor: expected 1 to {}, found {}", kMaxStippleFactor,
                                       state.line_stipple_factor)));
  if (uint8_t(state.cull) > uint8_t(CullFace::FrontAndBack))
    errors.push_back(error(fmt::format("rasterizer.cull: {} is no face selection", unsigned(state.cull))));
  if (!std::isfinite(state.offset_units) || !std::isfinite(state.offset_scale) || std::isnan(state.offset_clamp))
    errors.push_back(error("rasterizer.offset_units, offset_scale, offset_clamp: expected finite numbers"));
}

void check_enums(const PipelineDesc& desc, std::vector<Diag>& errors) {
  const auto require = [&](bool ok, std::string field) {
    if (!ok) errors.push_back(error(field + ": the value is none of the enumeration's"));
  };
  const DepthStencilAlphaState& dsa = desc.depth_stencil_alpha;
  require(uint8_t(dsa.depth_func) <= uint8_t(Compare::Always), "depth_stencil_alpha.depth_func");
  require(uint8_t(dsa.alpha_func) <= uint8_t(Compare::Always), "depth_stencil_alpha.alpha_func");
  for (int face = 0; face < 2; ++face) {
    const StencilFace& s = dsa.stencil[face];
    require(uint8_t(s.func) <= uint8_t(Compare::Always) && uint8_t(s.fail) <= uint8_t(StencilOp::Invert) &&
                uint8_t(s.depth_pass) <= uint8_t(StencilOp::Invert) &&
                uint8_t(s.depth_fail) <= uint8_t(StencilOp::Invert),
            fmt::format("depth_stencil_alpha.stencil[{}]", face));
  }
  require(uint8_t(desc.blend.logic_op) <= uint8_t(LogicOp::Set), "blend.logic_op");
  for (uint32_t i = 0; i < kMaxColorTargets; ++i) {
    const TargetBlend& t = desc.blend.target[i];
    const auto is_factor = [](BlendFactor f) { return uint8_t(f) <= uint8_t(BlendFactor::InvSrc1Alpha); };
    require(is_factor(t.rgb_src) && is_factor(t.rgb_dst) && is_factor(t.alpha_src) && is_factor(t.alpha_dst) &&
                uint8_t(t.rgb_equation) <= uint8_t(BlendEquation::Max) &&
                uint8_t(t.alpha_equation) <= uint8_t(BlendEquation::Max),
            fmt::format("blend.target[{}]", i));
  }
}

void check_depth_bounds(const DepthStencilAlphaState& dsa, std::vector<Diag>& errors) {
  const float lo = dsa.depth_bounds_min, hi = dsa.depth_bounds_max;
  if (dsa.depth_bounds_test && !(lo >= 0 && lo <= hi && hi <= 1))
    errors.push_back(error(fmt::format("depth_stencil_alpha.depth_bounds_min, depth_bounds_max: expected 0 <= min <= "
                                       "max <= 1, found {} and {}", lo, hi)));
}

// KHR_blend_equation_advanced: for one target, and where the program says that it may be blended so.
void check_advanced_blend(const PipelineDesc& desc, std::vector<Diag>& errors) {
  const auto equation = uint32_t(desc.blend.advanced);
  if (equation == 0 || !desc.blend.target[0].enabled) return;
  if (equation > uint32_t(AdvancedEquation::HslLuminosity)) {
    errors.push_back(error("blend.advanced: the value is none of the enumeration's"));
    return;
  }
  for (uint32_t i = 1; i < desc.color_count && i < kMaxColorTargets; ++i)
    if (desc.color_formats[i] != Format::NONE)
      errors.push_back(error(fmt::format("blend.advanced: an advanced equation blends colour target 0 alone, and "
                                         "there is a target {}", i)));
  if (!desc.fragment || !(desc.fragment->program().blend_equations >> equation & 1))
    errors.push_back(error(fmt::format("blend.advanced: the fragment program does not allow this equation (bit {} of "
                                       "its property FS_BLEND_EQUATION_ADVANCED)", equation)));
}

// ---- linking -----------------------------------------------------------------------------------------------

void link_vertex_outputs(Pipeline& p) {
  const ir::Program& vertex = last_program(p.desc);
  for (uint32_t c = 0; c < 4; ++c) {
    p.position_output[c] = find_output(vertex, Semantic::Position, 0, c);
    const uint32_t clip_vertex = find_output(vertex, Semantic::ClipVertex, 0, c);
    p.clip_vertex_output[c] = clip_vertex == kNoOutput ? p.position_output[c] : clip_vertex;
  }
  for (uint32_t i = 0; i < kMaxClipPlanes; ++i) {
    p.distance_output[i] = find_output(vertex, Semantic::ClipDist, i / 4, i % 4);
    p.writes_distances = p.writes_distances || p.distance_output[i] != kNoOutput;
  }
  p.viewport_outputs = {.mask = find_output(vertex, Semantic::ViewportMask, 0, 0),
                        .index = find_output(vertex, Semantic::ViewportIndex, 0, 0),
                        .layer = find_output(vertex, Semantic::Layer, 0, 0),
                        .layer_is_relative = vertex.layer_viewport_relative};
  const RasterizerState& state = p.desc.rasterizer;
  if (state.point_size_per_vertex) p.point_size_output = find_output(vertex, Semantic::PointSize, 0, 0);
  if (state.fill_front != FillMode::Fill || state.fill_back != FillMode::Fill)
    p.edge_flag_output = find_output(vertex, Semantic::EdgeFlag, 0, 0);
}

void link_vertex_inputs(const ir::Program& vertex, std::vector<Diag>& errors) {
  for (const ir::Input& in : vertex.inputs) {
    const bool known = in.system_value
                           ? in.semantic == Semantic::VertexId || in.semantic == Semantic::InstanceId ||
                                 in.semantic == Semantic::VertexIdNoBase || in.semantic == Semantic::BaseVertex ||
                                 in.semantic == Semantic::BaseInstance || in.semantic == Semantic::DrawId
                           : in.semantic == Semantic::Generic;
    if (!known)
      errors.push_back(error(fmt::format("vertex: input {} is not supported in a vertex shader",
                                         semantic_text(in.semantic, in.index))));
  }
}

Kind position_kind(uint8_t component) {
  constexpr Kind kKinds[] = {Kind::PositionX, Kind::PositionY, Kind::PositionZ, Kind::PositionW};
  return kKinds[component & 3];
}

// Inputs that the rasterizer itself makes; Default where vertex outputs feed the input.
Result<Kind> system_input_kind(const ir::Input& in) {
  const bool first = in.component == 0;
  if (in.of_target) return in.semantic == Semantic::Color ? Kind::TargetColor : Kind::TargetSamples;
  if (in.part > ir::InputPart::Corner2) return Kind::Triangle;
  switch (in.semantic) {
    case Semantic::Position: return position_kind(in.component);
    case Semantic::Face:
      if (in.system_value) return Kind::FaceMask;
      return first ? Kind::FaceFloat : Kind::Default;
    case Semantic::PrimitiveId: return first ? Kind::PrimitiveId : Kind::Zero;
    case Semantic::SampleId: return first ? Kind::SampleId : Kind::Zero;
    case Semantic::SamplePos: return first ? Kind::SamplePosX : in.component == 1 ? Kind::SamplePosY : Kind::Zero;
    case Semantic::SampleMask: return first ? Kind::SampleMask : Kind::Zero;
    case Semantic::HelperInvocation: return Kind::HelperMask;
    case Semantic::Layer:
    case Semantic::ViewportIndex: return first ? Kind::Varying : Kind::Zero;   // what the vertex program says, else 0
    case Semantic::PointCoord: return Kind::PointCoord;
    default: break;
  }
  if (in.system_value)
    return error(fmt::format("fragment: system value {} is not supported in a fragment shader",
                             semantic_text(in.semantic, in.index)));
  return Kind::Varying;
}

// Where a vertex output lies in a record.
uint32_t varying_word(Pipeline& p, uint32_t output) {
  size_t word = 0;
  while (word < p.varying_outputs.size() && p.varying_outputs[word] != output) ++word;
  if (word == p.varying_outputs.size()) p.varying_outputs.push_back(output);
  return uint32_t(word);
}

bool is_sprite_coord(const PipelineDesc& desc, const ir::Input& in) {
  if (in.part != ir::InputPart::Value || in.index >= 32 || (desc.rasterizer.sprite_coord_enable >> in.index & 1) == 0)
    return false;
  if (in.semantic == Semantic::TexCoord) return true;
  return in.semantic == Semantic::Generic &&
         std::ranges::none_of(desc.fragment->program().inputs,
                              [](const ir::Input& other) { return other.semantic == Semantic::TexCoord; });
}

// The output that a colour comes from in back faces.
uint32_t find_back_output(const Pipeline& p, const ir::Input& in) {
  if (!p.desc.rasterizer.light_two_side || in.semantic != Semantic::Color) return kNoOutput;
  return find_output(last_program(p.desc), Semantic::BackColor, in.index, in.component);
}

// The output of the last stage that an input comes from: of layers and viewports the numbers that the primitive is
// drawn with.
uint32_t find_varying_output(const Pipeline& p, const ir::Input& in) {
  if (in.semantic == Semantic::Layer) return p.viewport_outputs.layer_output();
  if (in.semantic == Semantic::ViewportIndex) return p.viewport_outputs.viewport_output();
  return find_output(last_program(p.desc), in.semantic, in.index, in.component);
}

// The outputs that an input comes from. Colours that are written for back faces alone stand for front faces too.
void link_varying(Pipeline& p, const ir::Input& in, FragmentInput& link) {
  const uint32_t back = find_back_output(p, in);
  uint32_t output = find_varying_output(p, in);
  if (output == kNoOutput) output = back;
  link.is_sprite_coord = is_sprite_coord(p.desc, in);
  if (output == kNoOutput) {
    link.kind = Kind::Default;
    return;
  }
  link.varying = uint16_t(varying_word(p, output));
  if (in.part != ir::InputPart::Value) link.kind = Kind::Corner;
  else if (back != kNoOutput) link.back_varying = uint16_t(varying_word(p, back));
  if (link.interpolation != ir::Interpolation::Linear) return;
  p.linear_words.push_back(link.varying);
  if (link.back_varying != FragmentInput::kNoWord) p.linear_words.push_back(link.back_varying);
}

void link_fragment_inputs(Pipeline& p, std::vector<Diag>& errors) {
  for (const ir::Input& in : p.desc.fragment->program().inputs) {
    FragmentInput link;
    link.component = in.component;
    link.interpolation = in.interpolation;
    link.location = in.location;
    if (in.interpolation == ir::Interpolation::Color)
      link.interpolation =
          p.desc.rasterizer.flat_shade ? ir::Interpolation::Constant : ir::Interpolation::Perspective;
    Result<Kind> kind = system_input_kind(in);
    if (!kind) {
      errors.push_back(kind.diags().front());
      continue;
    }
    link.kind = *kind;
    if (in.semantic == Semantic::Layer || in.semantic == Semantic::ViewportIndex)
      link.interpolation = ir::Interpolation::Constant;
    if (link.kind == Kind::TargetColor) link.varying = in.index, p.reads_target = true;
    link.part = in.part;
    if (link.kind == Kind::Varying) link_varying(p, in, link);
    p.fragment_inputs.push_back(link);
  }
}

void link_fragment_outputs(Pipeline& p) {
  const ir::Program& fragment = p.desc.fragment->program();
  for (uint32_t target = 0; target < kMaxColorTargets; ++target) {
    const uint32_t index = fragment.color0_writes_all ? 0 : target;
    for (uint32_t c = 0; c < 4; ++c) p.color_output[target][c] = find_output(fragment, Semantic::Color, index, c);
  }
  if (fragment.writes_depth) p.depth_output = find_output(fragment, Semantic::Position, 0, 2);
  if (fragment.writes_stencil) p.stencil_output = find_output(fragment, Semantic::Stencil, 0, 1);
  if (fragment.writes_sample_mask && p.desc.rasterizer.multisample)
    p.sample_mask_output = find_output(fragment, Semantic::SampleMask, 0, 0);
}

// ---- derived facts -----------------------------------------------------------------------------------------

bool may_drop_fragments(const Pipeline& p) {
  const DepthStencilAlphaState& dsa = p.desc.depth_stencil_alpha;
  return (p.desc.fragment && p.desc.fragment->program().uses_kill) ||
         (dsa.alpha_test && dsa.alpha_func != Compare::Always) || p.sample_mask_output != kNoOutput ||
         p.alpha_to_coverage;
}

// A rejected block must be one in which a failing fragment changes nothing: no stencil operation on failing depth.
bool depth_failure_has_no_effect(const DepthStencilAlphaState& dsa) {
  if (!dsa.stencil[0].enabled) return true;
  for (const StencilFace& s : dsa.stencil) {
    if (s.enabled && (s.fail != StencilOp::Keep || s.depth_fail != StencilOp::Keep)) return false;
  }
  return true;
}

// Does the program tell the samples of a pixel apart?
bool reads_samples(const ir::Program& fragment) {
  for (const ir::Input& in : fragment.inputs) {
    if (in.of_target) continue;
    if (in.semantic == Semantic::SampleId || in.semantic == Semantic::SamplePos || in.location == ir::Location::Sample)
      return true;
  }
  return false;
}

void derive_sampling(Pipeline& p) {
  const PipelineDesc& desc = p.desc;
  const bool multisample = desc.samples > 1 && desc.rasterizer.multisample;
  p.samples = &sample_pattern(desc.samples, multisample);
  p.per_sample = desc.fragment && desc.samples > 1 &&
                 (p.reads_target || (multisample && (desc.min_samples > 1 || reads_samples(desc.fragment->program()))));
  p.alpha_to_coverage = multisample && desc.blend.alpha_to_coverage;
  p.alpha_to_one = multisample && desc.blend.alpha_to_one;
}

uint8_t stored_channels(Format format) {
  const FormatInfo& info = format_info(format);
  uint8_t channels = 0;
  for (int c = 0; c < 4; ++c) {
    if (uint8_t(info.swizzle[c]) <= uint8_t(Swizzle::W)) channels |= uint8_t(1 << c);
  }
  return channels;
}

bool overwrites_every_target(const Pipeline& p) {
  const PipelineDesc& desc = p.desc;
  if (desc.blend.logic_op_enabled) return false;
  for (uint32_t i = 0; i < desc.color_count; ++i) {
    if (desc.color_formats[i] == Format::NONE) continue;
    const TargetBlend& blend = desc.blend.of(i);
    const uint8_t stored = stored_channels(desc.color_formats[i]);
    if (blend.enabled || (blend.color_mask & stored) != stored) return false;
    for (uint32_t output : p.color_output[i]) {
      if (output == kNoOutput) return false;
    }
  }
  return true;
}

void derive_facts(Pipeline& p) {
  derive_sampling(p);
  const DepthStencilAlphaState& dsa = p.desc.depth_stencil_alpha;
  const bool shader_writes_depth = p.depth_output != kNoOutput || p.stencil_output != kNoOutput;
  const bool forced_early = p.desc.fragment && p.desc.fragment->program().early_depth_stencil;
  p.has_geometry_stages = p.geometry.has_stages || p.geometry.has_streams || p.viewport_outputs.needs_copies();
  p.vertices_write_memory = false;
  for (const Executable* stage : {p.desc.vertex.get(), p.desc.geometry.control.get(), p.desc.geometry.evaluation.get(),
                                  p.desc.geometry.geometry.get()})
    p.vertices_write_memory = p.vertices_write_memory || (stage != nullptr && stage->program().writes_memory);
  p.fragments_write_memory = p.desc.fragment && p.desc.fragment->program().writes_memory;
  p.early_depth = forced_early || (!may_drop_fragments(p) && !shader_writes_depth && !p.fragments_write_memory);
  p.hiz_reject = dsa.depth_test && depth_failure_has_no_effect(dsa) &&
                 (forced_early || (p.depth_output == kNoOutput && !p.fragments_write_memory));
  p.is_opaque = p.desc.fragment && !p.reads_target && !may_drop_fragments(p) && overwrites_every_target(p);
}

}  // namespace

Result<std::shared_ptr<const Pipeline>> make_pipeline(PipelineDesc desc) {
  std::vector<Diag> errors;
  check_shaders(desc, errors);
  check_elements(desc, errors);
  check_targets(desc, errors);
  check_rasterizer(desc.rasterizer, errors);
  check_enums(desc, errors);
  check_depth_bounds(desc.depth_stencil_alpha, errors);
  check_advanced_blend(desc, errors);
  if (!errors.empty()) return errors;

  auto p = std::make_shared<Pipeline>();
  p->desc = std::move(desc);
  p->geometry = link_geometry(*p->desc.vertex, p->desc.geometry, p->desc.stream_output, errors);
  if (!errors.empty()) return errors;
  const ir::Program& vertex = p->desc.vertex->program();
  link_vertex_outputs(*p);
  for (auto& outputs : p->color_output) outputs.fill(kNoOutput);
  link_vertex_inputs(vertex, errors);
  if (p->desc.fragment) {
    link_fragment_inputs(*p, errors);
    link_fragment_outputs(*p);
  }
  const auto word_of = [&](uint32_t output) { return output == kNoOutput ? ~0u : varying_word(*p, output); };
  p->layer_word = word_of(p->viewport_outputs.layer_output());
  p->viewport_word = word_of(p->viewport_outputs.viewport_output());
  if (!errors.empty()) return errors;
  derive_facts(*p);
  return std::shared_ptr<const Pipeline>(std::move(p));
}

}  // namespace tessera::raster
