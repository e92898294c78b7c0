#include "combiners/ati_build.h"

#include <bit>

namespace tessera::combiners {
namespace {

using Kind = Violation::Kind;
using Result = std::optional<Violation>;

uint32_t texture_of(AtiCoordinate coordinate) { return to_token(coordinate) - to_token(AtiCoordinate::Texture0); }

bool reads_interpolator(const AtiInstruction& instr) {
  for (size_t k = 0; k < argument_count(instr.op); ++k)
    if (is_interpolator(instr.args[k].source)) return true;
  return false;
}

// The secondary interpolator has none.
bool reads_secondary_alpha(const AtiInstruction& instr, bool is_alpha) {
  for (size_t k = 0; k < argument_count(instr.op); ++k) {
    const AtiArgument& arg = instr.args[k];
    const bool takes_own = arg.replicate == AtiReplicate::None && (is_alpha || instr.op == AtiOp::Dot4);
    if (arg.source == AtiSource::Secondary && (arg.replicate == AtiReplicate::Alpha || takes_own)) return true;
  }
  return false;
}

uint32_t constant_count(const AtiInstruction& instr) {
  uint32_t seen = 0;
  for (size_t k = 0; k < argument_count(instr.op); ++k)
    if (const uint32_t c = constant_of(instr.args[k].source); c < kAtiConstants) seen |= 1u << c;
  return static_cast<uint32_t>(std::popcount(seen));
}

Result check_instruction(const AtiInstruction& instr, bool is_alpha) {
  if (instr.target >= kAtiRegisters) return Violation{Kind::Enum, "there are registers 0 to 5"};
  if (instr.mask < 1 || instr.mask > 7) return Violation{Kind::Enum, "a colour instruction writes red, green or blue"};
  if ((instr.modifiers & ~ati_dst::All) != 0 ||
      std::popcount(static_cast<unsigned>(instr.modifiers & ati_dst::Scales)) > 1)
    return Violation{Kind::Enum, "a result has one scale at most"};
  for (const AtiArgument& arg : instr.args)
    if ((arg.modifiers & ~ati_arg::All) != 0) return Violation{Kind::Enum, "the argument's modifier is unknown"};
  if (reads_secondary_alpha(instr, is_alpha))
    return Violation{Kind::Operation, "the secondary interpolator has no alpha"};
  if (constant_count(instr) > 2)
    return Violation{Kind::Operation, "an instruction reads at most two different constants"};
  return std::nullopt;
}

}  // namespace

Result AtiBuilder::route(uint32_t target, const AtiRoute& route) {
  const bool opens_pass = has_instructions_;
  const uint32_t number = shader_.pass_count - 1 + opens_pass;
  const uint32_t texture = texture_of(route.coordinate);       // beyond the units: a register
  if (target >= kAtiRegisters) return Violation{Kind::Enum, "there are registers 0 to 5"};
  if (number >= kAtiPasses) return Violation{Kind::Operation, "there is no third pass"};
  if (!opens_pass && pass().routes[target].kind != AtiRoute::Kind::None)
    return Violation{Kind::Operation, "the register has a route in this pass"};
  if (texture >= kTextureUnits) {
    if (number == 0) return Violation{Kind::Operation, "a register is a coordinate in the second pass only"};
    if (reads_q(route.swizzle)) return Violation{Kind::Operation, "a register has no q"};
  } else if (reads_q_[texture].value_or(reads_q(route.swizzle)) != reads_q(route.swizzle)) {
    return Violation{Kind::Operation, "one coordinate is read with r or with q, not both"};
  }
  if (texture < kTextureUnits) reads_q_[texture] = reads_q(route.swizzle);
  shader_.pass_count = number + 1;
  has_instructions_ = color_is_last_ = false;
  pass().routes[target] = route;
  return std::nullopt;
}

Result AtiBuilder::add(const AtiInstruction& instr, bool is_alpha) {
  if (Result broken = check_instruction(instr, is_alpha)) return broken;
  const bool joins = is_alpha && color_is_last_;
  if (!joins && pass().pair_count == kAtiPairs)
    return Violation{Kind::Operation, "a pass has at most 8 pairs of instructions"};
  if (!joins) ++pass().pair_count;
  AtiPair& pair = pass().pairs[pass().pair_count - 1];
  (is_alpha ? pair.alpha : pair.color) = instr;
  (is_alpha ? pair.alpha : pair.color).is_given = true;
  has_instructions_ = true;
  color_is_last_ = !is_alpha;
  interpolates_early_ |= shader_.pass_count == 1 && reads_interpolator(instr);
  return std::nullopt;
}

Result AtiBuilder::color(const AtiInstruction& instr) { return add(instr, false); }

Result AtiBuilder::alpha(const AtiInstruction& instr) {
  const AtiInstruction* const color = color_is_last_ ? &pass().pairs[pass().pair_count - 1].color : nullptr;
  if (is_dot(instr.op) && !(color && color->op == instr.op))
    return Violation{Kind::Operation, "a dot product in alpha follows the same colour instruction directly"};
  if (color && color->op == AtiOp::Dot4 && instr.op != AtiOp::Dot4)
    return Violation{Kind::Operation, "after a DOT4 of colours, alpha's instruction is DOT4, too"};
  return add(instr, true);
}

Result AtiBuilder::end() const {
  if (interpolates_early_ && shader_.pass_count == 2)
    return Violation{Kind::Operation, "interpolated colours are read in the last pass only"};
  return std::nullopt;
}

Result check_ati(const AtiFragmentShader& shader) {
  if (shader.pass_count < 1 || shader.pass_count > kAtiPasses)
    return Violation{Kind::Operation, "there are one or two passes"};
  AtiBuilder builder;
  for (uint32_t p = 0; p < shader.pass_count; ++p) {
    const AtiPass& pass = shader.passes[p];
    if (pass.pair_count > kAtiPairs) return Violation{Kind::Operation, "a pass has at most 8 pairs of instructions"};
    for (uint32_t r = 0; r < kAtiRegisters; ++r)
      if (pass.routes[r].kind != AtiRoute::Kind::None)
        if (Result broken = builder.route(r, pass.routes[r])) return broken;
    for (uint32_t k = 0; k < pass.pair_count; ++k) {
      const AtiPair& pair = pass.pairs[k];
      if (pair.color.is_given)
        if (Result broken = builder.color(pair.color)) return broken;
      if (pair.alpha.is_given)
        if (Result broken = builder.alpha(pair.alpha)) return broken;
    }
  }
  return builder.end();
}

}  // namespace tessera::combiners
