#include "frontend/direct3d9.h"

#include <fmt/format.h>

#include <algorithm>

#include "shader/d3d9/load.h"
#include "shader/d3d9/validate.h"

namespace tessera {
namespace {

using d3d9::File;
using direct3d9::RenderState;
using direct3d9::StageState;

constexpr uint32_t kMaxRegisters = 8192;

// The constant buffer and the words of a register.
struct ConstantFile { uint32_t buffer, words; };
std::optional<ConstantFile> constant_file(File file) {
  if (file == File::Const) return ConstantFile{d3d9::kFloatConstants, 4};
  if (file == File::ConstInt) return ConstantFile{d3d9::kIntConstants, 4};
  if (file == File::ConstBool) return ConstantFile{d3d9::kBoolConstants, 1};
  return std::nullopt;
}

std::optional<d3d9::SamplerType> sampler_type(ResourceKind kind) {
  if (kind == ResourceKind::Tex2D) return d3d9::SamplerType::TwoD;
  if (kind == ResourceKind::Cube) return d3d9::SamplerType::Cube;
  if (kind == ResourceKind::Tex3D) return d3d9::SamplerType::Volume;
  return std::nullopt;
}

}  // namespace

Direct3d9::Direct3d9(Device& device) : device_(device), context_(device.context()) {
  texture_matrix.fill(kIdentity3d9);
}

Result<D3d9ShaderRef> Direct3d9::create_shader(ir::Stage stage, std::string_view content) {
  Result<d3d9::Program> program = d3d9::load(content);
  if (!program) return program.diags();
  if (std::vector<Diag> broken = d3d9::validate(*program, {.software_vertices = true}); !broken.empty()) return broken;
  const d3d9::VersionInfo& version = d3d9::version_info(program->version);
  if (version.stage != stage)
    return error_at({1, 1}, fmt::format("expected a {} shader, found {}",
                                        stage == ir::Stage::Vertex ? "vertex" : "pixel", version.name));
  return std::make_shared<const d3d9::Program>(std::move(*program));
}

// ---- what is set ---------------------------------------------------------------------------------------------------

Status Direct3d9::set_color_target(uint32_t index, const Attachment& attachment) {
  if (Status s = context_.set_color_target(index, attachment); !s) return s;
  color_[index] = attachment;
  return Done{};
}

Status Direct3d9::set_depth_target(const Attachment& attachment) {
  if (Status s = context_.set_depth_target(attachment); !s) return s;
  depth_ = attachment;
  return Done{};
}

void Direct3d9::set_viewport(float x, float y, float width, float height, float near_depth, float far_depth) {
  viewport_ = ViewportRect{x, y, width, height, near_depth, far_depth};
}

Status Direct3d9::set_shader(const D3d9ShaderRef& shader) {
  if (!shader) return error("shader: null");
  (d3d9::version_info(shader->version).is_vertex() ? vertex_ : pixel_) = shader;
  return Done{};
}

void Direct3d9::unset_shader(ir::Stage stage) { (stage == ir::Stage::Vertex ? vertex_ : pixel_) = nullptr; }

std::optional<VertexUsage> Direct3d9::usage_of_input(uint32_t number) const {
  if (!vertex_) return std::nullopt;
  for (const d3d9::Declaration& d : vertex_->declarations)
    if (d.dst.reg.is(File::Input, number)) return VertexUsage{d.usage, d.usage_index};
  return std::nullopt;
}

Status Direct3d9::set_constants(ir::Stage stage, File file, uint32_t first, std::span<const uint32_t> words) {
  const std::optional<ConstantFile> target = constant_file(file);
  if (!target) return error("file: expected float, integer or boolean constants");
  if (words.size() > size_t{kMaxRegisters} * target->words || first > kMaxRegisters - words.size() / target->words)
    return error(fmt::format("first: constants end at register {}", kMaxRegisters));
  StageConstants& constants = constants_of(stage);
  std::vector<uint32_t>& own = constants.words[target->buffer];
  const size_t begin = size_t{first} * target->words;
  own.resize(std::max(own.size(), begin + words.size()));
  std::ranges::copy(words, own.begin() + static_cast<std::ptrdiff_t>(begin));
  constants.is_dirty[target->buffer] = true;
  return Done{};
}

Status Direct3d9::set_constants(ir::Stage stage, std::string_view name, std::span<const uint32_t> words) {
  const D3d9ShaderRef& shader = stage == ir::Stage::Vertex ? vertex_ : pixel_;
  if (!shader) return error("name: there is no shader to look it up in");
  for (const d3d9::NamedConstant& c : shader->constants) {
    const std::optional<ConstantFile> file = constant_file(c.file);
    if (c.name != name || !file) continue;
    if (words.size() > size_t{c.count} * file->words)
      return error(fmt::format("{}: it has {} registers, found {} words", name, c.count, words.size()));
    return set_constants(stage, c.file, c.first, words);
  }
  return error(fmt::format("the shader's constant table has no '{}'", name));
}

Status Direct3d9::set_texture(uint32_t sampler, const TextureView& view, uint32_t lowest_level) {
  if (sampler >= direct3d9::kSamplers)
    return error(fmt::format("sampler: expected less than {}, found {}", direct3d9::kSamplers, sampler));
  if (view.resource && !sampler_type(view.kind.value_or(view.resource->desc().kind)))
    return error(fmt::format("sampler {}: Direct3D 9 samples 2D, cube and volume textures", sampler));
  textures_[sampler] = {view, lowest_level};
  return Done{};
}

// ---- what a draw runs ----------------------------------------------------------------------------------------------

bool Direct3d9::is_transformed() const {
  return !vertex_ && std::ranges::any_of(declaration_, [](const DeclaredElement& e) {
    return e.usage == VertexUsage{d3d9::Usage::PositionT, 0};
  });
}

Status Direct3d9::check_states() const {
  const auto all = [](auto infos, const auto& values, std::string_view of) -> Status {
    for (size_t k = 0; k < infos.size(); ++k)
      if (Status s = direct3d9::check_value(infos[k], values[k]); !s)
        return error(fmt::format("{}{}", of, s.diags().front().text));
    return Done{};
  };
  if (Status s = all(direct3d9::render_states(), states.render, ""); !s) return s;
  for (uint32_t n = 0; n < direct3d9::kSamplers; ++n)
    if (Status s = all(direct3d9::sampler_states(), states.samplers[n].values, fmt::format("sampler {}: ", n)); !s)
      return s;
  for (uint32_t n = 0; n < direct3d9::kStages; ++n)
    if (Status s = all(direct3d9::stage_states(), states.stages[n].values, fmt::format("stage {}: ", n)); !s) return s;
  return Done{};
}

// PROJECTED names the last of the coordinates that count, or q.
uint8_t Direct3d9::divided_by(uint32_t stage) const {
  constexpr uint32_t kProjected = 0x100;
  const uint32_t flags = states.stages[stage][StageState::TextureTransformFlags], count = flags & 0xff;
  if (!(flags & kProjected)) return 0;
  return static_cast<uint8_t>(count == 2 || count == 3 ? count - 1 : 3);
}

d3d9::LowerOptions Direct3d9::lower_options(uint32_t first_sampler, uint32_t count) const {
  d3d9::LowerOptions options;
  options.zero_wins = device_.options().d3d9_zero_wins;
  for (uint32_t s = 0; s < count; ++s)
    if (const TextureView& bound = textures_[first_sampler + s].view; bound.resource)
      options.bound[s] = sampler_type(bound.kind.value_or(bound.resource->desc().kind));
  return options;
}

Result<direct3d9::DrawPrograms> Direct3d9::draw_programs(raster::Primitive primitive) const {
  direct3d9::DrawPrograms programs;
  const bool draws_points = primitive == raster::Primitive::Points;
  programs.vertex = vertex_;
  programs.pixel = pixel_;
  programs.vertex_options = lower_options(direct3d9::kPixelSamplers, direct3d9::kVertexSamplers);
  programs.pixel_options = lower_options(0, direct3d9::kPixelSamplers);
  if (pixel_ && d3d9::version_info(pixel_->version).model == 1)
    for (uint32_t s = 0; s < programs.pixel_options.divided_by.size(); ++s)
      programs.pixel_options.divided_by[s] = divided_by(s);
  if (!vertex_)
    if (Status s = describe_fixed_vertex(draws_points, programs.fixed_vertex); !s) return s.diags();
  programs.limits_points = vertex_ && draws_points;
  if (!pixel_) programs.fixed_pixel = describe_fixed_pixel(programs.pixel_options);
  programs.ending = ending();
  return programs;
}

Status Direct3d9::describe_fixed_vertex(bool draws_points, direct3d9::FixedVertex& out) const {
  for (const DeclaredElement& e : declaration_) {
    const FormatInfo& format = format_info(e.element.format);
    const auto components =
        std::ranges::count_if(format.field, [](const FormatField& f) { return f.kind != FieldKind::None; });
    out.attributes.push_back({e.usage.usage, e.usage.index, static_cast<uint8_t>(components)});
  }
  out.is_transformed = is_transformed();
  out.passes_all = out.is_transformed && pixel_ && d3d9::version_info(pixel_->version).model == 3;
  if (!out.is_transformed && states[RenderState::Lighting]) out.lighting = describe_lighting();
  out.normalizes = states[RenderState::NormalizeNormals] != 0;
  out.scales_points = draws_points && !out.is_transformed && states[RenderState::PointScaleEnable];
  const bool have_sizes = std::ranges::any_of(
      declaration_, [](const DeclaredElement& e) { return e.usage == VertexUsage{d3d9::Usage::PSize, 0}; });
  out.has_point_size = draws_points && (out.scales_points || have_sizes);
  for (uint32_t t = 0; t < direct3d9::kStages; ++t) {
    const direct3d9::StageStates& stage = states.stages[t];
    using Generated = direct3d9::FixedVertex::Generated;
    const uint32_t word = stage[StageState::TexCoordIndex], set = word & 0xffff, generated = word >> 16;
    if (set > 15 || generated > static_cast<uint32_t>(Generated::SphereMap))
      return error(fmt::format("stage {}: texcoordindex: 0x{:x} names no coordinates", t, word));
    out.coordinate[t] = static_cast<uint8_t>(set);
    if (!out.is_transformed) out.generated[t] = static_cast<Generated>(generated);
    const uint32_t count = std::min(stage[StageState::TextureTransformFlags] & 0xff, 4u);
    if (!out.is_transformed) out.transformed[t] = static_cast<uint8_t>(count);
  }
  out.has_fog = states[RenderState::FogEnable] && states[RenderState::FogTableMode] == 0;
  if (!out.has_fog) return Done{};
  out.fog = static_cast<direct3d9::FogFormula>(states[RenderState::FogVertexMode]);
  out.fog_by_range = states[RenderState::RangeFogEnable] != 0;
  return Done{};
}

direct3d9::FixedPixel Direct3d9::describe_fixed_pixel(const d3d9::LowerOptions& options) const {
  direct3d9::FixedPixel out;
  constexpr uint32_t kDisable = 1;
  for (uint32_t n = 0; n < direct3d9::kStages; ++n) {
    const direct3d9::StageStates& s = states.stages[n];
    if (s[StageState::ColorOp] == kDisable) break;
    direct3d9::FixedStage stage;
    stage.color = {s[StageState::ColorOp],
                   {s[StageState::ColorArg0], s[StageState::ColorArg1], s[StageState::ColorArg2]}};
    stage.alpha = {s[StageState::AlphaOp],
                   {s[StageState::AlphaArg0], s[StageState::AlphaArg1], s[StageState::AlphaArg2]}};
    stage.texture = options.bound[n];
    stage.divided_by = divided_by(n);
    out.stages.push_back(stage);
  }
  out.adds_specular = states[RenderState::SpecularEnable] != 0;
  return out;
}

// Table fog sees the depth, or the distance from the eye where the projection is a perspective.
direct3d9::Ending Direct3d9::ending() const {
  using direct3d9::Ending;
  Ending out;
  out.tests_alpha = states[RenderState::AlphaTestEnable] != 0;
  if (out.tests_alpha)
    out.alpha_func = static_cast<texture::Compare>(std::clamp(states[RenderState::AlphaFunc], 1u, 8u) - 1);
  if (!states[RenderState::FogEnable]) return out;
  out.formula = static_cast<direct3d9::FogFormula>(states[RenderState::FogTableMode]);
  const bool is_affine = projection[3] == 0 && projection[7] == 0 && projection[11] == 0 && projection[15] == 1;
  if (out.formula == direct3d9::FogFormula::None) out.fog = Ending::FogFrom::Vertices;
  else out.fog = is_affine || is_transformed() ? Ending::FogFrom::Depth : Ending::FogFrom::EyeDistance;
  return out;
}

Status Direct3d9::use_programs(const direct3d9::DrawPrograms& key) {
  auto& bucket = made_[{key.vertex.get(), key.pixel.get()}];
  auto found = std::ranges::find_if(bucket, [&](const auto& made) { return made->key == key; });
  if (found == bucket.end()) {
    Result<direct3d9::LinkedPrograms> linked = direct3d9::link(key);
    if (!linked) return linked.diags();
    Result<ShaderRef> vertex = device_.create_shader(std::move(linked->vertex));
    if (!vertex) return vertex.diags();
    Result<ShaderRef> fragment = device_.create_shader(std::move(linked->fragment));
    if (!fragment) return fragment.diags();
    bucket.push_back(std::make_unique<Made>(Made{key, std::move(*vertex), std::move(*fragment)}));
    found = std::prev(bucket.end());
  }
  if (Status s = context_.set_shader((*found)->vertex); !s) return s;
  return context_.set_shader((*found)->fragment);
}

Status Direct3d9::draw(const raster::DrawInfo& info) {
  if (Status s = check_states(); !s) return s;
  const Result<direct3d9::DrawPrograms> programs = draw_programs(info.primitive);
  if (!programs) return programs.diags();
  if (Status s = use_programs(*programs); !s) return s;
  if (Status s = use_targets(); !s) return s;
  if (Status s = use_vertices(); !s) return s;
  if (Status s = use_textures(); !s) return s;
  use_states();
  fill_state_constants(info.primitive == raster::Primitive::Points);
  if (Status s = use_constants(); !s) return s;
  return context_.draw(info);
}

}  // namespace tessera
