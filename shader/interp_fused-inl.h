// shader/interp_fused-inl.h: steps that compute several operations: the chains of fused.def, whose carried values stay
// in registers, vectors that are normalised, and Ifs with the comparison they ask. Included once for each SIMD target.
#if defined(TESSERA_SHADER_INTERP_FUSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_SHADER_INTERP_FUSED_INL_H_
#undef TESSERA_SHADER_INTERP_FUSED_INL_H_
#else
#define TESSERA_SHADER_INTERP_FUSED_INL_H_
#endif

#include "core/simd.h"
#include "shader/interp.h"
#include "shader/interp_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace interp {

using namespace tessera::interp;

// Vectors that are computed before the first of them is stored: loads and stores that alternate get in each other's
// way, an addition takes twice as long.
inline constexpr size_t kBatch = 8;
static_assert(kBlockLanes % (kBatch * kLanes) == 0);

// ---- chains ---------------------------------------------------------------------------------------------------------

// A formula on floats; the value that the chain carries is operand `carried`.
template <auto formula, size_t carried>
struct Link;
template <class... A, F32x (*formula)(A...), size_t carried>
struct Link<formula, carried> {
  static constexpr size_t kOperands = sizeof...(A) - 1;     // besides the carried one

  static HWY_INLINE F32x apply(F32x value, const uint32_t* const* operand, size_t lane) {
    return apply(value, operand, lane, std::make_index_sequence<sizeof...(A)>());
  }
  template <size_t... k>
  static HWY_INLINE F32x apply(F32x value, const uint32_t* const* operand, size_t lane, std::index_sequence<k...>) {
    return formula((k == carried ? value : load_float(operand[k - (k > carried)] + lane))...);
  }
};

template <auto formula>
struct Head;
template <class... A, F32x (*formula)(A...)>
struct Head<formula> {
  static constexpr size_t kOperands = sizeof...(A);

  static HWY_INLINE F32x apply(const uint32_t* const* operand, size_t lane) {
    return apply(operand, lane, std::make_index_sequence<sizeof...(A)>());
  }
  template <size_t... k>
  static HWY_INLINE F32x apply(const uint32_t* const* operand, size_t lane, std::index_sequence<k...>) {
    return formula(load_float(operand[k] + lane)...);
  }
};

template <size_t first>
HWY_INLINE F32x follow(F32x value, const uint32_t* const*, size_t) { return value; }
template <size_t first, class L, class... Rest>
HWY_INLINE F32x follow(F32x value, const uint32_t* const* operand, size_t lane) {
  return follow<first + L::kOperands, Rest...>(L::apply(value, operand + first, lane), operand, lane);
}

// Operands: the result's place, those of the first operation, and of each one behind it those that are not carried.
template <class H, class... Links>
struct Chain {
  static constexpr size_t kOperands = H::kOperands + (0 + ... + Links::kOperands);

  static HWY_INLINE F32x value(const uint32_t* const* operand, size_t lane) {
    return follow<H::kOperands, Links...>(H::apply(operand, lane), operand, lane);
  }

  static Code step(Code at, uint32_t* slots, Run&) {
    uint32_t* result = slots + at[0];
    const uint32_t* operand[kOperands];
    for (size_t k = 0; k < kOperands; ++k) operand[k] = slots + at[1 + k];
    for (size_t first = 0; first < kBlockLanes; first += kBatch * kLanes) {
      F32x results[kBatch];
#pragma GCC unroll 8
      for (size_t v = 0; v < kBatch; ++v) {
        const size_t lane = first + v * kLanes;
        results[v] = value(operand, lane);
      }
#pragma GCC unroll 8
      for (size_t v = 0; v < kBatch; ++v) store(as_u32(results[v]), result + first + v * kLanes);
    }
    return at + 1 + kOperands;
  }
};

// ---- where zero wins ------------------------------------------------------------------------------------------------
// 0 * infinity and 0 * NaN are NaN at first, and so is what follows from them: as long as nothing is NaN, plain products
// are right.

