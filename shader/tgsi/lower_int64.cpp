// shader/tgsi/lower_int64.cpp: 64-bit integers as pairs of words → 32-bit IR operations. Channels xy hold the first value,
// zw the second, low word first; the IR needs no 64-bit integer type.
#include "shader/tgsi/lowering.h"

namespace tessera::tgsi {
namespace {

struct Pair { Value low, high; };

// The IR's operations on words, by short names: 64-bit formulas stay readable.
class Words {
 public:
  explicit Words(Builder& b) : b_(b) {}
  Value word(uint32_t bits) { return b_.u32(bits); }
  Value add(Value a, Value c) { return b_.op(Op::IAdd, {a, c}); }
  Value sub(Value a, Value c) { return b_.op(Op::ISub, {a, c}); }
  Value bit_and(Value a, Value c) { return b_.op(Op::And, {a, c}); }
  Value bit_or(Value a, Value c) { return b_.op(Op::Or, {a, c}); }
  Value bit_xor(Value a, Value c) { return b_.op(Op::Xor, {a, c}); }
  Value bit_not(Value a) { return b_.op(Op::Not, {a}); }
  Value shl(Value a, Value n) { return b_.op(Op::Shl, {a, n}); }
  Value shr(Value a, Value n) { return b_.op(Op::UShr, {a, n}); }
  Value sar(Value a, Value n) { return b_.op(Op::IShr, {a, n}); }
  Value equal(Value a, Value c) { return b_.op(Op::IEq, {a, c}); }
  Value below(Value a, Value c) { return b_.op(Op::ULt, {a, c}); }
  Value less(Value a, Value c) { return b_.op(Op::ILt, {a, c}); }
  Value select(Value condition, Value a, Value c) { return b_.op(Op::Select, {condition, a, c}); }

  Pair select(Value condition, Pair a, Pair c) { return {select(condition, a.low, c.low), select(condition, a.high, c.high)}; }
  Value sign(Pair a) { return sar(a.high, word(31)); }            // ~0 where negative, else 0

  Pair add(Pair a, Pair c) {
    const Value low = add(a.low, c.low);
    return {low, sub(add(a.high, c.high), below(low, a.low))};     // a carry is ~0, which is -1
  }
  Pair sub(Pair a, Pair c) { return {sub(a.low, c.low), add(sub(a.high, c.high), below(a.low, c.low))}; }
  Pair negate(Pair a) { return sub({word(0), word(0)}, a); }
  Pair negate_if(Value condition, Pair a) {                        // condition: ~0 or 0
    return sub({bit_xor(a.low, condition), bit_xor(a.high, condition)}, {condition, condition});
  }
  Pair mul(Pair a, Pair c) {
    const Value cross = add(b_.op(Op::IMul, {a.low, c.high}), b_.op(Op::IMul, {a.high, c.low}));
    return {b_.op(Op::IMul, {a.low, c.low}), add(b_.op(Op::UMulHi, {a.low, c.low}), cross)};
  }

  Value equal(Pair a, Pair c) { return bit_and(equal(a.low, c.low), equal(a.high, c.high)); }
  Value below(Pair a, Pair c) { return bit_or(below(a.high, c.high), bit_and(equal(a.high, c.high), below(a.low, c.low))); }
  Value less(Pair a, Pair c) { return bit_or(less(a.high, c.high), bit_and(equal(a.high, c.high), below(a.low, c.low))); }

  // Shifts of words take their count modulo 32, so ~n is 31 - n, and the bits that cross need two steps.
  Pair shl(Pair a, Value n) {
    const Value low = shl(a.low, n);
    const Value high = bit_or(shl(a.high, n), shr(shr(a.low, word(1)), bit_not(n)));
    return select(is_wide(n), {word(0), low}, {low, high});
  }
  Pair shr(Pair a, Value n, Value fill, Op shift) {                // fill: what a wide shift leaves in the high word
    const Value high = b_.op(shift, {a.high, n});
    const Value low = bit_or(shr(a.low, n), shl(shl(a.high, word(1)), bit_not(n)));
    return select(is_wide(n), {high, fill}, {low, high});
  }

 private:
  Value is_wide(Value n) { return bit_and(n, word(32)); }

