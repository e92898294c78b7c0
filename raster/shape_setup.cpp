#include "raster/shape_setup.h"

#include <algorithm>
#include <cmath>

namespace tessera::raster {
namespace {

IRect intersect(const IRect& a, const IRect& b) {
  return {std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1), std::min(a.y1, b.y1)};
}

void set_bounds(SetupTriangle& t, const IRect& r) {
  t.bbox_x0 = int16_t(r.x0), t.bbox_y0 = int16_t(r.y0), t.bbox_x1 = int16_t(r.x1), t.bbox_y1 = int16_t(r.y1);
}

void add(const Piece& piece, const IRect& bounds, std::vector<Piece>& out) {
  if (bounds.empty()) return;
  set_bounds(out.emplace_back(piece).triangle, bounds);
}

// ---- points --------------------------------------------------------------------------------------------------------

// The square of whole pixels nearest to a point, without sprites: an odd size is centred in the pixel that holds the
// point, an even one on the nearest corner of four pixels.
IRect whole_pixels(const WinVertex& v, int32_t size, bool bottom_edge_rule) {
  const int32_t odd = size & 1;
  const int32_t y_fx8 = bottom_edge_rule ? v.y_fx8 - 1 : v.y_fx8;    // seen from below, rounding turns round
  const int32_t x = floor_fx8(v.x_fx8 + (odd ? 0 : kHalf_fx8)) - size / 2;
  const int32_t y = floor_fx8(y_fx8 + (odd ? 0 : kHalf_fx8)) - size / 2;
  return {x, y, x + size, y + size};
}

// ---- lines ---------------------------------------------------------------------------------------------------------

// What aliased lines and rectangles share: lambda1 is the place along the line, 0 to 1.
Piece along_line(const WinVertex& a, const WinVertex& b) {
  Piece piece;
  SetupTriangle& t = piece.triangle;
  const double dx = double(b.x_fx8) - a.x_fx8, dy = double(b.y_fx8) - a.y_fx8;
  const double per_pixel = 256.0 / (dx * dx + dy * dy), z10 = double(b.z) - double(a.z);
  t.x0_fx8 = a.x_fx8;
  t.y0_fx8 = a.y_fx8;
  t.l1_dx = float(dx * per_pixel);
  t.l1_dy = float(dy * per_pixel);
  t.z0 = a.z;
  t.z_dx = float(z10 * (dx * per_pixel));
  t.z_dy = float(z10 * (dy * per_pixel));
  t.rw[0] = t.rw[2] = a.rw;
  t.rw[1] = b.rw;
  t.affine = a.rw == b.rw;
  return piece;
}

// Pixels from `first` to `last` along an axis, and which way the line runs.
struct Range {
  int32_t first, last;
  bool forward;
};

// Does the open diamond around the centre of the pixel hold (x, y), moved by (-e, -e*e) or (-e, e*e)? `to_x`, `to_y`:
// from the centre.
bool in_diamond(int32_t to_x_fx8, int32_t to_y_fx8) {
  const int32_t sum = std::abs(to_x_fx8) + std::abs(to_y_fx8);
  return sum < kHalf_fx8 || (sum == kHalf_fx8 && to_x_fx8 > 0);
}

struct Place { int32_t x_fx8, y_fx8; };

// Whether `p` lies in a diamond, and in which column, or (by_rows) row.
bool find_diamond(Place p, bool by_rows, int32_t& at) {
  const int32_t x = floor_fx8(p.x_fx8 - 1), y = floor_fx8(p.y_fx8);   // the move by -e leaves a column's left bound
  at = by_rows ? y : x;
  return in_diamond(p.x_fx8 - (x * kOne_fx8 + kHalf_fx8), p.y_fx8 - (y * kOne_fx8 + kHalf_fx8));
}

// The columns (rows) of the pixels that the line leaves: those whose centres lie between its ends, and that of the
// diamond in which it starts, without that in which it ends. A line that passes a centre's column crosses a diamond
// there, and only one; before and after its ends it reaches no other.
Range diamond_range(Place a, Place b, bool by_rows, bool rows_downwards, bool last_pixel) {
  const int32_t from_fx8 = by_rows ? a.y_fx8 : a.x_fx8, to_fx8 = by_rows ? b.y_fx8 : b.x_fx8;
  // Columns, and rows by default, move ends towards smaller numbers: a centre that coincides with an end lies after it.
  const int32_t bias = by_rows && !rows_downwards ? kHalf_fx8 : kHalf_fx8 - 1;
  const auto first_after = [&](int32_t end_fx8) { return floor_fx8(end_fx8 + bias); };
  Range r{first_after(std::min(from_fx8, to_fx8)), first_after(std::max(from_fx8, to_fx8)) - 1, from_fx8 <= to_fx8};
  int32_t at;
  if (find_diamond(a, by_rows, at)) r.forward ? r.first = std::min(r.first, at) : r.last = std::max(r.last, at);
  if (!find_diamond(b, by_rows, at)) return r;
  if (last_pixel)
    r.forward ? r.last = std::max(r.last, at) : r.first = std::min(r.first, at);
  else
    r.forward ? r.last = std::min(r.last, at - 1) : r.first = std::max(r.first, at + 1);
  return r;
}

// Calls f(first, last) for each run of pixels that the pattern shows of `count` pixels; advances the counter.
template <class F>
void for_dashes(uint32_t count, const ShapeState& state, uint32_t& counter, F f) {
  if (!state.line_stipple) return f(0u, count - 1);
  const uint32_t factor = state.stipple_factor, period = 16 * factor;
  const auto is_on = [&](uint32_t i) { return state.stipple_pattern >> ((counter + i) % period / factor) & 1; };
  for (uint32_t i = 0; i < count;) {
    const uint32_t first = i;
    const bool on = is_on(first);
    while (i < count && is_on(i) == on) i += std::min(count - i, factor - (counter + i) % factor);
    if (on) f(first, i - 1);
  }
  counter = (counter + count) % period;
}

void setup_aliased_line(const WinVertex& a, const WinVertex& b, const ShapeState& state, bool last_pixel,
                        uint32_t& counter, std::vector<Piece>& out) {
  const int64_t dx = int64_t{b.x_fx8} - a.x_fx8, dy = int64_t{b.y_fx8} - a.y_fx8;
  if (dx == 0 && dy == 0) return;
  const bool by_rows = std::abs(dy) > std::abs(dx), bottom = state.setup.bottom_edge_rule;
  const int32_t width = int32_t(std::floor(state.line_width + 0.5f));

  // A wide line is one of width 1, moved back by (width - 1) / 2 and repeated `width` times.
  const int32_t back_fx8 = (width - 1) * kHalf_fx8;
  const int32_t back_x = by_rows ? back_fx8 : 0, back_y = by_rows ? 0 : bottom ? -back_fx8 : back_fx8;
  const Range range = diamond_range({a.x_fx8 - back_x, a.y_fx8 - back_y}, {b.x_fx8 - back_x, b.y_fx8 - back_y}, by_rows,
                                    !bottom, last_pixel);
  if (range.last < range.first) return;

  // D = cross(d, p - a), by which a pixel's centre lies beside the line, is less than half a pixel along the shorter
  // way; the ends' move decides where it is exactly that.
  Piece piece = along_line(a, b);
  const int64_t at_origin = dx * (kHalf_fx8 - a.y_fx8) - dy * (kHalf_fx8 - a.x_fx8);
  const int64_t half = kHalf_fx8 * std::max(std::abs(dx), std::abs(dy)) * width;
  const int64_t move = dy != 0 ? -dy : bottom ? -dx : dx;            // sign of what the ends' move adds to D
  piece.triangle.edge[0] = {at_origin + half - (move > 0 ? 0 : 1), -dy * kOne_fx8, dx * kOne_fx8};
  piece.triangle.edge[1] = {-at_origin + half - (move > 0 ? 1 : 0), dy * kOne_fx8, -dx * kOne_fx8};

  const int32_t beside_fx8 = back_fx8 + kOne_fx8;                    // half the width, and half a pixel before an end
  const auto [low, high] = by_rows ? std::minmax(a.x_fx8, b.x_fx8) : std::minmax(a.y_fx8, b.y_fx8);
  const int32_t beside_first = floor_fx8(low - beside_fx8), beside_end = floor_fx8(high + beside_fx8) + 1;
  for_dashes(uint32_t(range.last - range.first + 1), state, counter, [&](uint32_t i, uint32_t j) {
    const int32_t first = range.forward ? range.first + int32_t(i) : range.last - int32_t(j);
    const int32_t end = range.forward ? range.first + int32_t(j) + 1 : range.last - int32_t(i) + 1;
    const IRect pixels =
        by_rows ? IRect{beside_first, first, beside_end, end} : IRect{first, beside_first, end, beside_end};
    add(piece, intersect(pixels, state.setup.clip_rect), out);
  });
}

WinVertex moved(const WinVertex& v, int32_t x_fx8, int32_t y_fx8) {
  return {v.x_fx8 + x_fx8, v.y_fx8 + y_fx8, v.z, v.rw};
}

// Corners around the piece of a rectangle between two places on the line, clockwise on the screen.
struct Corners { WinVertex v[4]; };
Corners corners_between(const WinVertex& from, const WinVertex& to, Place out) {
  return {{moved(from, -out.x_fx8, -out.y_fx8), moved(to, -out.x_fx8, -out.y_fx8), moved(to, out.x_fx8, out.y_fx8),
           moved(from, out.x_fx8, out.y_fx8)}};
}

IRect bounds_of(const Corners& c, const SetupState& state) {
  const auto [x0, x1] = std::minmax({c.v[0].x_fx8, c.v[1].x_fx8, c.v[2].x_fx8, c.v[3].x_fx8});
  const auto [y0, y1] = std::minmax({c.v[0].y_fx8, c.v[1].y_fx8, c.v[2].y_fx8, c.v[3].y_fx8});
  return pixel_bounds(x0, y0, x1, y1, state);
}

void setup_rectangle_line(const WinVertex& a, const WinVertex& b, const ShapeState& state, uint32_t& counter,
                          std::vector<Piece>& out) {
  const double dx = double(b.x_fx8) - a.x_fx8, dy = double(b.y_fx8) - a.y_fx8;
  const double length_fx8 = std::sqrt(dx * dx + dy * dy);
  if (length_fx8 == 0) return;
  const double half = double(state.line_width) * kHalf_fx8 / length_fx8;
  const Place beside{int32_t(std::rint(-dy * half)), int32_t(std::rint(dx * half))};
  const auto place = [&](uint32_t pixels) {
    const double t = std::min(1.0, double(pixels) * kOne_fx8 / length_fx8);
    return moved(a, int32_t(std::rint(dx * t)), int32_t(std::rint(dy * t)));
  };
  const bool bottom = state.setup.bottom_edge_rule;
  const Corners whole = corners_between(a, b, beside);
  Piece piece = along_line(a, b);
  piece.shape.smooth = state.line_smooth;
  piece.triangle.edge[0] = make_edge(whole.v[0], whole.v[1], bottom);
  piece.triangle.edge[2] = make_edge(whole.v[2], whole.v[3], bottom);
  for_dashes(uint32_t(std::ceil(length_fx8 / kOne_fx8)), state, counter, [&](uint32_t i, uint32_t j) {
    const Corners dash = corners_between(place(i), place(j + 1), beside);
    piece.triangle.edge[1] = make_edge(dash.v[1], dash.v[2], bottom);
    piece.shape.edge = make_edge(dash.v[3], dash.v[0], bottom);
    add(piece, bounds_of(dash, state.setup), out);
  });
}

}  // namespace

