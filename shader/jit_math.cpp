// EX2, LG2 and POW: the formulas of core/math-inl.h, operation by operation.
#include <initializer_list>

#include "shader/jit_ops.h"

namespace tessera::jit {

using emit::Inst;
using emit::Ymm;

namespace {

constexpr uint32_t kNan = 0x7fc00000u, kInfinity = 0x7f800000u, kMinusInfinity = 0xff800000u;

// p = ((c0 * x + c1) * x + c2) ...
void polynomial(Lane& lane, Ymm p, Ymm x, std::initializer_list<float> coefficients) {
  const float* c = coefficients.begin();
  lane.e.emit(Inst::vmovaps, p, lane.e.constant(*c));
  while (++c != coefficients.end()) lane.e.emit(Inst::vfmadd213ps, p, x, lane.e.constant(*c));
}

// 2^x; `x` stays as it is.
void ex2(Lane& lane, Ymm x, Ymm result) {
  emit::Emitter& e = lane.e;
  const Ymm vanishes = lane.r.temporary(), n = lane.r.temporary(), f = lane.r.temporary(), scratch = lane.r.temporary();
  e.emit(Inst::vcmpps, vanishes, x, e.constant(-150.0f), int{kLessEqual});
  e.emit(Inst::vminps, f, x, e.constant(129.0f));
  e.emit(Inst::vandnps, f, vanishes, f);
  e.emit(Inst::vroundps, n, f, int{kToNearest});
  e.emit(Inst::vsubps, f, f, n);
  polynomial(lane, result, f,
             {0x1.41ed2ep-13f, 0x1.5f36ecp-10f, 0x1.3b2d58p-7f, 0x1.c6aefcp-5f, 0x1.ebfbdcp-3f, 0x1.62e430p-1f, 1.0f});
  // 2^n in two steps: the first is exact, the second rounds once where the result is denormal.
  e.emit(Inst::vcvtps2dq, n, n);
  e.emit(Inst::vpsrad, scratch, n, 1);
  e.emit(Inst::vpsubd, n, n, scratch);
  for (const Ymm exponent : {scratch, n}) {
    e.emit(Inst::vpaddd, exponent, exponent, e.constant(127u));
    e.emit(Inst::vpslld, exponent, exponent, 23);
    e.emit(Inst::vmulps, result, result, exponent);
  }
  e.emit(Inst::vandnps, result, vanishes, result);
  e.emit(Inst::vcmpps, scratch, x, x, int{kUnordered});
  e.emit(Inst::vblendvps, result, result, e.constant(kNan), scratch);
  for (const Ymm t : {vanishes, n, f, scratch}) lane.r.give_back(t);
}

// log2(x); `x` stays as it is.
void lg2(Lane& lane, Ymm x, Ymm result) {
  emit::Emitter& e = lane.e;
  const Ymm f = lane.r.temporary(), exponent = lane.r.temporary(), denormal = lane.r.temporary(),
            scratch = lane.r.temporary();
  e.emit(Inst::vcmpps, denormal, x, e.constant(0x1p-126f), int{kLess});
  e.emit(Inst::vmulps, scratch, x, e.constant(0x1p23f));
  e.emit(Inst::vblendvps, f, x, scratch, denormal);
  e.emit(Inst::vpsubd, exponent, f, e.constant(0x3f3504f3u));
  e.emit(Inst::vpsrad, exponent, exponent, 23);
  e.emit(Inst::vpslld, scratch, exponent, 23);
  e.emit(Inst::vpsubd, f, f, scratch);
  e.emit(Inst::vsubps, f, f, e.constant(1.0f));
  polynomial(lane, result, f,
             {-0x1.d04022p-4f, 0x1.7f706ep-3f, -0x1.857282p-3f, 0x1.a29536p-3f, -0x1.eaec54p-3f, 0x1.2781bap-2f,
              -0x1.71596ep-2f, 0x1.ec7086p-2f, -0x1.715472p-1f});
  // f * f * Q + f * c_low, then f * c_high on top, then the exponent.
  const Ymm low = lane.r.temporary();
  e.emit(Inst::vmulps, low, f, e.constant(0x1.4ae0c0p-26f));
  e.emit(Inst::vmulps, scratch, f, f);
  e.emit(Inst::vfmadd213ps, result, scratch, low);
  e.emit(Inst::vfmadd231ps, result, f, e.constant(0x1.715476p+0f));
  e.emit(Inst::vcvtdq2ps, exponent, exponent);
  e.emit(Inst::vandps, denormal, denormal, e.constant(23.0f));
  e.emit(Inst::vsubps, exponent, exponent, denormal);
  e.emit(Inst::vaddps, result, result, exponent);
  // Infinity stays, zeros give -infinity, numbers below and NaN give NaN.
  e.emit(Inst::vcmpps, scratch, x, e.constant(kInfinity), int{kEqual});
  e.emit(Inst::vblendvps, result, result, x, scratch);
  e.emit(Inst::vxorps, low, low, low);
  e.emit(Inst::vcmpps, scratch, x, low, int{kEqual});
  e.emit(Inst::vblendvps, result, result, e.constant(kMinusInfinity), scratch);
  e.emit(Inst::vcmpps, scratch, x, low, int{kGreaterEqual});
  e.emit(Inst::vmovaps, low, e.constant(kNan));
  e.emit(Inst::vblendvps, result, low, result, scratch);
  for (const Ymm t : {f, exponent, denormal, scratch, low}) lane.r.give_back(t);
}

}  // namespace

void jit_FEx2(Lane& lane) {
  const Ymm x = lane.r.in_register(0), result = lane.r.temporary();
  ex2(lane, x, result);
  lane.r.set_result(result);
}

void jit_FLg2(Lane& lane) {
  const Ymm x = lane.r.in_register(0), result = lane.r.temporary();
  lg2(lane, x, result);
  lane.r.set_result(result);
}

// 2^(y * log2(x)), but 0^0 = 1.
void jit_FPow(Lane& lane) {
  Registers& r = lane.r;
  const Ymm x = r.in_register(0), y = r.in_register(1), exponent = r.temporary();
  lg2(lane, x, exponent);
  lane.apply(Inst::vmulps, exponent, y);
  const Ymm is_zero = r.temporary(), both = r.temporary();
  lane.e.emit(Inst::vxorps, both, both, both);
  lane.e.emit(Inst::vcmpps, is_zero, x, both, int{kEqual});
  lane.e.emit(Inst::vcmpps, both, y, both, int{kEqual});
  lane.apply(Inst::vandps, both, is_zero);
  lane.e.emit(Inst::vandnps, exponent, both, exponent);
  r.give_back(is_zero);
  r.give_back(both);
  const Ymm result = r.temporary();
  ex2(lane, exponent, result);
  r.set_result(result);
}

}  // namespace tessera::jit
