#include "combiners/texenv.h"

#include "combiners/environment.h"

namespace tessera::combiners {
namespace {

Rgba clamp_unit(Lowering& low, const Rgba& color) {
  Rgba out;
  for (size_t c = 0; c < 4; ++c) out[c] = low.clamp_unit(color[c]);
  return out;
}

// What one unit works on; all in [0,1].
struct UnitValues {
  const TextureUnit& unit;
  Rgba previous, primary, constant;
  const std::array<Rgba, kTextureUnits>& textures;     // by enabled unit
  Rgba texture;                                        // of this unit
};

// ---- classic modes -----------------------------------------------------------------------------------------------

// a (1 - t) + b t
ir::Value mix(Lowering& low, ir::Value a, ir::Value b, ir::Value t) { return low.add(low.mul(a, low.one_minus(t)), low.mul(b, t)); }

ir::Value classic_color(Lowering& low, const UnitValues& in, size_t c) {
  const ir::Value p = in.previous[c], t = in.texture[c];
  switch (in.unit.environment.mode) {
    case EnvMode::Replace: return t;
    case EnvMode::Modulate: return low.mul(p, t);
    case EnvMode::Decal: return in.unit.format == BaseFormat::Rgb ? t : mix(low, p, t, in.texture[3]);
    case EnvMode::Blend: return mix(low, p, in.constant[c], t);
    case EnvMode::Add: return low.add(p, t);
    case EnvMode::Combine:
    case EnvMode::Combine4: break;
  }
  return p;
}

// Formats with alpha multiply it where they blend or add colours; intensity treats it as a fourth colour.
ir::Value classic_alpha(Lowering& low, const UnitValues& in) {
  const ir::Value p = in.previous[3], t = in.texture[3];
  if (in.unit.environment.mode == EnvMode::Replace) return t;
  if (in.unit.format == BaseFormat::Intensity) return classic_color(low, in, 3);
  return low.mul(p, t);
}

Rgba classic(Lowering& low, const UnitValues& in) {
  const ClassicParts parts = classic_parts(in.unit.environment.mode, in.unit.format);
  Rgba out = in.previous;
  for (size_t c = 0; c < 3 && parts.color; ++c) out[c] = classic_color(low, in, c);
  if (parts.alpha) out[3] = classic_alpha(low, in);
  return out;
}

// ---- combine -----------------------------------------------------------------------------------------------------

Rgba source(Lowering& low, const UnitValues& in, EnvSource name) {
  switch (name) {
    case EnvSource::Zero: return low.fill(0);
    case EnvSource::Texture: return in.texture;
    case EnvSource::Constant: return in.constant;
    case EnvSource::Primary: return in.primary;
    case EnvSource::Previous: return in.previous;
    default: break;
  }
  const uint32_t unit = unit_of(name);
  return low.state.units[unit].enabled ? in.textures[unit] : low.fill(1);     // disabled: read by COMBINE4 only
}

ir::Value argument(Lowering& low, const UnitValues& in, const EnvArgument& arg, size_t c) {
  const Rgba color = source(low, in, arg.source);
  switch (arg.operand) {
    case EnvOperand::Color: return color[c];
    case EnvOperand::OneMinusColor: return low.one_minus(color[c]);
    case EnvOperand::Alpha: return color[3];
    case EnvOperand::OneMinusAlpha: return low.one_minus(color[3]);
  }
  return color[c];
}

// 4 ((r + g) + b) of the products of the first two arguments, less one half each
ir::Value dot3(Lowering& low, const UnitValues& in, const EnvCombine& combine) {
  const ir::Value half = low.number(0.5f);
  Rgb p;
  for (size_t c = 0; c < 3; ++c)
    p[c] = low.mul(low.sub(argument(low, in, combine.args[0], c), half), low.sub(argument(low, in, combine.args[1], c), half));
  return low.mul(low.number(4), low.add(low.add(p[0], p[1]), p[2]));
}

ir::Value combine2(Lowering& low, const UnitValues& in, const EnvCombine& combine, size_t c) {
  const auto arg = [&](size_t k) { return argument(low, in, combine.args[k], c); };
  switch (combine.function) {
    case EnvFunction::Replace: return arg(0);
    case EnvFunction::Modulate: return low.mul(arg(0), arg(1));
    case EnvFunction::Add: return low.add(arg(0), arg(1));
    case EnvFunction::AddSigned: return low.sub(low.add(arg(0), arg(1)), low.number(0.5f));
    case EnvFunction::Interpolate: return low.add(low.mul(arg(0), arg(2)), low.mul(arg(1), low.one_minus(arg(2))));
    case EnvFunction::Subtract: return low.sub(arg(0), arg(1));
    case EnvFunction::Dot3Rgb:
    case EnvFunction::Dot3Rgba: break;
  }
  return dot3(low, in, combine);
}

// Functions other than the two are undefined: the portion passes the incoming value.
ir::Value combine4(Lowering& low, const UnitValues& in, const EnvCombine& combine, size_t c) {
  const auto arg = [&](size_t k) { return argument(low, in, combine.args[k], c); };
  if (combine.function != EnvFunction::Add && combine.function != EnvFunction::AddSigned) return in.previous[c];
  const ir::Value sum = low.add(low.mul(arg(0), arg(1)), low.mul(arg(2), arg(3)));
  return combine.function == EnvFunction::Add ? sum : low.sub(sum, low.number(0.5f));
}

ir::Value scaled(Lowering& low, ir::Value x, uint32_t scale) { return scale == 1 ? x : low.mul(x, low.number(static_cast<float>(scale))); }

Rgba combined(Lowering& low, const UnitValues& in) {
  const TextureEnvironment& env = in.unit.environment;
  const bool is_four = env.mode == EnvMode::Combine4;
  if (!is_four && !can_combine(low.state, env)) return in.previous;
  const auto portion = [&](const EnvCombine& combine, size_t c) {
    return is_four ? combine4(low, in, combine, c) : combine2(low, in, combine, c);
  };
  Rgba out;
  for (size_t c = 0; c < 3; ++c) out[c] = scaled(low, portion(env.rgb, c), env.rgb.scale);
  const bool is_dot4 = !is_four && env.rgb.function == EnvFunction::Dot3Rgba;   // alpha's own function is ignored
  out[3] = scaled(low, is_dot4 ? dot3(low, in, env.rgb) : portion(env.alpha, 3), env.alpha.scale);
  return out;
}

}  // namespace

Rgba lower_environments(Lowering& low, const FragmentValues& fragment) {
  std::array<Rgba, kTextureUnits> textures;
  for (size_t u = 0; u < kTextureUnits; ++u)
    if (low.state.units[u].enabled) textures[u] = clamp_unit(low, low.expand(fragment.texels[u], low.state.units[u].format));
  const Rgba primary = clamp_unit(low, fragment.primary);
  Rgba color = primary;
  for (uint32_t u = 0; u < kTextureUnits; ++u) {
    const TextureUnit& unit = low.state.units[u];
    if (!unit.enabled) continue;
    low.begin(u);
    const UnitValues in{unit, color, primary, low.color(kEnvironmentColors + u), textures, textures[u]};
    color = clamp_unit(low, is_combine(unit.environment.mode) ? combined(low, in) : classic(low, in));
  }
  return color;
}

}  // namespace tessera::combiners
