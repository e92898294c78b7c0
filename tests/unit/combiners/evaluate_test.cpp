// Hand-worked setups of the extension's examples, through the calls and the evaluator.
#include <catch2/catch.hpp>

#include "combiners/evaluate.h"
#include "tests/unit/combiners/current.h"

using namespace tessera::combiners;
using tessera::tests::Current;

namespace {

void rgb_input(uint32_t stage, GLenum variable, GLenum source, GLenum mapping) {
  tsrCombinerInputNV(GL_COMBINER0_NV + stage, GL_RGB, variable, source, mapping, GL_RGB);
}

// Shows a register's colour and nothing else.
void show(GLenum source) {
  for (GLenum v = GL_VARIABLE_A_NV; v <= GL_VARIABLE_F_NV; ++v) tsrFinalCombinerInputNV(v, GL_ZERO, GL_UNSIGNED_IDENTITY_NV, GL_RGB);
  tsrFinalCombinerInputNV(GL_VARIABLE_D_NV, source, GL_UNSIGNED_IDENTITY_NV, GL_RGB);
}

Color rgba(float r, float g, float b, float a) { return {r, g, b, a}; }

void check_close(const Color& got, const Color& want) {
  for (size_t c = 0; c < 4; ++c) {
    CAPTURE(c);
    CHECK(got[c] == Approx(want[c]).margin(1e-6));
  }
}

}  // namespace

TEST_CASE("without any setting the combiners pass the primary colour plus the secondary", "[combiners]") {
  Current current;
  tsrEnable(GL_REGISTER_COMBINERS_NV);
  check_close(evaluate(current.state(), {{0.5f, 0.25f, 0, 0.75f}, {0.25f, 0.25f, 1, 0}}), rgba(0.75f, 0.5f, 1, 0.75f));
}

TEST_CASE("diffuse bump mapping lights by N.L and cuts negative light", "[combiners]") {
  Current current;
  FragmentState& state = current.state();
  tsrEnable(GL_REGISTER_COMBINERS_NV);
  state.units[0].enabled = state.units[1].enabled = true;
  tsrCombinerParameteriNV(GL_NUM_GENERAL_COMBINERS_NV, 2);
  rgb_input(0, GL_VARIABLE_A_NV, GL_TEXTURE0, GL_EXPAND_NORMAL_NV);
  rgb_input(0, GL_VARIABLE_B_NV, GL_PRIMARY_COLOR_NV, GL_EXPAND_NORMAL_NV);
  tsrCombinerOutputNV(GL_COMBINER0_NV, GL_RGB, GL_SPARE0_NV, GL_DISCARD_NV, GL_DISCARD_NV, GL_NONE, GL_NONE, GL_TRUE, GL_FALSE, GL_FALSE);
  rgb_input(1, GL_VARIABLE_A_NV, GL_SPARE0_NV, GL_UNSIGNED_IDENTITY_NV);
  rgb_input(1, GL_VARIABLE_B_NV, GL_TEXTURE1, GL_UNSIGNED_IDENTITY_NV);
  tsrCombinerOutputNV(GL_COMBINER1_NV, GL_RGB, GL_SPARE0_NV, GL_DISCARD_NV, GL_DISCARD_NV, GL_NONE, GL_NONE, GL_FALSE, GL_FALSE, GL_FALSE);
  show(GL_SPARE0_NV);
  REQUIRE(tsrGetError() == GL_NO_ERROR);
  Fragment f{{0.75f, 0.5f, 1, 1}, {}, {}, 1};
  f.texels[0] = {0.75f, 0.5f, 0.75f, 1};
  f.texels[1] = {0.4f, 0.8f, 1, 1};
  check_close(evaluate(state, f), rgba(0.3f, 0.6f, 0.75f, 1));
  f.primary = {0, 0.5f, 0.5f, 1};
  check_close(evaluate(state, f), rgba(0, 0, 0, 1));
}

