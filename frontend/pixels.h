// frontend/pixels.h: pixel rectangles and bitmaps at a raster position, as in the classic OpenGL pipeline.
//
// A pixel rectangle is an image whose texel (n, m) becomes the fragments of the window's rectangle from
// (x + zoom_x * n, y + zoom_y * m) to (x + zoom_x * (n + 1), y + zoom_y * (m + 1)), in the window's direction, y down;
// a negative zoom turns it over. A pixel belongs to it where its centre does, left and top edges included (with
// bottom_edge_rule the bottom one in place of the top one). With several samples a pixel (and multisample on) its edges
// are snapped to 1/256 and decide sample by sample, like those of polygons.
// A bitmap's bit (n, m) that is set is one fragment, at pixel (floor(x - origin_x) + n, floor(y - origin_y) + m); with
// rows_up row m lies at ceil(y + origin_y) - 1 - m. Then the raster position moves.
// Fragments carry the raster position's colours, fog, texture coordinates and depth; COLOR[0] of a colour rectangle is
// the texel, and so is the depth of a depth rectangle. They go through programs, fixed-function stage and tests; face
// culling, polygon modes and offsets, clip planes and viewports do not count.
// Stencil, and depth with stencil, is written as it is: scissor, sample mask, depth_write and the front's write_mask
// hold, programs and other tests do not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/format.h"
#include "frontend/transfers.h"

namespace tessera {

inline constexpr uint32_t kRasterTexcoords = 8;

struct RasterPosition {
  bool valid = true;                               // false: nothing is drawn
  float x = 0, y = 0, z = 0;                       // in the window
  std::array<float, 4> color = {1, 1, 1, 1}, secondary = {0, 0, 0, 0};   // COLOR[0] and COLOR[1]
  float fog = 0;                                   // FOG
  // TEXCOORD[i] and GENERIC[i].
  using Texcoords = std::array<std::array<float, 4>, kRasterTexcoords>;   // each 0, 0, 0, 1
  Texcoords texcoord = [] { Texcoords t{}; for (std::array<float, 4>& c : t) c[3] = 1; return t; }();
};

// What becomes of texels: colour * scale + bias, 0 to 1 where the format holds no floats; depth alike, always 0 to 1;
// stencil shifted to the left (negative: right), the offset added, its low 8 bits.
struct PixelTransfer {
  float zoom_x = 1, zoom_y = 1;
  std::array<float, 4> scale = {1, 1, 1, 1}, bias = {0, 0, 0, 0};
  float depth_scale = 1, depth_bias = 0;
  int32_t stencil_shift = 0, stencil_offset = 0;
};

// What of the texels is drawn: colour of colour formats; of depth-stencil formats the depth, the stencil, or both.
enum class PixelKind : uint8_t { Color, Depth, Stencil, DepthStencil };

struct PixelRect {
  PixelKind kind = PixelKind::Color;
  Format format = Format::R8G8B8A8_UNORM;
  uint32_t width = 0, height = 0;
  std::span<const std::byte> bytes;                // row m first to last
  Pitch pitch;
};

struct Bitmap {
  uint32_t width = 0, height = 0;
  float origin_x = 0, origin_y = 0;
  float move_x = 0, move_y = 0;                    // of the raster position, afterwards
  bool rows_up = false;
  std::span<const std::byte> bits;                 // rows of whole bytes; the highest bit is the leftmost
  size_t row_bytes = 0;                            // 0: without padding
};

}  // namespace tessera
