#include "combiners/ati.h"

namespace tessera::combiners {
namespace {

struct AtiRegisters {
  std::array<Rgba, kAtiRegisters> values;
};

// ---- routes ------------------------------------------------------------------------------------------------------

Rgb coordinate(Lowering& low, const FragmentValues& fragment, const AtiRegisters& before, const AtiRoute& route) {
  const uint32_t number = register_of(route.coordinate);
  const Rgba& from = number < kAtiRegisters
                         ? before.values[number]
                         : fragment.coords[to_token(route.coordinate) - to_token(AtiCoordinate::Texture0)];
  const ir::Value third = from[reads_q(route.swizzle) ? 3 : 2];
  if (!divides(route.swizzle)) return {from[0], from[1], third};
  return {low.divide(from[0], third), low.divide(from[1], third), low.divide(low.number(1), third)};
}

Rgba clamp_range(Lowering& low, const Rgba& color) {
  Rgba out;
  for (size_t c = 0; c < 4; ++c) out[c] = low.settled(color[c], -kAtiRange, kAtiRange);
  return out;
}

AtiRegisters routed(Lowering& low, const FragmentValues& fragment, const AtiRegisters& before, const AtiPass& pass) {
  AtiRegisters after;
  after.values.fill(low.fill(0));
  for (uint32_t r = 0; r < kAtiRegisters; ++r) {
    const AtiRoute& route = pass.routes[r];
    if (route.kind == AtiRoute::Kind::None) continue;
    const Rgb at = coordinate(low, fragment, before, route);
    if (route.kind == AtiRoute::Kind::Pass) after.values[r] = clamp_range(low, {at[0], at[1], at[2], low.number(0)});
    else if (low.state.units[r].enabled)
      after.values[r] = clamp_range(low, low.expand(fragment.sample(r, at), low.state.units[r].format));
  }
  return after;
}

// ---- instructions ------------------------------------------------------------------------------------------------

Rgba source(Lowering& low, const FragmentValues& fragment, const AtiRegisters& registers, AtiSource name) {
  if (const uint32_t r = register_of(name); r < kAtiRegisters) return registers.values[r];
  if (const uint32_t k = constant_of(name); k < kAtiConstants) return low.color(kAtiConstantColors + k);
  const bool is_primary = name == AtiSource::Primary;
  if (!is_primary && name != AtiSource::Secondary) return low.fill(name == AtiSource::One ? 1 : 0);
  Rgba color = is_primary ? fragment.primary : fragment.secondary;
  for (ir::Value& c : color) c = low.clamp_unit(c);
  return color;
}

ir::Value modified(Lowering& low, ir::Value s, uint8_t modifiers) {
  if (modifiers & ati_arg::Complement) s = low.one_minus(s);
  if (modifiers & ati_arg::Bias) s = low.sub(s, low.number(0.5f));
  if (modifiers & ati_arg::Double) s = low.mul(low.number(2), s);
  return modifiers & ati_arg::Negate ? low.negate(s) : s;
}

// What an instruction reads: component c of argument k, 3 for alpha.
struct Arguments {
  Lowering& low;
  const AtiInstruction& instr;
  std::array<Rgba, 3> sources;

  ir::Value operator()(size_t k, size_t c) const {
    const AtiArgument& arg = instr.args[k];
    const size_t component = arg.replicate == AtiReplicate::None ? c : index_of(arg.replicate) - 1;
    return modified(low, sources[k][component], arg.modifiers);
  }
};

Arguments read(Lowering& low, const FragmentValues& fragment, const AtiRegisters& registers,
               const AtiInstruction& instr) {
  Arguments args{low, instr, {}};
  for (size_t k = 0; k < argument_count(instr.op); ++k)
    args.sources[k] = source(low, fragment, registers, instr.args[k].source);
  return args;
}

ir::Value product(Lowering& low, const Arguments& args, size_t c) { return low.mul(args(0, c), args(1, c)); }

// ((r + g) + b) + a, as far as the operation goes
ir::Value dot(Lowering& low, AtiOp op, const Arguments& args) {
  const ir::Value two = low.add(product(low, args, 0), product(low, args, 1));
  if (op == AtiOp::Dot2Add) return low.add(two, args(2, 2));
  const ir::Value three = low.add(two, product(low, args, 2));
  return op == AtiOp::Dot3 ? three : low.add(three, product(low, args, 3));
}

ir::Value result(Lowering& low, AtiOp op, const Arguments& a, size_t c) {
  switch (op) {
    case AtiOp::Mov: return a(0, c);
    case AtiOp::Add: return low.add(a(0, c), a(1, c));
    case AtiOp::Mul: return product(low, a, c);
    case AtiOp::Sub: return low.sub(a(0, c), a(1, c));
    case AtiOp::Mad: return low.add(product(low, a, c), a(2, c));
    case AtiOp::Lerp: return low.add(product(low, a, c), low.mul(low.one_minus(a(0, c)), a(2, c)));
    case AtiOp::Cnd: return low.select(low.is_above(a(2, c), 0.5f), a(0, c), a(1, c));
    case AtiOp::Cnd0: return low.select(low.is_at_least(a(2, c), 0), a(0, c), a(1, c));
    case AtiOp::Dot3:
    case AtiOp::Dot4:
    case AtiOp::Dot2Add: break;
  }
  return dot(low, op, a);
}

ir::Value finish(Lowering& low, ir::Value x, uint8_t modifiers) {
  if (const float scale = ati_scale(modifiers); scale != 1) x = low.mul(x, low.number(scale));
  if (modifiers & ati_dst::Saturate) return low.clamp_unit(x);
  return low.at_least(low.at_most(x, kAtiRange), -kAtiRange);
}

void run_pair(Lowering& low, const FragmentValues& fragment, AtiRegisters& registers, const AtiPair& pair) {
  const AtiRegisters before = registers;
  const Arguments color = read(low, fragment, before, pair.color);
  if (pair.color.is_given)
    for (size_t c = 0; c < 3; ++c)
      if (pair.color.mask >> c & 1)
        registers.values[pair.color.target][c] =
            finish(low, result(low, pair.color.op, color, c), pair.color.modifiers);
  if (!pair.alpha.is_given) return;
  const ir::Value x = is_dot(pair.alpha.op) ? dot(low, pair.color.op, color)
                                            : result(low, pair.alpha.op, read(low, fragment, before, pair.alpha), 3);
  registers.values[pair.alpha.target][3] = finish(low, x, pair.alpha.modifiers);
}

}  // namespace

Rgba lower_ati(Lowering& low, const FragmentValues& fragment) {
  const AtiFragmentShader& shader = low.state.ati;
  AtiRegisters registers;
  registers.values.fill(low.fill(0));
  for (uint32_t p = 0; p < shader.pass_count; ++p) {
    const AtiPass& pass = shader.passes[p];
    low.begin(p);
    registers = routed(low, fragment, registers, pass);
    for (uint32_t k = 0; k < pass.pair_count; ++k) run_pair(low, fragment, registers, pass.pairs[k]);
  }
  Rgba color = registers.values[0];
  for (ir::Value& c : color) c = low.clamp_unit(c);
  return color;
}

}  // namespace tessera::combiners
