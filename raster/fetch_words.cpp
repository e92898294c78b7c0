#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/fetch_words.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "raster/fetch_words.h"
#include "raster/window_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

void fetch_words(const std::byte* first, uint64_t stride_bytes, const uint32_t* numbers, uint32_t count,
                 uint32_t word_count, uint32_t* const out[4]) {
  constexpr size_t kUpper = kLanes - 4;            // as in load_window()
  const auto words_of_lane = [&](size_t lane) {
    return reinterpret_cast<const int32_t*>(first + numbers[lane] * stride_bytes);
  };
  for (uint32_t lane = 0; lane < count; lane += uint32_t(kLanes)) {
    I32x v[4];
    for (size_t k = 0; k < 4; ++k) v[k] = load_records(words_of_lane(lane + k), words_of_lane(lane + k + kUpper));
    transpose_records(v);
    for (uint32_t c = 0; c < word_count; ++c) store_unaligned(as_u32(v[c]), out[c] + lane);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

void fetch_words(const std::byte* first, uint64_t stride_bytes, const uint32_t* numbers, uint32_t count,
                 uint32_t word_count, uint32_t* const out[4], SimdTarget simd) {
  TESSERA_DISPATCH(fetch_words, simd)(first, stride_bytes, numbers, count, word_count, out);
}

}  // namespace tessera::raster
#endif