float clamp_point_size(float size_px) { return size_px > 1 ? std::min(size_px, kMaxPointSize_px) : 1; }
float clamp_line_width(float width_px) { return width_px > 1 ? std::min(width_px, kMaxLineWidth_px) : 1; }

void setup_point(const WinVertex& v, float size_px, const ShapeState& state, std::vector<Piece>& out) {
  SetupState setup = state.setup;
  setup.clip_rect = state.point_rect;
  const bool has_shape = state.shapes_points(), whole = !has_shape && !state.point_quad;
  if (whole) size_px = std::floor(size_px + 0.5f);
  Piece piece;
  SetupTriangle& t = piece.triangle;
  t.is_point = t.affine = true;
  t.x0_fx8 = v.x_fx8;
  t.y0_fx8 = v.y_fx8;
  t.l1_dx = t.l2_dy = 1.0f / size_px;
  t.z0 = v.z;
  t.rw[0] = t.rw[1] = t.rw[2] = v.rw;
  if (whole) {
    const IRect pixels = whole_pixels(v, int32_t(size_px), setup.bottom_edge_rule);
    return add(piece, intersect(pixels, setup.clip_rect), out);
  }

  const int32_t size_fx8 = snap_fx8(size_px), x0 = v.x_fx8 - size_fx8 / 2, y0 = v.y_fx8 - size_fx8 / 2;
  if (has_shape && !state.point_quad) {
    piece.shape.smooth = state.point_smooth;
    piece.shape.radius_squared_fx16 = int64_t{size_fx8} * size_fx8 / 4;
    // The rim is inside on all sides, where a fill rule leaves out two.
    return add(piece, pixel_bounds(x0 - 1, y0 - 1, x0 + size_fx8 + 2, y0 + size_fx8 + 2, setup), out);
  }
  if (has_shape) {
    const WinVertex corner[4] = {{x0, y0}, {x0 + size_fx8, y0}, {x0 + size_fx8, y0 + size_fx8}, {x0, y0 + size_fx8}};
    for (int i = 0; i < 3; ++i) t.edge[i] = make_edge(corner[i], corner[i + 1], setup.bottom_edge_rule);
    piece.shape.edge = make_edge(corner[3], corner[0], setup.bottom_edge_rule);
  }
  add(piece, pixel_bounds(x0, y0, x0 + size_fx8, y0 + size_fx8, setup), out);
}

void setup_line(const WinVertex& a, const WinVertex& b, const ShapeState& state, bool last_pixel, uint32_t& stipple,
                std::vector<Piece>& out) {
  if (state.shapes_lines()) return setup_rectangle_line(a, b, state, stipple, out);
  setup_aliased_line(a, b, state, last_pixel, stipple, out);
}

}  // namespace tessera::raster
