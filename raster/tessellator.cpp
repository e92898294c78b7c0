#include "raster/tessellator.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace tessera::raster {
namespace {

constexpr uint32_t kOne = kTessOne_fx24;

// Vertices along one side of a ring, in the direction of the walk: number in `points`, and place along the side.
struct Side {
  std::vector<uint32_t> vertex, at_fx24;
  void add(uint32_t v, uint32_t at) {
    vertex.push_back(v);
    at_fx24.push_back(at);
  }
};

class Mesh {
 public:
  explicit Mesh(Tessellation& out) : out_(out) {}

  uint32_t point(uint32_t u, uint32_t v) {
    out_.points.push_back({u, v});
    return static_cast<uint32_t>(out_.points.size() - 1);
  }
  void triangle(uint32_t a, uint32_t b, uint32_t c) { out_.indices.insert(out_.indices.end(), {a, b, c}); }

  // Fills between a side of a ring and the side of the ring inside of it. The next triangle stands on the segment whose
  // middle comes first; where both are level, on the outer one before the middle and on the inner one behind it, so
  // that both halves mirror each other.
  void stitch(const Side& outer, const Side& inner) {
    size_t o = 0, i = 0;
    while (o + 1 < outer.vertex.size() || i + 1 < inner.vertex.size()) {
      if (takes_outer(outer, o, inner, i)) {
        triangle(outer.vertex[o], outer.vertex[o + 1], inner.vertex[i]);
        ++o;
      } else {
        triangle(outer.vertex[o], inner.vertex[i + 1], inner.vertex[i]);
        ++i;
      }
    }
  }

 private:
  static bool takes_outer(const Side& outer, size_t o, const Side& inner, size_t i) {
    if (i + 1 >= inner.vertex.size()) return true;
    if (o + 1 >= outer.vertex.size()) return false;
    const uint32_t outer_sum = outer.at_fx24[o] + outer.at_fx24[o + 1];
    const uint32_t inner_sum = inner.at_fx24[i] + inner.at_fx24[i + 1];
    return outer_sum != inner_sum ? outer_sum < inner_sum : outer_sum < kOne;
  }

