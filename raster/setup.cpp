#include "raster/setup.h"

#include <algorithm>
#include <cmath>

#include "core/fixed.h"

namespace tessera::raster {
namespace {

// What barycentrics and depth gain from one pixel to the next.
struct Slopes { double l1_dx, l1_dy, l2_dx, l2_dy, z_dx, z_dy; };

// lambda1 = cross(p - v0, v2 - v0) / area, lambda2 = cross(v1 - v0, p - v0) / area, p in pixels.
inline Slopes slopes_of(const WinVertex v[3], int64_t area_fx16) {
  const double per_pixel = 256.0 / double(area_fx16);
  Slopes s;
  s.l1_dx = double(v[2].y_fx8 - v[0].y_fx8) * per_pixel, s.l1_dy = double(v[0].x_fx8 - v[2].x_fx8) * per_pixel;
  s.l2_dx = double(v[0].y_fx8 - v[1].y_fx8) * per_pixel, s.l2_dy = double(v[1].x_fx8 - v[0].x_fx8) * per_pixel;
  const double z10 = double(v[1].z) - double(v[0].z), z20 = double(v[2].z) - double(v[0].z);
  s.z_dx = z10 * s.l1_dx + z20 * s.l2_dx, s.z_dy = z10 * s.l1_dy + z20 * s.l2_dy;
  return s;
}

// A unit in the last place of the largest depth of the triangle.
double float_depth_resolution(const WinVertex v[3]) {
  const float largest = std::max({std::fabs(v[0].z), std::fabs(v[1].z), std::fabs(v[2].z)});
  return std::ldexp(1.0, largest == 0 ? -149 : std::ilogb(largest) - 23);
}

double depth_offset(const WinVertex v[3], const Slopes& slopes, const SetupState& state) {
  const double resolution = state.depth_resolution != 0 ? state.depth_resolution : float_depth_resolution(v);
  const double slope = std::max(std::fabs(slopes.z_dx), std::fabs(slopes.z_dy));
  const double offset = slope * state.offset_scale + resolution * state.offset_units;
  if (state.offset_clamp > 0) return std::min(offset, double(state.offset_clamp));
  if (state.offset_clamp < 0) return std::max(offset, double(state.offset_clamp));
  return offset;
}

inline IRect bounds_of(const WinVertex v[3], const SetupState& state) {
  return pixel_bounds(std::min(std::min(v[0].x_fx8, v[1].x_fx8), v[2].x_fx8),
                      std::min(std::min(v[0].y_fx8, v[1].y_fx8), v[2].y_fx8),
                      std::max(std::max(v[0].x_fx8, v[1].x_fx8), v[2].x_fx8),
                      std::max(std::max(v[0].y_fx8, v[1].y_fx8), v[2].y_fx8), state);
}

double unorm_depth_resolution(Format format) {
  if (!format_has_depth(format)) return 0;
  const FormatInfo& info = format_info(format);
  for (const FormatField& f : info.field) {
    if (f.kind == FieldKind::Unorm) return std::ldexp(1.0, -int(f.bits));
  }
  return 0;
}

}  // namespace

SetupState make_setup_state(const RasterizerState& rasterizer, const Viewport& viewport, Format depth_format,
                            const IRect& clip_rect, const SampleBox& samples) {
  SetupState s;
  s.samples = samples;
  s.clip_rect = clip_rect;
  s.bottom_edge_rule = rasterizer.bottom_edge_rule;
  // The viewport turns the triangle over once for each negative scale; so does the window's y axis, which runs down.
  const bool mirrored = (viewport.scale[0] < 0) != (viewport.scale[1] < 0);
  const bool counter_clockwise_is_positive = !mirrored;
  s.front_is_positive = rasterizer.front_ccw == counter_clockwise_is_positive;
  const bool cull_front = rasterizer.cull == CullFace::Front || rasterizer.cull == CullFace::FrontAndBack;
  const bool cull_back = rasterizer.cull == CullFace::Back || rasterizer.cull == CullFace::FrontAndBack;
  s.cull_positive = s.front_is_positive ? cull_front : cull_back;
  s.cull_negative = s.front_is_positive ? cull_back : cull_front;
  s.offset = rasterizer.offset_fill;
  s.offset_scale = rasterizer.offset_scale;
  s.offset_units = rasterizer.offset_units;
  s.offset_clamp = rasterizer.offset_clamp;
  s.depth_resolution = rasterizer.offset_units_are_depth ? 1 : unorm_depth_resolution(depth_format);
  return s;
}

// Top-left rule: left edges and top edges (bottom_edge_rule: bottom edges)
// also own E == 0.
EdgeEq make_edge(const WinVertex& a, const WinVertex& b, bool bottom_edge_rule) {
  const int64_t dx = int64_t{b.x_fx8} - a.x_fx8, dy = int64_t{b.y_fx8} - a.y_fx8;
  const bool left = dy < 0, flat = dy == 0 && (bottom_edge_rule ? dx < 0 : dx > 0);
  const int64_t at_origin = dx * (kHalf_fx8 - a.y_fx8) - dy * (kHalf_fx8 - a.x_fx8);
  return {at_origin - (left || flat ? 0 : 1), -dy * 256, dx * 256};
}

IRect pixel_bounds(int32_t min_x_fx8, int32_t min_y_fx8, int32_t max_x_fx8, int32_t max_y_fx8,
                   const SetupState& state) {
  return {std::max((min_x_fx8 + state.first_x()) >> 8, state.clip_rect.x0),
          std::max((min_y_fx8 + state.first_y()) >> 8, state.clip_rect.y0),
          std::min((max_x_fx8 + state.last_x()) >> 8, state.clip_rect.x1),
          std::min((max_y_fx8 + state.last_y()) >> 8, state.clip_rect.y1)};
}

int64_t signed_area_fx16(const WinVertex& a, const WinVertex& b, const WinVertex& c) {
  const int64_t dx1 = int64_t{b.x_fx8} - a.x_fx8, dy1 = int64_t{b.y_fx8} - a.y_fx8;
  const int64_t dx2 = int64_t{c.x_fx8} - a.x_fx8, dy2 = int64_t{c.y_fx8} - a.y_fx8;
  return dx1 * dy2 - dx2 * dy1;
}

double polygon_offset(const WinVertex v[3], const SetupState& state) {
  const int64_t area_fx16 = signed_area_fx16(v[0], v[1], v[2]);
  return depth_offset(v, area_fx16 == 0 ? Slopes{} : slopes_of(v, area_fx16), state);
}

bool setup_triangle(const WinVertex v[3], const SetupState& state, SetupTriangle& out) {
  const IRect bounds = bounds_of(v, state);
  if (bounds.empty()) return false;
  const int64_t area_fx16 = signed_area_fx16(v[0], v[1], v[2]);
  if (area_fx16 == 0) return false;
  const bool positive = area_fx16 > 0;
  if (positive ? state.cull_positive : state.cull_negative) return false;

  out.edge[0] = positive ? make_edge(v[0], v[1], state.bottom_edge_rule) : make_edge(v[1], v[0], state.bottom_edge_rule);
  out.edge[1] = positive ? make_edge(v[1], v[2], state.bottom_edge_rule) : make_edge(v[2], v[1], state.bottom_edge_rule);
  out.edge[2] = positive ? make_edge(v[2], v[0], state.bottom_edge_rule) : make_edge(v[0], v[2], state.bottom_edge_rule);
  out.x0_fx8 = v[0].x_fx8;
  out.y0_fx8 = v[0].y_fx8;
  out.bbox_x0 = int16_t(bounds.x0);
  out.bbox_y0 = int16_t(bounds.y0);
  out.bbox_x1 = int16_t(bounds.x1);
  out.bbox_y1 = int16_t(bounds.y1);

  const Slopes slopes = slopes_of(v, area_fx16);
  out.l1_dx = float(slopes.l1_dx);
  out.l1_dy = float(slopes.l1_dy);
  out.l2_dx = float(slopes.l2_dx);
  out.l2_dy = float(slopes.l2_dy);
  out.z_dx = float(slopes.z_dx);
  out.z_dy = float(slopes.z_dy);
  out.z0 = state.offset ? float(double(v[0].z) + depth_offset(v, slopes, state)) : v[0].z;
  for (int i = 0; i < 3; ++i) out.rw[i] = v[i].rw;
  out.front = positive == state.front_is_positive;
  out.affine = v[0].rw == v[1].rw && v[0].rw == v[2].rw;
  return true;
}

}  // namespace tessera::raster
