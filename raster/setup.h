// raster/setup.h: one clipped triangle -> edge functions, barycentric and depth planes.
// In:     3 WinVertex; x, y snapped to fx8, y down; w > 0.
// Out:    SetupTriangle: edges in fx16, planes as offsets from vertex 0.
// Range:  |x|, |y| <= 2^15 px (guard band), so an edge value needs 50 of its 64 bits.
// Numbers: planes in double from the snapped integers, each rounded once to float; the values depend on the offsets
//         between the vertices alone, so moving a triangle by whole pixels changes only its edges' constants.
// Errors: none; a triangle that draws nothing gives false.        Threads: pure functions.
// Source: Pineda, A parallel algorithm for polygon rasterization, 1988; OpenGL 4.6, section 14.6 (facing, offset).
#pragma once

#include <cstdint>

#include "core/fixed.h"
#include "raster/frame.h"
#include "raster/samples.h"
#include "raster/vertex.h"

namespace tessera::raster {

// The part of a draw's state that setup needs.
struct SetupState {
  IRect clip_rect;                       // pixels
  bool bottom_edge_rule = false;
  // By the sign of the area; positive is clockwise on the screen.
  bool cull_positive = false, cull_negative = false;
  bool front_is_positive = false;
  // Depth offset: z0 += clamp(slope * offset_scale + r * offset_units), r the resolution of depth.
  bool offset = false;
  float offset_scale = 0, offset_units = 0, offset_clamp = 0;
  double depth_resolution = 0;           // of unorm depth; 0: float depth, where it depends on the triangle
  SampleBox samples;                     // around the pixel's centre

  // A sample on the left bound may be owned, one on the right never: two edges meet there, and the one that runs down
  // owns nothing. Top and bottom alike, by rule. The first pixel with a sample at or after a coordinate c is
  // (c + first) >> 8, the one after the last with a sample before it (c + last) >> 8.
  int32_t first_x() const { return kHalf_fx8 - 1 - samples.max_x_fx8; }
  int32_t last_x() const { return kHalf_fx8 - 1 - samples.min_x_fx8; }
  int32_t first_y() const { return kHalf_fx8 - (bottom_edge_rule ? 0 : 1) - samples.max_y_fx8; }
  int32_t last_y() const { return kHalf_fx8 - (bottom_edge_rule ? 0 : 1) - samples.min_y_fx8; }
};

SetupState make_setup_state(const RasterizerState& rasterizer, const Viewport& viewport, Format depth_format,
                            const IRect& clip_rect, const SampleBox& samples = {});

// Clockwise on the screen: inside is E > 0, and the edges that the fill rule says also own E == 0.
EdgeEq make_edge(const WinVertex& a, const WinVertex& b, bool bottom_edge_rule);

// The pixels with a sample that the fill rule may give to something between these coordinates, within clip_rect.
IRect pixel_bounds(int32_t min_x_fx8, int32_t min_y_fx8, int32_t max_x_fx8, int32_t max_y_fx8, const SetupState& state);

// What `offset` adds to the depth of a polygon in the plane of v, whatever the polygon is drawn as.
double polygon_offset(const WinVertex v[3], const SetupState& state);

// Twice the area of a, b, c in fx16; positive is clockwise on the screen.
int64_t signed_area_fx16(const WinVertex& a, const WinVertex& b, const WinVertex& c);

// Fills all but vertex, provoking and primitive_id. The bounds hold every pixel with a sample that the fill rule may
// give to the triangle, within clip_rect.
bool setup_triangle(const WinVertex v[3], const SetupState& state, SetupTriangle& out);

// The same for many triangles of a chunk that cull_triangles() kept, `vertex` included; corner[c][t] is corner c of
// triangle t, and kSetupPadding more that may be read.
inline constexpr uint32_t kSetupPadding = 8;
void setup_triangles(const uint32_t* const corner[3], uint32_t count, const ChunkVertices& vertices,
                     const SetupState& state, SetupTriangle* out, SimdTarget simd);

}  // namespace tessera::raster
