#include "frontend/mesh.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "frontend/trigonometry.h"

namespace tessera {
namespace {

using Vec3 = std::array<float, 3>;

Vec3 operator+(const Vec3& a, const Vec3& b) { return {a[0] + b[0], a[1] + b[1], a[2] + b[2]}; }
Vec3 operator-(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3 operator*(const Vec3& a, float s) { return {a[0] * s, a[1] * s, a[2] * s}; }

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec3 normalized(const Vec3& v) {
  const float length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  return length > 0 ? v * (1.0f / length) : Vec3{0, 0, 1};
}

float sine(float turns) { return static_cast<float>(sin_turns(turns)); }
float cosine(float turns) { return static_cast<float>(cos_turns(turns)); }

float turns(uint32_t i, uint32_t count) { return static_cast<float>(i) / static_cast<float>(count); }

// Two triangles for each cell of a sheet of (columns + 1) x (rows + 1) vertices, row by row; counter-clockwise where
// columns run to the right and rows upwards.
void add_sheet_indices(Mesh& mesh, uint32_t columns, uint32_t rows, uint32_t first = 0) {
  for (uint32_t y = 0; y < rows; ++y)
    for (uint32_t x = 0; x < columns; ++x) {
      const uint32_t a = first + y * (columns + 1) + x, b = a + 1, c = a + columns + 1, d = c + 1;
      mesh.indices.insert(mesh.indices.end(), {a, b, d, a, d, c});
    }
}

// A tube around a closed curve, in the frame of each of its points; side x up points backwards along the curve.
struct CurvePoint { Vec3 centre, side, up; };

Mesh make_tube(const std::vector<CurvePoint>& curve, uint32_t sides, float radius) {
  Mesh mesh;
  const auto segments = static_cast<uint32_t>(curve.size() - 1);
  for (uint32_t i = 0; i <= segments; ++i)
    for (uint32_t j = 0; j <= sides; ++j) {
      const float angle = turns(j % sides, sides);
      const Vec3 normal = normalized(curve[i].side * cosine(angle) + curve[i].up * sine(angle));
      mesh.vertices.push_back({curve[i].centre + normal * radius, normal, {turns(i, segments), turns(j, sides)}});
    }
  for (uint32_t i = 0; i < segments; ++i)
    for (uint32_t j = 0; j < sides; ++j) {
      const uint32_t a = i * (sides + 1) + j, b = a + 1, c = a + sides + 1, d = c + 1;
      mesh.indices.insert(mesh.indices.end(), {a, c, d, a, d, b});
    }
  return mesh;
}

Vec3 torus_knot_point(uint32_t p, uint32_t q, float t) {
  const float along_p = t * static_cast<float>(p), along_q = t * static_cast<float>(q);
  const float r = 0.5f * (2.0f + cosine(along_q));
  return {r * cosine(along_p), r * sine(along_p), 0.5f * sine(along_q)};
}

}  // namespace

Mesh make_grid(uint32_t cells_x, uint32_t cells_y) {
  Mesh mesh;
  for (uint32_t y = 0; y <= cells_y; ++y)
    for (uint32_t x = 0; x <= cells_x; ++x) {
      const float s = turns(x, cells_x), t = turns(y, cells_y);
      mesh.vertices.push_back({{s * 2 - 1, t * 2 - 1, 0}, {0, 0, 1}, {s, 1 - t}});
    }
  add_sheet_indices(mesh, cells_x, cells_y);
  return mesh;
}

Mesh make_cube() {
  // Each face: its normal, and the directions of s and of -t on it.
  constexpr struct { Vec3 normal, right, up; } kFaces[] = {
      {{1, 0, 0}, {0, 0, -1}, {0, 1, 0}},  {{-1, 0, 0}, {0, 0, 1}, {0, 1, 0}}, {{0, 1, 0}, {1, 0, 0}, {0, 0, -1}},
      {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}},  {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}},  {{0, 0, -1}, {-1, 0, 0}, {0, 1, 0}}};
  Mesh mesh;
  for (const auto& face : kFaces) {
    const auto first = static_cast<uint32_t>(mesh.vertices.size());
    for (const float t : {0.0f, 1.0f})
      for (const float s : {0.0f, 1.0f})
        mesh.vertices.push_back(
            {face.normal + face.right * (s * 2 - 1) + face.up * (t * 2 - 1), face.normal, {s, 1 - t}});
    add_sheet_indices(mesh, 1, 1, first);
  }
  return mesh;
}

Mesh make_sphere(uint32_t slices, uint32_t stacks) {
  Mesh mesh;
  for (uint32_t y = 0; y <= stacks; ++y)
    for (uint32_t x = 0; x <= slices; ++x) {
      const float around = turns(x % slices, slices), down = turns(y, stacks) * 0.5f;
      const float ring = y == 0 || y == stacks ? 0.0f : sine(down);
      const Vec3 p = {ring * cosine(around), -cosine(down), -ring * sine(around)};
      mesh.vertices.push_back({p, p, {turns(x, slices), 1 - turns(y, stacks)}});
    }
  add_sheet_indices(mesh, slices, stacks);
  return mesh;
}

Mesh make_torus(uint32_t segments, uint32_t sides, float tube) {
  std::vector<CurvePoint> curve;
  for (uint32_t i = 0; i <= segments; ++i) {
    const float angle = turns(i % segments, segments);
    const Vec3 outward = {cosine(angle), sine(angle), 0};
    curve.push_back({outward, outward, {0, 0, 1}});
  }
  return make_tube(curve, sides, tube);
}

Mesh make_torus_knot(uint32_t p, uint32_t q, uint32_t segments, uint32_t sides, float tube) {
  std::vector<CurvePoint> curve;
  for (uint32_t i = 0; i <= segments; ++i) {
    const float t = turns(i % segments, segments), step = turns(1, segments * 4);
    const Vec3 here = torus_knot_point(p, q, t), before = torus_knot_point(p, q, t - step),
               after = torus_knot_point(p, q, t + step);
    const Vec3 tangent = normalized(after - before);
    const Vec3 up = normalized(cross(tangent, here));
    curve.push_back({here, cross(tangent, up), up});
  }
  return make_tube(curve, sides, tube);
}

void fit_to_unit_box(Mesh& mesh) {
  if (mesh.vertices.empty()) return;
  Vec3 low = mesh.vertices.front().position, high = low;
  for (const MeshVertex& v : mesh.vertices)
    for (size_t i = 0; i < 3; ++i) {
      low[i] = std::min(low[i], v.position[i]);
      high[i] = std::max(high[i], v.position[i]);
    }
  const Vec3 size = high - low, centre = (low + high) * 0.5f;
  const float longest = std::max({size[0], size[1], size[2]});
  const float scale = longest > 0 ? 2.0f / longest : 1.0f;
  for (MeshVertex& v : mesh.vertices) v.position = (v.position - centre) * scale;
}

void compute_normals(Mesh& mesh) {
  std::map<Vec3, Vec3> sums;   // by position, so that seams in texture coordinates stay smooth
  for (size_t i = 0; i + 2 < mesh.indices.size(); i += 3) {
    const Vec3& a = mesh.vertices[mesh.indices[i]].position;
    const Vec3& b = mesh.vertices[mesh.indices[i + 1]].position;
    const Vec3& c = mesh.vertices[mesh.indices[i + 2]].position;
    const Vec3 twice_area = cross(b - a, c - a);
    for (const Vec3* corner : {&a, &b, &c}) sums[*corner] = sums[*corner] + twice_area;
  }
  for (MeshVertex& v : mesh.vertices) v.normal = normalized(sums[v.position]);
}

}  // namespace tessera