  Tessellation& out_;
};

// The inside of a patch with outer edges in more than one segment has at least two of its own: its level counts as just
// above 1 then.
EdgeDivision at_least_two(EdgeDivision inner, TessSpacing spacing) {
  if (inner.count > 1) return inner;
  return {spacing == TessSpacing::FractionalOdd ? 3u : 2u, spacing == TessSpacing::FractionalOdd ? 1.0 : 2.0};
}

bool all_one(std::span<const EdgeDivision> edges) {
  return std::ranges::all_of(edges, [](const EdgeDivision& e) { return e.count == 1; });
}

// ---- triangles -----------------------------------------------------------------------------------------------------

// Corners in the order of the walk: (0, 0), (1, 0), (0, 1) in u and v; w is what is left of 1. Side s runs from corner
// s to the next. `along` of the way, `away` from the side (a share of 1, too): by corner s, the next, the one opposite.
DomainPoint place_in_triangle(uint32_t side, uint32_t along, uint32_t away) {
  const uint32_t half = away / 2;                       // away is even
  const uint32_t from = kOne - along - half, to = along - half;
  switch (side) {
    case 0: return {to, away};                          // w to u
    case 1: return {from, to};                          // u to v
    default: return {away, from};                       // v to w
  }
}

// A ring whose sides lie a third of `third` * 6 away: its corners are the ends of the perpendiculars of their edges.
struct Ring { Side side[3]; };

// Side s has the positions at[first .. last] of its division; the ends are the ring's own corners.
Ring make_ring(Mesh& mesh, const EdgeDivision (&division)[3], uint32_t depth, uint32_t third) {
  Ring ring;
  const uint32_t begin = 3 * third, end = kOne - begin, away = 2 * third;
  for (uint32_t s = 0; s < 3; ++s) {
    const uint32_t count = division[s].count;
    for (uint32_t i = depth; i < count - depth; ++i) {
      const uint32_t at = i == depth ? begin : division[s].at_fx24(i);
      const DomainPoint p = place_in_triangle(s, at, away);
      ring.side[s].add(mesh.point(p.u_fx24, p.v_fx24), at);
    }
  }
  for (uint32_t s = 0; s < 3; ++s) ring.side[s].add(ring.side[(s + 1) % 3].vertex.front(), end);
  return ring;
}

void fill_ring(Mesh& mesh, const Ring& outer, const Ring& inner) {
  for (uint32_t s = 0; s < 3; ++s) mesh.stitch(outer.side[s], inner.side[s]);
}

void tessellate_triangle(Mesh& mesh, const EdgeDivision (&outer)[3], EdgeDivision inner, TessSpacing spacing) {
  Ring ring = make_ring(mesh, outer, 0, 0);
  if (inner.count == 1 && all_one(outer))
    return mesh.triangle(ring.side[0].vertex[0], ring.side[1].vertex[0], ring.side[2].vertex[0]);
  inner = at_least_two(inner, spacing);
  const EdgeDivision inside[3] = {inner, inner, inner};
  for (uint32_t depth = 1; 2 * depth < inner.count; ++depth) {
    const uint32_t third = (inner.at_fx24(depth) + 1) / 3;
    Ring next = make_ring(mesh, inside, depth, third);
    fill_ring(mesh, ring, next);
    ring = std::move(next);
  }
  if (inner.count % 2 != 0)
    return mesh.triangle(ring.side[0].vertex[0], ring.side[1].vertex[0], ring.side[2].vertex[0]);
  constexpr uint32_t kThird = kOne / 3;
  Side center;
  center.add(mesh.point(kThird, kThird), kOne / 2);
  for (const Side& side : ring.side) mesh.stitch(side, center);
}

// ---- quads ---------------------------------------------------------------------------------------------------------

// The walk: bottom, right, top, left.
DomainPoint place_in_quad(uint32_t side, uint32_t along) {
  switch (side) {
    case 0: return {along, 0};
    case 1: return {kOne, along};
    case 2: return {kOne - along, kOne};
    default: return {0, kOne - along};
  }
}

// The points inside, row by row from (1, 1) of the division on.
struct Grid {
  uint32_t first = 0, columns = 0, rows = 0;
  uint32_t at(uint32_t column, uint32_t row) const { return first + row * columns + column; }
};

Grid make_grid(Mesh& mesh, const EdgeDivision& u, const EdgeDivision& v) {
  Grid grid{0, u.count - 1, v.count - 1};
  for (uint32_t row = 0; row < grid.rows; ++row)
    for (uint32_t column = 0; column < grid.columns; ++column) {
      const uint32_t number = mesh.point(u.at_fx24(column + 1), v.at_fx24(row + 1));
      if (row == 0 && column == 0) grid.first = number;
    }
  return grid;
}

// Each cell has two triangles; the diagonals of the four quarters mirror each other.
void fill_grid(Mesh& mesh, const Grid& grid) {
  for (uint32_t row = 0; row + 1 < grid.rows; ++row)
    for (uint32_t column = 0; column + 1 < grid.columns; ++column) {
      const uint32_t a = grid.at(column, row), b = grid.at(column + 1, row), c = grid.at(column + 1, row + 1),
                     d = grid.at(column, row + 1);
      const bool left = 2 * (column + 1) < grid.columns, bottom = 2 * (row + 1) < grid.rows;
      if (left == bottom) {
        mesh.triangle(a, b, d);
        mesh.triangle(b, c, d);
      } else {
        mesh.triangle(a, b, c);
        mesh.triangle(a, c, d);
      }
    }
}

Side side_of_grid(const Grid& grid, uint32_t side, const EdgeDivision& division) {
  Side result;
  const uint32_t count = side % 2 == 0 ? grid.columns : grid.rows;
  for (uint32_t i = 0; i < count; ++i) {
    const uint32_t back = count - 1 - i;
    const uint32_t vertex = side == 0   ? grid.at(i, 0)
                            : side == 1 ? grid.at(grid.columns - 1, i)
                            : side == 2 ? grid.at(back, grid.rows - 1)
                                        : grid.at(0, back);
    result.add(vertex, division.at_fx24(i + 1));
  }
  return result;
}

// Outer edges come in the order of the levels: left, bottom, right, top.
void tessellate_quad(Mesh& mesh, const EdgeDivision (&outer)[4], EdgeDivision u, EdgeDivision v, TessSpacing spacing) {
  Side ring[4];
  for (uint32_t s = 0; s < 4; ++s) {
    const EdgeDivision& edge = outer[(s + 1) % 4];
    for (uint32_t i = 0; i < edge.count; ++i) {
      const DomainPoint p = place_in_quad(s, edge.at_fx24(i));
      ring[s].add(mesh.point(p.u_fx24, p.v_fx24), edge.at_fx24(i));
    }
  }
  for (uint32_t s = 0; s < 4; ++s) ring[s].add(ring[(s + 1) % 4].vertex.front(), kOne);
  if (u.count == 1 && v.count == 1 && all_one(outer)) {
    mesh.triangle(ring[0].vertex[0], ring[1].vertex[0], ring[3].vertex[0]);
    mesh.triangle(ring[1].vertex[0], ring[2].vertex[0], ring[3].vertex[0]);
    return;
  }
  u = at_least_two(u, spacing);
  v = at_least_two(v, spacing);
  const Grid grid = make_grid(mesh, u, v);
  for (uint32_t s = 0; s < 4; ++s) mesh.stitch(ring[s], side_of_grid(grid, s, s % 2 == 0 ? u : v));
  fill_grid(mesh, grid);
}

// ---- lines ---------------------------------------------------------------------------------------------------------

// Lines along u; that at v = 1 is the first of the next patch.
void tessellate_lines(Tessellation& out, const EdgeDivision& lines, const EdgeDivision& segments) {
  for (uint32_t line = 0; line < lines.count; ++line)
    for (uint32_t i = 0; i <= segments.count; ++i) {
      const auto number = static_cast<uint32_t>(out.points.size());
      out.points.push_back({segments.at_fx24(i), lines.at_fx24(line)});
      if (i > 0) out.indices.insert(out.indices.end(), {number - 1, number});
    }
}

uint32_t outer_levels(TessDomain domain) {
  return domain == TessDomain::Quads ? 4 : domain == TessDomain::Triangles ? 3 : 2;
}

void reverse_triangles(std::vector<uint32_t>& indices) {
  for (size_t i = 0; i < indices.size(); i += 3) std::swap(indices[i + 1], indices[i + 2]);
}

void keep_points(Tessellation& out) {
  out.vertices_each = 1;
  out.indices.resize(out.points.size());
  for (uint32_t i = 0; i < out.indices.size(); ++i) out.indices[i] = i;
}

}  // namespace

