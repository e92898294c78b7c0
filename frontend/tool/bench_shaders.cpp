#include "frontend/tool/bench_shaders.h"

#include <utility>

#include <fmt/format.h>

namespace tessera::bench {

std::string variant_fragment(float variant) {
  return fmt::format(R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL IN[1].xy, GENERIC[1], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..2]
IMM[0] FLT32 {{2.0, {0:.9g}, 0.75, 0.0}}
IMM[1] FLT32 {{0.3, 0.4, {1:.9g}, {2:.9g}}}
IMM[2] FLT32 {{{3:.9g}, {4:.9g}, 0.0, 0.0}}
  0: MAD TEMP[0].xy, IN[1].xyyy, IMM[0].xxxx, IMM[0].yyyy
  1: MOV TEMP[0].z, IMM[0].zzzz
  2: DP3 TEMP[0].w, TEMP[0], TEMP[0]
  3: RSQ TEMP[0].w, TEMP[0].wwww
  4: MUL TEMP[0].xyz, TEMP[0].xyzz, TEMP[0].wwww
  5: ADD TEMP[1].xyz, TEMP[0].xyzz, IMM[1].xyzz
  6: DP3 TEMP[1].w, TEMP[1], TEMP[1]
  7: RSQ TEMP[1].w, TEMP[1].wwww
  8: MUL TEMP[1].xyz, TEMP[1].xyzz, TEMP[1].wwww
  9: DP3 TEMP[1].x, TEMP[0], TEMP[1]
 10: MAX TEMP[1].x, TEMP[1].xxxx, IMM[0].wwww
 11: POW TEMP[1].x, TEMP[1].xxxx, IMM[2].xxxx
 12: MUL TEMP[2].xy, IN[1].xyyy, IMM[1].wwww
 13: TEX TEMP[2], TEMP[2].xyyy, SAMP[0], 2D
 14: ADD TEMP[1].y, TEMP[2].wwww, IMM[2].yyyy
 15: KILL_IF TEMP[1].yyyy
 16: MAD OUT[0], TEMP[2], IN[0], TEMP[1].xxxx
 17: END
)",
                     -variant, variant + 0.5f, variant + 0.25f, variant, -0.001f * variant);
}

combiners::FragmentState bump_combiners() {
  using namespace combiners;
  constexpr Input kZero{}, kOne{Register::Zero, Mapping::UnsignedInvert, Usage::Rgb};
  constexpr Input kOneAlpha{Register::Zero, Mapping::UnsignedInvert, Usage::Alpha};
  const auto plain = [](Register r, Usage usage = Usage::Rgb) { return Input{r, Mapping::UnsignedIdentity, usage}; };
  const auto expanded = [](Register r, Usage usage) { return Input{r, Mapping::ExpandNormal, usage}; };
  constexpr GeneralOutput kNothing{.sum = Register::Discard};
  FragmentState state;
  RegisterCombiners& c = state.combiners;
  c.enabled = true;
  c.stage_count = 3;
  c.constants[0] = {0.2f, 0.25f, 0.3f, 1};
  for (uint32_t u = 0; u < 3; ++u) state.units[u].enabled = true;
  for (GeneralStage& stage : c.stages) stage.rgb.out = stage.alpha.out = kNothing;
  // spare0 = N.L; its alpha is min(1, 8 L.z), that is 4 (L.z + L.z)
  const Input height = expanded(Register::Texture2, Usage::Blue);
  c.stages[0].rgb.in = {expanded(Register::Texture0, Usage::Rgb), expanded(Register::Texture2, Usage::Rgb), kZero,
                        kZero};
  c.stages[0].rgb.out = {.ab = Register::Spare0, .sum = Register::Discard, .ab_dot = true};
  c.stages[0].alpha.in = {height, kOneAlpha, height, kOneAlpha};
  c.stages[0].alpha.out = {.sum = Register::Spare0, .scale = Scale::Four};
  // spare0 = N.L self-shadow; secondary = ambient
  c.stages[1].rgb.in = {plain(Register::Spare0), plain(Register::Spare0, Usage::Alpha), plain(Register::Constant0),
                        kOne};
  c.stages[1].rgb.out = {.ab = Register::Spare0, .cd = Register::Secondary, .sum = Register::Discard};
  // spare0 = spare0 + ambient
  c.stages[2].rgb.in = {plain(Register::Spare0), kOne, plain(Register::Secondary), kOne};
  c.stages[2].rgb.out = {.sum = Register::Spare0};
  c.final_combiner.in = {plain(Register::Texture1), plain(Register::Spare0), kZero, kZero, kZero, kZero, kOneAlpha};
  return state;
}

combiners::FragmentState variant_combiners(uint32_t variant) {
  using namespace combiners;
  FragmentState state;
  RegisterCombiners& c = state.combiners;
  c.enabled = true;
  c.stage_count = kMaxStages;
  for (uint32_t u = 0; u < 3; ++u) state.units[u].enabled = true;
  for (GeneralStage& stage : c.stages) {
    const Mapping mapping = kTokens<Mapping>[variant % 8].value;
    variant /= 8;
    for (const auto& [portion, usage] : {std::pair(&stage.rgb, Usage::Rgb), std::pair(&stage.alpha, Usage::Alpha)}) {
      portion->in = {{{Register::Texture0, mapping, usage},
                      {Register::Texture1, Mapping::ExpandNormal, usage},
                      {Register::Spare0, Mapping::SignedIdentity, usage},
                      {Register::Texture2, Mapping::HalfBiasNormal, usage}}};
      portion->out = {.ab = Register::Spare1,
                      .cd = Register::Texture2,
                      .sum = Register::Spare0,
                      .scale = Scale::Two,
                      .bias = Bias::NegativeHalf};
    }
    stage.rgb.out.ab_dot = true;
    stage.rgb.out.mux = true;
  }
  return state;
}

}  // namespace tessera::bench
