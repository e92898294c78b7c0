// combiners/lowering.h: what lowers a setup to IR works with: the values of a fragment, and arithmetic on them.
// Nothing is fused and nothing reordered: a * b + c is a multiply, then an add.
#pragma once

#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "combiners/constants.h"
#include "shader/builder.h"

namespace tessera::combiners {

using Rgba = std::array<ir::Value, 4>;
using Rgb = std::array<ir::Value, 3>;

// Samples the texture of a unit at (s, t, r).
using SampleUnit = std::function<Rgba(uint32_t unit, const Rgb& coord)>;

// A fragment as it reaches the combiners or environments, or an ATI fragment shader, which reads no texels but samples.
struct FragmentValues {
  Rgba primary, secondary;
  std::array<Rgba, kTextureUnits> texels;      // filtered, by enabled unit; the others are not read
  ir::Value fog_factor;                        // read where fog is enabled
  std::array<Rgba, kTextureUnits> coords;      // s, t, r, q
  SampleUnit sample;
};

class Lowering {
 public:
  // Colours of the state are read from constant buffer `constants` in the places of constants.h.
  Lowering(ir::Builder& builder, const FragmentState& fragment_state, uint32_t constants)
      : state(fragment_state), b_(builder), constants_(constants) {}

  const FragmentState& state;

  // Terms that are known to be 0 and factors that are known to be 0 or 1 need no operation: all else is finite, since
  // registers, colours and arguments are clamped before they are used. (A zero may change its sign.)
  ir::Value number(float value);
  ir::Value add(ir::Value a, ir::Value b) { return is(a, 0) ? b : is(b, 0) ? a : b_.op(ir::Op::FAdd, {a, b}); }
  ir::Value sub(ir::Value a, ir::Value b);
  ir::Value mul(ir::Value a, ir::Value b);
  ir::Value divide(ir::Value a, ir::Value b) { return b_.op(ir::Op::FDiv, {a, b}); }
  ir::Value exp2(ir::Value a) { return b_.op(ir::Op::FEx2, {a}); }
  ir::Value negate(ir::Value a) { return b_.op(ir::Op::FNeg, {a}); }
  ir::Value at_least(ir::Value a, float low) {
    return is_between(a, low, kInfinity) ? a : b_.op(ir::Op::FMax, {a, number(low)});
  }
  ir::Value at_most(ir::Value a, float high) {
    return is_between(a, -kInfinity, high) ? a : b_.op(ir::Op::FMin, {a, number(high)});
  }
  ir::Value clamp_unit(ir::Value a) { return is_between(a, 0, 1) ? a : b_.op(ir::Op::FSat, {a}); }
  ir::Value clamp_signed(ir::Value a) { return at_least(at_most(a, 1), -1); }
  ir::Value one_minus(ir::Value a) { return sub(number(1), a); }
  ir::Value is_above(ir::Value a, float bound) { return b_.op(ir::Op::FLt, {number(bound), a}); }
  ir::Value is_at_least(ir::Value a, float bound) { return b_.op(ir::Op::FGe, {a, number(bound)}); }
  ir::Value select(ir::Value condition, ir::Value yes, ir::Value no) {
    return b_.op(ir::Op::Select, {condition, yes, no});
  }

  // The texel as a colour by the base internal format.
  Rgba expand(const Rgba& texel, BaseFormat format);
  // The colour at a place of constants.h.
  Rgba color(uint32_t place);
  Rgba fill(float value) { return {number(value), number(value), number(value), number(value)}; }

 private:
  static constexpr float kInfinity = std::numeric_limits<float>::infinity();
  // Of a value that number() made.
  std::optional<float> known(ir::Value v) const;
  bool is(ir::Value v, float value) const { return known(v) == value; }
  bool is_between(ir::Value v, float low, float high) const {
    return known(v) && *known(v) >= low && *known(v) <= high;
  }

  ir::Builder& b_;
  uint32_t constants_;
  std::vector<std::pair<ir::ValueId, float>> numbers_;
};

}  // namespace tessera::combiners
