// combiners/fragment.h: the whole fixed-function fragment stage → IR, after its textures are sampled.
#pragma once

#include "combiners/lowering.h"

namespace tessera::combiners {

// Combiners where they are enabled; else an ATI fragment shader or environments, then colour sum and fog. The same
// numbers as evaluate() gives.
Rgba lower_fragment(ir::Builder& builder, const FragmentState& state, const FragmentValues& fragment,
                    uint32_t constant_buffer);

}  // namespace tessera::combiners