EdgeDivision divide_edge(float level, TessSpacing spacing) {
  const float least = spacing == TessSpacing::FractionalEven ? 2.0f : 1.0f;
  const float most = spacing == TessSpacing::FractionalOdd ? kMaxTessLevel - 1 : kMaxTessLevel;
  const float clamped = level > least ? std::min(level, most) : least;   // NaN: the least
  auto count = static_cast<uint32_t>(std::ceil(clamped));
  if (spacing == TessSpacing::FractionalEven) count += count % 2;
  if (spacing == TessSpacing::FractionalOdd) count += 1 - count % 2;
  return {count, spacing == TessSpacing::Equal ? static_cast<double>(count) : static_cast<double>(clamped)};
}

uint32_t EdgeDivision::at_fx24(uint32_t i) const {
  if (2 * i > count) return kOne - at_fx24(count - i);
  if (i == 0) return 0;
  const double at = 0.5 - static_cast<double>(count - 2 * i) / (2 * level);
  return static_cast<uint32_t>(std::nearbyint(std::max(at, 0.0) * kOne));
}

void tessellate(const ir::TessellationFacts& facts, const TessLevels& levels, Tessellation& out) {
  const auto domain = static_cast<TessDomain>(facts.primitive);
  const auto spacing = static_cast<TessSpacing>(facts.spacing);
  out.points.clear();
  out.indices.clear();
  out.vertices_each = domain == TessDomain::Lines ? 2 : 3;
  for (uint32_t i = 0; i < outer_levels(domain); ++i)
    if (!(levels.outer[i] > 0)) return;
  const auto divide = [&](float level) { return divide_edge(level, spacing); };
  const auto& o = levels.outer;
  Mesh mesh(out);
  switch (domain) {
    case TessDomain::Lines: tessellate_lines(out, divide_edge(o[0], TessSpacing::Equal), divide(o[1])); break;
    case TessDomain::Triangles:   // levels by edge u = 0, v = 0, w = 0; the walk begins at v = 0
      tessellate_triangle(mesh, {divide(o[1]), divide(o[2]), divide(o[0])}, divide(levels.inner[0]), spacing);
      break;
    case TessDomain::Quads:
      tessellate_quad(mesh, {divide(o[0]), divide(o[1]), divide(o[2]), divide(o[3])}, divide(levels.inner[0]),
                      divide(levels.inner[1]), spacing);
      break;
  }
  if (out.vertices_each == 3 && facts.clockwise) reverse_triangles(out.indices);
  if (facts.point_mode) keep_points(out);
}

}  // namespace tessera::raster
