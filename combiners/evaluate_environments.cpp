#include "combiners/environment.h"
#include "combiners/scalar.h"

namespace tessera::combiners {
namespace {

using Rgb = std::array<float, 3>;

Color clamp_unit(Color color) {
  for (float& c : color) c = clamp(c, 0, 1);
  return color;
}

// What one unit works on.
struct UnitInput {
  const FragmentState& state;
  const TextureUnit& unit;
  Color previous, primary;                            // in [0,1]
  const std::array<Color, kTextureUnits>& textures;   // expanded, in [0,1]
  Color texture;                                      // of this unit
};

// ---- classic modes -----------------------------------------------------------------------------------------------

float classic_color(const UnitInput& in, size_t c) {
  const float p = in.previous[c], t = in.texture[c], a = in.texture[3];
  switch (in.unit.environment.mode) {
    case EnvMode::Replace: return t;
    case EnvMode::Modulate: return p * t;
    case EnvMode::Decal: return in.unit.format == BaseFormat::Rgb ? t : p * (1 - a) + t * a;
    case EnvMode::Blend: return p * (1 - t) + in.unit.environment.color[c] * t;
    case EnvMode::Add: return p + t;
    default: return p;
  }
}

float classic_alpha(const UnitInput& in) {
  const float p = in.previous[3], t = in.texture[3];
  const bool is_intensity = in.unit.format == BaseFormat::Intensity;
  switch (in.unit.environment.mode) {
    case EnvMode::Replace: return t;
    case EnvMode::Modulate: return p * t;
    case EnvMode::Blend: return is_intensity ? p * (1 - t) + in.unit.environment.color[3] * t : p * t;
    case EnvMode::Add: return is_intensity ? p + t : p * t;
    default: return p;
  }
}

Color classic(const UnitInput& in) {
  const ClassicParts parts = classic_parts(in.unit.environment.mode, in.unit.format);
  Color out = in.previous;
  for (size_t c = 0; c < 3 && parts.color; ++c) out[c] = classic_color(in, c);
  if (parts.alpha) out[3] = classic_alpha(in);
  return out;
}

// ---- combine -----------------------------------------------------------------------------------------------------

Color source(const UnitInput& in, EnvSource name) {
  switch (name) {
    case EnvSource::Zero: return {};
    case EnvSource::Texture: return in.texture;
    case EnvSource::Constant: return in.unit.environment.color;
    case EnvSource::Primary: return in.primary;
    case EnvSource::Previous: return in.previous;
    default: break;
  }
  const uint32_t unit = unit_of(name);
  return in.state.units[unit].enabled ? in.textures[unit] : Color{1, 1, 1, 1};   // disabled: read by COMBINE4 only
}

float argument(const UnitInput& in, const EnvArgument& arg, size_t c) {
  const Color color = source(in, arg.source);
  switch (arg.operand) {
    case EnvOperand::Color: return color[c];
    case EnvOperand::OneMinusColor: return 1 - color[c];
    case EnvOperand::Alpha: return color[3];
    case EnvOperand::OneMinusAlpha: return 1 - color[3];
  }
  return 0;
}

float dot3(const UnitInput& in, const EnvCombine& combine) {
  Rgb p;
  for (size_t c = 0; c < 3; ++c) p[c] = (argument(in, combine.args[0], c) - 0.5f) * (argument(in, combine.args[1], c) - 0.5f);
  return 4 * ((p[0] + p[1]) + p[2]);
}

float combine2(const UnitInput& in, const EnvCombine& combine, size_t c) {
  const float a0 = argument(in, combine.args[0], c), a1 = argument(in, combine.args[1], c), a2 = argument(in, combine.args[2], c);
  switch (combine.function) {
    case EnvFunction::Replace: return a0;
    case EnvFunction::Modulate: return a0 * a1;
    case EnvFunction::Add: return a0 + a1;
    case EnvFunction::AddSigned: return (a0 + a1) - 0.5f;
    case EnvFunction::Interpolate: return a0 * a2 + a1 * (1 - a2);
    case EnvFunction::Subtract: return a0 - a1;
    case EnvFunction::Dot3Rgb:
    case EnvFunction::Dot3Rgba: return dot3(in, combine);
  }
  return 0;
}

// Functions other than the two are undefined: the portion passes the incoming value.
float combine4(const UnitInput& in, const EnvCombine& combine, size_t c) {
  const float sum = argument(in, combine.args[0], c) * argument(in, combine.args[1], c) +
                    argument(in, combine.args[2], c) * argument(in, combine.args[3], c);
  if (combine.function == EnvFunction::Add) return sum;
  return combine.function == EnvFunction::AddSigned ? sum - 0.5f : in.previous[c];
}

Color combined(const UnitInput& in) {
  const auto& [mode, color, rgb, alpha] = in.unit.environment;
  const bool is_four = mode == EnvMode::Combine4;
  if (!is_four && !can_combine(in.state, in.unit.environment)) return in.previous;
  Color out;
  for (size_t c = 0; c < 3; ++c)
    out[c] = (is_four ? combine4(in, rgb, c) : combine2(in, rgb, c)) * static_cast<float>(rgb.scale);
  const bool is_dot4 = !is_four && rgb.function == EnvFunction::Dot3Rgba;
  const float a = is_dot4 ? dot3(in, rgb) : is_four ? combine4(in, alpha, 3) : combine2(in, alpha, 3);
  out[3] = a * static_cast<float>(alpha.scale);
  return out;
}

}  // namespace

Color evaluate_environments(const FragmentState& state, const Fragment& fragment) {
  std::array<Color, kTextureUnits> textures;
  for (size_t u = 0; u < kTextureUnits; ++u) textures[u] = clamp_unit(expand(fragment.texels[u], state.units[u].format));
  const Color primary = clamp_unit(fragment.primary);
  Color color = primary;
  for (size_t u = 0; u < kTextureUnits; ++u) {
    if (!state.units[u].enabled) continue;
    const UnitInput in{state, state.units[u], color, primary, textures, textures[u]};
    color = clamp_unit(is_combine(in.unit.environment.mode) ? combined(in) : classic(in));
  }
  return color;
}

}  // namespace tessera::combiners
