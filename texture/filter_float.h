// texture/filter_float.h: every format that is not 8-bit unorm, and all that compares or takes extremes, in float.
// Texels are decoded (sRGB made linear) before they meet. A linear filter blends a + w * (b - a), each operation rounded,
// along s, then t, then r, with w in float. A comparison turns each texel into 0 or 1 before that.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_FILTER_FLOAT_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_FILTER_FLOAT_H_
#undef TESSERA_TEXTURE_FILTER_FLOAT_H_
#else
#define TESSERA_TEXTURE_FILTER_FLOAT_H_
#endif

#include "core/simd.h"
#include "texture/address.h"
#include "texture/coordinates.h"
#include "texture/footprint.h"
#include "texture/texels.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::Compare;
using ::tessera::texture::Reduction;

HWY_INLINE F32x compare_reference(Compare function, F32x reference, F32x texel) {
  const F32x zero = splat(0.0f), one = splat(1.0f);
  switch (function) {
    case Compare::Never: return zero;
    case Compare::Less: return select(less(reference, texel), one, zero);
    case Compare::Equal: return select(equal(reference, texel), one, zero);
    case Compare::Lequal: return select(less_equal(reference, texel), one, zero);
    case Compare::Greater: return select(greater(reference, texel), one, zero);
    case Compare::NotEqual: return select(not_equal(reference, texel), one, zero);
    case Compare::Gequal: return select(greater_equal(reference, texel), one, zero);
    case Compare::Always: return one;
  }
  return zero;
}

// Two texels, or sums of them, under a weight of the second: a texel of weight 0 does not count.
HWY_INLINE Color reduce(Reduction reduction, const Color& a, const Color& b, F32x weight_of_b) {
  if (reduction == Reduction::Average) return blend(a, b, weight_of_b);
  Color extreme;
  for (size_t c = 0; c < 4; ++c)
    extreme.word[c] = reduction == Reduction::Min ? min(a.word[c], b.word[c]) : max(a.word[c], b.word[c]);
  return select_color(equal(weight_of_b, splat(0.0f)), a, select_color(equal(weight_of_b, splat(1.0f)), b, extreme));
}

template <class Texels>
struct FloatFilter {
  static HWY_NOINLINE Color nearest(const BoundTexture& texture, const LevelImage& level, const Coordinates& at,
                                    const Offsets& offsets) {
    const NearestTexel texel = nearest_texel_of(texture, level, at, offsets);
    return compared(texture, at,
                    with_border(texture, Texels::color(texture, level.texels, texel.index), texel.is_border));
  }

  static HWY_NOINLINE Color linear(const BoundTexture& texture, const LevelImage& level, const Coordinates& at,
                                   const Offsets& offsets) {
    const LinearPosition x = linear_position(level.axis[0], at.s), y = linear_position(level.axis[1], at.t);
    const I32x i = x.texel + splat(offsets.texels[0]), j = y.texel + splat(offsets.texels[1]);
    const bool two_rows = texture.dimensions > 1;
    if (texture.seamless && crosses_seam(level, i, j))
      return across_seam(texture, level, at, i, j, x.fraction, y.fraction);
    const Slice slice{texture,    level,      at,      {wrap_pair(level.axis[0], i), wrap_pair(level.axis[1], j)},
                      x.fraction, y.fraction, two_rows};
    if (texture.dimensions < 3) return slice.filter(slice_start(texture, level, at.slice), splat(0));

    const LinearPosition z = linear_position(level.axis[2], at.r);
    const TexelPair k = wrap_pair(level.axis[2], z.texel + splat(offsets.texels[2]));
    return reduce(texture.sampler.reduction, slice.filter(depth_start(level, k.first), k.first),
                  slice.filter(depth_start(level, k.second), k.second), z.fraction);
  }

 private:
  static HWY_INLINE U32x depth_start(const LevelImage& level, I32x k) {
    return as_u32(hn::Max(k, splat(0))) * splat(level.slice_texels);
  }

  static HWY_INLINE Color with_border(const BoundTexture& texture, const Color& color, Maskx is_border) {
    return texture.may_border ? select_color(is_border, border_color(texture), color) : color;
  }

  static HWY_INLINE Color compared(const BoundTexture& texture, const Coordinates& at, Color color) {
    if (at.compares)
      color.word[0] = compare_reference(texture.sampler.compare_func, at.reference, color.word[texture.compared_word]);
    return color;
  }

  struct Slice {
    const BoundTexture& texture;
    const LevelImage& level;
    const Coordinates& at;
    Footprint footprint;
    F32x fx, fy;
    bool two_rows;

    HWY_INLINE Color texel(U32x start, I32x i, I32x j, I32x k) const {
      const I32x zero = splat(0);
      const U32x index = start + row_start(level, hn::Max(j, zero)) + as_u32(hn::Max(i, zero));
      return compared(texture, at,
                      with_border(texture, Texels::color(texture, level.texels, index), less(i | j | k, zero)));
    }
    HWY_INLINE Color row(U32x start, I32x j, I32x k) const {
      return reduce(texture.sampler.reduction, texel(start, footprint.x.first, j, k),
                    texel(start, footprint.x.second, j, k), fx);
    }
    HWY_NOINLINE Color filter(U32x start, I32x k) const {
      const Color top = row(start, footprint.y.first, k);
      return two_rows ? reduce(texture.sampler.reduction, top, row(start, footprint.y.second, k), fy) : top;
    }
  };

  static HWY_NOINLINE Color across_seam(const BoundTexture& texture, const LevelImage& level, const Coordinates& at,
                                        I32x i, I32x j, F32x fx, F32x fy) {
    const SeamTaps taps(level, at.slice, i, j);
    Color t[4];
    for (size_t n = 0; n < 4; ++n)
      t[n] = compared(texture, at, Texels::color(texture, level.texels, load(taps.index[n])));
    if (taps.has_corner)
      for (uint32_t n = 0; n < 4; ++n) {
        const Maskx is_missing = equal(load(taps.missing), splat(n));
        t[n] = select_color(is_missing, average(t[n == 0 ? 1 : 0], t[n <= 1 ? 2 : 1], t[n <= 2 ? 3 : 2]), t[n]);
      }
    const Reduction reduction = texture.sampler.reduction;
    return reduce(reduction, reduce(reduction, t[0], t[1], fx), reduce(reduction, t[2], t[3], fx), fy);
  }

  static HWY_INLINE Color average(const Color& a, const Color& b, const Color& c) {
    Color result;
    for (size_t n = 0; n < 4; ++n) result.word[n] = (a.word[n] + b.word[n] + c.word[n]) / splat(3.0f);
    return result;
  }
};

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
