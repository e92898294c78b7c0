#include <catch2/catch.hpp>

#include "combiners/constants.h"
#include "combiners/print.h"
#include "tests/support/combiners_run.h"
#include "tests/support/random.h"
#include "tests/support/random_setup.h"

using namespace tessera::combiners;
using namespace tessera::tests;

TEST_CASE("a lowered setup gives what the evaluator gives", "[combiners]") {
  CAPTURE(seed());
  std::mt19937 random(seed());
  for (uint32_t i = 0; i < rounds(300); ++i) {
    const FragmentState state = random_setup(random);
    std::vector<Fragment> fragments;
    for (size_t k = 0; k < 64; ++k) fragments.push_back(random_fragment(random));
    const std::vector<Color> lowered = run_lowered(state, fragments);
    for (size_t k = 0; k < fragments.size(); ++k) {
      INFO("round " << i << ", fragment " << k << "\n" << print(state));
      REQUIRE(lowered[k] == evaluate(state, fragments[k]));
    }
  }
}

TEST_CASE("a lowered setup has no fused operation", "[combiners]") {
  CAPTURE(seed());
  std::mt19937 random(seed());
  for (uint32_t i = 0; i < rounds(50); ++i)
    for (const tessera::ir::Instr& instr : lower_setup(random_setup(random)).code) {
      const bool is_fused = instr.op == tessera::ir::Op::FFma || instr.op == tessera::ir::Op::FFms || instr.op == tessera::ir::Op::FFnma;
      REQUIRE_FALSE(is_fused);
    }
}

TEST_CASE("a new colour needs no new code", "[combiners]") {
  std::mt19937 random(seed());
  FragmentState state = random_setup(random);
  state.combiners.enabled = true;
  const auto before = lower_setup(state);
  const auto words = constant_words(state);
  state.combiners.constants[0] = {0.125f, 0.25f, 0.375f, 0.5f};
  state.combiners.stages[7].constants[1] = {0.625f, 0.75f, 0.875f, 1};
  const auto after = lower_setup(state);
  CHECK(before.code.size() == after.code.size());
  CHECK(before.args == after.args);
  CHECK(words != constant_words(state));
}

TEST_CASE("COMBINE passes a colour on where it uses the texture of a disabled unit", "[combiners]") {
  FragmentState state;
  state.units[0].enabled = true;
  TextureEnvironment& env = state.units[0].environment;
  env.mode = EnvMode::Combine;
  env.rgb.function = EnvFunction::Replace;
  env.rgb.args[1].source = EnvSource::Texture3;           // not used
  Fragment f;
  f.primary = {0.5f, 0.5f, 0.5f, 0.5f};
  f.texels[0] = {0.25f, 0.75f, 1, 1};
  CHECK(evaluate(state, f) == Color{0.25f, 0.75f, 1, 0.5f});
  CHECK(run_lowered(state, {&f, 1})[0] == Color{0.25f, 0.75f, 1, 0.5f});
  env.alpha.args[0].source = EnvSource::Texture3;         // used by alpha: the whole unit is off
  CHECK(evaluate(state, f) == f.primary);
  CHECK(run_lowered(state, {&f, 1})[0] == f.primary);
  env.mode = EnvMode::Combine4;                           // there it reads as 1: ADD is a0 a1 + a2 a3
  env.alpha.function = EnvFunction::Add;
  env.alpha.args[2].source = EnvSource::Zero;
  CHECK(run_lowered(state, {&f, 1})[0][3] == 0.5f);
}
