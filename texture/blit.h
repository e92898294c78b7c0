// texture/blit.h: a box of one image's level -> a box of another's: scaled, mirrored, filtered, converted.
//
// Place:  along an axis the centre of the target's texel x is at s = s0 + (x + 1/2 - t0) * (s1 - s0) / (t1 - t0) in
//         the source, a rational number; where one of the boxes runs backwards the image is mirrored.
// Nearest: texel floor(s). Linear: with p = s - 1/2 and i = floor(p), texels i and i + 1, both
//         clamped to the level (not to the box): a + (p - i) * (b - a) in double, a itself where p = i; along x, y,
//         then z; rounded once to float. p - i is the quotient of two integers, rounded once to double.
// Format: equal formats and nearest copy bits. Else texels are unpacked (sRGB becomes linear) and packed as
//         core/format.h says; of depth and stencil only the aspects asked for are written.
// Slices: z is an axis like x and y where both boxes are of volumes; else both are as deep, slice by slice.
// Samples: those of a pixel one by one where both have as many; one sample goes to all. Resolving comes before.
// In:     boxes within +-2^29 (frontend/blit.cpp refuses others), none empty; clip: pixels of the target that may be
//         written. Boxes may reach beyond their levels: texels of the target whose s lies outside of the source's level
//         are not written. `from` may not be `to`.
// Threads: rows in parallel in the arena.
#pragma once

#include <cstdint>

#include "core/resource.h"
#include "core/tasks.h"

namespace tessera::texture {

struct BlitAxis { int32_t begin = 0, end = 1; };   // of a box; begin > end: backwards

struct BlitSide {
  Format format = Format::NONE;
  uint32_t level = 0;
  BlitAxis axis[3];                                // x, y, z
};

struct BlitJob {
  BlitSide source, target;
  int32_t clip[4] = {0, 0, 0, 0};                  // x0, y0, x1, y1, half-open
  bool linear = false;
  bool depth = true, stencil = true;               // the aspects of depth-stencil formats
};

void blit(const Storage& from, Storage& to, const BlitJob& job, TaskArena& tasks);

}  // namespace tessera::texture
