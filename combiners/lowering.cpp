#include "combiners/lowering.h"

#include <algorithm>
#include <cmath>

namespace tessera::combiners {

// ---- what is known of values -----------------------------------------------------------------------------------------
// Bounds hold after rounding, too: it is monotone, and bounds are computed by the operations themselves.

const Lowering::Bounds* Lowering::bounds(ir::Value v) const {
  const auto found = bounds_.find(v.id);
  return found == bounds_.end() ? nullptr : &found->second;
}

bool Lowering::is(ir::Value v, float value) const {
  const Bounds* const b = bounds(v);
  return b && b->low == value && b->high == value;
}

ir::Value Lowering::bounded(ir::Value v, float low, float high) {
  if (std::isfinite(low) && std::isfinite(high)) bounds_[v.id] = {low, high};
  return v;
}

// ---- operations ------------------------------------------------------------------------------------------------------

ir::Value Lowering::number(float value) {
  for (const auto& [made, v] : numbers_)
    if (made == value) return v;
  const ir::Value v = bounded(b_.f32(value), value, value);
  numbers_.emplace_back(value, v);
  return v;
}

ir::Value Lowering::add(ir::Value a, ir::Value b) {
  if (is(a, 0)) return b;
  if (is(b, 0)) return a;
  const Bounds* const x = bounds(a);
  const Bounds* const y = bounds(b);
  const ir::Value sum = b_.op(ir::Op::FAdd, {a, b});
  return x && y ? bounded(sum, x->low + y->low, x->high + y->high) : sum;
}

ir::Value Lowering::sub(ir::Value a, ir::Value b) {
  if (is(b, 0)) return a;
  const Bounds* const x = bounds(a);
  const Bounds* const y = bounds(b);
  const ir::Value difference = b_.op(ir::Op::FSub, {a, b});
  return x && y ? bounded(difference, x->low - y->high, x->high - y->low) : difference;
}

ir::Value Lowering::mul(ir::Value a, ir::Value b) {
  if (is(a, 0) || is(b, 0)) return number(0);
  if (is(a, 1)) return b;
  if (is(b, 1)) return a;
  const Bounds* const x = bounds(a);
  const Bounds* const y = bounds(b);
  const ir::Value product = b_.op(ir::Op::FMul, {a, b});
  if (!x || !y) return product;
  const auto [low, high] = std::minmax({x->low * y->low, x->low * y->high, x->high * y->low, x->high * y->high});
  return bounded(product, low, high);
}

ir::Value Lowering::negate(ir::Value a) {
  const Bounds* const x = bounds(a);
  const ir::Value negated = b_.op(ir::Op::FNeg, {a});
  return x ? bounded(negated, -x->high, -x->low) : negated;
}

ir::Value Lowering::at_least(ir::Value a, float low) {
  const Bounds* const x = bounds(a);
  if (x && x->low >= low) return a;
  if (x && x->high <= low) return number(low);
  const auto floor = floors_.find(a.id), ceiling = ceilings_.find(a.id);
  if (floor != floors_.end() && floor->second.bound <= low) return at_least(floor->second.of, low);
  if (low == 0 && ceiling != ceilings_.end() && ceiling->second.bound == 1) return clamp_unit(ceiling->second.of);
  const ir::Value result = b_.op(ir::Op::FMax, {a, number(low)});
  floors_[result.id] = {a, low};
  if (x) return bounded(result, low, x->high);
  return ceiling != ceilings_.end() ? bounded(result, low, ceiling->second.bound) : result;
}

ir::Value Lowering::at_most(ir::Value a, float high) {
  const Bounds* const x = bounds(a);
  if (x && x->high <= high) return a;
  if (x && x->low >= high) return number(high);
  const ir::Value result = b_.op(ir::Op::FMin, {a, number(high)});
  ceilings_[result.id] = {a, high};
  return x ? bounded(result, x->low, high) : result;
}

ir::Value Lowering::clamp_unit(ir::Value a) {
  const Bounds* const x = bounds(a);
  if (x && x->low >= 0 && x->high <= 1) return a;
  if (const auto floor = floors_.find(a.id); floor != floors_.end() && floor->second.bound <= 0)
    return clamp_unit(floor->second.of);
  if (const auto ceiling = ceilings_.find(a.id); ceiling != ceilings_.end() && ceiling->second.bound >= 1)
    return clamp_unit(ceiling->second.of);
  return bounded(b_.op(ir::Op::FSat, {a}), 0, 1);
}

ir::Value Lowering::settled(ir::Value a, float low, float high) {
  const ir::Value result = at_least(at_most(a, high), low);
  floors_.erase(result.id);
  ceilings_.erase(result.id);
  return result;
}

ir::Value Lowering::select(ir::Value condition, ir::Value yes, ir::Value no) {
  const Bounds* const x = bounds(yes);
  const Bounds* const y = bounds(no);
  const ir::Value chosen = b_.op(ir::Op::Select, {condition, yes, no});
  return x && y ? bounded(chosen, std::min(x->low, y->low), std::max(x->high, y->high)) : chosen;
}

// ---- colours ---------------------------------------------------------------------------------------------------------

Rgba Lowering::expand(const Rgba& texel, BaseFormat format) {
  Rgba out;
  for (size_t c = 0; c < 4; ++c) {
    const Part part = info(format).rgba[c];
    if (part == Part::Zero) out[c] = number(0);
    else if (part == Part::One) out[c] = number(1);
    else out[c] = texel[static_cast<size_t>(part)];
  }
  return out;
}

Rgba Lowering::color(uint32_t place) {
  Rgba out = words(place);
  for (ir::Value& c : out) bounded(c, 0, 1);
  return out;
}

Rgba Lowering::words(uint32_t place) {
  Rgba out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = b_.constant(constants_, place * 4 + c);
  return out;
}

}  // namespace tessera::combiners
