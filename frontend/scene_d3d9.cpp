#include "frontend/scene_d3d9.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numbers>

#include "frontend/scene_math.h"
#include "frontend/scene_sections.h"
#include "shader/d3d9/lower.h"

namespace tessera::scene {
namespace {

using d3d9::File;
using direct3d9::RenderState;
using direct3d9::StateInfo;

// ---- lines of sections ---------------------------------------------------------------------------------------------

void parse_value(Line& line, const StateInfo& state, uint32_t& value) {
  const SourceLoc loc = line.loc();
  const std::string_view word = line.word("a value");
  if (line.failed()) return;
  const Result<uint32_t> parsed = direct3d9::parse_value(state, word);
  if (parsed) value = *parsed;
  else line.fail_at(loc, parsed.diags().front().text);
}

// A line `NAME value`; false: there is no such state.
template <class Values>
bool accept_state(Line& line, std::span<const StateInfo> states, Values& values) {
  const std::optional<size_t> found = direct3d9::find_state(states, line.peek());
  if (!found) return false;
  line.accept(line.peek());
  parse_value(line, states[*found], values[*found]);
  return true;
}

// A scene's matrices are for column vectors.
void parse_matrix(Line& line, Matrix3d9& matrix) {
  const SourceLoc loc = line.loc();
  const Result<std::vector<uint32_t>> words = evaluate_values(line.rest(), loc);
  if (!words) return line.fail_at(words.diags().front().loc, words.diags().front().text);
  if (words->size() != 16) return line.fail_at(loc, "expected a matrix");
  for (size_t k = 0; k < 16; ++k) matrix[k % 4 * 4 + k / 4] = std::bit_cast<float>((*words)[k]);
}

template <size_t n>
std::array<float, n> parse_numbers(Line& line, std::string_view what) {
  std::array<float, n> out{};
  for (float& number : out) number = static_cast<float>(line.number(what));
  return out;
}
direct3d9::Color4 parse_color(Line& line) { return parse_numbers<4>(line, "red, green, blue and alpha"); }
direct3d9::Place3 parse_place(Line& line) { return parse_numbers<3>(line, "x, y and z"); }
float parse_float(Line& line, std::string_view what) { return static_cast<float>(line.number(what)); }
float parse_degrees(Line& line) { return static_cast<float>(line.number("an angle") * (std::numbers::pi / 180)); }

// `diffuse 1 0 0 1 power 20`, in any order.
void parse_material(Line& line, direct3d9::Material& material) {
  while (!line.done() && !line.failed()) {
    if (line.accept("diffuse")) material.diffuse = parse_color(line);
    else if (line.accept("ambient")) material.ambient = parse_color(line);
    else if (line.accept("specular")) material.specular = parse_color(line);
    else if (line.accept("emissive")) material.emissive = parse_color(line);
    else if (line.accept("power")) material.power = parse_float(line, "the power");
    else line.fail_expected("diffuse, ambient, specular, emissive or power");
  }
}

// `0 spot position 0 1 0 theta 20`, in any order behind the type.
void parse_light(Line& line, std::array<direct3d9::Light, direct3d9::kMaxLights>& lights) {
  using direct3d9::LightType;
  static constexpr Named<LightType> kTypes[] = {
      {"off", LightType::Off},
      {"point", LightType::Point},
      {"spot", LightType::Spot},
      {"directional", LightType::Directional}};
  const uint32_t number = line.integer("the number of a light", 0, direct3d9::kMaxLights - 1);
  direct3d9::Light light;
  light.type = line.one_of(kTypes);
  while (!line.done() && !line.failed()) {
    if (line.accept("diffuse")) light.diffuse = parse_color(line);
    else if (line.accept("ambient")) light.ambient = parse_color(line);
    else if (line.accept("specular")) light.specular = parse_color(line);
    else if (line.accept("position")) light.position = parse_place(line);
    else if (line.accept("direction")) light.direction = parse_place(line);
    else if (line.accept("attenuation")) light.attenuation = parse_numbers<3>(line, "three factors");
    else if (line.accept("range")) light.range = parse_float(line, "the range");
    else if (line.accept("falloff")) light.falloff = parse_float(line, "the falloff");
    else if (line.accept("theta")) light.theta = parse_degrees(line);
    else if (line.accept("phi")) light.phi = parse_degrees(line);
    else
      line.fail_expected(
          "diffuse, ambient, specular, position, direction, attenuation, range, falloff, theta or phi");
  }
  if (!line.failed()) lights[number] = light;
}

struct ConstantPlace {
  uint32_t buffer, words_a_register;
};
std::optional<ConstantPlace> constant_place(char letter) {
  if (letter == 'c') return ConstantPlace{d3d9::kFloatConstants, 4};
  if (letter == 'i') return ConstantPlace{d3d9::kIntConstants, 4};
  if (letter == 'b') return ConstantPlace{d3d9::kBoolConstants, 1};
  return std::nullopt;
}

File file_of(uint32_t buffer) {
  return buffer == d3d9::kIntConstants    ? File::ConstInt
         : buffer == d3d9::kBoolConstants ? File::ConstBool
                                          : File::Const;
}

}  // namespace

void parse_d3d9_sampler_line(Line& line, direct3d9::SamplerStates& states) {
  if (!accept_state(line, direct3d9::sampler_states(), states.values))
    line.fail(fmt::format("there is no sampler state '{}'", line.peek()));
}

bool parse_d3d9_state_line(Line& line, D3d9State& state) {
  if (accept_state(line, direct3d9::render_states(), state.states.render)) return true;
  if (line.accept("stage")) {
    const uint32_t stage = line.integer("the number of a stage", 0, direct3d9::kStages - 1);
    if (!line.failed() && !accept_state(line, direct3d9::stage_states(), state.states.stages[stage].values))
      line.fail(fmt::format("there is no stage state '{}'", line.peek()));
    return true;
  }
  if (line.accept("material")) {
    parse_material(line, state.material);
    return true;
  }
  if (line.accept("light")) {
    parse_light(line, state.lights);
    return true;
  }
  if (line.accept("texture_matrix")) {
    const uint32_t stage = line.integer("the number of a stage", 0, direct3d9::kStages - 1);
    if (!line.failed()) parse_matrix(line, state.texture_matrix[stage]);
    return true;
  }
  constexpr struct { std::string_view name; Matrix3d9 D3d9State::*matrix; } kMatrices[] = {
      {"world", &D3d9State::world}, {"view", &D3d9State::view}, {"projection", &D3d9State::projection}};
  for (const auto& [name, matrix] : kMatrices) {
    if (!line.accept(name)) continue;
    parse_matrix(line, state.*matrix);
    return true;
  }
  return false;
}

ConstantBlock parse_d3d9_constant_line(Line& line) {
  static constexpr Named<ir::Stage> kStages[] = {
      {"vertex", ir::Stage::Vertex}, {"pixel", ir::Stage::Fragment}, {"fragment", ir::Stage::Fragment}};
  ConstantBlock block;
  block.stage = line.one_of(kStages);
  const SourceLoc loc = line.loc();
  std::string_view place = line.word("a register and a colon, as in c4: or i0:, or the name of a constant");
  if (line.failed()) return block;
  if (!place.ends_with(':')) {
    line.fail_at(loc, fmt::format("expected a register and a colon, as in c4:, found '{}'", place));
    return block;
  }
  place.remove_suffix(1);
  uint32_t reg = 0;
  const std::optional<ConstantPlace> file = place.empty() ? std::nullopt : constant_place(place.front());
  const auto [end, code] = std::from_chars(place.data() + !place.empty(), place.data() + place.size(), reg);
  constexpr uint32_t kRegisters = 8192;
  if (file && code == std::errc{} && end == place.data() + place.size()) {
    block.buffer = file->buffer;
    block.first_word = std::min(reg, kRegisters) * file->words_a_register;
    if (reg >= kRegisters) line.fail_at(loc, fmt::format("registers are below {}", kRegisters));
  } else {
    block.name = place;
  }
  block.words = parse_words(line);
  return block;
}

// ---- commands ------------------------------------------------------------------------------------------------------

Status D3d9Scene::compile(ir::Stage stage, const std::string& name, const ShaderText& text) {
  Result<D3d9ShaderRef> shader = Direct3d9::create_shader(stage, text.text);
  if (shader) {
    shaders_[{stage, name}] = std::move(*shader);
    return Done{};
  }
  std::vector<Diag> diags = shader.diags();
  for (Diag& d : diags) d.loc = d.loc.line == 0 ? text.loc : SourceLoc{d.loc.line + text.loc.line, d.loc.column};
  return diags;
}

Status D3d9Scene::use_target(const TargetImages& images) {
  for (uint32_t i = 0; i < images.color.size(); ++i)
    if (Status s = d3d_.set_color_target(i, {images.color[i]}); !s) return s;
  return d3d_.set_depth_target({images.depth});
}

// Unit n is sampler n of pixel shaders and, below 4, of vertex shaders.
Status D3d9Scene::use_texture(const UseTexture& use, const TextureView& view) {
  const auto section = scene_.samplers.find(use.sampler);
  const direct3d9::SamplerStates states =
      section == scene_.samplers.end() ? direct3d9::SamplerStates{} : section->second.d3d9;
  const auto bind = [&](uint32_t sampler) {
    d3d_.states.samplers[sampler] = states;
    return d3d_.set_texture(sampler, view);
  };
  if (use.unit >= direct3d9::kPixelSamplers)
    return error(fmt::format("Direct3D 9 has samplers 0 to {}", direct3d9::kPixelSamplers - 1));
  if (Status s = bind(use.unit); !s || use.unit >= direct3d9::kVertexSamplers) return s;
  return bind(direct3d9::kPixelSamplers + use.unit);
}

void D3d9Scene::use_state(const State& state, const Target& target) {
  if (!state.d3d9) return;
  d3d_.states.render = state.d3d9->states.render;
  d3d_.states.stages = state.d3d9->states.stages;
  if (state.rasterizer.scissor) d3d_.states.render[static_cast<size_t>(RenderState::ScissorTestEnable)] = 1;
  d3d_.world = state.d3d9->world, d3d_.view = state.d3d9->view, d3d_.projection = state.d3d9->projection;
  for (uint32_t t = 0; t < direct3d9::kStages; ++t) {
    const auto matrix = state.d3d9->texture_matrix.find(t);
    d3d_.texture_matrix[t] = matrix == state.d3d9->texture_matrix.end() ? kIdentity3d9 : matrix->second;
  }
  d3d_.material = state.d3d9->material;
  d3d_.lights = state.d3d9->lights;
  d3d_.clip_planes = state.clip_planes;
  const View& view = state.views[0];
  d3d_.set_scissor(view.scissor);
  const std::array<float, 4> whole = {0, 0, static_cast<float>(target.width), static_cast<float>(target.height)};
  const std::array<float, 4> v = view.viewport.value_or(whole);
  d3d_.set_viewport(v[0], v[1], v[2], v[3], view.depth_near, view.depth_far);
}

Status D3d9Scene::set_constants(const SetConstants& set) {
  for (const ConstantBlock& block : set.blocks) {
    const File file = file_of(block.buffer);
    const uint32_t words_a_register = file == File::ConstBool ? 1 : 4;
    const Status s = block.name.empty()
                         ? d3d_.set_constants(block.stage, file, block.first_word / words_a_register, block.words)
                         : d3d_.set_constants(block.stage, block.name, block.words);
    if (!s) return s;
  }
  return Done{};
}

// An attribute that has only a number feeds the input with that number.
Status D3d9Scene::draw(const GeometryBuffers& geometry, const raster::DrawInfo& info) {
  std::vector<DeclaredElement> declaration;
  for (uint32_t i = 0; i < geometry.elements.size(); ++i) {
    std::optional<VertexUsage> usage = geometry.usages[i];
    if (!usage) usage = d3d_.usage_of_input(i);
    if (usage) declaration.push_back({*usage, geometry.elements[i]});
  }
  d3d_.set_declaration(std::move(declaration));
  return d3d_.draw(info);
}

}  // namespace tessera::scene
