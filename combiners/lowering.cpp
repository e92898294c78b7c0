#include "combiners/lowering.h"

namespace tessera::combiners {

ir::Value Lowering::number(float value) {
  for (const auto& [id, made] : numbers_)
    if (made == value) return {id};
  const ir::Value v = b_.f32(value);
  numbers_.emplace_back(v.id, value);
  return v;
}

std::optional<float> Lowering::known(ir::Value v) const {
  for (const auto& [id, made] : numbers_)
    if (id == v.id) return made;
  return std::nullopt;
}

ir::Value Lowering::sub(ir::Value a, ir::Value b) {
  if (is(b, 0)) return a;
  if (known(a) && known(b)) return number(*known(a) - *known(b));
  return b_.op(ir::Op::FSub, {a, b});
}

ir::Value Lowering::mul(ir::Value a, ir::Value b) {
  if (is(a, 0) || is(b, 0)) return number(0);
  if (is(a, 1)) return b;
  return is(b, 1) ? a : b_.op(ir::Op::FMul, {a, b});
}

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
  Rgba out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = b_.constant(constants_, place * 4 + c);
  return out;
}

}  // namespace tessera::combiners