// The carried value's NaN goes on.
HWY_INLINE F32x max_or_nan(F32x a, F32x b) { return select(is_nan(a), a, max(a, b)); }
HWY_INLINE F32x min_or_nan(F32x a, F32x b) { return select(is_nan(a), a, min(a, b)); }

// False where none of them is NaN; infinities of both signs may make it true.
template <size_t n>
HWY_INLINE bool may_have_nan(const F32x (&values)[n]) {
  F32x sum = values[0];
#pragma GCC unroll 16
  for (size_t v = 1; v < n; ++v) sum = sum + values[v];
  return !hn::AllFalse(f32, is_nan(sum));
}

// Two chains of the same operands: with plain products, and with those in which zero wins.
template <class Plain, class Exact>
struct ZeroWins {
  static constexpr size_t kOperands = Plain::kOperands;

  static Code step(Code at, uint32_t* slots, Run&) {
    uint32_t* result = slots + at[0];
    const uint32_t* operand[kOperands];
    for (size_t k = 0; k < kOperands; ++k) operand[k] = slots + at[1 + k];
    for (size_t first = 0; first < kBlockLanes; first += kBatch * kLanes) {
      F32x results[kBatch];
#pragma GCC unroll 8
      for (size_t v = 0; v < kBatch; ++v) results[v] = Plain::value(operand, first + v * kLanes);
      if (may_have_nan(results))
        for (size_t v = 0; v < kBatch; ++v) results[v] = Exact::value(operand, first + v * kLanes);
#pragma GCC unroll 8
      for (size_t v = 0; v < kBatch; ++v) store(as_u32(results[v]), result + first + v * kLanes);
    }
    return at + 1 + kOperands;
  }
};

// ---- three values times 1 / sqrt(a) ---------------------------------------------------------------------------------

struct Word {
  static constexpr size_t kOperands = 1;
  static HWY_INLINE F32x apply(const uint32_t* const* operand, size_t lane) { return load_float(operand[0] + lane); }
  static HWY_INLINE F32x exact(const uint32_t* const* operand, size_t lane) { return apply(operand, lane); }
};
struct Dot3 {
  static constexpr size_t kOperands = 6;
  static HWY_INLINE F32x apply(const uint32_t* const* operand, size_t lane) {
    const auto word = [&](size_t k) { return load_float(operand[k] + lane); };
    return fma(word(4), word(5), fma(word(2), word(3), word(0) * word(1)));
  }
  static HWY_INLINE F32x exact(const uint32_t* const* operand, size_t lane) {
    const auto word = [&](size_t k) { return load_float(operand[k] + lane); };
    return fma_zero_wins(word(4), word(5), fma_zero_wins(word(2), word(3), mul_zero_wins(word(0), word(1))));
  }
};

// While the processor divides, it multiplies, loads and stores what is behind that.
template <class Radicand>
struct Scale {
  static constexpr size_t kResults = 3, kHalfBatch = kBatch / 2;

  static Code step(Code at, uint32_t* slots, Run&) {
    const uint32_t* operand[Radicand::kOperands + kResults];
    for (size_t k = 0; k < std::size(operand); ++k) operand[k] = slots + at[kResults + k];
    for (size_t first = 0; first < kBlockLanes; first += kHalfBatch * kLanes) {
      F32x scale[kHalfBatch];
#pragma GCC unroll 4
      for (size_t v = 0; v < kHalfBatch; ++v) scale[v] = rsq(Radicand::apply(operand, first + v * kLanes));
      for (size_t k = 0; k < kResults; ++k) {
        const uint32_t* factor = operand[Radicand::kOperands + k] + first;
        F32x products[kHalfBatch];
#pragma GCC unroll 4
        for (size_t v = 0; v < kHalfBatch; ++v) products[v] = load_float(factor + v * kLanes) * scale[v];
#pragma GCC unroll 4
        for (size_t v = 0; v < kHalfBatch; ++v) store(as_u32(products[v]), slots + at[k] + first + v * kLanes);
      }
    }
    return at + kResults + std::size(operand);
  }
};

