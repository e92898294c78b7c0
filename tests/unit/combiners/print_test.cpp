#include <catch2/catch.hpp>

#include "combiners/print.h"
#include "tests/unit/combiners/current.h"

using namespace tessera::combiners;
using tessera::tests::Current;

TEST_CASE("combiners print as equations without ones and zeros", "[combiners]") {
  Current current;
  tsrEnable(GL_REGISTER_COMBINERS_NV);
  tsrCombinerInputNV(GL_COMBINER0_NV, GL_RGB, GL_VARIABLE_A_NV, GL_TEXTURE0, GL_EXPAND_NORMAL_NV, GL_RGB);
  tsrCombinerInputNV(GL_COMBINER0_NV, GL_RGB, GL_VARIABLE_B_NV, GL_PRIMARY_COLOR_NV, GL_SIGNED_IDENTITY_NV, GL_RGB);
  tsrCombinerInputNV(GL_COMBINER0_NV, GL_RGB, GL_VARIABLE_C_NV, GL_CONSTANT_COLOR0_NV, GL_SIGNED_NEGATE_NV, GL_ALPHA);
  tsrCombinerInputNV(GL_COMBINER0_NV, GL_RGB, GL_VARIABLE_D_NV, GL_ZERO, GL_UNSIGNED_INVERT_NV, GL_RGB);
  tsrCombinerOutputNV(GL_COMBINER0_NV, GL_RGB, GL_SPARE0_NV, GL_DISCARD_NV, GL_SPARE1_NV, GL_SCALE_BY_TWO_NV,
                      GL_BIAS_BY_NEGATIVE_ONE_HALF_NV, GL_TRUE, GL_FALSE, GL_TRUE);
  for (GLenum v = GL_VARIABLE_A_NV; v <= GL_VARIABLE_C_NV; ++v) tsrFinalCombinerInputNV(v, GL_ZERO, GL_UNSIGNED_IDENTITY_NV, GL_RGB);
  tsrFinalCombinerInputNV(GL_VARIABLE_D_NV, GL_E_TIMES_F_NV, GL_UNSIGNED_INVERT_NV, GL_RGB);
  tsrFinalCombinerInputNV(GL_VARIABLE_E_NV, GL_SPARE0_NV, GL_UNSIGNED_IDENTITY_NV, GL_RGB);
  tsrFinalCombinerInputNV(GL_VARIABLE_F_NV, GL_ZERO, GL_UNSIGNED_INVERT_NV, GL_RGB);
  REQUIRE(tsrGetError() == GL_NO_ERROR);
  CHECK(print(current.state()) ==
        "register combiners; results of stages are clamped to [-1, 1]\n"
        "stage 0\n"
        "  spare0.rgb = (dot((2 * max(0, texture0.rgb) - 1), primary.rgb) - 0.5) * 2\n"
        "  spare1.rgb = ((spare0.alpha >= 0.5 ? (-const0.alpha) : dot((2 * max(0, texture0.rgb) - 1), primary.rgb)) - 0.5) * 2\n"
        "  spare0.alpha = max(0, primary.alpha)\n"
        "final\n"
        "  e_times_f.rgb = max(0, spare0.rgb)\n"
        "  rgb = min(1, (1 - clamp(e_times_f.rgb, 0, 1)))\n"
        "  alpha = max(0, spare0.alpha)\n");
}

TEST_CASE("texture environments print by unit, colour sum and fog after them", "[combiners]") {
  FragmentState state;
  state.units[0].enabled = state.units[2].enabled = state.units[3].enabled = true;
  state.units[0].format = BaseFormat::Rgb;
  state.units[0].environment.mode = EnvMode::Blend;
  state.units[2].environment.mode = EnvMode::Combine;
  state.units[2].environment.rgb.function = EnvFunction::Interpolate;
  state.units[2].environment.rgb.scale = 2;
  state.units[3].environment = state.units[2].environment;
  state.units[3].environment.rgb.args[0].source = EnvSource::Texture1;
  state.color_sum = state.fog.enabled = true;
  CHECK(print(state) ==
        "texture environments; results of units are clamped to [0, 1]\n"
        "unit 0, blend, rgb\n"
        "  rgb = previous.rgb * (1 - texture.rgb) + constant.rgb * texture.rgb\n"
        "  alpha = previous.alpha\n"
        "unit 2, combine, rgba\n"
        "  rgb = (texture.rgb * constant.alpha + previous.rgb * (1 - constant.alpha)) * 2\n"
        "  alpha = texture.alpha * previous.alpha\n"
        "unit 3, combine, rgba\n"
        "  rgb = previous.rgb\n"
        "  alpha = previous.alpha\n"
        "color sum\n"
        "  rgb = min(1, previous.rgb + secondary.rgb)\n"
        "fog factor at fragments\n"
        "  fog.alpha = clamp(e^(-density * position.w), 0, 1)\n"
        "fog\n"
        "  rgb = fog.alpha * previous.rgb + (1 - fog.alpha) * fog.rgb\n");
}

TEST_CASE("an ATI fragment shader prints pass by pass, routes first", "[combiners][ati]") {
  Current current;
  tsrEnable(GL_FRAGMENT_SHADER_ATI);
  tsrBeginFragmentShaderATI();
  tsrSampleMapATI(GL_REG_0_ATI, GL_TEXTURE0, GL_SWIZZLE_STR_ATI);
  tsrPassTexCoordATI(GL_REG_1_ATI, GL_TEXTURE1, GL_SWIZZLE_STQ_DQ_ATI);
  tsrColorFragmentOp3ATI(GL_MAD_ATI, GL_REG_1_ATI, GL_RED_BIT_ATI | GL_GREEN_BIT_ATI, GL_HALF_BIT_ATI | GL_SATURATE_BIT_ATI,
                         GL_REG_0_ATI, GL_NONE, GL_BIAS_BIT_ATI | GL_2X_BIT_ATI, GL_CON_0_ATI, GL_ALPHA, GL_NEGATE_BIT_ATI,
                         GL_REG_1_ATI, GL_NONE, GL_COMP_BIT_ATI);
  tsrAlphaFragmentOp1ATI(GL_MOV_ATI, GL_REG_1_ATI, GL_NONE, GL_ONE, GL_NONE, GL_NONE);
  tsrEndFragmentShaderATI();
  REQUIRE(tsrGetError() == GL_NO_ERROR);
  CHECK(print(current.state()) ==
        "ATI fragment shader; registers lie in [-8, 8]; the two lines of a pair read what was before both\n"
        "pass 1\n"
        "  r0.rgba = texture0(t0.s, t0.t, t0.r)\n"
        "  r1.rgb = (t1.s / t1.q, t1.t / t1.q, 1 / t1.q)\n"
        "  ; pair 1\n"
        "  r1.rg = clamp(0.5 * ((2 * (r0.rgb - 0.5)) * (-c0.alpha) + (1 - r1.rgb)), 0, 1)\n"
        "  r1.alpha = 1\n"
        "result\n"
        "  rgba = clamp(r0.rgba, 0, 1)\n");
}
