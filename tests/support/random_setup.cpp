#include "tests/support/random_setup.h"

#include "combiners/ati_build.h"
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

// What an instruction does not read stays as it is created.
AtiInstruction ati_instruction(std::mt19937& random, bool is_alpha) {
  AtiInstruction instr;
  instr.op = any<AtiOp>(random);
  instr.target = static_cast<uint8_t>(below(random, kAtiRegisters));
  if (!is_alpha) instr.mask = static_cast<uint8_t>(1 + below(random, 7));
  instr.modifiers = static_cast<uint8_t>((flip(random) ? 1u << below(random, 6) : 0) | (flip(random) ? ati_dst::Saturate : 0u));
  for (size_t k = 0; k < argument_count(instr.op); ++k)
    instr.args[k] = {any<AtiSource>(random), any<AtiReplicate>(random), static_cast<uint8_t>(below(random, 16))};
  return instr;
}

AtiRoute ati_route(std::mt19937& random) {
  return {flip(random) ? AtiRoute::Kind::Pass : AtiRoute::Kind::Sample, any<AtiCoordinate>(random), any<AtiSwizzle>(random)};
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

// What the builder refuses is left out.
AtiFragmentShader random_ati(std::mt19937& random) {
  AtiBuilder builder;
  for (;;) {
    builder = {};
    for (uint32_t pass = 0; pass < 1 + below(random, 2); ++pass) {
      for (uint32_t k = 0; k < 8; ++k) (void)builder.route(below(random, kAtiRegisters), ati_route(random));
      for (uint32_t k = 0; k < 14; ++k)
        (void)(flip(random) ? builder.color(ati_instruction(random, false)) : builder.alpha(ati_instruction(random, true)));
    }
    if (!builder.end()) break;
  }
  AtiFragmentShader shader = builder.shader();
  shader.enabled = true;
  for (Color& c : shader.constants) c = color(random, 0, 8);
  return shader;
}

Fragment random_fragment(std::mt19937& random) {
  Fragment f;
  f.primary = color(random, 0, 10);
  f.secondary = color(random, 0, 10);
  for (Color& texel : f.texels) texel = color(random, -10, 10);
  f.fog_factor = eighth(random, 0, 8);
  for (Color& coord : f.coords) coord = color(random, -16, 16);
  return f;
}

}  // namespace tessera::tests
