// raster/shape_setup.h: one point or line -> set-up primitives with exact coverage.
// In:     WinVertex, snapped; sizes and rules from the state.
// Out:    pieces: a SetupTriangle whose edges, bounds and Shape together are what is covered. A line is one piece, or
//         one for each dash of its stipple.
// Rules:  with one sample a pixel and without smoothing
//           lines    the diamond-exit rule for ends moved by (-e, -e*e), bottom_edge_rule: (-e, +e*e). It is two
//                    parallel edges and a range of columns (rows where y is the longer way); see diamond_range().
//           points   a square of whole pixels; point_quad: the pixels whose centres the fill rule gives to the square.
//         else
//           lines    a rectangle of the line's width whose corners are snapped to 1/256 pixel
//           points   a disc, rim included; point_quad: a square by the fill rule.
//         The state's samples decide, or the 16 standard samples where their number scales alpha (smooth).
// Range:  |x|, |y| <= 2^15 px, widths up to 2^11 px: an edge value needs 58 of its 64 bits.
// Threads: pure functions.
// Source: OpenGL 4.6 (compatibility), sections 14.4 to 14.6; Direct3D 11.3, section 3.4 for the pixel-wise view.
#pragma once

#include <cstdint>
#include <vector>

#include "raster/frame.h"
#include "raster/setup.h"

namespace tessera::raster {

// The part of a draw's state that points and lines need.
struct ShapeState {
  SetupState setup;                      // of polygons; its samples are those that decide
  IRect point_rect;                      // the viewport does not cut points
  bool multisample = false;              // samples decide, not the pixel's centre
  bool point_smooth = false, line_smooth = false, poly_smooth = false;   // never with `multisample`
  bool point_quad = false;
  float point_size = 1, line_width = 1;  // clamped
  bool line_last_pixel = false;
  bool line_stipple = false;
  uint32_t stipple_pattern = 0xffff, stipple_factor = 1;

  // Do points (lines) need a Shape?
  bool shapes_points() const { return multisample || (point_smooth && !point_quad); }
  bool shapes_lines() const { return multisample || line_smooth; }
};

float clamp_point_size(float size_px);   // what is no number counts as the smallest
float clamp_line_width(float width_px);

struct Piece {
  SetupTriangle triangle;
  Shape shape;
};

void setup_point(const WinVertex& v, float size_px, const ShapeState& state, std::vector<Piece>& out);

// `stipple`: pixels that count before the line; those of the line are added.
void setup_line(const WinVertex& a, const WinVertex& b, const ShapeState& state, bool last_pixel, uint32_t& stipple,
                std::vector<Piece>& out);

}  // namespace tessera::raster
