// texture/filter_bytes.h: texels of up to four 8-bit unorm fields, filtered as integers.
// A nearest texel is k / 255 correctly rounded. A linear filter has weights in 1/256: row sums of at most 255 * 256
// fit 16 bits, column sums of at most 255 * 65536 fit 32, then comes one float multiply. Slices of a 3D texture are
// blended as floats, near + w * (far - near). Colour word n is byte n of the texel.
// The border is no byte: its taps count as 0 in the sums, and their weight times the border's colour is added.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_FILTER_BYTES_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_FILTER_BYTES_H_
#undef TESSERA_TEXTURE_FILTER_BYTES_H_
#else
#define TESSERA_TEXTURE_FILTER_BYTES_H_
#endif

#include "core/simd.h"
#include "texture/address.h"
#include "texture/coordinates.h"
#include "texture/footprint.h"
#include "texture/gather.h"
#include "texture/texels.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::Shape;

// Bytes 0 and 2, and 1 and 3, of two neighbours weighted by 256 - f and f, less 2^15 to fit a signed lane.
struct RowSums {
  U16x even, odd;
};

HWY_INLINE RowSums filter_row(U32x first, U32x second, U16x f) {
  const U16x a = hn::BitCast(u16, first), b = hn::BitCast(u16, second);
  const U16x low = hn::BitCast(u16, splat(kFilterConstants.low_bytes)),
             high = hn::BitCast(u16, splat(kFilterConstants.high_bytes));
  // 256 * (x - 128) = 256 * x - 2^15; flipping the top bit of a byte subtracts 128.
  const U16x shifted = a ^ hn::BitCast(u16, splat(kFilterConstants.top_bits));
  return {hn::ShiftLeft<8>(shifted) + f * ((b & low) - (a & low)),
          (shifted & high) + f * (hn::ShiftRight<8>(b) - hn::ShiftRight<8>(a))};
}

// sum / (255 * 65536), where `biased` is sum - 2^23: one rounding in either form.
HWY_INLINE F32x scale_sum(I32x biased) {
  constexpr float kScale = 0x1.010102p-24f;  // the float nearest 1 / (255 * 65536)
#if HWY_NATIVE_FMA
  return fma(from_int(biased), splat(kScale), splat(kScale * 0x1p23f));
#else
  return from_int(biased + splat(1 << 23)) * splat(kScale);
#endif
}

// Positions in 1/256 -> the weights of the second column, in both halves of a word, and of the first and second row.
struct Weights {
  U16x column;
  I16x rows;
};

HWY_INLINE Weights weights_of(I32x x_fx8, I32x y_fx8) {
  const U8Tag u8;
  const auto twice = hn::LoadDup128(u8, kFilterConstants.low_byte_twice);
  const U16x fx = hn::BitCast(u16, hn::TableLookupBytesOr0(hn::BitCast(u8, x_fx8), twice));
  const U16x fy = hn::BitCast(u16, hn::TableLookupBytesOr0(hn::BitCast(u8, y_fx8), twice));
  const U16x low_half = hn::BitCast(u16, splat(kFilterConstants.low_half)),
             complement = hn::BitCast(u16, splat(kFilterConstants.complement));
  return {fx, hn::BitCast(i16, (fy ^ low_half) + complement)};
}

HWY_INLINE Color filter_quad(U32x t00, U32x t01, U32x t10, U32x t11, const Weights& weights) {
  const RowSums top = filter_row(t00, t01, weights.column), bottom = filter_row(t10, t11, weights.column);
  const auto low_pair = [](U16x a, U16x b) HWY_ATTR {
    return hn::BitCast(i16, blend16(a, hn::BitCast(u16, hn::ShiftLeft<16>(hn::BitCast(u32, b)))));
  };
  const auto high_pair = [](U16x a, U16x b) HWY_ATTR {
    return hn::BitCast(i16, blend16(hn::BitCast(u16, hn::ShiftRight<16>(hn::BitCast(u32, a))), b));
  };
  return {{scale_sum(multiply_pairs(low_pair(top.even, bottom.even), weights.rows)),
           scale_sum(multiply_pairs(low_pair(top.odd, bottom.odd), weights.rows)),
           scale_sum(multiply_pairs(high_pair(top.even, bottom.even), weights.rows)),
           scale_sum(multiply_pairs(high_pair(top.odd, bottom.odd), weights.rows))}};
}

template <uint32_t kBytes, Shape kShape, bool kMayBeCold>
struct BytesFilter {
  using Reader = ByteReader<kBytes, kMayBeCold>;

  static HWY_INLINE Color nearest(const BoundTexture& texture, const LevelImage& level, const Coordinates& at,
                                  const Offsets& offsets) {
    if constexpr (kShape == Shape::Repeat2D) {
      const U32x row = row_start(level, nearest_repeat_pow2(level.axis[1], at.t));
      return color_of_bytes(texel(level, row, nearest_repeat_pow2(level.axis[0], at.s)));
    } else {
      const NearestTexel nearest = nearest_texel_of(texture, level, at, offsets);
      const Color color = color_of_bytes(Reader::one(level, nearest.index));
      return texture.may_border ? select_color(nearest.is_border, border_color(texture), color) : color;
    }
  }

