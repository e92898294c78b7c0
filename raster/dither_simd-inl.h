// raster/dither_simd-inl.h: ordered dithering of unorm channels, after blending.
// Formula: k = floor(x (2^n - 1) + T), x clamped to [0, 1], T = (2 B + 1) / 32 of the pixel, with x and y from the
//         target's upper left corner and
//                 x & 3:  0   1   2   3
//         y & 3 = 0       0   8   2  10
//                 1      12   4  14   6        = B
//                 2       3  11   1   9
//                 3      15   7  13   5
//         so that a value between two codes shows as both, in the right parts of every 4x4 pixels, and a value that is
//         a code stays as it is: its rounding error is below 1/32 for n <= 16.
// In:     a vector's lanes of a block: blocks begin at multiples of 8 pixels.
// Out:    k / (2^n - 1), which the format's conversion turns into k.
#if defined(TESSERA_RASTER_DITHER_SIMD_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_RASTER_DITHER_SIMD_INL_H_
#undef TESSERA_RASTER_DITHER_SIMD_INL_H_
#else
#define TESSERA_RASTER_DITHER_SIMD_INL_H_
#endif

#include <array>

#include "core/simd.h"
#include "raster/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {

struct DitherThresholds { alignas(64) float lane[64]; };
constexpr DitherThresholds dither_thresholds() {
  constexpr int kMatrix[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};
  DitherThresholds t{};
  for (int32_t lane = 0; lane < 64; ++lane)
    t.lane[lane] = static_cast<float>(2 * kMatrix[raster::lane_y(lane) & 3][raster::lane_x(lane) & 3] + 1) / 32.0f;
  return t;
}
inline constexpr DitherThresholds kDitherThresholds = dither_thresholds();

// `most`: 2^n - 1; lanes from `first` on.
HWY_INLINE F32x dithered(F32x x, float most, size_t first) {
  const F32x codes = splat(most), code = floor(saturate(x) * codes + load(kDitherThresholds.lane + first));
  return min(code, codes) / codes;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
