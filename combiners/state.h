// combiners/state.h: the fixed-function fragment stage as plain values: register combiners, texture environments, an
// ATI fragment shader, colour sum and fog. Initial values are those of the extensions. A setup is legal when check.h
// finds nothing; colours lie in [0,1].
// Source: NV_register_combiners and 2, ARB_texture_env_combine, NV_texture_env_combine4, EXT_fog_coord.
#pragma once

#include "combiners/ati_state.h"
#include "combiners/formats.h"
#include "combiners/tokens.h"

namespace tessera::combiners {

inline constexpr uint32_t kMaxStages = 8, kTextureUnits = 8;

// ---- register combiners ------------------------------------------------------------------------------------------

struct Input {
  Register source = Register::Zero;
  Mapping mapping = Mapping::UnsignedIdentity;
  Usage usage = Usage::Rgb;
  bool operator==(const Input&) const = default;
};

struct GeneralOutput {
  Register ab = Register::Discard, cd = Register::Discard, sum = Register::Spare0;
  Scale scale = Scale::One;
  Bias bias = Bias::None;
  bool ab_dot = false, cd_dot = false;
  bool mux = false;                       // the third output is AB or CD by spare0's alpha, not their sum
  bool operator==(const GeneralOutput&) const = default;
};

struct GeneralPortion {
  std::array<Input, 4> in;                // A to D
  GeneralOutput out;
  bool operator==(const GeneralPortion&) const = default;
};

// primary * 1 + 0 * 0 to spare0: also what a stage does that was never set.
constexpr GeneralPortion fresh_portion(Usage usage) {
  return {{{{Register::Primary, Mapping::UnsignedIdentity, usage}, {Register::Zero, Mapping::UnsignedInvert, usage},
            {Register::Zero, Mapping::UnsignedIdentity, usage}, {Register::Zero, Mapping::UnsignedIdentity, usage}}}, {}};
}

struct GeneralStage {
  GeneralPortion rgb = fresh_portion(Usage::Rgb), alpha = fresh_portion(Usage::Alpha);
  std::array<Color, 2> constants{};       // read where RegisterCombiners::per_stage_constants
  bool operator==(const GeneralStage&) const = default;

  GeneralPortion& portion(Portion p) { return p == Portion::Rgb ? rgb : alpha; }
  const GeneralPortion& portion(Portion p) const { return p == Portion::Rgb ? rgb : alpha; }
};

// Colour sum, then fog.
struct FinalCombiner {
  std::array<Input, 7> in = {{            // A to G
      {Register::Fog, Mapping::UnsignedIdentity, Usage::Alpha},
      {Register::Spare0PlusSecondary, Mapping::UnsignedIdentity, Usage::Rgb},
      {Register::Fog, Mapping::UnsignedIdentity, Usage::Rgb},
      {},
      {},
      {},
      {Register::Spare0, Mapping::UnsignedIdentity, Usage::Alpha}}};
  bool operator==(const FinalCombiner&) const = default;
};

struct RegisterCombiners {
  bool enabled = false;
  bool per_stage_constants = false;
  bool color_sum_clamp = true;
  uint32_t stage_count = 1;               // 1 to kMaxStages
  std::array<Color, 2> constants{};       // read by the final combiner always
  std::array<GeneralStage, kMaxStages> stages;
  FinalCombiner final_combiner;
  bool operator==(const RegisterCombiners&) const = default;
};

// ---- texture environments ----------------------------------------------------------------------------------------

struct EnvArgument {
  EnvSource source = EnvSource::Zero;
  EnvOperand operand = EnvOperand::Color;
  bool operator==(const EnvArgument&) const = default;
};

struct EnvCombine {
  EnvFunction function = EnvFunction::Modulate;
  std::array<EnvArgument, 4> args;
  uint32_t scale = 1;                     // 1, 2 or 4
  bool operator==(const EnvCombine&) const = default;
};

constexpr EnvCombine fresh_combine(EnvOperand plain, EnvOperand inverted) {
  return {EnvFunction::Modulate,
          {{{EnvSource::Texture, plain}, {EnvSource::Previous, plain}, {EnvSource::Constant, EnvOperand::Alpha},
            {EnvSource::Zero, inverted}}}, 1};
}

struct TextureEnvironment {
  EnvMode mode = EnvMode::Modulate;
  Color color{};
  EnvCombine rgb = fresh_combine(EnvOperand::Color, EnvOperand::OneMinusColor);
  EnvCombine alpha = fresh_combine(EnvOperand::Alpha, EnvOperand::OneMinusAlpha);
  bool operator==(const TextureEnvironment&) const = default;
};

struct TextureUnit {
  bool enabled = false;
  BaseFormat format = BaseFormat::Rgba;   // of the texture that is bound; a draw fills both in
  Shape shape = Shape::Tex2D;
  TextureEnvironment environment;
  bool operator==(const TextureUnit&) const = default;
};

// ---- all of it ---------------------------------------------------------------------------------------------------

// The factor f is 1 where there is no fog, by the mode: (end - c) / (end - start), e^-(density c), e^-(density c)^2, or
// the coordinate itself; clamped to [0,1].
struct Fog {
  bool enabled = false;
  std::array<float, 3> color{};
  FogMode mode = FogMode::Exp;
  FogSource source = FogSource::Depth;
  float density = 1, start = 0, end = 1;
  bool per_vertex = false;                // the factor is computed at vertices and interpolated
  bool operator==(const Fog&) const = default;
};

struct FragmentState {
  RegisterCombiners combiners;            // where enabled, they replace environments, colour sum and fog
  AtiFragmentShader ati;                  // where enabled, it replaces environments
  std::array<TextureUnit, kTextureUnits> units;
  bool color_sum = false;
  Fog fog;
  bool operator==(const FragmentState&) const = default;
};

}  // namespace tessera::combiners
