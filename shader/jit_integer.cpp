// Operations on words and 32-bit integers.
#include "shader/jit_ops.h"

namespace tessera::jit {

using emit::Inst;
using emit::Operand;
using emit::Ymm;

namespace {

// Shifts count modulo 32; the machine's give 0 (or the sign) beyond 31.
void shift(Lane& lane, Inst by_number, Inst by_lane) {
  Registers& r = lane.r;
  const Ymm a = r.in_register(0);
  if (const std::optional<uint32_t> count = lane.constant(1)) {
    const Ymm result = r.result();
    lane.e.emit(by_number, result, a, static_cast<int>(*count & 31));
    return r.set_result(result);
  }
  const Ymm count = r.own(1);
  lane.apply(Inst::vpand, count, lane.e.constant(31u));
  lane.e.emit(by_lane, count, a, count);
  r.set_result(count);
}

void invert(Lane& lane, Ymm reg) { lane.apply(Inst::vpxor, reg, lane.e.constant(~0u)); }

// a < b, signed, as b > a; or the opposite.
void less_signed(Lane& lane, bool inverted) {
  const Operand a = lane.r.any(0);
  const Ymm b = lane.r.in_register(1), result = lane.r.temporary();
  lane.e.emit(Inst::vpcmpgtd, result, b, a);
  if (inverted) invert(lane, result);
  lane.r.set_result(result);
}

// a >= b, unsigned: the larger of both is a; or the opposite.
void not_below(Lane& lane, bool inverted) {
  const Ymm a = lane.r.in_register(0), result = lane.r.temporary();
  lane.e.emit(Inst::vpmaxud, result, a, lane.r.any(1));
  lane.apply(Inst::vpcmpeqd, result, a);
  if (inverted) invert(lane, result);
  lane.r.set_result(result);
}

}  // namespace

void jit_Select(Lane& lane) {
  Registers& r = lane.r;
  if (lane.is_bool(0)) {                           // all bits are the sign, which VBLENDVPS looks at
    const Ymm condition = r.in_register(0), otherwise = r.in_register(2);
    const Operand then = r.any(1);
    const Ymm result = r.result();
    lane.e.emit(Inst::vblendvps, result, otherwise, then, condition);
    return r.set_result(result);
  }
  const Ymm then = r.in_register(1), is_false = lane.zero();
  lane.apply(Inst::vpcmpeqd, is_false, r.any(0));
  const Operand otherwise = r.any(2);
  const Ymm result = r.result();
  lane.e.emit(Inst::vblendvps, result, then, otherwise, is_false);
  r.set_result(result);
}

void jit_And(Lane& lane) { lane.binary(Inst::vandps, true); }
void jit_Or(Lane& lane) { lane.binary(Inst::vpor, true); }
void jit_Xor(Lane& lane) { lane.binary(Inst::vpxor, true); }
void jit_Not(Lane& lane) {
  const Ymm a = lane.r.in_register(0), result = lane.r.result();
  lane.e.emit(Inst::vpxor, result, a, lane.e.constant(~0u));
  lane.r.set_result(result);
}

void jit_Shl(Lane& lane) { shift(lane, Inst::vpslld, Inst::vpsllvd); }
void jit_UShr(Lane& lane) { shift(lane, Inst::vpsrld, Inst::vpsrlvd); }
void jit_IShr(Lane& lane) { shift(lane, Inst::vpsrad, Inst::vpsravd); }

void jit_IAdd(Lane& lane) { lane.binary(Inst::vpaddd, true); }
void jit_ISub(Lane& lane) { lane.binary(Inst::vpsubd, false); }
void jit_INeg(Lane& lane) {
  const Ymm result = lane.zero();
  lane.apply(Inst::vpsubd, result, lane.r.any(0));
  lane.r.set_result(result);
}
void jit_IAbs(Lane& lane) { lane.unary(Inst::vpabsd); }
void jit_ISign(Lane& lane) {
  const Ymm one = lane.constant_register(1);
  lane.apply(Inst::vpsignd, one, lane.r.any(0));   // 1 with the sign of a, and 0 for 0
  lane.r.set_result(one);
}
void jit_IMul(Lane& lane) { lane.binary(Inst::vpmulld, true); }
void jit_IMin(Lane& lane) { lane.binary(Inst::vpminsd, true); }
void jit_IMax(Lane& lane) { lane.binary(Inst::vpmaxsd, true); }
void jit_UMin(Lane& lane) { lane.binary(Inst::vpminud, true); }
void jit_UMax(Lane& lane) { lane.binary(Inst::vpmaxud, true); }

void jit_ILt(Lane& lane) { less_signed(lane, false); }
void jit_IGe(Lane& lane) { less_signed(lane, true); }
void jit_UGe(Lane& lane) { not_below(lane, false); }
void jit_ULt(Lane& lane) { not_below(lane, true); }
void jit_IEq(Lane& lane) { lane.binary(Inst::vpcmpeqd, true); }
void jit_INe(Lane& lane) {
  const bool swap = !lane.r.is_in_register(0);
  const Ymm a = lane.r.in_register(swap ? 1 : 0), result = lane.r.temporary();
  lane.e.emit(Inst::vpcmpeqd, result, a, lane.r.any(swap ? 0 : 1));
  invert(lane, result);
  lane.r.set_result(result);
}

}  // namespace tessera::jit
