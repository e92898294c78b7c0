// tests/unit/texture/spec_sampler.h: texture sampling as the OpenGL 4.6 specification writes it down, in double, one
// sample at a time. Shares nothing with texture/ but the view and sampler structs; texels come from core's unpack_texel.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "texture/view.h"

namespace tessera::tests {

using Rgba = std::array<double, 4>;

struct SpecTexel {
  Rgba color{};
  std::array<uint32_t, 4> bits{};  // exactly what is stored (or the border), before the view's swizzle
};

struct SpecCoordinates {
  float s = 0, t = 0, r = 0, layer = 0;
  std::optional<float> reference;
  std::array<int, 3> offset{};
};

struct SpecGathered {
  uint32_t bits = 0;
  double value = 0;
  bool is_exact = true;
};

// What each channel of a result may be at least and at most.
struct SpecRange {
  Rgba low{}, high{};
};

class SpecSampler {
 public:
  SpecSampler(const texture::View& view, const texture::Sampler& sampler);

  // lambda: after log2, before the sampler's bias and limits.
  Rgba sample(const SpecCoordinates& at, double lambda) const;
  // As `sample`, and whether exactly one texel decides, so that bits can be compared: then they are in `bits`.
  Rgba sample(const SpecCoordinates& at, double lambda, std::optional<std::array<uint32_t, 4>>& bits) const;
  // For the reductions min and max: the extreme of all texels that have weight, on both levels where two count. It lies
  // between that of the texels whose weight is large enough to outlast rounding and that of all that have any.
  SpecRange extreme(const SpecCoordinates& at, double lambda) const;
  // A component of texel (floor(u - 1/2) + dx, floor(v - 1/2) + dy) of the first level, wrapped as for a linear filter:
  // what gather returns. The missing texel at a corner of a seamless cube is an average, and not exact.
  SpecGathered gathered(const SpecCoordinates& at, int64_t dx, int64_t dy, uint32_t component) const;
  double limited_lambda(double lambda) const;

 private:
  struct Place {
    int64_t i, j, k;
    uint32_t slice;
  };  // texel of a level; slice: layer and face
  uint32_t dimensions() const;
  bool is_cube() const;
  std::array<int64_t, 3> size(uint32_t level) const;
  uint32_t slice_of(const SpecCoordinates& at) const;
  SpecTexel seamless_corner(const Place& missing, const SpecCoordinates& at) const;
  double texel_position(int axis, double coordinate, uint32_t level, bool linear) const;
  std::optional<int64_t> wrapped(int axis, int64_t index, uint32_t level, bool linear) const;
  SpecTexel texel(uint32_t level, const Place& place) const;
  SpecTexel border() const;
  SpecTexel tap(uint32_t level, const Place& unwrapped, bool linear, const SpecCoordinates& at) const;
  SpecTexel compared(SpecTexel texel, const SpecCoordinates& at) const;
  std::optional<Place> over_edge(uint32_t level, const Place& place) const;
  // A texel of a footprint, its weight, and the least of the weights along the axes.
  struct Weighted {
    SpecTexel texel;
    double weight, least_weight;
  };
  std::vector<Weighted> footprint(uint32_t level, bool linear, const SpecCoordinates& at) const;
  static SpecTexel mean_of_three(const std::vector<Weighted>& three);
  static Rgba average(const std::vector<Weighted>& taps);
  struct Levels {
    uint32_t first;
    double between;   // weight of the level behind it
    bool linear;
  };
  Levels levels_of(double lambda) const;
  Rgba swizzled(const Rgba& color) const;

  texture::View view_;
  texture::Sampler sampler_;
};

// The face of a direction, and the position on it in [0, 1]: OpenGL 4.6, table 8.19.
struct SpecFace {
  uint32_t face;
  double s, t;
};
SpecFace face_of(double x, double y, double z);
// How far the position on the face moves, in texels, where the direction moves by `change`: its exact derivative.
double length_on_face(const std::array<double, 3>& direction, const std::array<double, 3>& change, double size);

}  // namespace tessera::tests
