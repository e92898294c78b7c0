// shader/tgsi/lower_alu.cpp: opcodes that are more than one IR operation a channel. Formulas: the instruction texts,
// and where they leave room the values chosen for Tessera (README.md).
#include "shader/tgsi/lowering.h"

namespace tessera::tgsi {
namespace {

constexpr uint32_t kOne = 0x3f800000;

template <class Formula>
void each(Lowering& l, Formula formula) {
  for (uint32_t c = 0; c < 4; ++c)
    if (l.enabled(c)) l.set(c, formula(c));
}

// a * b and a * b + c. Under the legacy rules a zero factor makes the product 0 whatever the other is.
Value is_zero_product(Lowering& l, Value a, Value b) {
  const Value zero = l.b().u32(0);
  return l.b().op(Op::Or, {l.b().op(Op::FEq, {a, zero}), l.b().op(Op::FEq, {b, zero})});
}

Value multiply(Lowering& l, Value a, Value b) {
  const Value product = l.b().op(Op::FMul, {a, b});
  return l.legacy_math() ? l.b().op(Op::Select, {is_zero_product(l, a, b), l.b().u32(0), product}) : product;
}

Value multiply_add(Lowering& l, Value a, Value b, Value c) {
  const Value sum = l.b().op(Op::FFma, {a, b, c});
  return l.legacy_math() ? l.b().op(Op::Select, {is_zero_product(l, a, b), c, sum}) : sum;
}

// One fused chain: x first, then y, z, w.
Value dot(Lowering& l, uint32_t count) {
  Value sum = multiply(l, l.src(0, 0), l.src(1, 0));
  for (uint32_t c = 1; c < count; ++c) sum = multiply_add(l, l.src(0, c), l.src(1, c), sum);
  return sum;
}

Value one_or_zero(Lowering& l, Value condition) { return l.b().op(Op::And, {condition, l.b().u32(kOne)}); }

void set_on(Lowering& l, Op compare, bool swapped) {
  each(l, [&](uint32_t c) {
    const Value a = l.src(0, c), b = l.src(1, c);
    return one_or_zero(l, swapped ? l.b().op(compare, {b, a}) : l.b().op(compare, {a, b}));
  });
}

Value less(Lowering& l, Value a, float b) { return l.b().op(Op::FLt, {a, l.b().f32(b)}); }
Value greater(Lowering& l, Value a, float b) { return l.b().op(Op::FLt, {l.b().f32(b), a}); }

}  // namespace

void lower_mov(Lowering& l) {
  each(l, [&](uint32_t c) { return l.src(0, c); });
}

void lower_mul(Lowering& l) {
  each(l, [&](uint32_t c) { return multiply(l, l.src(0, c), l.src(1, c)); });
}

void lower_mad(Lowering& l) {
  each(l, [&](uint32_t c) { return multiply_add(l, l.src(0, c), l.src(1, c), l.src(2, c)); });
}

// a * b + (1 - a) * c, exact at a = 0 and a = 1.
void lower_lrp(Lowering& l) {
  each(l, [&](uint32_t ch) {
    const Value a = l.src(0, ch), c = l.src(2, ch);
    return multiply_add(l, a, l.src(1, ch), multiply_add(l, l.b().op(Op::FNeg, {a}), c, c));
  });
}

void lower_lerp(Lowering& l) {
  if (!l.is_2007()) return lower_lrp(l);
  each(l, [&](uint32_t ch) {
    const Value c = l.src(2, ch);
    return multiply_add(l, l.src(0, ch), l.b().op(Op::FSub, {l.src(1, ch), c}), c);
  });
}

void lower_cmp(Lowering& l) {
  each(l, [&](uint32_t c) { return l.b().op(Op::Select, {less(l, l.src(0, c), 0.0f), l.src(1, c), l.src(2, c)}); });
}

void lower_cnd(Lowering& l) {
  each(l, [&](uint32_t c) { return l.b().op(Op::Select, {greater(l, l.src(2, c), 0.5f), l.src(0, c), l.src(1, c)}); });
}

void lower_cnd0(Lowering& l) {
  each(l, [&](uint32_t c) {
    const Value at_least_0 = l.b().op(Op::FGe, {l.src(2, c), l.b().u32(0)});
    return l.b().op(Op::Select, {at_least_0, l.src(0, c), l.src(1, c)});
  });
}

void lower_slt(Lowering& l) { set_on(l, Op::FLt, false); }
void lower_sge(Lowering& l) { set_on(l, Op::FGe, false); }
void lower_seq(Lowering& l) { set_on(l, Op::FEq, false); }
void lower_sne(Lowering& l) { set_on(l, Op::FNe, false); }
void lower_sgt(Lowering& l) { set_on(l, Op::FLt, true); }
void lower_sle(Lowering& l) { set_on(l, Op::FGe, true); }

// x: 1   y: max(a.x, 0)   z: a.x > 0 ? max(a.y, 0) ^ clamp(a.w, -128, 128) : 0   w: 1
void lower_lit(Lowering& l) {
  Builder& b = l.b();
  const Value zero = b.u32(0);
  l.set_all(b.u32(kOne));
  l.set(1, b.op(Op::FMax, {l.src(0, 0), zero}));
  if (!l.enabled(2)) return;
  const Value exponent = b.op(Op::FMin, {b.op(Op::FMax, {l.src(0, 3), b.f32(-128.0f)}), b.f32(128.0f)});
  const Value power = b.op(Op::FPow, {b.op(Op::FMax, {l.src(0, 1), zero}), exponent});
  l.set(2, b.op(Op::Select, {greater(l, l.src(0, 0), 0.0f), power, zero}));
}

// x: 2^floor(a.x)   y: a.x - floor(a.x)   z: 2^a.x   w: 1
void lower_exp(Lowering& l) {
  Builder& b = l.b();
  const Value a = l.src(0, 0);
  l.set(0, b.op(Op::FEx2, {b.op(Op::FFloor, {a})}));
  l.set(1, b.op(Op::FFract, {a}));
  l.set(2, b.op(Op::FEx2, {a}));
  l.set(3, b.u32(kOne));
}

// t = |a.x|   x: floor(log2 t)   y: t / 2^floor(log2 t)   z: log2 t   w: 1
// The exponent comes from the bits of t: a rounded logarithm may be a power of two's own just below it.
void lower_log(Lowering& l) {
  Builder& b = l.b();
  const Value t = b.op(Op::FAbs, {l.src(0, 0)});
  const Value log2_v = b.op(Op::FLg2, {t});
  l.set(2, log2_v);
  l.set(3, b.u32(kOne));
  if (!l.enabled(0) && !l.enabled(1)) return;
  const Value field_v = b.op(Op::UShr, {t, b.u32(23)});
  const Value denormal_v = b.op(Op::IEq, {field_v, b.u32(0)});
  const Value exponent_v = b.op(Op::Select, {denormal_v, b.op(Op::ISub, {b.op(Op::UHighBit, {t}), b.u32(149)}),
                                             b.op(Op::ISub, {field_v, b.u32(127)})});
  // Zeros, infinities and NaNs follow the formula.
  const Value regular_v = b.op(Op::And, {b.op(Op::INe, {t, b.u32(0)}), b.op(Op::ULt, {t, b.u32(0x7f800000)})});
  const Value floor_v = b.op(Op::Select, {regular_v, b.op(Op::IToF, {exponent_v}), b.op(Op::FFloor, {log2_v})});
  const Value scaled_v = b.op(Op::FLdexp, {t, b.op(Op::INeg, {exponent_v})});
  l.set(0, floor_v);
  l.set(1, b.op(Op::Select, {regular_v, scaled_v, b.op(Op::FDiv, {t, b.op(Op::FEx2, {floor_v})})}));
}

void lower_dst(Lowering& l) {
  l.set(0, l.b().u32(kOne));
  l.set(1, multiply(l, l.src(0, 1), l.src(1, 1)));
  l.set(2, l.src(0, 2));
  l.set(3, l.src(1, 3));
}

void lower_dp2(Lowering& l) { l.set_all(dot(l, 2)); }
void lower_dp3(Lowering& l) { l.set_all(dot(l, 3)); }
void lower_dp4(Lowering& l) { l.set_all(dot(l, 4)); }
void lower_dot2add(Lowering& l) { l.set_all(l.b().op(Op::FAdd, {dot(l, 2), l.src(2, 0)})); }

void lower_rsq(Lowering& l) {
  const Value a = l.src(0, 0);
  l.set_all(l.b().op(Op::FRsq, {l.is_2007() ? l.b().op(Op::FAbs, {a}) : a}));
}

// ---- address registers -----------------------------------------------------------------------------------------------

void lower_arl(Lowering& l) {
  if (l.is_2007()) l.restrict_mask(1);
  each(l, [&](uint32_t c) { return l.b().op(Op::FToI, {l.b().op(Op::FFloor, {l.src(0, c)})}); });
}

void lower_arr(Lowering& l) {
  each(l, [&](uint32_t c) { return l.b().op(Op::FToI, {l.b().op(Op::FRound, {l.src(0, c)})}); });
}

void lower_uarl(Lowering& l) { lower_mov(l); }

// ---- packing ---------------------------------------------------------------------------------------------------------

namespace {

void pack_two(Lowering& l, Op op) { l.set_all(l.b().op(op, {l.src(0, 0), l.src(0, 1)})); }
void pack_four(Lowering& l, Op op) { l.set_all(l.b().op(op, {l.src(0, 0), l.src(0, 1), l.src(0, 2), l.src(0, 3)})); }

// Channel c is the field of `bits` bits number c modulo their count.
void unpack(Lowering& l, Op op, uint32_t bits) {
  const Value a = l.src(0, 0);
  each(l, [&](uint32_t c) {
    const uint32_t shift = c * bits % 32;
    return l.b().op(op, {shift ? l.b().op(Op::UShr, {a, l.b().u32(shift)}) : a});
  });
}

}  // namespace

void lower_pk2h(Lowering& l) { pack_two(l, Op::PackHalf); }
void lower_pk2us(Lowering& l) { pack_two(l, Op::PackUnorm16); }
void lower_pk4b(Lowering& l) { pack_four(l, Op::PackSnorm8); }
void lower_pk4ub(Lowering& l) { pack_four(l, Op::PackUnorm8); }
void lower_up2h(Lowering& l) { unpack(l, Op::UnpackHalf, 16); }
void lower_up2us(Lowering& l) { unpack(l, Op::UnpackUnorm16, 16); }
void lower_up4b(Lowering& l) { unpack(l, Op::UnpackSnorm8, 8); }
void lower_up4ub(Lowering& l) { unpack(l, Op::UnpackUnorm8, 8); }

// ---- integers and lanes ----------------------------------------------------------------------------------------------

void lower_umad(Lowering& l) {
  each(l, [&](uint32_t c) { return l.b().op(Op::IAdd, {l.b().op(Op::IMul, {l.src(0, c), l.src(1, c)}), l.src(2, c)}); });
}

void lower_ucmp(Lowering& l) {
  each(l, [&](uint32_t c) { return l.b().op(Op::Select, {l.src(0, c), l.src(1, c), l.src(2, c)}); });
}

void lower_ballot(Lowering& l) {
  l.set(0, l.b().op(Op::Ballot, {l.src(0, 0)}));
  l.set(1, l.b().u32(0));
}

void lower_read_invoc(Lowering& l) {
  each(l, [&](uint32_t c) { return l.b().op(Op::ReadLane, {l.src(0, c), l.src(1, 0)}); });
}

void lower_fbfetch(Lowering& l) {
  each(l, [&](uint32_t c) { return l.fetch_target(c); });
}

void lower_emit(Lowering& l) { l.emit_vertex(l.src(0, 0)); }
void lower_endprim(Lowering& l) { l.b().op_multi(Op::EndPrimitive, std::array{l.src(0, 0)}, 0, {}); }

void lower_clock(Lowering& l) {
  Value time[2];
  l.b().op_multi(Op::Clock, {}, 0, time);
  l.set(0, time[0]);
  l.set(1, time[1]);
}

void lower_read_helper(Lowering& l) { l.set_all(l.b().op(Op::IsHelper, {})); }

void lower_kill(Lowering& l) { l.b().kill_if(l.b().u32(~0u)); }

void lower_kill_if(Lowering& l) {
  Value any = less(l, l.src(0, 0), 0.0f);
  for (uint32_t c = 1; c < 4; ++c) any = l.b().op(Op::Or, {any, less(l, l.src(0, c), 0.0f)});
  l.b().kill_if(any);
}

}  // namespace tessera::tgsi
