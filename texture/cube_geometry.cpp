#include "texture/cube_geometry.h"

namespace tessera::texture {

// Texel centres stand at odd distances from the middle of a face whose edges are at +-size.
bool fold_over_edge(FaceTexel& texel, int32_t size) {
  const bool i_outside = texel.i < 0 || texel.i >= size, j_outside = texel.j < 0 || texel.j >= size;
  if (i_outside && j_outside) return false;
  if (!i_outside && !j_outside) return true;
  const CubeFace& from = kCubeFaces[texel.face];
  int32_t position[3];
  position[from.s_axis] = from.s_sign * (2 * texel.i + 1 - size);
  position[from.t_axis] = from.t_sign * (2 * texel.j + 1 - size);
  // The axis that left the face is the new face's major one; the old major axis is now half a texel inside.
  const int32_t major = i_outside ? from.s_axis : from.t_axis;
  position[from.major] = from.major_sign * (size - 1);
  texel.face = static_cast<uint32_t>(2 * major + (position[major] < 0 ? 1 : 0));
  const CubeFace& to = kCubeFaces[texel.face];
  texel.i = (to.s_sign * position[to.s_axis] + size - 1) / 2;
  texel.j = (to.t_sign * position[to.t_axis] + size - 1) / 2;
  return true;
}

}  // namespace tessera::texture
