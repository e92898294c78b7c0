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

#include "raster/frame.h"
#include "raster/setup_state.h"
#include "raster/vertex.h"

namespace tessera::raster {

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
void setup_triangles(const uint32_t* const corner[3], uint32_t count, const WinVertex* window, const SetupState& state,
                     SetupTriangle* out, SimdTarget simd);

}  // namespace tessera::raster
