// frontend/mesh.h: triangle meshes: read from OBJ files, or made by formula.
// Numbers: parsed by from_chars (correctly rounded), normals by additions, multiplications and square roots, formulas
// with the functions of core/math.h: a mesh has the same bits on every machine.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace tessera {

inline constexpr uint32_t kMaxMeshVertices = 1u << 26;

struct MeshVertex {
  std::array<float, 3> position{}, normal{};
  std::array<float, 2> texcoord{};
  bool operator==(const MeshVertex&) const = default;
};

struct Mesh {
  std::vector<MeshVertex> vertices;
  std::vector<uint32_t> indices;   // three a triangle
};

// OBJ text: v, vt, vn, f (polygons become fans; negative indices count from the end). Materials, groups and lines are
// skipped. Missing normals are computed, weighted by area; missing texture coordinates are 0. The texture
// coordinate's t is turned around, since row 0 of a texture is the top one.
Result<Mesh> parse_obj(std::string_view text);
Result<Mesh> read_obj_file(const std::string& path);

Mesh make_grid(uint32_t cells_x, uint32_t cells_y);         // over -1..1 in x and y, facing +z
Mesh make_cube();                                           // -1..1, a texture on each face
Mesh make_sphere(uint32_t slices, uint32_t stacks);         // radius 1
Mesh make_torus(uint32_t segments, uint32_t sides, float tube);
Mesh make_torus_knot(uint32_t p, uint32_t q, uint32_t segments, uint32_t sides, float tube);

void fit_to_unit_box(Mesh& mesh);                           // centred, the longest side from -1 to 1
void compute_normals(Mesh& mesh);                           // weighted by area, shared by vertices of one position

}  // namespace tessera
