// raster/setup_state.h: the part of a draw's state that setup needs, and the vertices that it takes.
#pragma once

#include <cstdint>

#include "core/fixed.h"
#include "raster/samples.h"
#include "raster/state.h"

namespace tessera::raster {

// A vertex in the window; meaningful where its outside code is 0.
struct WinVertex {
  int32_t x_fx8 = 0, y_fx8 = 0;
  float z = 0, rw = 1;
};

struct SetupState {
  IRect clip_rect;                       // pixels
  bool bottom_edge_rule = false;
  // By the sign of the area; positive is clockwise on the screen.
  bool cull_positive = false, cull_negative = false;
  bool front_is_positive = false;
  // Depth offset: z0 += clamp(slope * offset_scale + r * offset_units), r the resolution of depth.
  bool offset = false;
  float offset_scale = 0, offset_units = 0, offset_clamp = 0;
  double depth_resolution = 0;           // r of unorm depth; 0: float depth, where it depends on the triangle
  SampleBox samples;                     // around the pixel's centre

  // A sample on the left bound may be owned, one on the right never: two edges meet there, and the one that runs down
  // owns nothing. Top and bottom alike, by rule. The first pixel with a sample at or after a coordinate c is
  // (c + first) >> 8, the one after the last with a sample before it (c + last) >> 8.
  int32_t first_x() const { return kHalf_fx8 - 1 - samples.max_x_fx8; }
  int32_t last_x() const { return kHalf_fx8 - 1 - samples.min_x_fx8; }
  int32_t first_y() const { return kHalf_fx8 - (bottom_edge_rule ? 0 : 1) - samples.max_y_fx8; }
  int32_t last_y() const { return kHalf_fx8 - (bottom_edge_rule ? 0 : 1) - samples.min_y_fx8; }
};

}  // namespace tessera::raster
