#include "frontend/tool/bench_data.h"

#include <array>
#include <cmath>

#include "core/math.h"

namespace tessera::bench {
namespace {

using Vec3d = std::array<double, 3>;

constexpr double kPi = 3.14159265358979323846;

// Two triangles for each quad of a lattice of (rows + 1) x (columns + 1) vertices.
std::vector<uint32_t> lattice_indices(uint32_t columns, uint32_t rows) {
  std::vector<uint32_t> indices;
  indices.reserve(size_t{columns} * rows * 6);
  for (uint32_t y = 0; y < rows; ++y)
    for (uint32_t x = 0; x < columns; ++x) {
      const uint32_t a = y * (columns + 1) + x, b = a + 1, c = a + columns + 1, d = c + 1;
      for (const uint32_t i : {a, b, c, b, d, c}) indices.push_back(i);
    }
  return indices;
}

Vec3d cross(const Vec3d& a, const Vec3d& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

Vec3d normalized(const Vec3d& a) {
  const double length = std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
  return {a[0] / length, a[1] / length, a[2] / length};
}

Vec3d knot_centre(double angle) {
  const double radius = 2 + math::cos(3 * angle);
  return {radius * math::cos(2 * angle), radius * math::sin(2 * angle), -math::sin(3 * angle)};
}

uint32_t texel_hash(uint32_t x, uint32_t y) { return (x * 73856093u) ^ (y * 19349663u); }

std::vector<uint8_t> half_size(const std::vector<uint8_t>& texels, uint32_t size_px) {
  const uint32_t half_px = size_px / 2;
  std::vector<uint8_t> half(size_t{half_px} * half_px * 4);
  for (uint32_t y = 0; y < half_px; ++y)
    for (uint32_t x = 0; x < half_px; ++x)
      for (uint32_t channel = 0; channel < 4; ++channel) {
        const auto at = [&](uint32_t dx, uint32_t dy) {
          return uint32_t{texels[(size_t{2 * y + dy} * size_px + 2 * x + dx) * 4 + channel]};
        };
        half[(size_t{y} * half_px + x) * 4 + channel] = uint8_t((at(0, 0) + at(1, 0) + at(0, 1) + at(1, 1) + 2) / 4);
      }
  return half;
}

}  // namespace

Mesh make_grid(uint32_t columns, uint32_t rows) {
  Mesh mesh;
  mesh.vertices.reserve(size_t{columns + 1} * (rows + 1));
  for (uint32_t y = 0; y <= rows; ++y)
    for (uint32_t x = 0; x <= columns; ++x) {
      const double u = double(x) / columns, t = double(y) / rows;
      mesh.vertices.push_back({{float(u * 2 - 1 + 0.3 / columns * math::sin(7.0 * y)),
                                float(t * 2 - 1 + 0.3 / rows * math::sin(5.0 * x)),
                                float(0.5 + 0.2 * math::sin(20 * u) * math::cos(20 * t))},
                               {0, 0, 1},
                               {float(u), float(t)}});
    }
  mesh.indices = lattice_indices(columns, rows);
  return mesh;
}

Mesh make_knot() {
  constexpr uint32_t kAlong = 1200, kAround = 96;
  Mesh mesh;
  mesh.vertices.reserve(size_t{kAlong + 1} * (kAround + 1));
  for (uint32_t along = 0; along <= kAlong; ++along) {
    const double angle = 2 * kPi * along / kAlong;
    const Vec3d p = knot_centre(angle), q = knot_centre(angle + 1e-3);
    const Vec3d tangent = {q[0] - p[0], q[1] - p[1], q[2] - p[2]}, sum = {q[0] + p[0], q[1] + p[1], q[2] + p[2]};
    const Vec3d binormal = cross(tangent, sum), normal = normalized(cross(binormal, tangent)), side = normalized(binormal);
    for (uint32_t around = 0; around <= kAround; ++around) {
      const double turn = 2 * kPi * around / kAround, c = math::cos(turn), s = math::sin(turn);
      MeshVertex v{};
      for (size_t k = 0; k < 3; ++k) {
        v.normal[k] = float(c * normal[k] + s * side[k]);
        v.position[k] = float(p[k] + 0.5 * double{v.normal[k]});
      }
      v.texcoord[0] = float(along) / kAlong * 16;
      v.texcoord[1] = float(around) / kAround * 2;
      mesh.vertices.push_back(v);
    }
  }
  mesh.indices = lattice_indices(kAround, kAlong);
  return mesh;
}

std::vector<std::vector<uint8_t>> make_texture_levels() {
  std::vector<std::vector<uint8_t>> levels(kTextureLevels);
  levels[0].reserve(size_t{kTextureSize_px} * kTextureSize_px * 4);
  for (uint32_t y = 0; y < kTextureSize_px; ++y)
    for (uint32_t x = 0; x < kTextureSize_px; ++x) {
      const uint32_t hash = texel_hash(x, y);
      const bool opaque = ((x / 32 + y / 32) & 1) != 0;
      for (const uint32_t channel : {hash >> 8, hash >> 16, x ^ y, opaque ? 255u : 64u}) levels[0].push_back(uint8_t(channel));
    }
  for (uint32_t level = 1; level < kTextureLevels; ++level)
    levels[level] = half_size(levels[level - 1], kTextureSize_px >> (level - 1));
  return levels;
}

std::vector<uint8_t> make_cube_faces() {
  std::vector<uint8_t> texels;
  texels.reserve(size_t{kCubeSize_px} * kCubeSize_px * 6 * 4);
  for (uint32_t y = 0; y < 6 * kCubeSize_px; ++y)
    for (uint32_t x = 0; x < kCubeSize_px; ++x) {
      const uint32_t hash = texel_hash(x, y);
      for (const uint32_t channel : {hash >> 8, hash >> 16, hash >> 24, 255u}) texels.push_back(uint8_t(channel));
    }
  return texels;
}

}  // namespace tessera::bench
