#include "combiners/scalar.h"

namespace tessera::combiners {
namespace {

using AtiRegisters = std::array<Color, kAtiRegisters>;

float in_range(float x) { return clamp(x, -kAtiRange, kAtiRange); }

// ---- routes ------------------------------------------------------------------------------------------------------

std::array<float, 3> coordinate(const Fragment& fragment, const AtiRegisters& before, const AtiRoute& route) {
  const uint32_t number = register_of(route.coordinate);
  const Color from = number < kAtiRegisters
                         ? before[number]
                         : fragment.coords[to_token(route.coordinate) - to_token(AtiCoordinate::Texture0)];
  switch (route.swizzle) {
    case AtiSwizzle::Str: return {from[0], from[1], from[2]};
    case AtiSwizzle::Stq: return {from[0], from[1], from[3]};
    case AtiSwizzle::StrDr: return {from[0] / from[2], from[1] / from[2], 1 / from[2]};
    case AtiSwizzle::StqDq: return {from[0] / from[3], from[1] / from[3], 1 / from[3]};
  }
  return {};
}

AtiRegisters routed(const FragmentState& state, const Fragment& fragment, const AtiRegisters& before,
                    const AtiPass& pass) {
  AtiRegisters after{};
  for (uint32_t r = 0; r < kAtiRegisters; ++r) {
    if (pass.routes[r].kind == AtiRoute::Kind::None) continue;
    const auto at = coordinate(fragment, before, pass.routes[r]);
    if (pass.routes[r].kind == AtiRoute::Kind::Pass) after[r] = {at[0], at[1], at[2], 0};
    else if (state.units[r].enabled) after[r] = expand(fragment.sample(r, at), state.units[r].format);
    for (float& c : after[r]) c = in_range(c);
  }
  return after;
}

// ---- instructions ------------------------------------------------------------------------------------------------

Color source(const FragmentState& state, const Fragment& fragment, const AtiRegisters& registers, AtiSource name) {
  if (register_of(name) < kAtiRegisters) return registers[register_of(name)];
  if (constant_of(name) < kAtiConstants) return state.ati.constants[constant_of(name)];
  if (name == AtiSource::Zero) return {};
  if (name == AtiSource::One) return {1, 1, 1, 1};
  Color color = name == AtiSource::Primary ? fragment.primary : fragment.secondary;
  for (float& c : color) c = clamp(c, 0, 1);
  return color;
}

float argument(const Color& from, const AtiArgument& arg, size_t component) {
  float s = 0;
  switch (arg.replicate) {
    case AtiReplicate::None: s = from[component]; break;
    case AtiReplicate::Red: s = from[0]; break;
    case AtiReplicate::Green: s = from[1]; break;
    case AtiReplicate::Blue: s = from[2]; break;
    case AtiReplicate::Alpha: s = from[3]; break;
  }
  if (arg.modifiers & ati_arg::Complement) s = 1 - s;
  if (arg.modifiers & ati_arg::Bias) s = s - 0.5f;
  if (arg.modifiers & ati_arg::Double) s = 2 * s;
  return arg.modifiers & ati_arg::Negate ? -s : s;
}

float finished(float x, uint8_t modifiers) {
  const float scaled = x * ati_scale(modifiers);
  return modifiers & ati_dst::Saturate ? clamp(scaled, 0, 1) : in_range(scaled);
}

// All four components of the result; those that are written count.
Color result(const FragmentState& state, const Fragment& fragment, const AtiRegisters& registers,
             const AtiInstruction& instr) {
  Color a1, a2, a3, out;
  for (size_t c = 0; c < 4; ++c) {
    a1[c] = argument(source(state, fragment, registers, instr.args[0].source), instr.args[0], c);
    a2[c] = argument(source(state, fragment, registers, instr.args[1].source), instr.args[1], c);
    a3[c] = argument(source(state, fragment, registers, instr.args[2].source), instr.args[2], c);
  }
  const float two = a1[0] * a2[0] + a1[1] * a2[1], three = two + a1[2] * a2[2];
  for (size_t c = 0; c < 4; ++c) switch (instr.op) {
      case AtiOp::Mov: out[c] = a1[c]; break;
      case AtiOp::Add: out[c] = a1[c] + a2[c]; break;
      case AtiOp::Mul: out[c] = a1[c] * a2[c]; break;
      case AtiOp::Sub: out[c] = a1[c] - a2[c]; break;
      case AtiOp::Mad: out[c] = a1[c] * a2[c] + a3[c]; break;
      case AtiOp::Lerp: out[c] = a1[c] * a2[c] + (1 - a1[c]) * a3[c]; break;
      case AtiOp::Cnd: out[c] = a3[c] > 0.5f ? a1[c] : a2[c]; break;
      case AtiOp::Cnd0: out[c] = a3[c] >= 0 ? a1[c] : a2[c]; break;
      case AtiOp::Dot3: out[c] = three; break;
      case AtiOp::Dot4: out[c] = three + a1[3] * a2[3]; break;
      case AtiOp::Dot2Add: out[c] = two + a3[2]; break;
    }
  return out;
}

void run_pair(const FragmentState& state, const Fragment& fragment, AtiRegisters& registers, const AtiPair& pair) {
  const AtiRegisters before = registers;
  const Color color = result(state, fragment, before, pair.color);
  for (size_t c = 0; c < 3 && pair.color.is_given; ++c)
    if (pair.color.mask >> c & 1) registers[pair.color.target][c] = finished(color[c], pair.color.modifiers);
  if (!pair.alpha.is_given) return;
  const float alpha = is_dot(pair.alpha.op) ? color[3] : result(state, fragment, before, pair.alpha)[3];
  registers[pair.alpha.target][3] = finished(alpha, pair.alpha.modifiers);
}

}  // namespace

Color evaluate_ati(const FragmentState& state, const Fragment& fragment) {
  AtiRegisters registers{};
  for (uint32_t p = 0; p < state.ati.pass_count; ++p) {
    const AtiPass& pass = state.ati.passes[p];
    registers = routed(state, fragment, registers, pass);
    for (uint32_t k = 0; k < pass.pair_count; ++k) run_pair(state, fragment, registers, pass.pairs[k]);
  }
  Color color = registers[0];
  for (float& c : color) c = clamp(c, 0, 1);
  return color;
}

}  // namespace tessera::combiners
