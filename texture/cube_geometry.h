// texture/cube_geometry.h: the faces of a cube map: which axes they lie along, and how they meet. Scalar.
// Source: OpenGL 4.6, table 8.19 (faces) and 8.13 (seamless edges).
#pragma once

#include <cstdint>

namespace tessera::texture {

// A face looks along `major` (0 x, 1 y, 2 z); s runs along axis s_axis times s_sign, t alike. Face 2 * axis + (sign < 0).
struct CubeFace {
  int8_t major, major_sign, s_axis, s_sign, t_axis, t_sign;
};
inline constexpr CubeFace kCubeFaces[6] = {{0, 1, 2, -1, 1, -1}, {0, -1, 2, 1, 1, -1}, {1, 1, 0, 1, 2, 1},
                                           {1, -1, 0, 1, 2, -1}, {2, 1, 0, 1, 1, -1},  {2, -1, 0, -1, 1, -1}};

struct FaceTexel {
  uint32_t face;
  int32_t i, j;
};

// Moves a texel that lies one step beyond an edge of its face to the face where it is. False at a corner of the cube,
// where no such texel exists: `texel` stays.
bool fold_over_edge(FaceTexel& texel, int32_t size);

}  // namespace tessera::texture
