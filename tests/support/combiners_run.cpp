#include "tests/support/combiners_run.h"

#include <bit>
#include <stdexcept>

#include "combiners/constants.h"
#include "combiners/key.h"
#include "combiners/program.h"
#include "shader/verify.h"
#include "tests/support/shader_run.h"

namespace tessera::tests {
namespace {

using combiners::Color;
using combiners::Fragment;

float input_of(const Fragment& f, const ir::Input& in) {
  switch (in.semantic) {
    case ir::Semantic::Color: return (in.index ? f.secondary : f.primary)[in.component];
    case ir::Semantic::TexCoord: return f.coords[in.index][in.component];
    default: return f.fog_factor;
  }
}

// What Bindings::textures points to.
struct Unit {
  uint32_t number = 0;
  std::span<const Fragment> fragments;
};

void sample(const void* texture, const SampleArgs& args) {
  const Unit& unit = *static_cast<const Unit*>(texture);
  for (size_t lane = 0; lane < unit.fragments.size(); ++lane) {
    const Fragment& f = unit.fragments[lane];
    std::array<float, 3> at{};
    for (size_t c = 0; c < 3; ++c)
      if (args.coord[c]) at[c] = std::bit_cast<float>(args.coord[c][lane]);
    const Color texel = f.sample ? f.sample(unit.number, at) : f.texels[unit.number];
    for (size_t c = 0; c < 4; ++c) args.out[c][lane] = std::bit_cast<uint32_t>(texel[c]);
  }
}

}  // namespace

ir::Program lower_setup(const combiners::FragmentState& state) {
  combiners::FragmentState with_factor = combiners::code_key(state);
  if (with_factor.fog.enabled) {
    with_factor.fog.mode = combiners::FogMode::Factor;
    with_factor.fog.source = combiners::FogSource::Coordinate;
  }
  combiners::VertexOutputs vertex{.primary = true, .secondary = true, .fog = true};
  for (auto& coord : vertex.coords) coord = {ir::Semantic::TexCoord, 15};
  ir::Program program = combiners::fragment_program(with_factor, vertex);
  if (const Status status = ir::verify(program); !status) throw std::logic_error("the lowered program: " + status.diags()[0].text);
  return program;
}

std::vector<Color> run_lowered(const combiners::FragmentState& state, std::span<const Fragment> fragments) {
  const ir::Program program = lower_setup(state);
  BlockInput in;
  for (const ir::Input& input : program.inputs) {
    BlockWords& words = in.inputs.emplace_back();
    words.fill(0);
    for (size_t lane = 0; lane < fragments.size(); ++lane) words[lane] = std::bit_cast<uint32_t>(input_of(fragments[lane], input));
  }
  in.constants.resize(combiners::kConstantBuffer + 1);
  const auto constants = combiners::constant_words(state);
  in.constants[combiners::kConstantBuffer] = {constants.begin(), constants.end()};
  std::vector<Unit> units;
  for (const ir::TextureBinding& binding : program.texture_bindings) units.push_back({binding.view, fragments});
  std::vector<const void*> textures;
  for (const Unit& unit : units) textures.push_back(&unit);
  in.bindings.textures = textures;
  in.bindings.services.sample = sample;
  const BlockOutput out = run_block(program, in);
  std::vector<Color> colors(fragments.size());
  for (size_t k = 0; k < program.outputs.size(); ++k)
    for (size_t lane = 0; lane < fragments.size(); ++lane)
      colors[lane][program.outputs[k].component] = std::bit_cast<float>(out.outputs[k][lane]);
  return colors;
}

}  // namespace tessera::tests
