#include "frontend/direct3d9/raster_state.h"

#include <algorithm>

namespace tessera::direct3d9 {
namespace {

using raster::BlendEquation;
using raster::BlendFactor;
using raster::CullFace;
using raster::StencilOp;
using texture::Compare;
using texture::Wrap;
using S = RenderState;

// By the API's numbers.
constexpr BlendFactor kFactors[] = {
    BlendFactor::Zero,        BlendFactor::Zero,     BlendFactor::One,         BlendFactor::SrcColor,
    BlendFactor::InvSrcColor, BlendFactor::SrcAlpha, BlendFactor::InvSrcAlpha, BlendFactor::DstAlpha,
    BlendFactor::InvDstAlpha, BlendFactor::DstColor, BlendFactor::InvDstColor, BlendFactor::SrcAlphaSaturate,
    BlendFactor::Zero,        BlendFactor::Zero,     BlendFactor::ConstColor,  BlendFactor::InvConstColor};
constexpr BlendEquation kEquations[] = {BlendEquation::Add, BlendEquation::Add, BlendEquation::Subtract,
                                        BlendEquation::ReverseSubtract, BlendEquation::Min, BlendEquation::Max};
constexpr StencilOp kStencilOps[] = {StencilOp::Keep,    StencilOp::Keep,     StencilOp::Zero,
                                     StencilOp::Replace, StencilOp::Incr,     StencilOp::Decr,
                                     StencilOp::Invert,  StencilOp::IncrWrap, StencilOp::DecrWrap};
constexpr CullFace kCulls[] = {CullFace::None, CullFace::None, CullFace::Front, CullFace::Back};   // front: clockwise
constexpr raster::FillMode kFills[] = {raster::FillMode::Fill, raster::FillMode::Point, raster::FillMode::Line,
                                      raster::FillMode::Fill};
constexpr Wrap kWraps[] = {Wrap::Repeat, Wrap::Repeat, Wrap::MirrorRepeat, Wrap::ClampToEdge, Wrap::ClampToBorder,
                           Wrap::MirrorClampToEdge};

template <class T, size_t n>
T value_of(const T (&by_number)[n], uint32_t number) { return by_number[number < n ? number : 0]; }

Compare compare_of(uint32_t number) { return static_cast<Compare>(std::clamp(number, 1u, 8u) - 1); }

raster::BlendState blend_of(const States& s) {
  raster::BlendState blend;
  blend.independent = true;
  const bool separate = s[S::SeparateAlphaBlendEnable] != 0;
  raster::TargetBlend target;
  target.enabled = s[S::AlphaBlendEnable] != 0;
  target.rgb_src = value_of(kFactors, s[S::SrcBlend]);
  target.rgb_dst = value_of(kFactors, s[S::DestBlend]);
  target.rgb_equation = value_of(kEquations, s[S::BlendOp]);
  target.alpha_src = separate ? value_of(kFactors, s[S::SrcBlendAlpha]) : target.rgb_src;
  target.alpha_dst = separate ? value_of(kFactors, s[S::DestBlendAlpha]) : target.rgb_dst;
  target.alpha_equation = separate ? value_of(kEquations, s[S::BlendOpAlpha]) : target.rgb_equation;
  constexpr S kMasks[] = {S::ColorWriteEnable, S::ColorWriteEnable1, S::ColorWriteEnable2, S::ColorWriteEnable3};
  for (uint32_t i = 0; i < raster::kMaxColorTargets; ++i) {
    target.color_mask = static_cast<uint8_t>(s[kMasks[std::min(i, 3u)]] & 15);
    blend.target[i] = target;
  }
  return blend;
}

raster::StencilFace stencil_face(const States& s, S func, S fail, S depth_fail, S pass) {
  raster::StencilFace face;
  face.enabled = s[S::StencilEnable] != 0;
  face.func = compare_of(s[func]);
  face.fail = value_of(kStencilOps, s[fail]);
  face.depth_fail = value_of(kStencilOps, s[depth_fail]);
  face.depth_pass = value_of(kStencilOps, s[pass]);
  face.value_mask = static_cast<uint8_t>(s[S::StencilMask]);
  face.write_mask = static_cast<uint8_t>(s[S::StencilWriteMask]);
  return face;
}

raster::DepthStencilAlphaState depth_stencil_of(const States& s) {
  raster::DepthStencilAlphaState state;
  state.depth_test = s[S::ZEnable] != 0;
  state.depth_write = state.depth_test && s[S::ZWriteEnable] != 0;
  state.depth_func = compare_of(s[S::ZFunc]);
  state.stencil[0] = stencil_face(s, S::StencilFunc, S::StencilFail, S::StencilZFail, S::StencilPass);
  if (s[S::TwoSidedStencilMode])
    state.stencil[1] = stencil_face(s, S::CcwStencilFunc, S::CcwStencilFail, S::CcwStencilZFail, S::CcwStencilPass);
  return state;
}

// As point_size_limits() has it for sizes of vertices.
float limited_point_size(const States& s) {
  const float size = s.real(S::PointSize), most = s.real(S::PointSizeMax), least = s.real(S::PointSizeMin);
  const float limited = size < most ? size : most;
  return limited > least ? limited : least;
}

raster::RasterizerState rasterizer_of(const States& s, bool is_transformed) {
  constexpr uint32_t kFlat = 1;
  raster::RasterizerState state;
  state.flat_shade = s[S::ShadeMode] == kFlat;
  state.provoking_first = true;
  state.clip_halfz = true;
  state.depth_clip = s[S::Clipping] != 0 && !(is_transformed && s[S::ZEnable] == 0);
  state.front_ccw = false;
  state.cull = value_of(kCulls, s[S::CullMode]);
  state.half_pixel_center = false;
  state.scissor = s[S::ScissorTestEnable] != 0;
  state.multisample = s[S::MultisampleAntialias] != 0;
  state.clip_plane_enable = static_cast<uint8_t>(s[S::ClipPlaneEnable]);
  state.fill_front = state.fill_back = value_of(kFills, s[S::FillMode]);
  state.offset_units_are_depth = true;
  state.offset_units = s.real(S::DepthBias);
  state.offset_scale = s.real(S::SlopeScaleDepthBias);
  state.offset_fill = state.offset_line = state.offset_point = state.offset_units != 0 || state.offset_scale != 0;
  state.line_last_pixel = s[S::LastPixel] != 0;
  state.line_smooth = s[S::AntialiasedLineEnable] != 0;
  state.point_quad = true;
  state.point_size = limited_point_size(s);
  state.point_size_per_vertex = true;
  if (s[S::PointSpriteEnable]) state.sprite_coord_enable = (1u << kStages) - 1;
  return state;
}

}  // namespace

RasterStates raster_states(const States& states, bool is_transformed) {
  RasterStates out;
  out.blend = blend_of(states);
  out.rasterizer = rasterizer_of(states, is_transformed);
  out.depth_stencil = depth_stencil_of(states);
  out.blend_color = color_of(states[S::BlendFactor]);
  out.stencil_reference = static_cast<uint8_t>(states[S::StencilRef]);
  out.sample_mask = states[S::MultisampleMask];
  return out;
}

texture::Sampler sampler_of(const SamplerStates& states, uint32_t lowest_level) {
  constexpr uint32_t kNone = 0, kLinear = 2, kAnisotropic = 3;
  const auto filter = [](uint32_t value) {
    return value >= kLinear ? texture::Filter::Linear : texture::Filter::Nearest;
  };
  texture::Sampler sampler;
  sampler.wrap_s = value_of(kWraps, states[SamplerState::AddressU]);
  sampler.wrap_t = value_of(kWraps, states[SamplerState::AddressV]);
  sampler.wrap_r = value_of(kWraps, states[SamplerState::AddressW]);
  sampler.mag_filter = filter(states[SamplerState::MagFilter]);
  sampler.min_filter = filter(states[SamplerState::MinFilter]);
  const uint32_t mip = states[SamplerState::MipFilter];
  sampler.mip_filter = mip == kNone ? texture::MipFilter::None
                                    : mip >= kLinear ? texture::MipFilter::Linear : texture::MipFilter::Nearest;
  sampler.level_rule = texture::LevelRule::Direct3d9;
  sampler.seamless_cube = false;
  if (states[SamplerState::MinFilter] == kAnisotropic)
    sampler.max_anisotropy = static_cast<uint8_t>(std::clamp(states[SamplerState::MaxAnisotropy], 1u, 16u));
  sampler.lod_bias = std::bit_cast<float>(states[SamplerState::MipMapLodBias]);
  if (mip != kNone) sampler.min_lod = static_cast<float>(std::max(states[SamplerState::MaxMipLevel], lowest_level));
  const std::array<float, 4> border = color_of(states[SamplerState::BorderColor]);
  std::transform(border.begin(), border.end(), sampler.border, [](float c) { return std::bit_cast<uint32_t>(c); });
  return sampler;
}

}  // namespace tessera::direct3d9
