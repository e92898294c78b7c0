// Operations on floats, and across a quad's lanes.
#include "shader/jit_ops.h"

namespace tessera::jit {

using emit::Inst;
using emit::Operand;
using emit::Ymm;

namespace {

constexpr uint32_t kOne = 0x3f800000u, kMinusOne = 0xbf800000u, kSignBit = 0x80000000u, kTwoTo31 = 0x4f000000u,
                   kTwoTo32 = 0x4f800000u, kNan = 0x7fc00000u;

// result = op(a) op1 constant
void with_constant(Lane& lane, Inst inst, uint32_t word) {
  const Ymm a = lane.r.in_register(0);
  const Ymm result = lane.r.result();
  lane.e.emit(inst, result, a, lane.e.constant(word));
  lane.r.set_result(result);
}

void round(Lane& lane, Rounding rounding) {
  const Operand a = lane.r.any(0);
  const Ymm result = lane.r.result();
  lane.e.emit(Inst::vroundps, result, a, int{rounding});
  lane.r.set_result(result);
}

void compare(Lane& lane, Compare predicate) {
  const Ymm a = lane.r.in_register(0);
  const Operand b = lane.r.any(1);
  const Ymm result = lane.r.result();
  lane.e.emit(Inst::vcmpps, result, a, b, int{predicate});
  lane.r.set_result(result);
}

// a * b + c in the register of one of the three that may be overwritten: x213 is x = y * x + z, x231 is x = y * z + x.
void fused(Lane& lane, Inst x213, Inst x231) {
  Registers& r = lane.r;
  const bool takes_sum = r.dies(2) && !r.dies(0) && !r.dies(1);
  if (takes_sum || (!r.is_in_register(2) && r.is_in_register(0) && r.is_in_register(1) && !r.dies(0) && !r.dies(1))) {
    const bool swap = r.is_in_register(1) && !r.is_in_register(0);
    const Ymm a = r.in_register(swap ? 1 : 0), sum = r.own(2);
    lane.e.emit(x231, sum, a, r.any(swap ? 0 : 1));
    return r.set_result(sum);
  }
  const bool second = r.dies(1) ? !r.dies(0) : !r.dies(0) && !r.is_in_register(1);
  const uint32_t factor = second ? 1 : 0;
  const Ymm other = r.in_register(1 - factor), product = r.own(factor);
  lane.e.emit(x213, product, other, r.any(2));
  r.set_result(product);
}

// VMINPS and VMAXPS give b unless a is smaller (larger); the operation gives a where b is NaN.
void smaller_or_larger(Lane& lane, Inst inst) {
  Registers& r = lane.r;
  if (lane.is_never_nan(1)) return lane.binary(inst, false);
  // A number that is no zero may stand second: where neither is smaller, both are the same.
  if (lane.is_never_nan(0) && (*lane.constant(0) & ~kSignBit) != 0) {
    const Ymm b = r.in_register(1);
    const Operand a = r.any(0);
    const Ymm result = r.result();
    lane.e.emit(inst, result, b, a);
    return r.set_result(result);
  }
  const Ymm a = r.in_register(0), b = r.in_register(1), picked = r.temporary(), is_nan = r.temporary();
  lane.e.emit(inst, picked, a, b);
  lane.e.emit(Inst::vcmpps, is_nan, b, b, int{kUnordered});
  const Ymm result = r.result();
  lane.e.emit(Inst::vblendvps, result, picked, a, is_nan);
  r.set_result(result);
}

// x = 0 where the lanes of x toward zero do not fit: more than the largest integer becomes it, NaN becomes 0.
void saturate_int(Lane& lane, Ymm raw, Ymm x, Ymm scratch) {
  lane.e.emit(Inst::vcvttps2dq, raw, x);
  lane.e.emit(Inst::vcmpps, scratch, x, lane.e.constant(kTwoTo31), int{kGreaterEqual});
  lane.apply(Inst::vpxor, raw, scratch);
  lane.e.emit(Inst::vcmpps, scratch, x, x, int{kUnordered});
  lane.e.emit(Inst::vpandn, raw, scratch, raw);
}

void divide_one_by(Lane& lane, const Operand& divisor) {
  const Ymm one = lane.constant_register(kOne);
  lane.e.emit(Inst::vdivps, one, one, divisor);
  lane.r.set_result(one);
}

}  // namespace

void jit_FAdd(Lane& lane) { lane.binary(Inst::vaddps, true); }
void jit_FSub(Lane& lane) { lane.binary(Inst::vsubps, false); }
void jit_FMul(Lane& lane) { lane.binary(Inst::vmulps, true); }
void jit_FDiv(Lane& lane) { lane.binary(Inst::vdivps, false); }
void jit_FFma(Lane& lane) { fused(lane, Inst::vfmadd213ps, Inst::vfmadd231ps); }
void jit_FFms(Lane& lane) { fused(lane, Inst::vfmsub213ps, Inst::vfmsub231ps); }
void jit_FFnma(Lane& lane) { fused(lane, Inst::vfnmadd213ps, Inst::vfnmadd231ps); }
void jit_FMin(Lane& lane) { smaller_or_larger(lane, Inst::vminps); }
void jit_FMax(Lane& lane) { smaller_or_larger(lane, Inst::vmaxps); }
void jit_FNeg(Lane& lane) { with_constant(lane, Inst::vxorps, kSignBit); }
void jit_FAbs(Lane& lane) { with_constant(lane, Inst::vandps, ~kSignBit); }

void jit_FSat(Lane& lane) {
  const Ymm a = lane.r.in_register(0), limited = lane.zero();
  lane.e.emit(Inst::vmaxps, limited, a, limited);
  lane.apply(Inst::vminps, limited, lane.e.constant(kOne));
  lane.r.set_result(limited);
}

void jit_FCanon(Lane& lane) {
  const Ymm a = lane.r.in_register(0), is_nan = lane.r.temporary();
  lane.e.emit(Inst::vcmpps, is_nan, a, a, int{kUnordered});
  const Ymm result = lane.r.result();
  lane.e.emit(Inst::vblendvps, result, a, lane.e.constant(kNan), is_nan);
  lane.r.set_result(result);
}

void jit_FFloor(Lane& lane) { round(lane, kDown); }
void jit_FCeil(Lane& lane) { round(lane, kUp); }
void jit_FTrunc(Lane& lane) { round(lane, kToZero); }
void jit_FRound(Lane& lane) { round(lane, kToNearest); }

void jit_FFract(Lane& lane) {
  const Ymm a = lane.r.in_register(0), floor = lane.r.temporary();
  lane.e.emit(Inst::vroundps, floor, a, int{kDown});
  lane.e.emit(Inst::vsubps, floor, a, floor);
  lane.r.set_result(floor);
}

void jit_FSign(Lane& lane) {
  const Ymm a = lane.r.in_register(0), zero = lane.zero(), is_negative = lane.r.temporary();
  lane.e.emit(Inst::vcmpps, is_negative, a, zero, int{kLess});
  lane.e.emit(Inst::vcmpps, zero, a, zero, int{kGreater});
  lane.apply(Inst::vandps, zero, lane.e.constant(kOne));
  lane.e.emit(Inst::vblendvps, zero, zero, lane.e.constant(kMinusOne), is_negative);
  lane.r.set_result(zero);
}

void jit_FRcp(Lane& lane) { divide_one_by(lane, lane.r.any(0)); }
void jit_FSqrt(Lane& lane) { lane.unary(Inst::vsqrtps); }
void jit_FRsq(Lane& lane) {
  const Operand a = lane.r.any(0);
  const Ymm root = lane.r.temporary();
  lane.e.emit(Inst::vsqrtps, root, a);
  divide_one_by(lane, root);
}

void jit_FLt(Lane& lane) { compare(lane, kLess); }
void jit_FGe(Lane& lane) { compare(lane, kGreaterEqual); }
void jit_FEq(Lane& lane) { compare(lane, kEqual); }
void jit_FNe(Lane& lane) { compare(lane, kNotEqual); }

// ---- conversions ---------------------------------------------------------------------------------------------------

void jit_FToI(Lane& lane) {
  const Ymm a = lane.r.in_register(0), raw = lane.r.temporary(), scratch = lane.r.temporary();
  saturate_int(lane, raw, a, scratch);
  lane.r.set_result(raw);
}

// The upper half of the range is converted less 2^31, whose bit is put back.
void jit_FToU(Lane& lane) {
  Registers& r = lane.r;
  const Ymm a = r.in_register(0), positive = r.temporary(), upper = r.temporary(), reduced = r.temporary(),
            raw = r.temporary(), scratch = r.temporary();
  lane.e.emit(Inst::vxorps, positive, positive, positive);
  lane.e.emit(Inst::vcmpps, positive, a, positive, int{kGreater});
  lane.apply(Inst::vandps, positive, a);
  lane.e.emit(Inst::vcmpps, upper, positive, lane.e.constant(kTwoTo31), int{kGreaterEqual});
  lane.e.emit(Inst::vandps, reduced, upper, lane.e.constant(kTwoTo31));
  lane.e.emit(Inst::vsubps, reduced, positive, reduced);
  saturate_int(lane, raw, reduced, scratch);
  lane.apply(Inst::vpand, upper, lane.e.constant(kSignBit));
  lane.apply(Inst::vpor, raw, upper);
  lane.e.emit(Inst::vcmpps, scratch, positive, lane.e.constant(kTwoTo32), int{kGreaterEqual});
  lane.apply(Inst::vpor, raw, scratch);
  r.set_result(raw);
}

void jit_IToF(Lane& lane) { lane.unary(Inst::vcvtdq2ps); }

// Both halves are exact; only their sum is rounded.
void jit_UToF(Lane& lane) {
  const Ymm a = lane.r.in_register(0), upper = lane.r.temporary(), lower = lane.r.temporary();
  lane.e.emit(Inst::vpsrld, upper, a, 16);
  lane.e.emit(Inst::vcvtdq2ps, upper, upper);
  lane.e.emit(Inst::vpand, lower, a, lane.e.constant(0xffffu));
  lane.e.emit(Inst::vcvtdq2ps, lower, lower);
  lane.apply(Inst::vmulps, upper, lane.e.constant(65536.0f));
  lane.apply(Inst::vaddps, upper, lower);
  lane.r.set_result(upper);
}

// ---- quads: a strip holds two --------------------------------------------------------------------------------------

void jit_Ddx(Lane& lane) {
  const Ymm a = lane.r.in_register(0), right = lane.r.temporary(), left = lane.r.temporary();
  lane.e.emit(Inst::vmovshdup, right, a);
  lane.e.emit(Inst::vmovsldup, left, a);
  lane.apply(Inst::vsubps, right, left);
  lane.r.set_result(right);
}

// A row of a quad is as wide as a double.
void jit_Ddy(Lane& lane) {
  const Ymm a = lane.r.in_register(0), lower = lane.r.temporary(), upper = lane.r.temporary();
  lane.e.emit(Inst::vunpckhpd, lower, a, a);
  lane.e.emit(Inst::vunpcklpd, upper, a, a);
  lane.apply(Inst::vsubps, lower, upper);
  lane.r.set_result(lower);
}

}  // namespace tessera::jit
