// texture/coordinates.h: what one vector of lanes samples: coordinates, slice, reference, offsets; and what comes back.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_COORDINATES_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_COORDINATES_H_
#undef TESSERA_TEXTURE_COORDINATES_H_
#else
#define TESSERA_TEXTURE_COORDINATES_H_
#endif

#include "core/simd.h"
#include "texture/bound.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::BoundTexture;
using ::tessera::texture::LevelImage;

// A texel or a filtered colour: the words that BoundTexture::select chooses from.
struct Color {
  F32x word[4];
};

struct Coordinates {
  F32x s, t, r;    // cube: s and t on the face
  U32x slice;      // layer of an array, 6 * cube + face; 0 elsewhere
  F32x reference;  // of a comparison
  bool compares = false;
};

// Constant texel offsets of the operation, reduced to one period where the axis repeats.
struct Offsets {
  int32_t texels[3] = {0, 0, 0};
};

HWY_INLINE Color blend(const Color& a, const Color& b, F32x weight_of_b) {
  Color result;
  for (size_t c = 0; c < 4; ++c) result.word[c] = a.word[c] + weight_of_b * (b.word[c] - a.word[c]);
  return result;
}

HWY_INLINE Color select_color(Maskx mask, const Color& a, const Color& b) {
  Color result;
  for (size_t c = 0; c < 4; ++c) result.word[c] = select(mask, a.word[c], b.word[c]);
  return result;
}

HWY_INLINE Color border_color(const BoundTexture& texture) {
  Color result;
  for (size_t c = 0; c < 4; ++c) result.word[c] = splat(texture.border[c]);
  return result;
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