  Builder& b_;
};

Pair source_pair(Lowering& l, uint32_t i, uint32_t pair) { return {l.src(i, 2 * pair), l.src(i, 2 * pair + 1)}; }

bool pair_enabled(const Lowering& l, uint32_t pair) { return l.enabled(2 * pair) || l.enabled(2 * pair + 1); }

// One result a pair of channels.
template <class Formula>
void each_pair(Lowering& l, Formula formula) {
  Words w(l.b());
  for (uint32_t pair = 0; pair < 2; ++pair) {
    if (!pair_enabled(l, pair)) continue;
    const Pair result = formula(w, pair);
    l.set(2 * pair, result.low);
    l.set(2 * pair + 1, result.high);
  }
}

using Binary = Pair (*)(Words& w, Pair a, Pair b);
using Test = Value (*)(Words& w, Pair a, Pair b);

void binary(Lowering& l, Binary formula) {
  each_pair(l, [&](Words& w, uint32_t pair) { return formula(w, source_pair(l, 0, pair), source_pair(l, 1, pair)); });
}

// ~0 or 0 in x and z; y and w are not written.
void test(Lowering& l, Test formula) {
  Words w(l.b());
  for (uint32_t pair = 0; pair < 2; ++pair)
    if (l.enabled(2 * pair)) l.set(2 * pair, formula(w, source_pair(l, 0, pair), source_pair(l, 1, pair)));
}

}  // namespace

void lower_u64add(Lowering& l) {
  binary(l, [](Words& w, Pair a, Pair b) { return w.add(a, b); });
}

void lower_u64mul(Lowering& l) {
  binary(l, [](Words& w, Pair a, Pair b) { return w.mul(a, b); });
}

void lower_i64min(Lowering& l) {
  binary(l, [](Words& w, Pair a, Pair b) { return w.select(w.less(a, b), a, b); });
}

void lower_i64max(Lowering& l) {
  binary(l, [](Words& w, Pair a, Pair b) { return w.select(w.less(a, b), b, a); });
}

void lower_u64min(Lowering& l) {
  binary(l, [](Words& w, Pair a, Pair b) { return w.select(w.below(a, b), a, b); });
}

void lower_u64max(Lowering& l) {
  binary(l, [](Words& w, Pair a, Pair b) { return w.select(w.below(a, b), b, a); });
}

void lower_i64neg(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) { return w.negate(source_pair(l, 0, pair)); });
}

void lower_i64abs(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) {
    const Pair a = source_pair(l, 0, pair);
    return w.negate_if(w.sign(a), a);
  });
}

void lower_i64ssg(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) {
    const Pair a = source_pair(l, 0, pair);
    const Value zero_v = w.equal(w.bit_or(a.low, a.high), w.word(0));
    return Pair{w.bit_or(w.sign(a), w.select(zero_v, w.word(0), w.word(1))), w.sign(a)};
  });
}

void lower_u64seq(Lowering& l) {
  test(l, [](Words& w, Pair a, Pair b) { return w.equal(a, b); });
}

void lower_u64sne(Lowering& l) {
  test(l, [](Words& w, Pair a, Pair b) { return w.bit_not(w.equal(a, b)); });
}

void lower_u64slt(Lowering& l) {
  test(l, [](Words& w, Pair a, Pair b) { return w.below(a, b); });
}

void lower_u64sge(Lowering& l) {
  test(l, [](Words& w, Pair a, Pair b) { return w.bit_not(w.below(a, b)); });
}

void lower_i64slt(Lowering& l) {
  test(l, [](Words& w, Pair a, Pair b) { return w.less(a, b); });
}

void lower_i64sge(Lowering& l) {
  test(l, [](Words& w, Pair a, Pair b) { return w.bit_not(w.less(a, b)); });
}

// The counts are b.x for xy and b.y for zw.
void lower_u64shl(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) { return w.shl(source_pair(l, 0, pair), l.src(1, pair)); });
}

void lower_u64shr(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) { return w.shr(source_pair(l, 0, pair), l.src(1, pair), w.word(0), Op::UShr); });
}

