#include "raster/shape_stage.h"

#include <algorithm>
#include <cmath>

#include "raster/clip.h"

namespace tessera::raster {
namespace {

// Twice the area of a polygon in fx16, as a fan.
int64_t area_of(const uint32_t* polygon, uint32_t count, const ChunkVertices& v) {
  int64_t area_fx16 = 0;
  for (uint32_t last = 2; last < count; ++last)
    area_fx16 += signed_area_fx16(v.win(polygon[0]), v.win(polygon[last - 1]), v.win(polygon[last]));
  return area_fx16;
}

// The largest piece of the fan tells the polygon's plane best.
double offset_of(const uint32_t* polygon, uint32_t count, const ChunkVertices& v, const SetupState& state) {
  int64_t largest = -1;
  double offset = 0;
  for (uint32_t last = 2; last < count; ++last) {
    const WinVertex piece[3] = {v.win(polygon[0]), v.win(polygon[last - 1]), v.win(polygon[last])};
    const int64_t area = std::abs(signed_area_fx16(piece[0], piece[1], piece[2]));
    if (area <= largest) continue;
    largest = area;
    offset = polygon_offset(piece, state);
  }
  return offset;
}

WinVertex lifted(WinVertex v, double depth_offset) {
  if (depth_offset != 0) v.z = float(double(v.z) + depth_offset);
  return v;
}

bool is_in_view(const ChunkVertices& v, uint32_t vertex) {
  const float w = v.clip[3][vertex];
  return std::fabs(v.clip[0][vertex]) <= w && std::fabs(v.clip[1][vertex]) <= w;
}

bool offsets(const RasterizerState& state, FillMode mode) {
  return mode == FillMode::Point ? state.offset_point : mode == FillMode::Line ? state.offset_line : state.offset_fill;
}

}  // namespace

void ShapeStage::begin(const PreparedDraw& draw, ChunkVertices& vertices, Chunk& chunk, uint32_t stipple,
                       SimdTarget simd) {
  draw_ = &draw;
  shape_ = draw.shape;
  use_viewport(0);
  vertices_ = &vertices;
  chunk_ = &chunk;
  simd_ = simd;
  makes_strips_ = draw.geometry && draw.geometry->geometry.program != nullptr && draw.assembly.corner_count() == 2;
  strip_end_ = ~0u;
  stipple_ = stipple;
  clipped_ = 0;
}

void ShapeStage::use_viewport(uint32_t viewport) {
  viewport_ = viewport;
  view_ = &draw_->view_of(viewport);
  shape_.setup = draw_->setup_of(viewport);
  shape_.point_rect = draw_->point_rect_of(viewport);
}

bool ShapeStage::add(uint32_t number, const uint32_t* corners, uint32_t viewport) {
  pieces_.clear();
  if (viewport != viewport_) use_viewport(viewport);
  const Assembly& assembly = draw_->assembly;
  const bool begins = makes_strips_ ? corners[0] != strip_end_ : assembly.begins_stipple(number);
  if (shape_.line_stipple && begins) stipple_ = 0;
  if (makes_strips_) strip_end_ = corners[1];
  const uint32_t count = assembly.corner_count();
  uint32_t all = ~0u, any = 0;
  for (uint32_t i = 0; i < count; ++i) all &= vertices_->code[corners[i]], any |= vertices_->code[corners[i]];
  if (all != 0 || (any & kNotFinite) != 0) return false;
  if (count == 1) add_point(corners[0], 0);
  if (count == 2) add_line(corners[0], corners[1], shape_.line_last_pixel && assembly.ends_lines(number), 0);
  if (count == 3) add_polygon(number, corners);
  return !pieces_.empty();
}

void ShapeStage::add_point(uint32_t vertex, double depth_offset) {
  const bool tri_clip = draw_->pipeline->desc.rasterizer.point_tri_clip || view_->window_space;
  if (vertices_->code[vertex] != 0 || !(tri_clip || is_in_view(*vertices_, vertex))) return;
  const bool own_size = draw_->pipeline->point_size_output != ~0u;
  const float size_px = own_size ? clamp_point_size(vertices_->point_size[vertex]) : shape_.point_size;
  const size_t first = pieces_.size();
  setup_point(lifted(vertices_->win(vertex), depth_offset), size_px, shape_, pieces_);
  for (size_t i = first; i < pieces_.size(); ++i) std::fill_n(pieces_[i].triangle.vertex, 3, vertex);
}

void ShapeStage::add_line(uint32_t from, uint32_t to, bool last_pixel, double depth_offset) {
  uint32_t ends[2] = {from, to};
  if (((vertices_->code[from] | vertices_->code[to]) & kMustClip) != 0) {
    ++clipped_;
    if (!clip_line(*view_, ends, *vertices_, chunk_->records, chunk_->stride, simd_)) return;
  }
  set_up_line(ends[0], ends[1], last_pixel, depth_offset);
}

void ShapeStage::set_up_line(uint32_t from, uint32_t to, bool last_pixel, double depth_offset) {
  const size_t first = pieces_.size();
  setup_line(lifted(vertices_->win(from), depth_offset), lifted(vertices_->win(to), depth_offset), shape_, last_pixel,
             stipple_, pieces_);
  for (size_t i = first; i < pieces_.size(); ++i) {
    uint32_t* vertex = pieces_[i].triangle.vertex;
    vertex[0] = vertex[2] = from;
    vertex[1] = to;
  }
}

void ShapeStage::add_polygon(uint32_t number, const uint32_t* corners) {
  ClipPolygon clipped;
  const uint32_t* polygon = corners;
  uint32_t count = 3;
  if (((vertices_->code[corners[0]] | vertices_->code[corners[1]] | vertices_->code[corners[2]]) & kMustClip) != 0) {
    ++clipped_;
    clipped = clip_triangle(*view_, corners, *vertices_, chunk_->records, chunk_->stride, simd_);
    if (clipped.count < 3) return;
    polygon = clipped.vertex, count = clipped.count;
  }
  const int64_t area_fx16 = area_of(polygon, count, *vertices_);
  const SetupState& setup = shape_.setup;
  const bool positive = area_fx16 > 0, front = area_fx16 != 0 && positive == setup.front_is_positive;
  if (front == setup.front_is_positive ? setup.cull_positive : setup.cull_negative) return;
  const RasterizerState& rasterizer = draw_->pipeline->desc.rasterizer;
  const FillMode mode = front ? rasterizer.fill_front : rasterizer.fill_back;
  if (mode == FillMode::Fill) {
    add_filled(polygon, count, positive);
  } else {
    const double offset = offsets(rasterizer, mode) ? offset_of(polygon, count, *vertices_, setup) : 0;
    add_outline(number, corners, mode, offset);
    for (uint32_t i = 0; mode == FillMode::Line && i < clipped.count; ++i)
      if (clipped.on_user_plane[i])
        set_up_line(clipped.vertex[i], clipped.vertex[i + 1 == count ? 0 : i + 1], false, offset);
  }
  for (Piece& piece : pieces_) piece.triangle.front = front;
}

// Edges start where one starts that no other leads to, so that stipples run around the polygon.
void ShapeStage::add_outline(uint32_t number, const uint32_t* corners, FillMode mode, double depth_offset) {
  const Assembly& assembly = draw_->assembly;
  const uint32_t boundary = assembly.boundary_edges(number);
  const bool has_flags = draw_->pipeline->edge_flag_output != ~0u && assembly.has_edge_flags();
  uint32_t first = 0;
  while (first < 2 && ((boundary >> first & 1) == 0 || (boundary >> (first + 2) % 3 & 1) != 0)) ++first;
  if (boundary == 7) first = 0;
  for (uint32_t i = first; i < first + 3; ++i) {
    const uint32_t from = corners[i % 3], to = corners[(i + 1) % 3];
    if ((boundary >> i % 3 & 1) == 0 || (has_flags && vertices_->edge_flag[from] == 0)) continue;
    mode == FillMode::Point ? add_point(from, depth_offset) : add_line(from, to, false, depth_offset);
  }
}

void ShapeStage::add_filled(const uint32_t* polygon, uint32_t count, bool positive) {
  Piece piece;
  piece.shape.stippled = draw_->pipeline->desc.rasterizer.poly_stipple;
  piece.shape.smooth = shape_.poly_smooth;
  for (uint32_t last = 2; last < count; ++last) {
    const uint32_t at[3] = {polygon[0], polygon[last - 1], polygon[last]};
    const WinVertex v[3] = {vertices_->win(at[0]), vertices_->win(at[1]), vertices_->win(at[2])};
    // A piece that snapping turned over is covered by the others.
    if ((signed_area_fx16(v[0], v[1], v[2]) > 0) != positive) continue;
    if (!setup_triangle(v, shape_.setup, piece.triangle)) continue;
    std::copy(at, at + 3, piece.triangle.vertex);
    pieces_.push_back(piece);
  }
}

}  // namespace tessera::raster
