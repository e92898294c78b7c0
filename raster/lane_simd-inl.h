// raster/lane_simd-inl.h: positions of the lanes of one vector, and fma for vectors of any width.
#if defined(TESSERA_RASTER_LANE_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RASTER_LANE_SIMD_INL_H_
#undef TESSERA_RASTER_LANE_SIMD_INL_H_
#else
#define TESSERA_RASTER_LANE_SIMD_INL_H_
#endif

#include <cstdint>

#include "core/simd.h"
#include "raster/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

// Offsets of a vector's lanes from its first pixel: two quads side by side, or one.
alignas(32) inline constexpr int32_t kLaneX[8] = {0, 1, 0, 1, 2, 3, 2, 3};
alignas(32) inline constexpr int32_t kLaneY[8] = {0, 0, 1, 1, 0, 0, 1, 1};
inline constexpr int32_t kVectorWidth_px = static_cast<int32_t>(kLanes) / 2;     // pixels in x under a vector
inline constexpr int32_t kVectorsInRow = 8 / kVectorWidth_px;                    // vectors in a row of four quads

using Quad = hn::Vec<hn::Full128<float>>;     // the four lanes of one quad
inline constexpr hn::Full128<float> quad_f32{};
inline constexpr hn::Full128<int32_t> quad_i32{};
inline constexpr hn::Full128<uint32_t> quad_u32{};

// a * b + c, rounded once.
template <class V>
HWY_INLINE V fused(V a, V b, V c) {
#if HWY_TARGET == HWY_SSE4
  return fma(a, b, c);
#else
  return hn::MulAdd(a, b, c);
#endif
}

// Pixels from vertex 0 to the samples of a vector or quad whose first sample is `first_fx8` away. Exact: below 2^24.
template <class D>
HWY_INLINE hn::Vec<D> offsets_px(D d, int32_t first_fx8, const int32_t* lanes) {
  const hn::RebindToSigned<D> di;
  const auto fx8 = hn::Add(hn::Set(di, first_fx8), hn::ShiftLeft<8>(hn::Load(di, lanes)));
  return hn::Mul(hn::ConvertTo(d, fx8), hn::Set(d, 1.0f / 256.0f));
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
