// texture/footprint.h: the texels that a filter touches in one slice of one level, as indices into the level.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_FOOTPRINT_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_FOOTPRINT_H_
#undef TESSERA_TEXTURE_FOOTPRINT_H_
#else
#define TESSERA_TEXTURE_FOOTPRINT_H_
#endif

#include "core/simd.h"
#include "texture/address.h"
#include "texture/coordinates.h"
#include "texture/cube_geometry.h"
#include "texture/gather.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::FaceTexel;
using ::tessera::texture::fold_over_edge;

// j * row: both are below 2^15, so that one 16-bit multiply-add does.
HWY_INLINE U32x row_start(const LevelImage& level, I32x j) {
  return as_u32(multiply_pairs(hn::BitCast(i16, j), hn::BitCast(i16, splat(level.row_texels))));
}

HWY_INLINE U32x slice_start(const BoundTexture& texture, const LevelImage& level, U32x slice) {
  return texture.has_slices ? slice * splat(level.slice_texels) : hn::Zero(u32);
}

struct NearestTexel {
  U32x index;
  Maskx is_border;
};

HWY_INLINE NearestTexel nearest_texel_of(const BoundTexture& texture, const LevelImage& level, const Coordinates& at,
                                         const Offsets& offsets) {
  const I32x zero = splat(0), i = nearest_texel(level.axis[0], at.s, splat(offsets.texels[0]));
  I32x outside = i;
  U32x index = as_u32(hn::Max(i, zero)) + slice_start(texture, level, at.slice);
  if (texture.dimensions > 1) {
    const I32x j = nearest_texel(level.axis[1], at.t, splat(offsets.texels[1]));
    index = index + row_start(level, hn::Max(j, zero));
    outside = outside | j;
  }
  if (texture.dimensions > 2) {
    const I32x k = nearest_texel(level.axis[2], at.r, splat(offsets.texels[2]));
    index = index + as_u32(hn::Max(k, zero)) * splat(level.slice_texels);
    outside = outside | k;
  }
  return {index, less(outside, zero)};
}

// Columns and rows of a linear filter in one slice; -1 is the border.
struct Footprint {
  TexelPair x, y;
  HWY_INLINE bool touches_border() const { return any(less(x.first | x.second | y.first | y.second, splat(0))); }
  HWY_INLINE bool has_neighbours() const { return all(equal(x.second, x.first + splat(kFilterConstants.one))); }
};

// A linear footprint reaches another face of the cube.
HWY_INLINE bool crosses_seam(const LevelImage& level, I32x i, I32x j) {
  const U32x last = as_u32(splat(level.axis[0].last_texel));
  const Maskx inside = hn::And(less(as_u32(i), last), less(as_u32(j), last));
  return !all(inside);
}

// The four texels of footprints that may reach over the edges of a cube's face, in the order (i, j), (i+1, j), (i, j+1),
// (i+1, j+1). At a corner of the cube one of them does not exist.
struct SeamTaps {
  static constexpr uint32_t kNone = 4;
  alignas(32) uint32_t index[4][kLanes];
  alignas(32) uint32_t missing[kLanes];
  bool has_corner = false;

  SeamTaps(const LevelImage& level, U32x slice, I32x first_i, I32x first_j) {
    alignas(32) uint32_t slices[kLanes];
    alignas(32) int32_t is[kLanes], js[kLanes];
    store(slice, slices);
    store(first_i, is);
    store(first_j, js);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      missing[lane] = kNone;
      for (uint32_t n = 0; n < 4; ++n) {
        const int32_t size = level.axis[0].size_texels;
        FaceTexel texel{slices[lane] % 6, is[lane] + static_cast<int32_t>(n & 1),
                        js[lane] + static_cast<int32_t>(n >> 1)};
        if (!fold_over_edge(texel, size)) {
          missing[lane] = n;
          has_corner = true;
          texel.i = texel.j = 0;
        }
        const uint32_t slice_of_face = slices[lane] - slices[lane] % 6 + texel.face;
        index[n][lane] = slice_of_face * level.slice_texels + static_cast<uint32_t>(texel.j * size + texel.i);
      }
    }
  }
};

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
