#include "frontend/vtest/objects.h"

#include <fmt/format.h>

#include <algorithm>

#include "frontend/vtest/formats.h"
#include "shader/tgsi/parser.h"

namespace tessera::vtest {
namespace {

using raster::BlendEquation;
using raster::BlendFactor;

// An enumerator by number; numbers behind the last one are taken for it.
template <class Enum>
Enum enumerator(uint32_t number, Enum last) {
  return static_cast<Enum>(std::min(number, static_cast<uint32_t>(last)));
}

// The inverse of factor f is f + 16. Numbers that name none, such as 0 where blending is off, stand for Zero.
BlendFactor blend_factor(uint32_t number) {
  constexpr BlendFactor factors[16] = {
      BlendFactor::Zero,      BlendFactor::One,       BlendFactor::SrcColor,         BlendFactor::SrcAlpha,
      BlendFactor::DstAlpha,  BlendFactor::DstColor,  BlendFactor::SrcAlphaSaturate, BlendFactor::ConstColor,
      BlendFactor::ConstAlpha, BlendFactor::Src1Color, BlendFactor::Src1Alpha};
  constexpr BlendFactor inverses[16] = {
      BlendFactor::Zero,        BlendFactor::Zero,        BlendFactor::InvSrcColor, BlendFactor::InvSrcAlpha,
      BlendFactor::InvDstAlpha, BlendFactor::InvDstColor, BlendFactor::Zero,        BlendFactor::InvConstColor,
      BlendFactor::InvConstAlpha, BlendFactor::InvSrc1Color, BlendFactor::InvSrc1Alpha};
  return number < 16 ? factors[number] : inverses[number - 16];
}

raster::TargetBlend read_target(Words d, size_t i) {
  raster::TargetBlend t;
  t.enabled = d.bit(i, 0);
  t.rgb_equation = enumerator(d.field(i, 1, 3), BlendEquation::Max);
  t.rgb_src = blend_factor(d.field(i, 4, 5));
  t.rgb_dst = blend_factor(d.field(i, 9, 5));
  t.alpha_equation = enumerator(d.field(i, 14, 3), BlendEquation::Max);
  t.alpha_src = blend_factor(d.field(i, 17, 5));
  t.alpha_dst = blend_factor(d.field(i, 22, 5));
  t.color_mask = static_cast<uint8_t>(d.field(i, 27, 4));
  return t;
}

raster::StencilFace read_stencil(Words d, size_t i) {
  raster::StencilFace face;
  face.enabled = d.bit(i, 0);
  face.func = static_cast<raster::Compare>(d.field(i, 1, 3));
  face.fail = static_cast<raster::StencilOp>(d.field(i, 4, 3));
  face.depth_pass = static_cast<raster::StencilOp>(d.field(i, 7, 3));
  face.depth_fail = static_cast<raster::StencilOp>(d.field(i, 10, 3));
  face.value_mask = static_cast<uint8_t>(d.field(i, 13, 8));
  face.write_mask = static_cast<uint8_t>(d.field(i, 21, 8));
  return face;
}

constexpr uint32_t kLargestAnisotropy = 16;

}  // namespace

Blend read_blend(Words d) {
  Blend blend;
  raster::BlendState& state = blend.state;
  state.independent = d.bit(2, 0);
  state.logic_op_enabled = d.bit(2, 1);
  // Bit 2, dithering, is left out, as the protocol allows: OpenGL has it on from the start, even for 8 bits a channel,
  // where it shows nothing and keeps draws from the fast way of writing them.
  state.alpha_to_coverage = d.bit(2, 3);
  state.alpha_to_one = d.bit(2, 4);
  state.logic_op = static_cast<raster::LogicOp>(d.field(3, 0, 4));
  for (size_t i = 0; i < raster::kMaxColorTargets; ++i) state.target[i] = read_target(d, 4 + i);
  return blend;
}

// A unit of polygon offset must take two surfaces apart that a program's single-precision vertices can take apart, but
// no less. Near the front of a 24-bit buffer that is two of its steps: 1 - 1/w for the w next to 1.
constexpr float kStepsOfOffset = 2;

Rasterizer read_rasterizer(Words d) {
  Rasterizer rasterizer;
  raster::RasterizerState& s = rasterizer.state;
  s.flat_shade = d.bit(2, 0);
  s.depth_clip = d.bit(2, 1);
  s.clip_halfz = d.bit(2, 2);
  s.discard = d.bit(2, 3);
  s.provoking_first = d.bit(2, 4);
  s.light_two_side = d.bit(2, 5);
  s.sprite_coord_lower_left = d.bit(2, 6);
  s.point_quad = d.bit(2, 7);
  s.cull = static_cast<raster::CullFace>(d.field(2, 8, 2));
  s.fill_front = enumerator(d.field(2, 10, 2), raster::FillMode::Point);
  s.fill_back = enumerator(d.field(2, 12, 2), raster::FillMode::Point);
  s.scissor = d.bit(2, 14);
  s.front_ccw = d.bit(2, 15);
  s.clamp_fragment_color = d.bit(2, 17);
  s.offset_line = d.bit(2, 18);
  s.offset_point = d.bit(2, 19);
  s.offset_fill = d.bit(2, 20);
  s.poly_smooth = d.bit(2, 21);
  s.poly_stipple = d.bit(2, 22);
  s.point_smooth = d.bit(2, 23);
  s.point_size_per_vertex = d.bit(2, 24);
  s.multisample = d.bit(2, 25);
  s.line_smooth = d.bit(2, 26);
  s.line_stipple = d.bit(2, 27);
  s.line_last_pixel = d.bit(2, 28);
  s.half_pixel_center = d.bit(2, 29);
  s.bottom_edge_rule = d.bit(2, 30);
  s.point_size = d.as_float(3);
  s.sprite_coord_enable = d[4];
  s.line_stipple_pattern = static_cast<uint16_t>(d.field(5, 0, 16));
  s.line_stipple_factor = static_cast<uint16_t>(d.field(5, 16, 8) + 1);
  s.clip_plane_enable = static_cast<uint8_t>(d.field(5, 24, 8));
  s.line_width = d.as_float(6);
  s.offset_units = kStepsOfOffset * d.as_float(7);
  s.offset_scale = d.as_float(8);
  s.offset_clamp = d.as_float(9);
  return rasterizer;
}

DepthStencilAlpha read_depth_stencil_alpha(Words d) {
  DepthStencilAlpha dsa;
  raster::DepthStencilAlphaState& s = dsa.state;
  s.depth_test = d.bit(2, 0);
  s.depth_write = d.bit(2, 1);
  s.depth_func = static_cast<raster::Compare>(d.field(2, 2, 3));
  s.alpha_test = d.bit(2, 8);
  s.alpha_func = static_cast<raster::Compare>(d.field(2, 9, 3));
  s.stencil[0] = read_stencil(d, 3);
  s.stencil[1] = read_stencil(d, 4);
  s.alpha_ref = d.as_float(5);
  return dsa;
}

Result<VertexElements> read_vertex_elements(Words d) {
  VertexElements result;
  const size_t count = (d.size() - 2) / 4;
  if (count > raster::kMaxVertexElements)
    return error(fmt::format("elements: expected at most {}, found {}", raster::kMaxVertexElements, count));
  for (size_t i = 0; i < count; ++i) {
    const std::optional<Format> format = format_from_number(d[5 + 4 * i]);
    if (!format || *format == Format::NONE) return error(fmt::format("element {}: format {} is none", i, d[5 + 4 * i]));
    if (d[4 + 4 * i] >= kMaxVertexBuffers) return error(fmt::format("element {}: buffer {} is none", i, d[4 + 4 * i]));
    result.elements.push_back({.offset_bytes = d[2 + 4 * i],
                               .buffer = d[4 + 4 * i],
                               .instance_divisor = d[3 + 4 * i],
                               .format = *format});
  }
  return result;
}

SamplerState read_sampler_state(Words d) {
  SamplerState result;
  texture::Sampler& s = result.sampler;
  s.wrap_s = static_cast<texture::Wrap>(d.field(2, 0, 3));
  s.wrap_t = static_cast<texture::Wrap>(d.field(2, 3, 3));
  s.wrap_r = static_cast<texture::Wrap>(d.field(2, 6, 3));
  s.min_filter = enumerator(d.field(2, 9, 2), texture::Filter::Linear);
  s.mip_filter = enumerator(d.field(2, 11, 2), texture::MipFilter::None);
  s.mag_filter = enumerator(d.field(2, 13, 2), texture::Filter::Linear);
  s.compare = d.bit(2, 15);
  s.compare_func = static_cast<texture::Compare>(d.field(2, 16, 3));
  s.seamless_cube = d.bit(2, 19);
  s.max_anisotropy = static_cast<uint8_t>(std::clamp(d.field(2, 20, 6), 1u, kLargestAnisotropy));
  s.lod_bias = d.as_float(3);
  s.min_lod = d.as_float(4);
  s.max_lod = d.as_float(5);
  for (size_t i = 0; i < 4; ++i) s.border[i] = d[6 + i];
  return result;
}

Result<SamplerView> read_sampler_view(Words d, const ClientResourceRef& resource) {
  if (!resource->resource) return error("resource: could not be made");
  const std::optional<Format> format = format_from_number(d.field(3, 0, 24));
  if (!format || *format == Format::NONE) return error(fmt::format("format: {} is none", d.field(3, 0, 24)));
  SamplerView result{.view = {.resource = resource->resource}};
  TextureView& view = result.view;
  view.format = *format;
  if (resource->is_buffer()) {
    const uint64_t size_bytes = resource->desc.width;
    const uint64_t elements = size_bytes / format_info(*format).block_bytes;
    view.first_layer = d[4];
    view.last_layer = static_cast<uint32_t>(std::min<uint64_t>(d[5], elements == 0 ? 0 : elements - 1));
  } else {
    if (const uint32_t target = d.field(3, 24, 8); target != 0) {   // else the resource's own
      view.kind = kind_from_number(target);
      if (!view.kind) return error(fmt::format("target: {} is none", target));
    }
    view.first_layer = d.field(4, 0, 16), view.last_layer = d.field(4, 16, 16);
    view.first_level = d.field(5, 0, 8), view.last_level = std::min(d.field(5, 8, 8), resource->desc.levels - 1);
  }
  for (uint32_t i = 0; i < 4; ++i) view.swizzle[i] = enumerator(d.field(6, 3 * i, 3), Swizzle::One);
  return result;
}

Result<Surface> read_surface(Words d, const ClientResourceRef& resource) {
  if (!resource->resource || resource->is_buffer()) return error("resource: no image, or one that could not be made");
  const std::optional<Format> format = format_from_number(d[3]);
  if (!format || *format == Format::NONE) return error(fmt::format("format: {} is none", d[3]));
  if (d.field(5, 16, 16) < d.field(5, 0, 16)) return error("layers: the last one is before the first");
  return Surface{resource, *format, d[4], d.field(5, 0, 16), d.field(5, 16, 16)};
}

Result<StreamTarget> read_stream_target(Words d, const ClientResourceRef& resource, Context& context) {
  if (!resource->resource || !resource->is_buffer()) return error("resource: expected a buffer");
  Result<StreamTargetRef> target = context.create_stream_target(resource->resource, d[3], d[4]);
  if (!target) return target.diags();
  return StreamTarget{resource, d[4], *target};
}

Result<Query> read_query(Words d, const ClientResourceRef& resource, Context& context) {
  constexpr std::optional<QueryKind> kinds[] = {
      QueryKind::SamplesPassed, QueryKind::AnySamplesPassed, QueryKind::Timestamp, {}, QueryKind::TimeElapsed,
      QueryKind::PrimitivesGenerated, QueryKind::PrimitivesWritten, {}, QueryKind::StreamOverflow, {}, {},
      QueryKind::AnySamplesPassed, QueryKind::AnyStreamOverflow};
  const uint32_t type = d.field(2, 0, 16);
  if (type >= std::size(kinds) || !kinds[type]) return error(fmt::format("query type {} is not served", type));
  if (!resource->resource || !resource->is_buffer() || resource->desc.width < kQueryResultBytes ||
      resource->area.bytes().size() < kQueryResultBytes)
    return error(fmt::format("resource: expected a buffer of {} bytes", kQueryResultBytes));
  Result<QueryRef> query = context.create_query(*kinds[type], d.field(2, 16, 16));
  if (!query) return query.diags();
  return Query{*query, resource};
}

Result<size_t> read_streamed_registers(Words d, Program& program) {
  const uint32_t count = d[5];
  if (count > raster::kMaxStreamElements || d.size() < 10 + 2 * size_t{count})
    return error(fmt::format("stream output: {} outputs in {} words", count, d.size() - 1));
  for (uint32_t i = 0; i < raster::kMaxStreamBuffers; ++i) {
    if (d[6 + i] > raster::kMaxStreamStride_bytes / 4)
      return error(fmt::format("stream output: a stride of {} words is too large", d[6 + i]));
    program.stream_output.stride_bytes[i] = static_cast<uint16_t>(4 * d[6 + i]);
  }
  for (uint32_t i = 0; i < count; ++i) {
    const size_t at = 10 + 2 * size_t{i};
    StreamedRegister r{.reg = d.field(at, 0, 8), .element = {}};
    r.element.first_component = static_cast<uint8_t>(d.field(at, 8, 2));
    r.element.component_count = static_cast<uint8_t>(d.field(at, 10, 3));
    r.element.buffer = static_cast<uint8_t>(d.field(at, 13, 3));
    r.element.stream = static_cast<uint8_t>(d.field(at + 1, 0, 2));
    const uint32_t offset = 4 * d.field(at, 16, 16);
    if (r.element.first_component + r.element.component_count > 4 || r.element.buffer >= raster::kMaxStreamBuffers ||
        offset + 4u * r.element.component_count > program.stream_output.stride_bytes[r.element.buffer])
      return error(fmt::format("stream output: output {} is not inside its register and buffer", i));
    r.element.offset_bytes = static_cast<uint16_t>(offset);
    program.streamed.push_back(r);
  }
  return 10 + 2 * size_t{count};
}

Status find_streamed_semantics(Program& program) {
  if (program.streamed.empty()) return Done{};
  const Result<tgsi::Program> tree = tgsi::parse(program.text);
  if (!tree) return tree.diags();
  for (const StreamedRegister& streamed : program.streamed) {
    const auto declares = [&](const tgsi::Declaration& d) {
      return d.file == tgsi::File::Out && d.semantic && d.first <= streamed.reg && streamed.reg <= d.last;
    };
    const auto found = std::ranges::find_if(tree->declarations, declares);
    if (found == tree->declarations.end()) continue;   // a register that is not there is not written
    raster::StreamElement element = streamed.element;
    element.semantic = found->semantic->name;
    element.index = static_cast<uint16_t>(found->semantic->index + streamed.reg - found->first);
    program.stream_output.elements.push_back(element);
  }
  return Done{};
}

std::optional<ir::Stage> stage_from_number(uint32_t number) {
  constexpr ir::Stage stages[] = {ir::Stage::Vertex, ir::Stage::Fragment, ir::Stage::Geometry,
                                  ir::Stage::TessCtrl, ir::Stage::TessEval, ir::Stage::Compute};
  if (number >= std::size(stages)) return std::nullopt;
  return stages[number];
}

}  // namespace tessera::vtest
