// combiners/lowering.h: what lowers a setup to IR works with: the values of a fragment, and arithmetic on them.
// Nothing is fused and nothing reordered: a * b + c is a multiply, then an add.
#pragma once

#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "combiners/constants.h"
#include "combiners/place.h"
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

  // What follows comes from there (place.h).
  void begin(uint32_t place) { b_.at(place_of(place)); }

  // What is known of values spares operations: terms that are 0, factors that are 0 or 1, clamps to a range in which a
  // value is anyway. All values are finite, since registers, colours and arguments are clamped before they are used.
  // (A zero may change its sign.)
  ir::Value number(float value);
  ir::Value add(ir::Value a, ir::Value b);
  ir::Value sub(ir::Value a, ir::Value b);
  ir::Value mul(ir::Value a, ir::Value b);
  ir::Value divide(ir::Value a, ir::Value b) { return b_.op(ir::Op::FDiv, {a, b}); }
  ir::Value exp2(ir::Value a) { return b_.op(ir::Op::FEx2, {a}); }
  ir::Value negate(ir::Value a);
  ir::Value at_least(ir::Value a, float low);
  ir::Value at_most(ir::Value a, float high);
  ir::Value clamp_unit(ir::Value a);
  // Clamped by operations that later clamps do not replace: what is no number becomes `high`.
  ir::Value settled(ir::Value a, float low, float high);
  ir::Value clamp_signed(ir::Value a) { return at_least(at_most(a, 1), -1); }
  ir::Value one_minus(ir::Value a) { return sub(number(1), a); }
  ir::Value is_above(ir::Value a, float bound) { return b_.op(ir::Op::FLt, {number(bound), a}); }
  ir::Value is_at_least(ir::Value a, float bound) { return b_.op(ir::Op::FGe, {a, number(bound)}); }
  ir::Value select(ir::Value condition, ir::Value yes, ir::Value no);

  // The texel as a colour by the base internal format.
  Rgba expand(const Rgba& texel, BaseFormat format);
  // The colour at a place of constants.h; the numbers there.
  Rgba color(uint32_t place);
  Rgba words(uint32_t place);
  Rgba fill(float value) { return {number(value), number(value), number(value), number(value)}; }

 private:
  struct Bounds { float low, high; };
  struct Clamped { ir::Value of; float bound; };

  const Bounds* bounds(ir::Value v) const;
  bool is(ir::Value v, float value) const;
  // `v`, which lies in these bounds if both are finite.
  ir::Value bounded(ir::Value v, float low, float high);

  ir::Builder& b_;
  uint32_t constants_;
  std::vector<std::pair<float, ir::Value>> numbers_;
  std::unordered_map<ir::ValueId, Bounds> bounds_;
  std::unordered_map<ir::ValueId, Clamped> floors_, ceilings_;     // results of at_least and at_most
};

}  // namespace tessera::combiners
