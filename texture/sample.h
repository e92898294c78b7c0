// texture/sample.h: the block functions that filter, one for each texel class, shape and instruction set.
#pragma once

#include "core/simd_target.h"
#include "texture/bound.h"

namespace tessera::texture {

BlockFn choose_sample(TexelClass texel_class, Shape shape, SimdTarget simd);

}  // namespace tessera::texture
