// raster/tessellator.h: a patch's levels -> points of its domain, and the points, lines or triangles between them.
// In:     the evaluation program's domain, spacing, order and point mode; levels of the outer edges and of the inside.
// Out:    points in units of 2^-24, so that x + (1 - x) == 1 exactly in float; primitives of 1, 2 or 3 of them, which
//         share points. Nothing where an outer level that counts is not above 0.
// Rules:  an edge's points depend on its own level and the spacing alone, and are symmetric: with p stands 1 - p. What
//         lies inside of the outermost ring depends on the inner levels alone. Triangles cover the domain once.
// Spacing: n segments at a level f (clamped; n rounded up as the spacing says): point i of the first half lies at
//         1/2 - (n - 2 i) / (2 f), and point 0 at 0. So all segments are 1/f long, but the first and the last, whose
//         length falls from 1/f to 0 as n - f rises from 0 to 2.
// Threads: a Tessellation has one owner.
// Source: OpenGL 4.6, section 11.2.2 and appendix A.3.3.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "shader/ir.h"

namespace tessera::raster {

inline constexpr float kMaxTessLevel = 64;

// As ir::TessellationFacts counts them.
enum class TessSpacing : uint8_t { FractionalOdd, FractionalEven, Equal };
enum class TessDomain : uint8_t { Lines = 1, Triangles = 4, Quads = 7 };

struct TessLevels {
  std::array<float, 4> outer{1, 1, 1, 1};
  std::array<float, 2> inner{1, 1};
  bool operator==(const TessLevels&) const = default;
};

inline constexpr uint32_t kTessOne_fx24 = 1u << 24;
struct DomainPoint {
  uint32_t u_fx24 = 0, v_fx24 = 0;
  bool operator==(const DomainPoint&) const = default;
};

// How an edge is divided: count + 1 positions from 0 to 1.
struct EdgeDivision {
  uint32_t count = 1;
  double level = 1;                          // clamped
  uint32_t at_fx24(uint32_t i) const;
};
EdgeDivision divide_edge(float level, TessSpacing spacing);

struct Tessellation {
  std::vector<DomainPoint> points;
  std::vector<uint32_t> indices;             // vertices_each a primitive
  uint32_t vertices_each = 3;
};

// `out` may be a used one; what it held is replaced, its memory reused.
void tessellate(const ir::TessellationFacts& facts, const TessLevels& levels, Tessellation& out);

}  // namespace tessera::raster
