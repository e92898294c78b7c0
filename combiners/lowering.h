// combiners/lowering.h: what lowers a setup to IR works with: the values of a fragment, and arithmetic on them.
// Nothing is fused and nothing reordered: a * b + c is a multiply, then an add.
#pragma once

#include "combiners/constants.h"
#include "shader/builder.h"

namespace tessera::combiners {

using Rgba = std::array<ir::Value, 4>;
using Rgb = std::array<ir::Value, 3>;

// A fragment as it reaches the combiners or environments.
struct FragmentValues {
  Rgba primary, secondary;
  std::array<Rgba, kTextureUnits> texels;      // filtered, by enabled unit; the others are not read
  ir::Value fog_factor;                        // read where fog is enabled
};

class Lowering {
 public:
  // Colours of the state are read from constant buffer `constants` in the places of constants.h.
  Lowering(ir::Builder& builder, const FragmentState& fragment_state, uint32_t constants)
      : state(fragment_state), b_(builder), constants_(constants) {}

  const FragmentState& state;

  ir::Value number(float value) { return b_.f32(value); }
  ir::Value add(ir::Value a, ir::Value b) { return b_.op(ir::Op::FAdd, {a, b}); }
  ir::Value sub(ir::Value a, ir::Value b) { return b_.op(ir::Op::FSub, {a, b}); }
  ir::Value mul(ir::Value a, ir::Value b) { return b_.op(ir::Op::FMul, {a, b}); }
  ir::Value negate(ir::Value a) { return b_.op(ir::Op::FNeg, {a}); }
  ir::Value at_least(ir::Value a, float low) { return b_.op(ir::Op::FMax, {a, number(low)}); }
  ir::Value at_most(ir::Value a, float high) { return b_.op(ir::Op::FMin, {a, number(high)}); }
  ir::Value clamp_unit(ir::Value a) { return b_.op(ir::Op::FSat, {a}); }
  ir::Value clamp_signed(ir::Value a) { return at_least(at_most(a, 1), -1); }
  ir::Value one_minus(ir::Value a) { return sub(number(1), a); }
  ir::Value is_at_least(ir::Value a, float bound) { return b_.op(ir::Op::FGe, {a, number(bound)}); }
  ir::Value select(ir::Value condition, ir::Value yes, ir::Value no) { return b_.op(ir::Op::Select, {condition, yes, no}); }

  // The texel as a colour by the base internal format.
  Rgba expand(const Rgba& texel, BaseFormat format);
  // The colour at a place of constants.h.
  Rgba color(uint32_t place);
  Rgba fill(float value) { return {number(value), number(value), number(value), number(value)}; }

 private:
  ir::Builder& b_;
  uint32_t constants_;
};

}  // namespace tessera::combiners
