#include "combiners/environment.h"
#include "combiners/print.h"
#include "combiners/terms.h"

namespace tessera::combiners {
namespace {

std::string scaled(const std::string& x, uint32_t scale) {
  return scale == 1 ? x : times(grouped(x), std::string(1, static_cast<char>('0' + scale)));
}

// ---- classic modes -----------------------------------------------------------------------------------------------

std::string classic(EnvMode mode, BaseFormat format, bool is_alpha) {
  const std::string part = is_alpha ? ".alpha" : ".rgb";
  const std::string p = "previous" + part, t = "texture" + part, c = "constant" + part;
  const bool multiplies = is_alpha && format != BaseFormat::Intensity;
  switch (mode) {
    case EnvMode::Replace: return t;
    case EnvMode::Modulate: return p + " * " + t;
    case EnvMode::Decal: return format == BaseFormat::Rgb ? t : p + " * (1 - texture.alpha) + " + t + " * texture.alpha";
    case EnvMode::Blend: return multiplies ? p + " * " + t : p + " * (1 - " + t + ") + " + c + " * " + t;
    case EnvMode::Add: return multiplies ? p + " * " + t : p + " + " + t;
    case EnvMode::Combine:
    case EnvMode::Combine4: break;
  }
  return p;
}

// ---- combine -----------------------------------------------------------------------------------------------------

std::string argument(const EnvArgument& arg) {
  const bool is_alpha = arg.operand == EnvOperand::Alpha || arg.operand == EnvOperand::OneMinusAlpha;
  const bool is_inverted = arg.operand == EnvOperand::OneMinusColor || arg.operand == EnvOperand::OneMinusAlpha;
  const std::string value = arg.source == EnvSource::Zero ? "0" : std::string(text_of(arg.source)) + (is_alpha ? ".alpha" : ".rgb");
  return is_inverted ? one_minus(value) : value;
}

std::string combine2(const EnvCombine& combine) {
  const std::string a = argument(combine.args[0]), b = argument(combine.args[1]), c = argument(combine.args[2]);
  switch (combine.function) {
    case EnvFunction::Replace: return a;
    case EnvFunction::Modulate: return times(a, b);
    case EnvFunction::Add: return plus(a, b);
    case EnvFunction::AddSigned: return minus(plus(a, b), "0.5");
    case EnvFunction::Interpolate: return plus(times(a, c), times(b, one_minus(c)));
    case EnvFunction::Subtract: return minus(a, b);
    case EnvFunction::Dot3Rgb:
    case EnvFunction::Dot3Rgba: break;
  }
  return "4 * dot(" + a + " - 0.5, " + b + " - 0.5)";
}

std::string combine4(const EnvCombine& combine, const std::string& previous) {
  const std::string sum = plus(times(argument(combine.args[0]), argument(combine.args[1])),
                               times(argument(combine.args[2]), argument(combine.args[3])));
  if (combine.function == EnvFunction::Add) return sum;
  return combine.function == EnvFunction::AddSigned ? minus(sum, "0.5") : previous;
}

struct Equations {
  std::string rgb = "previous.rgb", alpha = "previous.alpha";
};

Equations combined(const TextureEnvironment& env) {
  const bool is_four = env.mode == EnvMode::Combine4;
  const std::string rgb = is_four ? combine4(env.rgb, "previous.rgb") : combine2(env.rgb);
  const bool is_dot4 = !is_four && env.rgb.function == EnvFunction::Dot3Rgba;
  const std::string alpha = is_dot4 ? rgb : is_four ? combine4(env.alpha, "previous.alpha") : combine2(env.alpha);
  return {scaled(rgb, env.rgb.scale), scaled(alpha, env.alpha.scale)};
}

Equations equations(const FragmentState& state, const TextureUnit& unit) {
  const TextureEnvironment& env = unit.environment;
  if (is_combine(env.mode)) return env.mode == EnvMode::Combine && !can_combine(state, env) ? Equations{} : combined(env);
  const ClassicParts parts = classic_parts(env.mode, unit.format);
  Equations out;
  if (parts.color) out.rgb = classic(env.mode, unit.format, false);
  if (parts.alpha) out.alpha = classic(env.mode, unit.format, true);
  return out;
}

}  // namespace

std::string print_environments(const FragmentState& state) {
  std::string text = "texture environments; results of units are clamped to [0, 1]\n";
  for (uint32_t u = 0; u < kTextureUnits; ++u) {
    const TextureUnit& unit = state.units[u];
    if (!unit.enabled) continue;
    const Equations e = equations(state, unit);
    text += "unit " + std::string(1, static_cast<char>('0' + u)) + ", " + std::string(text_of(unit.environment.mode)) + ", " +
            std::string(info(unit.format).text) + "\n  rgb = " + e.rgb + "\n  alpha = " + e.alpha + "\n";
  }
  return text;
}

}  // namespace tessera::combiners
