// frontend/tool/bench_data.h: meshes and textures of the benchmark rows, made from formulas.
#pragma once

#include <cstdint>
#include <vector>

namespace tessera::bench {

struct MeshVertex {
  float position[3], normal[3], texcoord[2];
};
struct Mesh {
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> indices;      // of triangles
  uint64_t triangles() const { return indices.size() / 3; }
};

// columns x rows quads over clip space, slightly displaced so that no two triangles are alike.
Mesh make_grid(uint32_t columns, uint32_t rows);
// Torus knot (2,3), 1200 x 96 quads: 230,400 triangles.
Mesh make_knot();

inline constexpr uint32_t kTextureSize_px = 1024, kTextureLevels = 11;
inline constexpr uint32_t kCubeSize_px = 256;

// RGBA8 texels, level after level: a hash of the position, alpha a checkerboard of 32 texels; each level the 2x2 box of
// the one before, rounded to the nearest.
std::vector<std::vector<uint8_t>> make_texture_levels();
// RGBA8 texels of six faces, one after the other.
std::vector<uint8_t> make_cube_faces();

}  // namespace tessera::bench
