// raster/window_simd-inl.h: vectors of window vertices, from and to their structs. Loads and shuffles: gather instructions
// take several times as long on many machines.
#if defined(TESSERA_RASTER_WINDOW_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RASTER_WINDOW_SIMD_INL_H_
#undef TESSERA_RASTER_WINDOW_SIMD_INL_H_
#else
#define TESSERA_RASTER_WINDOW_SIMD_INL_H_
#endif

#include "core/simd.h"
#include "raster/setup_state.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

struct WindowLanes { I32x x, y; F32x z, rw; };

// Four words from `lower`, and behind them (in vectors of eight lanes) four from `upper`.
HWY_INLINE I32x load_records(const int32_t* lower, [[maybe_unused]] const int32_t* upper) {
#if HWY_TARGET == HWY_AVX2
  const hn::Half<I32Tag> half;
  return hn::Combine(i32, hn::LoadU(half, upper), hn::LoadU(half, lower));
#else
  return hn::LoadU(i32, lower);
#endif
}

HWY_INLINE I32x interleave_lower_pairs(I32x a, I32x b) {
  const hn::RepartitionToWide<I32Tag> pairs;
  return hn::BitCast(i32, hn::InterleaveLower(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}
HWY_INLINE I32x interleave_upper_pairs(I32x a, I32x b) {
  const hn::RepartitionToWide<I32Tag> pairs;
  return hn::BitCast(i32, hn::InterleaveUpper(pairs, hn::BitCast(pairs, a), hn::BitCast(pairs, b)));
}

// From four records side by side in their vectors to their first, second, third and fourth words.
HWY_INLINE void transpose_records(I32x v[4]) {
  const I32x xy01 = hn::InterleaveLower(i32, v[0], v[1]), xy23 = hn::InterleaveLower(i32, v[2], v[3]);
  const I32x zw01 = hn::InterleaveUpper(i32, v[0], v[1]), zw23 = hn::InterleaveUpper(i32, v[2], v[3]);
  v[0] = interleave_lower_pairs(xy01, xy23);
  v[1] = interleave_upper_pairs(xy01, xy23);
  v[2] = interleave_lower_pairs(zw01, zw23);
  v[3] = interleave_upper_pairs(zw01, zw23);
}

// Vertices at[0], at[step], at[2 * step] ...
HWY_INLINE WindowLanes load_window(const raster::WinVertex* window, const uint32_t* at, size_t step) {
  constexpr size_t kUpper = kLanes - 4;            // lane k and lane k + 4 have one place in their halves
  I32x v[4];
  for (size_t k = 0; k < 4; ++k) v[k] = load_records(&window[at[k * step]].x_fx8, &window[at[(k + kUpper) * step]].x_fx8);
  transpose_records(v);
  return {v[0], v[1], as_f32(v[2]), as_f32(v[3])};
}

// A vector of vertices side by side.
HWY_INLINE void store_window(I32x x, I32x y, F32x z, F32x rw, raster::WinVertex* to) {
  static_assert(sizeof(raster::WinVertex) == 4 * sizeof(int32_t));
  hn::StoreInterleaved4(x, y, as_i32(z), as_i32(rw), i32, &to->x_fx8);
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
