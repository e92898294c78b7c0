// combiners/scalar.h: arithmetic that the evaluators share.
#pragma once

#include "combiners/evaluate.h"

namespace tessera::combiners {

inline float at_least(float x, float low) { return x > low ? x : low; }
inline float at_most(float x, float high) { return x < high ? x : high; }
inline float clamp(float x, float low, float high) { return at_least(at_most(x, high), low); }

// The texel as a colour by the base internal format.
inline Color expand(const Color& texel, BaseFormat format) {
  const float parts[] = {texel[0], texel[1], texel[2], texel[3], 0, 1};
  Color color;
  for (size_t c = 0; c < 4; ++c) color[c] = parts[static_cast<size_t>(info(format).rgba[c])];
  return color;
}

}  // namespace tessera::combiners