  static HWY_INLINE Color linear(const BoundTexture& texture, const LevelImage& level, const Coordinates& at,
                                 const Offsets& offsets) {
    if constexpr (kShape == Shape::Repeat2D) return linear_repeat(level, at);
    if constexpr (kShape == Shape::SeamlessCube) return linear_on_cube(level, at);
    const I32x x_fx8 = linear_position_fx8(level.axis[0], at.s), y_fx8 = linear_position_fx8(level.axis[1], at.t);
    const I32x i = hn::ShiftRight<8>(x_fx8) + splat(offsets.texels[0]),
               j = hn::ShiftRight<8>(y_fx8) + splat(offsets.texels[1]);
    if (texture.seamless && crosses_seam(level, i, j)) return across_seam(level, at.slice, i, j, x_fx8, y_fx8);
    const Footprint footprint{wrap_pair(level.axis[0], i), wrap_pair(level.axis[1], j)};
    if (texture.dimensions < 3)
      return in_slice(texture, level, slice_start(texture, level, at.slice), footprint, x_fx8, y_fx8);

    const LinearPosition z = linear_position(level.axis[2], at.r);
    const TexelPair k = wrap_pair(level.axis[2], z.texel + splat(offsets.texels[2]));
    const Color near = in_depth_slice(texture, level, k.first, footprint, x_fx8, y_fx8);
    const Color far = in_depth_slice(texture, level, k.second, footprint, x_fx8, y_fx8);
    return blend(near, far, z.fraction);
  }

 private:
  // Unless a lane is in the last row or column, the four texels are two pairs of neighbours, one row apart.
  static HWY_INLINE Color linear_repeat(const LevelImage& level, const Coordinates& at) {
    const Axis &s = level.axis[0], &t = level.axis[1];
    const I32x x_fx8 = linear_repeat_fx8(s, at.s), y_fx8 = linear_repeat_fx8(t, at.t);
    const I32x i = hn::ShiftRight<8>(x_fx8) & splat(s.last_texel), j = hn::ShiftRight<8>(y_fx8) & splat(t.last_texel);
    const Maskx at_end = hn::Or(equal(i, splat(s.last_texel)), equal(j, splat(t.last_texel)));
    if constexpr (kBytes == 4)
      if (HWY_LIKELY(!any(at_end))) return two_rows(level, row_start(level, j) + as_u32(i), x_fx8, y_fx8);
    return inside(level, hn::Zero(u32), {wrap_pair_pow2(s, i), wrap_pair_pow2(t, j)}, x_fx8, y_fx8);
  }

  static HWY_INLINE Color linear_on_cube(const LevelImage& level, const Coordinates& at) {
    const I32x x_fx8 = linear_face_fx8(level.axis[0], at.s), y_fx8 = linear_face_fx8(level.axis[1], at.t);
    const I32x i = hn::ShiftRight<8>(x_fx8), j = hn::ShiftRight<8>(y_fx8);
    if (HWY_UNLIKELY(crosses_seam(level, i, j))) return across_seam(level, at.slice, i, j, x_fx8, y_fx8);
    return two_rows(level, at.slice * splat(level.slice_texels) + row_start(level, j) + as_u32(i), x_fx8, y_fx8);
  }

  static HWY_INLINE Color two_rows(const LevelImage& level, U32x index, I32x x_fx8, I32x y_fx8) {
    const Quads quads = Reader::quads(level, index);
    return filter_quad(quads.top.first, quads.top.second, quads.bottom.first, quads.bottom.second,
                       weights_of(x_fx8, y_fx8));
  }

  static HWY_INLINE Color in_slice(const BoundTexture& texture, const LevelImage& level, U32x start,
                                   const Footprint& footprint, I32x x_fx8, I32x y_fx8) {
    if (texture.may_border && footprint.touches_border())
      return at_border(texture, level, start, footprint, x_fx8, y_fx8);
    return inside(level, start, footprint, x_fx8, y_fx8);
  }

  static HWY_INLINE Color inside(const LevelImage& level, U32x start, const Footprint& footprint, I32x x_fx8,
                                 I32x y_fx8) {
    const U32x top = start + row_start(level, footprint.y.first), bottom = start + row_start(level, footprint.y.second);
    if constexpr (kBytes == 4) {
      if (HWY_LIKELY(footprint.has_neighbours())) {
        const WordPair a = Reader::pair(level, top + as_u32(footprint.x.first));
        const WordPair b = Reader::pair(level, bottom + as_u32(footprint.x.first));
        return filter_quad(a.first, a.second, b.first, b.second, weights_of(x_fx8, y_fx8));
      }
    }
    return apart(level, top, bottom, footprint.x, weights_of(x_fx8, y_fx8));
  }

