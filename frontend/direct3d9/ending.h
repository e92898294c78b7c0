// frontend/direct3d9/ending.h: what happens to a colour between the pixel shader and the depth test or blending: the
// alpha test in eight bits, and fog. Out: a fragment program that reads COLOR[0] and writes it, for ir::chain().
#pragma once

#include "frontend/direct3d9/fog.h"
#include "texture/sampler.h"

namespace tessera::direct3d9 {

struct Ending {
  enum class FogFrom : uint8_t { None, Vertices, Depth, EyeDistance } fog = FogFrom::None;
  FogFormula formula = FogFormula::None;     // of Depth and EyeDistance
  uint8_t fog_component = 0;                 // of FOG[0]: the factor that vertices bring
  bool tests_alpha = false;
  texture::Compare alpha_func = texture::Compare::Always;
  bool operator==(const Ending&) const = default;
};

inline bool does_nothing(const Ending& e) { return e.fog == Ending::FogFrom::None && !e.tests_alpha; }
ir::Program ending_program(const Ending& ending);

}  // namespace tessera::direct3d9
