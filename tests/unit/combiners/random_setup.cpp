#include "tests/unit/combiners/random_setup.h"

#include "combiners/rules.h"

namespace tessera::tests {
namespace {

using namespace combiners;

uint32_t below(std::mt19937& random, uint32_t count) { return random() % count; }
bool flip(std::mt19937& random) { return below(random, 2) != 0; }

template <class E>
E any(std::mt19937& random) { return kTokens<E>[below(random, static_cast<uint32_t>(kTokens<E>.size()))].value; }

// Multiples of 1/8: exact halves for the mux, zeros and ones are frequent.
float eighth(std::mt19937& random, int low, int high) {
  return static_cast<float>(low + static_cast<int>(below(random, static_cast<uint32_t>(high - low + 1)))) / 8;
}
float between(std::mt19937& random, int low, int high) {
  return (static_cast<float>(low) + static_cast<float>(high - low) * static_cast<float>(below(random, 4096)) / 4096) / 8;
}

Color color(std::mt19937& random, int low, int high) {
  Color c;
  for (float& part : c) part = flip(random) ? eighth(random, low, high) : between(random, low, high);
  return c;
}

Input input(std::mt19937& random) { return {any<Register>(random), any<Mapping>(random), any<Usage>(random)}; }

Input general_input(std::mt19937& random, Portion portion) {
  Input in = input(random);
  while (check_general_input(portion, in)) in = input(random);
  return in;
}

Input final_input(std::mt19937& random, Variable variable) {
  Input in = input(random);
  while (check_final_input(variable, in)) in = input(random);
  return in;
}

GeneralOutput output(std::mt19937& random) {
  return {any<Register>(random), any<Register>(random), any<Register>(random), any<Scale>(random), any<Bias>(random),
          flip(random), flip(random), flip(random)};
}

GeneralOutput general_output(std::mt19937& random, Portion portion) {
  GeneralOutput out = output(random);
  while (check_general_output(portion, out)) out = output(random);
  return out;
}

EnvCombine combine(std::mt19937& random, Portion portion) {
  EnvCombine c;
  do {
    c.function = any<EnvFunction>(random);
    for (EnvArgument& arg : c.args) arg = {any<EnvSource>(random), any<EnvOperand>(random)};
    c.scale = 1u << below(random, 3);
  } while (check_combine(portion, c));
  return c;
}

}  // namespace

FragmentState random_setup(std::mt19937& random) {
  FragmentState s;
  s.combiners.enabled = flip(random);
  s.combiners.per_stage_constants = flip(random);
  s.combiners.color_sum_clamp = flip(random);
  s.combiners.stage_count = 1 + below(random, kMaxStages);
  for (Color& c : s.combiners.constants) c = color(random, 0, 8);
  for (GeneralStage& stage : s.combiners.stages) {
    for (Color& c : stage.constants) c = color(random, 0, 8);
    for (const Portion p : {Portion::Rgb, Portion::Alpha}) {
      for (Input& in : stage.portion(p).in) in = general_input(random, p);
      stage.portion(p).out = general_output(random, p);
    }
  }
  for (size_t v = 0; v < 7; ++v) s.combiners.final_combiner.in[v] = final_input(random, kTokens<Variable>[v].value);
  for (TextureUnit& unit : s.units) {
    unit.enabled = flip(random);
    unit.format = kFormats[below(random, static_cast<uint32_t>(std::size(kFormats)))].format;
    unit.environment.mode = any<EnvMode>(random);
    unit.environment.color = color(random, 0, 8);
    unit.environment.rgb = combine(random, Portion::Rgb);
    unit.environment.alpha = combine(random, Portion::Alpha);
  }
  s.color_sum = flip(random);
  s.fog.enabled = flip(random);
  const Color fog = color(random, 0, 8);
  s.fog.color = {fog[0], fog[1], fog[2]};
  return s;
}

Fragment random_fragment(std::mt19937& random) {
  Fragment f;
  f.primary = color(random, 0, 10);
  f.secondary = color(random, 0, 10);
  for (Color& texel : f.texels) texel = color(random, -10, 10);
  f.fog_factor = eighth(random, 0, 8);
  return f;
}

}  // namespace tessera::tests
