// shader/d3d9/lower_alu.cpp: arithmetic that is more than one IR operation a component.
#include <limits>

#include "shader/d3d9/lowering.h"

namespace tessera::d3d9 {
namespace {

constexpr float kLargestBelow1 = 0x1.fffffep-1f, kLargest = std::numeric_limits<float>::max();
constexpr float kLargestLitPower = 127.99609375f;

template <class Formula>
void each(Lowering& l, Formula formula) {
  for (uint32_t c = 0; c < 4; ++c)
    if (l.enabled(c)) l.set(c, formula(c));
}

auto components(Lowering& l, uint32_t i) {
  return [&l, i](uint32_t c) { return l.src(i, c); };
}

Value one_or_zero(Lowering& l, Value condition) { return l.op(Op::And, {condition, l.number(1)}); }

// Row k of the matrix times the vector to component k.
void matrix(Lowering& l, uint32_t rows, uint32_t columns) {
  for (uint32_t k = 0; k < rows; ++k)
    if (l.enabled(k)) l.set(k, l.dot(columns, components(l, 0), [&](uint32_t c) { return l.row(1, k, c); }));
}

// 2^floor(x), x - floor(x), 2^x, 1.
void partial_exp(Lowering& l) {
  const Value x = l.scalar(0), floor_v = l.op(Op::FFloor, {x});
  l.set(0, l.op(Op::FEx2, {floor_v}));
  l.set(1, l.op(Op::FSub, {x, floor_v}));
  l.set(2, l.op(Op::FEx2, {x}));
  l.set(3, l.number(1));
}

// The exponent of v, its mantissa in 1..2, log2 v, 1. Denormal v are scaled to normal numbers for their parts.
void partial_log(Lowering& l) {
  const Value v = l.op(Op::FAbs, {l.scalar(0)});
  const Value is_small_v = l.op(Op::FLt, {v, l.number(0x1p-126f)});
  const Value scaled_v = l.op(Op::Select, {is_small_v, l.op(Op::FMul, {v, l.number(0x1p24f)}), v});
  const Value biased_v = l.op(Op::UShr, {scaled_v, l.b().u32(23)});
  const Value bias_v = l.op(Op::Select, {is_small_v, l.b().u32(127 + 24), l.b().u32(127)});
  const Value exponent_v = l.op(Op::IToF, {l.op(Op::ISub, {biased_v, bias_v})});
  const Value fraction_v = l.op(Op::Or, {l.op(Op::And, {scaled_v, l.b().u32(0x007fffff)}), l.number(1)});
  const Value is_finite_v = l.op(Op::FLt, {v, l.number(std::numeric_limits<float>::infinity())});
  const Value is_zero_v = l.op(Op::FEq, {v, l.number(0)}), log2_v = l.op(Op::FLg2, {v});
  const Value is_regular_v = l.op(Op::And, {is_finite_v, l.op(Op::Not, {is_zero_v})});
  l.set(0, l.op(Op::Select, {is_regular_v, exponent_v, log2_v}));
  l.set(1, l.op(Op::Select, {is_regular_v, fraction_v, l.number(1)}));
  l.set(2, log2_v);
  l.set(3, l.number(1));
}

}  // namespace

// a0 takes whole numbers: vs_1_1 rounds them down.
void lower_mov(Lowering& l) {
  const bool to_address = l.destination().reg.file == File::Address;
  each(l, [&](uint32_t c) {
    const Value x = l.src(0, c);
    return to_address ? l.op(Op::FToI, {l.op(Op::FFloor, {x})}) : x;
  });
}

void lower_mova(Lowering& l) {
  each(l, [&](uint32_t c) { return l.op(Op::FToI, {l.op(Op::FRound, {l.src(0, c)})}); });
}

void lower_mul(Lowering& l) {
  each(l, [&](uint32_t c) { return l.multiply(l.src(0, c), l.src(1, c)); });
}

void lower_mad(Lowering& l) {
  each(l, [&](uint32_t c) { return l.multiply_add(l.src(0, c), l.src(1, c), l.src(2, c)); });
}

void lower_lrp(Lowering& l) {
  each(l, [&](uint32_t c) {
    return l.multiply_add(l.src(0, c), l.op(Op::FSub, {l.src(1, c), l.src(2, c)}), l.src(2, c));
  });
}

// ---- comparisons ---------------------------------------------------------------------------------------------------

// a < b ? a : b. FMin differs only where b is NaN.
void lower_min(Lowering& l) {
  each(l, [&](uint32_t c) {
    const Value a = l.src(0, c), b = l.src(1, c);
    return l.is_known_number(1, c) ? l.op(Op::FMin, {a, b}) : l.op(Op::Select, {l.op(Op::FLt, {a, b}), a, b});
  });
}

// a >= b ? a : b. FMax differs only where b is NaN, and in the sign of a zero.
void lower_max(Lowering& l) {
  each(l, [&](uint32_t c) {
    const Value a = l.src(0, c), b = l.src(1, c);
    return l.is_known_number(1, c) ? l.op(Op::FMax, {a, b}) : l.op(Op::Select, {l.op(Op::FGe, {a, b}), a, b});
  });
}

void lower_slt(Lowering& l) {
  each(l, [&](uint32_t c) { return one_or_zero(l, l.op(Op::FLt, {l.src(0, c), l.src(1, c)})); });
}

void lower_sge(Lowering& l) {
  each(l, [&](uint32_t c) { return one_or_zero(l, l.op(Op::FGe, {l.src(0, c), l.src(1, c)})); });
}

void lower_sgn(Lowering& l) {
  each(l, [&](uint32_t c) { return l.op(Op::FSign, {l.src(0, c)}); });
}

void lower_cmp(Lowering& l) {
  each(l, [&](uint32_t c) {
    return l.op(Op::Select, {l.op(Op::FGe, {l.src(0, c), l.number(0)}), l.src(1, c), l.src(2, c)});
  });
}

// A cnd that is paired with the instruction before it and writes colour always takes the first, before ps_1_4.
void lower_cnd(Lowering& l) {
  const bool takes_first = l.program().version != Version::ps_1_4 && l.inst().co_issued && l.destination().mask != 8;
  each(l, [&](uint32_t c) {
    if (takes_first) return l.src(1, c);
    return l.op(Op::Select, {l.op(Op::FLt, {l.number(0.5f), l.src(0, c)}), l.src(1, c), l.src(2, c)});
  });
}

void lower_setp(Lowering& l) {
  each(l, [&](uint32_t c) { return l.compare(l.inst().comparison, l.src(0, c), l.src(1, c)); });
}

// ---- products of vectors -------------------------------------------------------------------------------------------

void lower_dp3(Lowering& l) { l.set_all(l.dot(3, components(l, 0), components(l, 1))); }
void lower_dp4(Lowering& l) { l.set_all(l.dot(4, components(l, 0), components(l, 1))); }
void lower_dp2add(Lowering& l) {
  l.set_all(l.op(Op::FAdd, {l.dot(2, components(l, 0), components(l, 1)), l.scalar(2)}));
}

void lower_m4x4(Lowering& l) { matrix(l, 4, 4); }
void lower_m4x3(Lowering& l) { matrix(l, 3, 4); }
void lower_m3x4(Lowering& l) { matrix(l, 4, 3); }
void lower_m3x3(Lowering& l) { matrix(l, 3, 3); }
void lower_m3x2(Lowering& l) { matrix(l, 2, 3); }

void lower_crs(Lowering& l) {
  for (uint32_t c = 0; c < 3; ++c) {
    if (!l.enabled(c)) continue;
    const uint32_t y = (c + 1) % 3, z = (c + 2) % 3;
    const Value minus_v = l.op(Op::FNeg, {l.multiply(l.src(0, z), l.src(1, y))});
    l.set(c, l.multiply_add(l.src(0, y), l.src(1, z), minus_v));
  }
}

// All four components are scaled; a vector of no length gives 0.
void lower_nrm(Lowering& l) {
  const Value square_v = l.dot(3, components(l, 0), components(l, 0));
  const Value scale_v = l.op(Op::FRsq, {square_v});
  const Value is_zero_v = l.op(Op::FEq, {square_v, l.number(0)});
  each(l, [&](uint32_t c) {
    const Value scaled_v = l.multiply(l.src(0, c), scale_v);
    return c < 3 && l.options().zero_wins ? scaled_v : l.op(Op::Select, {is_zero_v, l.number(0), scaled_v});
  });
}

void lower_dst(Lowering& l) {
  l.set(0, l.number(1));
  l.set(1, l.multiply(l.src(0, 1), l.src(1, 1)));
  l.set(2, l.src(0, 2));
  l.set(3, l.src(1, 3));
}

// ---- functions of a scalar -----------------------------------------------------------------------------------------

void lower_rcp(Lowering& l) { l.set_all(l.op(Op::FRcp, {l.scalar(0)})); }
void lower_rsq(Lowering& l) { l.set_all(l.op(Op::FRsq, {l.op(Op::FAbs, {l.scalar(0)})})); }
void lower_exp(Lowering& l) { l.set_all(l.op(Op::FEx2, {l.scalar(0)})); }
void lower_log(Lowering& l) { l.set_all(l.op(Op::FLg2, {l.op(Op::FAbs, {l.scalar(0)})})); }
void lower_expp(Lowering& l) { l.version().model == 1 ? partial_exp(l) : lower_exp(l); }
void lower_logp(Lowering& l) { l.version().model == 1 ? partial_log(l) : lower_log(l); }

void lower_frc(Lowering& l) {
  each(l, [&](uint32_t c) { return l.op(Op::FMin, {l.op(Op::FFract, {l.src(0, c)}), l.number(kLargestBelow1)}); });
}

// |a| to the power of b; 1 where b is 0, never beyond the largest number.
void lower_pow(Lowering& l) {
  const Value b = l.scalar(1);
  const Value power_v = l.op(Op::FMin, {l.op(Op::FPow, {l.op(Op::FAbs, {l.scalar(0)}), b}), l.number(kLargest)});
  l.set_all(l.op(Op::Select, {l.op(Op::FEq, {b, l.number(0)}), l.number(1), power_v}));
}

void lower_sincos(Lowering& l) {
  if (l.enabled(0)) l.set(0, l.op(Op::FCos, {l.scalar(0)}));
  if (l.enabled(1)) l.set(1, l.op(Op::FSin, {l.scalar(0)}));
}

// x: 1; y: max(s.x, 0); z: s.x > 0 and s.y > 0 ? s.y ^ s.w : 0, the power limited; w: 1.
void lower_lit(Lowering& l) {
  const Value x = l.src(0, 0), y = l.src(0, 1), zero = l.number(0);
  l.set_all(l.number(1));
  l.set(1, l.op(Op::FMax, {x, zero}));
  if (!l.enabled(2)) return;
  const Value power_v =
      l.op(Op::FMin, {l.op(Op::FMax, {l.src(0, 3), l.number(-kLargestLitPower)}), l.number(kLargestLitPower)});
  const Value is_lit_v = l.op(Op::And, {l.op(Op::FLt, {zero, x}), l.op(Op::FLt, {zero, y})});
  l.set(2, l.op(Op::Select, {is_lit_v, l.op(Op::FPow, {y, power_v}), zero}));
}

}  // namespace tessera::d3d9
