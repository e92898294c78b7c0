// combiners/fragment.h: the whole fixed-function fragment stage → IR, after its textures are sampled.
#pragma once

#include "combiners/lowering.h"

namespace tessera::combiners {

// Combiners where they are enabled; else environments, colour sum, fog. The same bits as evaluate() for numbers.
Rgba lower_fragment(ir::Builder& builder, const FragmentState& state, const FragmentValues& fragment, uint32_t constant_buffer);

}  // namespace tessera::combiners
