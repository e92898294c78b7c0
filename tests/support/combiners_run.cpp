#include "tests/support/combiners_run.h"

#include <bit>
#include <stdexcept>

#include "combiners/fragment.h"
#include "shader/passes/pipeline.h"
#include "shader/verify.h"
#include "tests/support/shader_run.h"

namespace tessera::tests {
namespace {

using combiners::Color;
using combiners::Fragment;

combiners::Rgba input(ir::Builder& b, ir::Semantic semantic, uint16_t index) {
  combiners::Rgba out;
  for (uint8_t c = 0; c < 4; ++c) out[c] = b.input({semantic, index, c});
  return out;
}

float input_of(const Fragment& f, const ir::Input& in) {
  switch (in.semantic) {
    case ir::Semantic::Color: return (in.index ? f.secondary : f.primary)[in.component];
    case ir::Semantic::Generic: return f.texels[in.index][in.component];
    default: return f.fog_factor;
  }
}

}  // namespace

ir::Program lower_setup(const combiners::FragmentState& state) {
  ir::Builder b(ir::Stage::Fragment);
  combiners::FragmentValues values;
  values.primary = input(b, ir::Semantic::Color, 0);
  values.secondary = input(b, ir::Semantic::Color, 1);
  for (uint16_t u = 0; u < combiners::kTextureUnits; ++u) values.texels[u] = input(b, ir::Semantic::Generic, u);
  values.fog_factor = b.input({ir::Semantic::Fog, 0, 0});
  const combiners::Rgba color = combiners::lower_fragment(b, state, values, 0);
  for (uint32_t c = 0; c < 4; ++c) b.output(ir::Semantic::Color, 0, c, color[c]);
  ir::Program program = b.finish();
  if (const Status status = ir::verify(program); !status) throw std::logic_error("the lowered program: " + status.diags()[0].text);
  ir::optimize(program);
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
  const auto constants = combiners::constant_words(state);
  in.constants = {{constants.begin(), constants.end()}};
  const BlockOutput out = run_block(program, in);
  std::vector<Color> colors(fragments.size());
  for (size_t k = 0; k < program.outputs.size(); ++k)
    for (size_t lane = 0; lane < fragments.size(); ++lane)
      colors[lane][program.outputs[k].component] = std::bit_cast<float>(out.outputs[k][lane]);
  return colors;
}

}  // namespace tessera::tests
