// texture/block.h: the operands and results of one texture operation over a block, as its view sees them.
// An operand that the operation lacks reads 0; a result that is not wanted goes nowhere.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_BLOCK_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_BLOCK_H_
#undef TESSERA_TEXTURE_BLOCK_H_
#else
#define TESSERA_TEXTURE_BLOCK_H_
#endif

#include "core/simd.h"
#include "texture/address.h"
#include "texture/coordinates.h"
#include "texture/cube.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::Shape;

// SampleArgs with zeros for absent operands.
HWY_INLINE SampleArgs complete(const SampleArgs& args) {
  alignas(64) static constexpr uint32_t kZeros[kBlockLanes] = {};
  SampleArgs result = args;
  for (auto& coord : result.coord)
    if (!coord) coord = kZeros;
  if (!result.ref) result.ref = kZeros;
  return result;
}

// The layer that is meant: nearest, ties to even, then clamped.
HWY_INLINE U32x layer_of(const BoundTexture& texture, F32x layer) {
  const F32x last = splat(static_cast<float>(texture.layer_count - 1));
  return as_u32(to_int_nearest(hn::Min(hn::Max(zero_nan(layer), splat(0.0f)), last)));
}

// The coordinates of a vector of lanes as they were given; a cube's direction is not on a face yet.
HWY_INLINE Direction given_coordinates(const SampleArgs& args, size_t lane) {
  return {load_float(args.coord[0] + lane), load_float(args.coord[1] + lane), load_float(args.coord[2] + lane)};
}

template <Shape kShape>
HWY_INLINE Coordinates coordinates_of(const BoundTexture& texture, const SampleArgs& args, const Direction& d,
                                      bool compares, size_t lane) {
  Coordinates at{d.x, d.y, d.z, hn::Zero(u32), splat(0.0f), compares};
  if constexpr (kShape == Shape::Repeat2D) return at;
  if (kShape == Shape::Any && texture.is_array) at.slice = layer_of(texture, load_float(args.coord[3] + lane));
  if (kShape == Shape::SeamlessCube || texture.is_cube) {
    const FaceAxes axes(d);
    const FacePosition position = position_on_face(along_face(axes, d));
    at.s = position.s;
    at.t = position.t;
    at.slice = kShape == Shape::SeamlessCube ? axes.face : at.slice * splat(6u) + axes.face;
  }
  if (compares) {
    at.reference = load_float(args.ref + lane);
    if (texture.clamps_reference) at.reference = saturate(at.reference);
  }
  return at;
}

// Where the words of the texels' colours go: each to the first result that selects it.
class Results {
 public:
  HWY_INLINE Results(const uint8_t (&select)[4], const SampleArgs& args) : select_(select), args_(args) {
    for (size_t n = 0; n < 4; ++n) word_[n] = nowhere_;
    for (size_t c = 4; c-- > 0;)
      if (args.out[c] && select[c] < 4) word_[select[c]] = args.out[c];
  }

  HWY_INLINE void store_color(const Color& color, size_t lane) {
    for (size_t n = 0; n < 4; ++n) store_float(color.word[n], word_[n] + lane);
  }
  uint32_t* word(size_t n) const { return word_[n]; }   // where word n goes

  // Constants, and words that several results select.
  HWY_INLINE void finish(uint32_t one) {
    for (size_t c = 0; c < 4; ++c) {
      uint32_t* out = args_.out[c];
      if (!out) continue;
      const U32x constant = splat(select_[c] == 5 ? one : 0u);
      const uint32_t* word = select_[c] < 4 ? word_[select_[c]] : nullptr;
      if (word == out) continue;
      for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) store(word ? load(word + lane) : constant, out + lane);
    }
  }

 private:
  const uint8_t (&select_)[4];
  const SampleArgs& args_;
  uint32_t* word_[4];
  alignas(64) uint32_t nowhere_[kBlockLanes];
};

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
