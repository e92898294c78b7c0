// frontend/direct3d9_context.cpp: what a Direct3D 9 draw needs besides its programs, set in the context.
#include <algorithm>

#include "frontend/direct3d9/constants.h"
#include "frontend/direct3d9/formats.h"
#include "frontend/direct3d9/raster_state.h"
#include "frontend/direct3d9.h"

namespace tessera {
namespace {

using direct3d9::RenderState;
using direct3d9::SamplerState;
using direct3d9::StageState;
namespace vertex_place = direct3d9::vertex_place;
namespace pixel_place = direct3d9::pixel_place;

constexpr uint32_t kZeroSlot = kMaxVertexBuffers - 1;

uint32_t word_of(float value) { return std::bit_cast<uint32_t>(value); }

Matrix3d9 product(const Matrix3d9& a, const Matrix3d9& b) {
  Matrix3d9 out;
  for (size_t row = 0; row < 4; ++row)
    for (size_t column = 0; column < 4; ++column) {
      double sum = 0;
      for (size_t k = 0; k < 4; ++k) sum += double{a[row * 4 + k]} * double{b[k * 4 + column]};
      out[row * 4 + column] = static_cast<float>(sum);
    }
  return out;
}

// Columns become rows: what a vector is multiplied with component by component.
void put_matrix(std::vector<uint32_t>& words, uint32_t place, const Matrix3d9& m) {
  for (uint32_t row = 0; row < 4; ++row)
    for (uint32_t column = 0; column < 4; ++column) words[place + column * 4 + row] = word_of(m[row * 4 + column]);
}

}  // namespace

// All attached levels have these pixels.
Direct3d9::Size Direct3d9::target_size() const {
  Size size;
  const auto limit = [&](const Attachment& attachment) {
    if (!attachment.resource) return;
    const LevelLayout& level = attachment.resource->storage()->level(attachment.level);
    size.width = std::min(size.width, level.width);
    size.height = std::min(size.height, level.height);
  };
  for (const Attachment& attachment : color_) limit(attachment);
  limit(depth_);
  return size;
}

Status Direct3d9::use_targets() {
  const bool encodes = states[RenderState::SrgbWriteEnable] != 0;
  for (uint32_t i = 0; i < color_.size(); ++i) {
    Attachment attachment = color_[i];
    if (attachment.resource && encodes)
      attachment.format = direct3d9::srgb_format(attachment.format != Format::NONE ? attachment.format
                                                                                   : attachment.resource->desc().format);
    if (Status s = context_.set_color_target(i, attachment); !s) return s;
  }
  return context_.set_depth_target(depth_);
}

// A vertex shader's v# by its usage, fixed function's in the order of the declaration. What is not there reads 0.
Status Direct3d9::use_vertices() {
  std::vector<raster::VertexElement> elements;
  if (!vertex_) {
    for (const DeclaredElement& e : declaration_) elements.push_back(e.element);
    return context_.set_vertex_elements(elements);
  }
  const raster::VertexElement zero{.buffer = kZeroSlot};
  bool lacks_one = false;
  for (const d3d9::Declaration& d : vertex_->declarations) {
    if (d.dst.reg.file != d3d9::File::Input) continue;
    if (elements.size() <= d.dst.reg.number) elements.resize(d.dst.reg.number + 1, zero);
    const auto found = std::ranges::find(declaration_, VertexUsage{d.usage, d.usage_index}, &DeclaredElement::usage);
    if (found != declaration_.end()) elements[d.dst.reg.number] = found->element;
  }
  for (const raster::VertexElement& e : elements) lacks_one = lacks_one || e.buffer == kZeroSlot;
  if (lacks_one) {
    constexpr std::array<std::byte, 16> kZeros{};
    if (!zeros_) {
      Result<ResourceRef> made = device_.create_buffer(kZeros);
      if (!made) return made.diags();
      zeros_ = std::move(*made);
    }
    if (Status s = context_.set_vertex_buffer(kZeroSlot, zeros_, 0); !s) return s;
  }
  return context_.set_vertex_elements(elements);
}

Status Direct3d9::use_textures() {
  for (uint32_t n = 0; n < direct3d9::kSamplers; ++n) {
    const bool is_pixel = n < direct3d9::kPixelSamplers;
    const ir::Stage stage = is_pixel ? ir::Stage::Fragment : ir::Stage::Vertex;
    const uint32_t unit = is_pixel ? n : n - direct3d9::kPixelSamplers;
    const direct3d9::SamplerStates& sampler = states.samplers[n];
    BoundTexture bound = textures_[n];
    if (bound.view.resource) {
      TextureView& view = bound.view;
      const Format format = view.format != Format::NONE ? view.format : view.resource->desc().format;
      if (sampler[SamplerState::SrgbTexture]) view.format = direct3d9::srgb_format(format);
      bound.lowest_level = std::min(bound.lowest_level, view.last_level.value_or(view.resource->desc().levels - 1));
      if (sampler[SamplerState::MipFilter] == 0) view.first_level += bound.lowest_level;
    }
    if (Status s = context_.set_texture(stage, unit, bound.view); !s) return s;
    if (Status s = context_.set_sampler(stage, unit, direct3d9::sampler_of(sampler, bound.lowest_level)); !s) return s;
  }
  return Done{};
}

void Direct3d9::use_states() {
  const direct3d9::RasterStates raster = direct3d9::raster_states(states, is_transformed());
  context_.set_blend(raster.blend);
  context_.set_rasterizer(raster.rasterizer);
  context_.set_depth_stencil_alpha(raster.depth_stencil);
  context_.set_blend_color(raster.blend_color);
  context_.set_stencil_reference(raster.stencil_reference, raster.stencil_reference);
  context_.set_sample_mask(raster.sample_mask);
  context_.set_clip_planes(is_transformed() ? std::array<raster::ClipPlane, raster::kMaxClipPlanes>{} : clip_planes);
  if (!viewport_) return context_.unset_viewport();
  ViewportRect rect = *viewport_;
  const Size size = target_size();
  if (is_transformed()) rect.x = rect.y = 0, rect.width = static_cast<float>(size.width), rect.height = static_cast<float>(size.height);
  if (is_transformed() && !has_depth_range()) rect.near_depth = 0, rect.far_depth = 1;
  context_.set_viewport_rect(rect.x, rect.y, rect.width, rect.height, rect.near_depth, rect.far_depth);
}

void Direct3d9::put(ir::Stage stage, uint32_t buffer, std::vector<uint32_t> words) {
  StageConstants& constants = constants_of(stage);
  if (constants.words[buffer] == words) return;
  constants.words[buffer] = std::move(words);
  constants.is_dirty[buffer] = true;
}

void Direct3d9::fill_state_constants(bool draws_points) {
  const std::array<uint32_t, 3> fog = {states[RenderState::FogStart], states[RenderState::FogEnd], states[RenderState::FogDensity]};
  std::vector<uint32_t> pixel(pixel_place::kCount);
  std::ranges::copy(fog, pixel.begin() + pixel_place::kFog);
  pixel[pixel_place::kAlphaReference] = word_of(static_cast<float>(states[RenderState::AlphaRef] & 255));
  std::ranges::transform(direct3d9::color_of(states[RenderState::FogColor]), pixel.begin() + pixel_place::kFogColor, word_of);
  std::ranges::transform(direct3d9::color_of(states[RenderState::TextureFactor]), pixel.begin() + pixel_place::kTextureFactor,
                         word_of);
  put(ir::Stage::Fragment, direct3d9::kStateConstants, std::move(pixel));

  std::vector<uint32_t> stages;
  for (const direct3d9::StageStates& s : states.stages)
    for (const StageState word : {StageState::BumpEnvMat00, StageState::BumpEnvMat01, StageState::BumpEnvMat10,
                                  StageState::BumpEnvMat11, StageState::BumpEnvLScale, StageState::BumpEnvLOffset})
      stages.push_back(s[word]), stages.resize(stages.size() + (word == StageState::BumpEnvLOffset ? 2 : 0));
  put(ir::Stage::Fragment, d3d9::kStageConstants, std::move(stages));

  if (vertex_ && !draws_points) return;
  std::vector<uint32_t> vertex(vertex_place::kCount);
  fill_points(vertex);
  std::ranges::copy(fog, vertex.begin() + vertex_place::kFog);
  const Size size = target_size();
  vertex[vertex_place::kPixelSize] = word_of(2.0f / static_cast<float>(size.width));
  vertex[vertex_place::kPixelSize + 1] = word_of(2.0f / static_cast<float>(size.height));
  const float nearest = has_depth_range() ? viewport_->near_depth : 0, farthest = has_depth_range() ? viewport_->far_depth : 1;
  vertex[vertex_place::kDepthRange] = word_of(nearest);
  vertex[vertex_place::kDepthRange + 1] = word_of(1 / (farthest - nearest));
  const Matrix3d9 eye_from_obj = product(world, view);
  put_matrix(vertex, vertex_place::kClipFromObj, product(eye_from_obj, projection));
  put_matrix(vertex, vertex_place::kWorldFromObj, world);
  put_matrix(vertex, vertex_place::kEyeFromObj, eye_from_obj);
  fill_lighting(eye_from_obj, vertex);
  for (uint32_t t = 0; t < direct3d9::kStages; ++t) put_matrix(vertex, vertex_place::kTexture + 16 * t, texture_matrix[t]);
  put(ir::Stage::Vertex, direct3d9::kStateConstants, std::move(vertex));
}

Status Direct3d9::use_constants() {
  for (const ir::Stage stage : {ir::Stage::Vertex, ir::Stage::Fragment}) {
    StageConstants& constants = constants_of(stage);
    for (uint32_t buffer = 0; buffer < constants.words.size(); ++buffer) {
      if (!std::exchange(constants.is_dirty[buffer], false)) continue;
      if (Status s = context_.set_constants(stage, buffer, std::span<const uint32_t>(constants.words[buffer])); !s) return s;
    }
  }
  return Done{};
}

}  // namespace tessera
