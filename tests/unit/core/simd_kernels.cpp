#include "tests/unit/core/simd_kernels.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "tests/unit/core/simd_kernels.cpp"
#include "hwy/foreach_target.h"

#include "core/math-inl.h"
#include "core/simd.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

#define X(name, expression)                                                                                    \
  void run_##name(const uint32_t* a, const uint32_t* b, const uint32_t* c, uint32_t* out, size_t count) {       \
    for (size_t i = 0; i < count; i += kLanes) {                                                                \
      [[maybe_unused]] const U32x ua = load_unaligned(a + i), ub = load_unaligned(b + i), uc = load_unaligned(c + i); \
      [[maybe_unused]] const F32x fa = as_f32(ua), fb = as_f32(ub), fc = as_f32(uc);                            \
      store_unaligned(expression, out + i);                                                                     \
    }                                                                                                           \
  }
TESSERA_TEST_KERNELS(X)
#undef X

uint64_t block_mask_there_and_back(uint64_t mask) {
  uint64_t back = 0;
  for (size_t v = 0; v < kVectorsInBlock; ++v) back |= block_bits(mask_of_block(mask, v), v);
  return back;
}

void gather_eight_bytes(const void* base, const uint32_t* offsets, uint32_t* out) {
  for (size_t i = 0; i < 8; i += kLanes)
    store_unaligned(gather_bytes(base, as_i32(load_unaligned(offsets + i))), out + i);
}
void gather_eight_words(const uint32_t* base, const uint32_t* indices, uint32_t* out) {
  for (size_t i = 0; i < 8; i += kLanes) store_unaligned(gather(base, as_i32(load_unaligned(indices + i))), out + i);
}

void run_fma_double(const double* a, const double* b, const double* c, double* out, size_t count) {
  for (size_t i = 0; i < count; i += kLanes / 2)
    hn::StoreU(fma(hn::LoadU(f64, a + i), hn::LoadU(f64, b + i), hn::LoadU(f64, c + i)), f64, out + i);
}

}  // namespace

extern const tests::SimdKernels kSimdKernels;
const tests::SimdKernels kSimdKernels = {
    kLanes,
#define X(name, expression) run_##name,
    TESSERA_TEST_KERNELS(X)
#undef X
    block_mask_there_and_back, gather_eight_bytes, gather_eight_words, run_fma_double};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::tests {

const SimdKernels& simd_kernels(SimdTarget target) { return TESSERA_DISPATCH(kSimdKernels, target); }

Words run(Kernel kernel, Words a, Words b, Words c) {
  const size_t count = a.size(), padded = (count + 7) / 8 * 8;
  for (Words* words : {&a, &b, &c}) words->resize(padded);
  Words out(padded);
  kernel(a.data(), b.data(), c.data(), out.data(), padded);
  out.resize(count);
  return out;
}

}  // namespace tessera::tests
#endif
