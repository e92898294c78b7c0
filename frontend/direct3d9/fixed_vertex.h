// frontend/direct3d9/fixed_vertex.h: vertices without a vertex shader → a vertex program: transformed by the world,
// view and projection matrices, or with their place on the screen already (positiont); colours, lit or not; coordinate
// sets, generated ones too; fog; the size of points.
#pragma once

#include <vector>

#include "frontend/direct3d9/fog.h"
#include "frontend/direct3d9/lighting.h"
#include "frontend/direct3d9/states.h"
#include "shader/d3d9/program.h"

namespace tessera::direct3d9 {

struct FixedVertex {
  struct Attribute {                         // in the order of their numbers
    d3d9::Usage usage = d3d9::Usage::Position;
    uint8_t index = 0, components = 4;
    bool operator==(const Attribute&) const = default;
  };
  std::vector<Attribute> attributes;
  bool is_transformed = false;
  bool passes_all = false;                   // every usage as it is: for ps_3_0 behind transformed vertices
  // Where t# comes from: a set, or (numbered as the API does) a vector that the camera sees.
  enum class Generated : uint8_t { No, Normal, Position, Reflection, SphereMap };
  std::array<Generated, kStages> generated{};
  std::array<uint8_t, kStages> coordinate{}; // the set that feeds t#
  std::array<uint8_t, kStages> transformed{};   // components that its texture matrix leaves; 0: no matrix
  bool has_fog = false;                      // None: specular alpha is the factor
  FogFormula fog = FogFormula::None;
  bool fog_by_range = false;
  std::optional<Lighting> lighting;
  bool normalizes = false;                   // normals
  bool has_point_size = false, scales_points = false;   // by the distance
  bool operator==(const FixedVertex&) const = default;
};

ir::Program fixed_vertex_program(const FixedVertex& state);

// Behind a vertex shader that writes the size of points: within the limits that are set.
ir::Program point_size_limits();

}  // namespace tessera::direct3d9
