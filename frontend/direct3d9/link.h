// frontend/direct3d9/link.h: the shaders of a draw, or fixed function in their place, and the state that is code → a
// vertex and a fragment program that fit each other.
//   vs_1_1 to vs_2_x and ps_1_1 to ps_2_x meet by register, all others by usage and index: both are semantics of the
//   IR. A pixel input that nothing feeds reads 0.
#pragma once

#include <memory>

#include "frontend/direct3d9/ending.h"
#include "frontend/direct3d9/fixed_pixel.h"
#include "frontend/direct3d9/fixed_vertex.h"
#include "shader/d3d9/lower.h"

namespace tessera::direct3d9 {

struct DrawPrograms {
  std::shared_ptr<const d3d9::Program> vertex, pixel;      // null: fixed function
  d3d9::LowerOptions vertex_options, pixel_options;
  FixedVertex fixed_vertex;
  FixedPixel fixed_pixel;
  Ending ending;
  bool limits_points = false;                              // whose size a vertex shader writes
  bool operator==(const DrawPrograms&) const = default;
};

struct LinkedPrograms { ir::Program vertex, fragment; };
Result<LinkedPrograms> link(const DrawPrograms& programs);   // optimised

}  // namespace tessera::direct3d9
