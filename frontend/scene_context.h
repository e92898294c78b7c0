// frontend/scene_context.h: a scene's [state] → calls of a Context.
#pragma once

#include "frontend/scene.h"

namespace tessera::scene {

// Everything but viewports and scissors.
void use_state(Context& context, const State& state);
// Of a target of this size, which stands for a viewport that the state leaves open.
Status use_views(Context& context, const State& state, uint32_t width, uint32_t height);

}  // namespace tessera::scene
