// frontend/direct3d9/fixed_pixel.h: pixels without a pixel shader → a fragment program: the texture stages in a row,
// then the specular colour. A stage that asks for a texture where none is bound passes on what it gets.
#pragma once

#include <optional>
#include <vector>

#include "frontend/direct3d9/states.h"
#include "shader/d3d9/program.h"

namespace tessera::direct3d9 {

struct FixedStage {
  struct Combine {
    uint32_t op = 1;                                   // StageOp's number
    std::array<uint32_t, 3> arguments{};               // 0, 1, 2
    bool operator==(const Combine&) const = default;
  };
  Combine color, alpha;
  std::optional<d3d9::SamplerType> texture;            // nothing: none is bound
  uint8_t divided_by = 0;                              // the coordinate that divides the others; 0: none
  bool operator==(const FixedStage&) const = default;
};

struct FixedPixel {
  std::vector<FixedStage> stages;                      // up to the first that is disabled
  bool adds_specular = false;
  bool operator==(const FixedPixel&) const = default;
};

ir::Program fixed_pixel_program(const FixedPixel& state);

}  // namespace tessera::direct3d9
