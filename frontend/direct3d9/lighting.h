// frontend/direct3d9/lighting.h: lights and a material → the colours of a vertex without a vertex shader.
// Source: the documentation of Direct3D 9, Mathematics of Lighting, in the space of the camera:
//     diffuse  = emissive + ambient (global + sum of La f) + diffuse (sum of Ld max(N.L, 0) f)
//     specular = specular (sum of Ls (N.H)^power f), f = attenuation times spot factor
//     H = norm(L + V), V = norm(-position), or (0, 0, -1) without a local viewer
//     attenuation 1 / (a0 + a1 d + a2 d^2) within the range, else 0; a directional light's is 1
//     spot ((rho - cos(phi/2)) / (cos(theta/2) - cos(phi/2)))^falloff between the cones, 1 inside, 0 outside
// Where it is silent: a light that a surface turns away from gives no highlight; of a vertex without a normal all dot
// products are 0; alphas are those of the sources of diffuse and specular.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "shader/builder.h"

namespace tessera::direct3d9 {

inline constexpr uint32_t kMaxLights = 8;
using Color4 = std::array<float, 4>;
using Place3 = std::array<float, 3>;

struct Material {
  Color4 diffuse{1, 1, 1, 1}, ambient{}, specular{}, emissive{};
  float power = 0;
};

enum class LightType : uint8_t { Off, Point, Spot, Directional };   // numbered as in the API, where there is no 0

struct Light {                                 // its place and direction are the world's
  LightType type = LightType::Off;
  Color4 diffuse{1, 1, 1, 1}, specular{}, ambient{};
  Place3 position{}, direction{0, 0, 1};
  float range = 1e18f, falloff = 1;
  Place3 attenuation{1, 0, 0};                 // of 1, the distance and its square
  float theta = 0, phi = 0;                    // of the inner and the outer cone, in radians
};

struct Lighting {
  enum class Source : uint8_t { Material, Color1, Color2 };
  std::array<LightType, kMaxLights> lights{};
  Source diffuse = Source::Material, ambient = Source::Material, specular = Source::Material,
         emissive = Source::Material;
  bool has_specular = false, has_local_viewer = false;
  bool operator==(const Lighting&) const = default;
};

struct LitVertex {
  std::array<ir::Value, 3> position, normal;   // seen by the camera
  std::array<ir::Value, 4> color1, color2;
};
struct LitColors {
  std::array<ir::Value, 4> diffuse, specular;
};
LitColors light_vertex(ir::Builder& b, const Lighting& lighting, const LitVertex& vertex);

// x, y and z of length 1; of nothing: zeros.
std::array<ir::Value, 3> normalized(ir::Builder& b, const std::array<ir::Value, 3>& v);

}  // namespace tessera::direct3d9
