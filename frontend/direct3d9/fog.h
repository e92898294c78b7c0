// frontend/direct3d9/fog.h: distance → fog factor, in vertex and pixel programs.
#pragma once

#include "shader/builder.h"

namespace tessera::direct3d9 {

enum class FogFormula : uint8_t { None, Exp, Exp2, Linear };   // as the API numbers fog modes

// 1: no fog. Start, end and density are words from `place` on. Linear fog that ends where it starts is a step for
// pixels and nothing but fog for vertices.
ir::Value fog_factor(ir::Builder& b, FogFormula formula, uint32_t place, ir::Value distance);

}  // namespace tessera::direct3d9
