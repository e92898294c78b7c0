#include "combiners/registers.h"

namespace tessera::combiners {
namespace {

Rgba clamp_signed(Lowering& low, const Rgba& color) {
  Rgba out;
  for (size_t c = 0; c < 4; ++c) out[c] = low.clamp_signed(color[c]);
  return out;
}

// NV_register_combiners, table of input mappings.
ir::Value map(Lowering& low, ir::Value e, Mapping mapping) {
  switch (mapping) {
    case Mapping::UnsignedIdentity: return low.at_least(e, 0);
    case Mapping::UnsignedInvert: return low.one_minus(low.clamp_unit(e));
    case Mapping::ExpandNormal: return low.sub(low.mul(low.number(2), low.at_least(e, 0)), low.number(1));
    case Mapping::ExpandNegate: return low.one_minus(low.mul(low.number(2), low.at_least(e, 0)));
    case Mapping::HalfBiasNormal: return low.sub(low.at_least(e, 0), low.number(0.5f));
    case Mapping::HalfBiasNegate: return low.sub(low.number(0.5f), low.at_least(e, 0));
    case Mapping::SignedIdentity: return e;
    case Mapping::SignedNegate: return low.negate(e);
  }
  return e;
}

}  // namespace

Registers::Registers(Lowering& low, const FragmentValues& fragment) {
  values_.fill(low.fill(0));
  const FragmentState& state = low.state;
  Rgba& fog = (*this)[Register::Fog];
  fog = low.color(kFogColor);
  fog[3] = state.fog.enabled ? low.clamp_signed(fragment.fog_factor) : low.number(1);
  (*this)[Register::Primary] = clamp_signed(low, fragment.primary);
  (*this)[Register::Secondary] = clamp_signed(low, fragment.secondary);
  for (size_t unit = 0; unit < kTextureUnits; ++unit)
    if (state.units[unit].enabled)
      values_[index_of(Register::Texture0) + unit] = clamp_signed(low, low.expand(fragment.texels[unit], state.units[unit].format));
  (*this)[Register::Spare0][3] = (*this)[Register::Texture0][3];
}

void Registers::load_constants(Lowering& low, uint32_t place) {
  (*this)[Register::Constant0] = low.color(place);
  (*this)[Register::Constant1] = low.color(place + 1);
}

Rgb read_rgb(Lowering& low, const Registers& registers, const Input& in) {
  const Rgba& color = registers[in.source];
  const bool is_alpha = in.usage == Usage::Alpha;
  Rgb out;
  for (size_t c = 0; c < 3; ++c) out[c] = map(low, color[is_alpha ? 3 : c], in.mapping);
  return out;
}

ir::Value read_alpha(Lowering& low, const Registers& registers, const Input& in) {
  return map(low, registers[in.source][in.usage == Usage::Blue ? 2 : 3], in.mapping);
}

}  // namespace tessera::combiners
