#include "frontend/direct3d9/fog.h"

#include "frontend/direct3d9/constants.h"

namespace tessera::direct3d9 {
namespace {

using ir::Op;
using ir::Value;

constexpr float kLog2E = 1.44269504f;

Value linear(ir::Builder& b, uint32_t place, Value distance, bool is_pixel) {
  const Value start = b.constant(kStateConstants, place), end = b.constant(kStateConstants, place + 1);
  const Value factor = b.op(Op::FDiv, {b.op(Op::FSub, {end, distance}), b.op(Op::FSub, {end, start})});
  const Value step = is_pixel ? b.op(Op::And, {b.op(Op::FLt, {distance, start}), b.f32(1)}) : b.u32(0);
  return b.op(Op::Select, {b.op(Op::FEq, {start, end}), step, factor});
}

}  // namespace

Value fog_factor(ir::Builder& b, FogFormula formula, uint32_t place, Value distance) {
  if (formula == FogFormula::None) return b.f32(1);
  if (formula == FogFormula::Linear)
    return b.op(Op::FSat, {linear(b, place, distance, b.program().stage == ir::Stage::Fragment)});
  Value x = b.op(Op::FMul, {distance, b.constant(kStateConstants, place + 2)});
  if (formula == FogFormula::Exp2) x = b.op(Op::FMul, {x, x});
  return b.op(Op::FSat, {b.op(Op::FEx2, {b.op(Op::FMul, {x, b.f32(-kLog2E)})})});
}

}  // namespace tessera::direct3d9