  // Texels fetched one by one.
  static HWY_NOINLINE Color apart(const LevelImage& level, U32x top, U32x bottom, const TexelPair& x,
                                  const Weights& weights) {
    return filter_quad(texel(level, top, x.first), texel(level, top, x.second), texel(level, bottom, x.first),
                       texel(level, bottom, x.second), weights);
  }

  static HWY_NOINLINE Color at_border(const BoundTexture& texture, const LevelImage& level, U32x start,
                                      const Footprint& footprint, I32x x_fx8, I32x y_fx8) {
    const I32x zero = splat(0);
    const TexelPair x = footprint.x, y = footprint.y;
    const U32x top = start + row_start(level, hn::Max(y.first, zero)),
               bottom = start + row_start(level, hn::Max(y.second, zero));
    const auto inside = [&](U32x row, I32x i, I32x j) HWY_ATTR {
      const U32x is_border = as_u32(hn::ShiftRight<31>(i | j));
      return hn::AndNot(is_border, texel(level, row, hn::Max(i, zero)));
    };
    const Color sum =
        filter_quad(inside(top, x.first, y.first), inside(top, x.second, y.first), inside(bottom, x.first, y.second),
                    inside(bottom, x.second, y.second), weights_of(x_fx8, y_fx8));
    const auto weight_inside = [](const TexelPair& pair, I32x f) HWY_ATTR {
      return hn::AndNot(hn::ShiftRight<31>(pair.first), splat(256) - f) +
             hn::AndNot(hn::ShiftRight<31>(pair.second), f);
    };
    const I32x fx = x_fx8 & splat(kFilterConstants.weight_mask), fy = y_fx8 & splat(kFilterConstants.weight_mask);
    const F32x inside_weight =
        from_int(multiply_pairs(hn::BitCast(i16, weight_inside(x, fx)), hn::BitCast(i16, weight_inside(y, fy))));
    const F32x border_weight = splat(1.0f) - inside_weight * splat(0x1p-16f);
    Color result;
    for (size_t c = 0; c < 4; ++c) result.word[c] = sum.word[c] + border_weight * splat(texture.border[c]);
    return result;
  }

  static HWY_INLINE Color in_depth_slice(const BoundTexture& texture, const LevelImage& level, I32x k,
                                         const Footprint& footprint, I32x x_fx8, I32x y_fx8) {
    const U32x start = as_u32(hn::Max(k, splat(0))) * splat(level.slice_texels);
    const Color color = in_slice(texture, level, start, footprint, x_fx8, y_fx8);
    return texture.may_border ? select_color(less(k, splat(0)), border_color(texture), color) : color;
  }

  static HWY_NOINLINE Color across_seam(const LevelImage& level, U32x slice, I32x i, I32x j, I32x x_fx8, I32x y_fx8) {
    const SeamTaps taps(level, slice, i, j);
    alignas(32) uint32_t t[4][kLanes];
    for (size_t n = 0; n < 4; ++n) store(Reader::one(level, load(taps.index[n])), t[n]);
    Color color = filter_quad(load(t[0]), load(t[1]), load(t[2]), load(t[3]), weights_of(x_fx8, y_fx8));
    if (taps.has_corner) mend_corners(taps, t, x_fx8 & splat(255), y_fx8 & splat(255), color);
    return color;
  }

  // The missing texel is the average of the other three, so each of them has a third of its weight besides its own.
  static void mend_corners(const SeamTaps& taps, const uint32_t (*texel)[kLanes], I32x fx, I32x fy, Color& color) {
    alignas(32) int32_t x[kLanes], y[kLanes];
    alignas(32) float word[4][kLanes];
    store(fx, x);
    store(fy, y);
    for (size_t c = 0; c < 4; ++c) store(color.word[c], word[c]);
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const uint32_t missing = taps.missing[lane];
      if (missing == SeamTaps::kNone) continue;
      const int32_t weight[4] = {(256 - x[lane]) * (256 - y[lane]), x[lane] * (256 - y[lane]),
                                 (256 - x[lane]) * y[lane], x[lane] * y[lane]};
      for (size_t c = 0; c < 4; ++c) {
        int32_t sum = 0;
        for (uint32_t n = 0; n < 4; ++n)
          if (n != missing)
            sum += (3 * weight[n] + weight[missing]) * static_cast<int32_t>(texel[n][lane] >> 8 * c & 255u);
        word[c][lane] = static_cast<float>(sum) * 0x1.56ac02p-26f;  // the float nearest 1 / (765 * 65536)
      }
    }
    for (size_t c = 0; c < 4; ++c) color.word[c] = load(word[c]);
  }

  static HWY_INLINE U32x texel(const LevelImage& level, U32x row, I32x i) {
    return Reader::one(level, row + as_u32(i));
  }
};

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