TEST_CASE("bias comes before scale, and negative results are kept", "[combiners]") {
  Current current;
  tsrEnable(GL_REGISTER_COMBINERS_NV);
  tsrCombinerOutputNV(GL_COMBINER0_NV, GL_RGB, GL_DISCARD_NV, GL_DISCARD_NV, GL_SPARE0_NV, GL_SCALE_BY_TWO_NV,
                      GL_BIAS_BY_NEGATIVE_ONE_HALF_NV, GL_FALSE, GL_FALSE, GL_FALSE);
  tsrCombinerParameteriNV(GL_NUM_GENERAL_COMBINERS_NV, 2);
  rgb_input(1, GL_VARIABLE_A_NV, GL_SPARE0_NV, GL_SIGNED_NEGATE_NV);
  show(GL_SPARE0_NV);
  check_close(evaluate(current.state(), {{0.25f, 0.375f, 1, 0}}), rgba(0.5f, 0.25f, 0, 0));
}

TEST_CASE("the mux takes CD where spare0's alpha is exactly one half", "[combiners]") {
  Current current;
  tsrEnable(GL_REGISTER_COMBINERS_NV);
  current.state().units[0].enabled = true;
  rgb_input(0, GL_VARIABLE_C_NV, GL_SECONDARY_COLOR_NV, GL_UNSIGNED_IDENTITY_NV);
  rgb_input(0, GL_VARIABLE_D_NV, GL_ZERO, GL_UNSIGNED_INVERT_NV);
  tsrCombinerOutputNV(GL_COMBINER0_NV, GL_RGB, GL_DISCARD_NV, GL_DISCARD_NV, GL_SPARE0_NV, GL_NONE, GL_NONE, GL_FALSE, GL_FALSE, GL_TRUE);
  show(GL_SPARE0_NV);
  Fragment f{{1, 0, 0, 0}, {0, 1, 0, 0}, {}, 1};
  f.texels[0] = {0, 0, 0, 0.5f};
  check_close(evaluate(current.state(), f), rgba(0, 1, 0, 0));
  f.texels[0][3] = 0.49999997f;
  check_close(evaluate(current.state(), f), rgba(1, 0, 0, 0));
}

TEST_CASE("the colour sum is clamped where the state says so", "[combiners]") {
  Current current;
  tsrEnable(GL_REGISTER_COMBINERS_NV);
  show(GL_ZERO);
  const GLfloat half[4] = {0.5f, 0.5f, 0.5f, 0.5f};
  tsrCombinerParameterfvNV(GL_CONSTANT_COLOR0_NV, half);
  tsrFinalCombinerInputNV(GL_VARIABLE_A_NV, GL_CONSTANT_COLOR0_NV, GL_UNSIGNED_IDENTITY_NV, GL_RGB);
  tsrFinalCombinerInputNV(GL_VARIABLE_B_NV, GL_SPARE0_PLUS_SECONDARY_COLOR_NV, GL_UNSIGNED_IDENTITY_NV, GL_RGB);
  const Fragment f{{0.75f, 0.75f, 0.75f, 0}, {0.75f, 0.75f, 0.75f, 0}};
  check_close(evaluate(current.state(), f), rgba(0.5f, 0.5f, 0.5f, 0));
  tsrCombinerParameteriNV(GL_COLOR_SUM_CLAMP_NV, 0);
  check_close(evaluate(current.state(), f), rgba(0.75f, 0.75f, 0.75f, 0));
}

TEST_CASE("colour sum and fog follow the last texture environment", "[combiners]") {
  Current current;
  tsrEnable(GL_COLOR_SUM);
  tsrEnable(GL_FOG);
  current.state().fog.color = {1, 0, 0};
  Fragment f{{0.5f, 0.5f, 0.5f, 0.5f}, {0.75f, 0.25f, 0, 0}};
  f.fog_factor = 0.5f;
  check_close(evaluate(current.state(), f), rgba(1, 0.375f, 0.25f, 0.5f));
}
