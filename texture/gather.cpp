// Gather: one component of the four texels that a linear filter would use at the view's first level, in the order
// (i, j+1), (i+1, j+1), (i+1, j), (i, j). The footprint is that of the exact product coordinate * size. With four offsets
// each result is texel (i, j) of its own shifted footprint. The missing texel at a corner of a cube is the average of
// the other three (integer formats: the one beside it).
// Source: OpenGL 4.6, 8.14.3 and 8.15.1; spec of TG4 and GATHER4.
#include "texture/sample.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "texture/gather.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "texture/block.h"
#include "texture/filter_bytes.h"
#include "texture/filter_float.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::BlockFn;
using ::tessera::texture::TexelClass;

// floor(coordinate * size - 1/2), exactly: (floor(2 * coordinate * size) - 1) / 2, rounded down.
HWY_INLINE I32x first_texel(const Axis& axis, F32x s) {
  const F32x part = axis.mode == AxisMode::MirrorRepeat ? mirror_part(s)
                    : repeats(axis.mode)                ? repeat_part(s)
                                                        : zero_nan(s);
  F32x halves = floor_product(part, splat(2 * axis.scale));
  if (!repeats(axis.mode))
    halves = clamp_float(halves, splat(2 * axis.stop_low_texels), splat(2 * axis.stop_high_texels));
  return hn::ShiftRight<1>(small_int(halves) - splat(1));
}

// Offsets of a lane may be any integer: reduced to one period where the axis repeats, else kept within 2^20.
HWY_INLINE I32x reduced_offset(const Axis& axis, I32x offset) {
  constexpr int32_t kFar = 1 << 20;
  if (!repeats(axis.mode)) return clamp_index(offset, splat(-kFar), splat(kFar));
  const int32_t period = axis.mode == AxisMode::MirrorRepeat ? 2 * axis.size_texels : axis.size_texels;
  alignas(32) int32_t lanes[kLanes];
  store(offset, lanes);
  for (int32_t& o : lanes) o = (o % period + period) % period;
  return load(lanes);
}

template <class Texels>
struct Gatherer {
  const BoundTexture& texture;
  const LevelImage& level;
  const SampleArgs& args;
  uint32_t word;  // of the texels' colours

  HWY_INLINE I32x offset_of(size_t axis, size_t set, size_t lane) const {
    const ir::TextureOp& op = *args.op;
    if (args.offset[axis]) return reduced_offset(level.axis[axis], as_i32(load(args.offset[axis] + lane)));
    return op.offset_count > set ? reduced_offset(level.axis[axis], splat(int32_t{op.offset[set][axis]})) : splat(0);
  }

  HWY_INLINE F32x value(const Coordinates& at, U32x index, Maskx is_border) const {
    Color color = Texels::color(texture, level.texels, index);
    if (texture.may_border) color = select_color(is_border, border_color(texture), color);
    if (at.compares)
      return compare_reference(texture.sampler.compare_func, at.reference, color.word[texture.compared_word]);
    return color.word[word];
  }

  // Texel (i, j), wrapped.
  HWY_INLINE F32x texel(const Coordinates& at, I32x i, I32x j) const {
    const I32x zero = splat(0), x = wrap_index(level.axis[0].mode, i, splat(level.axis[0].size_texels));
    const I32x y = wrap_index(level.axis[1].mode, j, splat(level.axis[1].size_texels));
    const U32x index =
        slice_start(texture, level, at.slice) + row_start(level, hn::Max(y, zero)) + as_u32(hn::Max(x, zero));
    return value(at, index, less(x | y, zero));
  }

  HWY_NOINLINE void across_seam(const Coordinates& at, I32x i, I32x j, size_t lane) const {
    const SeamTaps taps(level, at.slice, i, j);
    F32x t[4];
    for (size_t n = 0; n < 4; ++n) t[n] = value(at, load(taps.index[n]), less(i, i));
    for (uint32_t n = 0; taps.has_corner && n < 4; ++n) {
      const F32x average = (t[n == 0 ? 1 : 0] + t[n <= 1 ? 2 : 1] + t[n <= 2 ? 3 : 2]) / splat(3.0f);
      t[n] = select(equal(load(taps.missing), splat(n)), texture.is_integer ? t[n ^ 1] : average, t[n]);
    }
    constexpr size_t kOrder[4] = {2, 3, 1, 0};
    for (size_t c = 0; c < 4; ++c) store_result(c, lane, t[kOrder[c]]);
  }

  HWY_INLINE void store_result(size_t c, size_t lane, F32x v) const {
    if (args.out[c]) store_float(v, args.out[c] + lane);
  }

  HWY_INLINE void gather(const Coordinates& at, size_t lane) const {
    const I32x i = first_texel(level.axis[0], at.s), j = first_texel(level.axis[1], at.t), one = splat(1);
    if (texture.seamless && crosses_seam(level, i, j)) return across_seam(at, i, j, lane);
    if (args.op->offset_count == 4) {
      for (size_t c = 0; c < 4; ++c)
        store_result(c, lane, texel(at, i + offset_of(0, c, lane), j + offset_of(1, c, lane)));
      return;
    }
    const I32x x = i + offset_of(0, 0, lane), y = j + offset_of(1, 0, lane);
    store_result(0, lane, texel(at, x, y + one));
    store_result(1, lane, texel(at, x + one, y + one));
    store_result(2, lane, texel(at, x + one, y));
    store_result(3, lane, texel(at, x, y));
  }
};

template <class Texels>
void gather_block(const BoundTexture& texture, const SampleArgs& given) {
  const SampleArgs args = complete(given);
  const bool compares = texture.compares && given.ref;
  const uint8_t* select = compares ? texture.select_compared : texture.select;
  const uint8_t word = select[args.op->component & 3];
  if (word >= 4) {
    const U32x constant = splat(word == 4 ? 0u : texture.is_integer ? 1u : 0x3f800000u);
    for (uint32_t* out : args.out)
      for (size_t lane = 0; out && lane < kBlockLanes; lane += kLanes) store(constant, out + lane);
    return;
  }
  const Gatherer<Texels> gatherer{texture, texture.levels[0], args, word};
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes)
    gatherer.gather(coordinates_of<Shape::Any>(texture, args, given_coordinates(args, lane), compares, lane), lane);
}

template <class Texels>
BlockFn gather_of(bool may_be_cold) { return may_be_cold ? gather_block<ColdTexels<Texels>> : gather_block<Texels>; }

BlockFn gather_function(TexelClass texel_class, bool may_be_cold) {
  switch (texel_class) {
    case TexelClass::Bytes1: return gather_of<ByteTexels<1>>(may_be_cold);
    case TexelClass::Bytes2: return gather_of<ByteTexels<2>>(may_be_cold);
    case TexelClass::Bytes4: return gather_of<ByteTexels<4>>(may_be_cold);
    default: break;
  }
  return gather_of<DecodedTexels>(may_be_cold);
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::texture {

BlockFn choose_gather(TexelClass texel_class, bool may_be_cold, SimdTarget simd) {
  return TESSERA_DISPATCH(tex::gather_function, simd)(texel_class, may_be_cold);
}

}  // namespace tessera::texture
#endif
