// shader/tgsi/targets.h: where coordinate, layer, reference and sample sit in the operands of each texture target.
#pragma once

#include <cstdint>

#include "shader/ir.h"

namespace tessera::tgsi {

struct TargetShape {
  static constexpr uint8_t kNone = 0xff, kNextOperand = 4;
  uint8_t coords;                   // s, t, r in x, y, z
  uint8_t layer = kNone;            // channel of the first source
  uint8_t ref = kNone;              // the same; kNextOperand: x of the second source
  bool is_multisample = false, is_cube = false;

  bool has_layer() const { return layer != kNone; }
  bool is_shadow() const { return ref != kNone; }
};

const TargetShape& target_shape(ir::TextureTarget target);
ir::TextureTarget shadow_target(ir::TextureTarget target);        // the same texture, compared: 2D → SHADOW2D

}  // namespace tessera::tgsi