// The same where zero wins.
template <class Radicand>
struct ScaleZeroWins {
  static constexpr size_t kResults = 3, kHalfBatch = kBatch / 2;

  static Code step(Code at, uint32_t* slots, Run&) {
    const uint32_t* operand[Radicand::kOperands + kResults];
    for (size_t k = 0; k < std::size(operand); ++k) operand[k] = slots + at[kResults + k];
    for (size_t first = 0; first < kBlockLanes; first += kHalfBatch * kLanes) {
      F32x scale[kHalfBatch], products[kResults * kHalfBatch];
      const auto factor = [&](size_t k, size_t v) { return load_float(operand[Radicand::kOperands + k] + first + v * kLanes); };
#pragma GCC unroll 4
      for (size_t v = 0; v < kHalfBatch; ++v) scale[v] = rsq(Radicand::apply(operand, first + v * kLanes));
#pragma GCC unroll 16
      for (size_t k = 0; k < kResults * kHalfBatch; ++k)
        products[k] = factor(k / kHalfBatch, k % kHalfBatch) * scale[k % kHalfBatch];
      if (may_have_nan(products)) {
        for (size_t v = 0; v < kHalfBatch; ++v) scale[v] = rsq(Radicand::exact(operand, first + v * kLanes));
        for (size_t k = 0; k < kResults * kHalfBatch; ++k)
          products[k] = mul_zero_wins(factor(k / kHalfBatch, k % kHalfBatch), scale[k % kHalfBatch]);
      }
#pragma GCC unroll 16
      for (size_t k = 0; k < kResults * kHalfBatch; ++k)
        store(as_u32(products[k]), slots + at[k / kHalfBatch] + first + k % kHalfBatch * kLanes);
    }
    return at + kResults + std::size(operand);
  }
};

// ---- Ifs ------------------------------------------------------------------------------------------------------------

// Behind the condition: the mask for the lanes of the other half, and where to go when no lane runs this one.
HWY_INLINE Code enter_if(uint64_t lanes, Code at, Run& run) {
  run.masks[at[0]] = run.exec & ~lanes;
  run.exec &= lanes;
  return run.exec != 0 ? at + 2 : run.code + at[1];
}

// The same where the other half is empty: when no lane runs this one, all go on behind the end.
HWY_INLINE Code enter_half_if(uint64_t lanes, Code at, Run& run) {
  const uint64_t inside = run.exec & lanes;
  if (inside == 0) return run.code + at[1];
  run.masks[at[0]] = run.exec & ~inside;
  run.exec = inside;
  return at + 2;
}

template <class V>
HWY_INLINE V load_as(const uint32_t* p);
template <>
HWY_INLINE F32x load_as<F32x>(const uint32_t* p) { return load_float(p); }
template <>
HWY_INLINE U32x load_as<U32x>(const uint32_t* p) { return load(p); }
template <>
HWY_INLINE I32x load_as<I32x>(const uint32_t* p) { return as_i32(load(p)); }

// A comparison of two operands, whose result nobody but the If asks for.
template <auto formula>
struct Compare;
template <class A, U32x (*formula)(A, A)>
struct Compare<formula> {
  static HWY_INLINE uint64_t lanes(Code at, const uint32_t* slots) {
    const uint32_t *a = slots + at[0], *b = slots + at[1];
    uint64_t lanes = 0;
    for (size_t v = 0; v < kVectorsInBlock; ++v) {
      const U32x words = formula(load_as<A>(a + v * kLanes), load_as<A>(b + v * kLanes));
      lanes |= block_bits(hn::MaskFromVec(as_f32(words)), v);
    }
    return lanes;
  }
  static Code begin_if(Code at, uint32_t* slots, Run& run) { return enter_if(lanes(at, slots), at + 2, run); }
  static Code begin_half_if(Code at, uint32_t* slots, Run& run) { return enter_half_if(lanes(at, slots), at + 2, run); }
};

}  // namespace interp
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
