// tests/unit/core/simd_kernels.h: every operation of core/simd.h and core/math-inl.h, run over arrays of words on a
// chosen target. One list: name, and the result's words from fa, fb, fc (floats) or ua, ub, uc (the same words).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/simd_target.h"

#define TESSERA_TEST_KERNELS(X)                                     \
  X(fma, as_u32(fma(fa, fb, fc)))                                   \
  X(fnma, as_u32(fnma(fa, fb, fc)))                                 \
  X(min, as_u32(min(fa, fb)))                                       \
  X(max, as_u32(max(fa, fb)))                                       \
  X(saturate, as_u32(saturate(fa)))                                 \
  X(canonical, as_u32(canonical(fa)))                               \
  X(abs, as_u32(abs(fa)))                                           \
  X(neg, as_u32(neg(fa)))                                           \
  X(rcp, as_u32(rcp(fa)))                                           \
  X(rsq, as_u32(rsq(fa)))                                           \
  X(sqrt, as_u32(sqrt(fa)))                                         \
  X(floor, as_u32(floor(fa)))                                       \
  X(ceil, as_u32(ceil(fa)))                                         \
  X(trunc, as_u32(trunc(fa)))                                       \
  X(round_even, as_u32(round_even(fa)))                             \
  X(to_int, as_u32(to_int(fa)))                                     \
  X(to_uint, to_uint(fa))                                           \
  X(from_int, as_u32(from_int(as_i32(ua))))                         \
  X(from_uint, as_u32(from_uint(ua)))                               \
  X(half_from_float, half_from_float(fa))                           \
  X(float_from_half, as_u32(float_from_half(ua)))                   \
  X(through_double, as_u32(to_f32(to_f64_lower(fa), to_f64_upper(fa)))) \
  X(less, words_of(less(fa, fb)))                                   \
  X(less_equal, words_of(less_equal(fa, fb)))                       \
  X(greater, words_of(greater(fa, fb)))                             \
  X(greater_equal, words_of(greater_equal(fa, fb)))                 \
  X(equal, words_of(equal(fa, fb)))                                 \
  X(not_equal, words_of(not_equal(fa, fb)))                         \
  X(is_nan, words_of(is_nan(fa)))                                   \
  X(int_less, words_of(less(as_i32(ua), as_i32(ub))))               \
  X(int_greater_equal, words_of(greater_equal(as_i32(ua), as_i32(ub)))) \
  X(uint_less, words_of(less(ua, ub)))                              \
  X(uint_greater_equal, words_of(greater_equal(ua, ub)))            \
  X(word_equal, words_of(equal(ua, ub)))                            \
  X(word_not_equal, words_of(not_equal(ua, ub)))                    \
  X(select, select(is_true(ua), ub, uc))                            \
  X(ex2, as_u32(canonical(ex2(fa))))                                \
  X(lg2, as_u32(canonical(lg2(fa))))                                \
  X(pow, as_u32(canonical(pow(fa, fb))))                            \
  X(sin, as_u32(canonical(sin(fa))))                                \
  X(cos, as_u32(canonical(cos(fa))))

namespace tessera::tests {

using Words = std::vector<uint32_t>;

// count is a multiple of 8.
using Kernel = void (*)(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* out, size_t count);

struct SimdKernels {
  size_t lanes;
#define X(name, expression) Kernel name;
  TESSERA_TEST_KERNELS(X)
#undef X
  uint64_t (*block_mask_there_and_back)(uint64_t mask);
  void (*gather_bytes)(const void* base, const uint32_t* offsets, uint32_t* out);   // 8 of them
  void (*gather_words)(const uint32_t* base, const uint32_t* indices, uint32_t* out);
  void (*fma_double)(const double* a, const double* b, const double* c, double* out, size_t count);
};

const SimdKernels& simd_kernels(SimdTarget target);

// Runs a kernel over words; missing operands are zeros, sizes are filled up.
Words run(Kernel kernel, Words a, Words b = {}, Words c = {});

}  // namespace tessera::tests
