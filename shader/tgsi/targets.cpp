#include "shader/tgsi/targets.h"

namespace tessera::tgsi {

using ir::TextureTarget;

const TargetShape& target_shape(TextureTarget target) {
  constexpr uint8_t kNone = TargetShape::kNone;
  static constexpr TargetShape kShapes[] = {    // in the order of ir::TextureTarget
      {1},                                      // BUFFER
      {1},                                      // 1D
      {2},                                      // 2D
      {3},                                      // 3D
      {3, kNone, kNone, false, true},           // CUBE
      {2},                                      // RECT
      {1, 1},                                   // 1D_ARRAY
      {2, 2},                                   // 2D_ARRAY
      {3, 3, kNone, false, true},               // CUBEARRAY
      {1, kNone, 2},                            // SHADOW1D
      {2, kNone, 2},                            // SHADOW2D
      {2, kNone, 2},                            // SHADOWRECT
      {3, kNone, 3, false, true},               // SHADOWCUBE
      {1, 1, 2},                                // SHADOW1D_ARRAY
      {2, 2, 3},                                // SHADOW2D_ARRAY
      {3, 3, TargetShape::kNextOperand, false, true},   // SHADOWCUBEARRAY
      {2, kNone, kNone, true},                  // 2D_MSAA
      {2, 2, kNone, true},                      // 2D_ARRAY_MSAA
      {0},                                      // UNKNOWN
  };
  return kShapes[static_cast<size_t>(target)];
}

TextureTarget shadow_target(TextureTarget target) {
  switch (target) {
    case TextureTarget::Tex1D: return TextureTarget::Shadow1D;
    case TextureTarget::Tex2D: return TextureTarget::Shadow2D;
    case TextureTarget::Rect: return TextureTarget::ShadowRect;
    case TextureTarget::Cube: return TextureTarget::ShadowCube;
    case TextureTarget::Tex1DArray: return TextureTarget::Shadow1DArray;
    case TextureTarget::Tex2DArray: return TextureTarget::Shadow2DArray;
    case TextureTarget::CubeArray: return TextureTarget::ShadowCubeArray;
    default: return target;
  }
}

}  // namespace tessera::tgsi
