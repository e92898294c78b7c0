// frontend/view/fresh_state.h: a context's state as in the beginning, so that no picture depends on the one before.
#pragma once

#include "frontend/device.h"

namespace tessera::view {

// All but textures, samplers, constants, buffers and images that stay bound, which a draw names itself.
Status use_fresh_state(Context& context);

}  // namespace tessera::view