void lower_i64shr(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) {
    const Pair a = source_pair(l, 0, pair);
    return w.shr(a, l.src(1, pair), w.sign(a), Op::IShr);
  });
}

// ---- conversions -----------------------------------------------------------------------------------------------------

void lower_i2i64(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) {
    const Value a = l.src(0, pair);
    return Pair{a, w.sar(a, w.word(31))};
  });
}

void lower_u2i64(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) { return Pair{l.src(0, pair), w.word(0)}; });
}

namespace {

// Rounded once, to nearest even: the 32 bits from the highest one on, the rest as one sticky bit far below the last of
// the 24 that stay.
Value to_float(Builder& b, Words& w, Pair a) {
  const Value n = w.sub(w.word(31), b.op(Op::UHighBit, {a.high}));          // where high is 0, its result is not used
  const Pair normal = w.shl(a, n);
  const Value sticky_v = w.select(normal.low, w.word(1), w.word(0));
  const Value top_v = b.op(Op::UToF, {w.bit_or(normal.high, sticky_v)});
  const Value wide_v = b.op(Op::FLdexp, {top_v, w.sub(w.word(32), n)});
  return w.select(a.high, wide_v, b.op(Op::UToF, {a.low}));
}

// One float in channel `pair` for each pair; z and w are not written.
template <class Formula>
void narrow(Lowering& l, Formula formula) {
  Words w(l.b());
  for (uint32_t pair = 0; pair < 2; ++pair)
    if (l.enabled(pair)) l.set(pair, formula(w, source_pair(l, 0, pair)));
}

// The integer part of |a|, for |a| < 2^64: the 24 bits of the significand, shifted into place.
Pair magnitude_of(Words& w, Value bits, Value exponent_v) {
  const Value significand_v = w.bit_or(w.bit_and(bits, w.word(0x7fffff)), w.word(0x800000));
  const Value up_v = w.sub(exponent_v, w.word(23));
  const Pair shifted_up = w.shl({significand_v, w.word(0)}, up_v);
  const Value shifted_down = w.shr(significand_v, w.sub(w.word(23), exponent_v));
  const Pair whole = w.select(w.less(up_v, w.word(0)), Pair{shifted_down, w.word(0)}, shifted_up);
  return w.select(w.less(exponent_v, w.word(0)), Pair{w.word(0), w.word(0)}, whole);
}

Value exponent_of(Words& w, Value bits) {
  return w.sub(w.bit_and(w.shr(bits, w.word(23)), w.word(0xff)), w.word(127));
}

}  // namespace

void lower_u642f(Lowering& l) {
  narrow(l, [&](Words& w, Pair a) { return to_float(l.b(), w, a); });
}

void lower_i642f(Lowering& l) {
  narrow(l, [&](Words& w, Pair a) {
    const Value magnitude_v = to_float(l.b(), w, w.negate_if(w.sign(a), a));
    return w.bit_or(magnitude_v, w.bit_and(a.high, w.word(0x80000000)));
  });
}

// Toward zero; beyond the range the nearest end of it; NaN gives 0.
void lower_f2i64(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) {
    const Value a = l.src(0, pair);
    const Value exponent_v = exponent_of(w, a), sign_v = w.sar(a, w.word(31));
    const Pair inside = w.negate_if(sign_v, magnitude_of(w, a, exponent_v));
    const Pair limit = {w.bit_not(sign_v), w.bit_xor(sign_v, w.word(0x7fffffff))};
    const Pair result = w.select(w.less(exponent_v, w.word(63)), inside, limit);
    return w.select(l.b().op(Op::FNe, {a, a}), Pair{w.word(0), w.word(0)}, result);
  });
}

void lower_f2u64(Lowering& l) {
  each_pair(l, [&](Words& w, uint32_t pair) {
    const Value a = l.src(0, pair);
    const Value exponent_v = exponent_of(w, a);
    const Pair limit = {w.word(~0u), w.word(~0u)};
    const Pair result = w.select(w.less(exponent_v, w.word(64)), magnitude_of(w, a, exponent_v), limit);
    const Value positive_v = l.b().op(Op::FLt, {w.word(0), a});
    return w.select(positive_v, result, Pair{w.word(0), w.word(0)});
  });
}

}  // namespace tessera::tgsi
