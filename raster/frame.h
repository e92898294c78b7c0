// raster/frame.h: the binned work between two flushes. Built by the front (vertex .. bin), then frozen and read by
// the tiles (tile .. store). Nothing in it changes while tiles run.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/counters.h"
#include "raster/pipeline.h"
#include "raster/query.h"
#include "raster/setup_state.h"
#include "raster/stage_inputs.h"
#include "raster/state.h"

namespace tessera::raster {

inline constexpr int32_t kBlockSize_px = 8;

// E(px, py) = c + px * step_x + py * step_y at the centre of pixel (px, py); inside when E >= 0. fx16 values.
struct EdgeEq {
  int64_t c_fx16 = 0, step_x_fx16 = 0, step_y_fx16 = 0;
};

// One triangle ready for tiles. Barycentrics and depth are planes over the offset (dx, dy) in pixels from vertex 0 to
// the sample: lambda1 = fma(dy, l1_dy, dx * l1_dx), the same for lambda2; z = fma(dy, z_dy, fma(dx, z_dx, z0)).
// Perspective: r = 1 / fma(lambda2, rw2 - rw0, fma(lambda1, rw1 - rw0, rw0)); i = (lambda1 * rw1) * r;
// j = (lambda2 * rw2) * r; where the three rw are equal i = lambda1, j = lambda2. Attributes:
// fma(j, a2 - a0, fma(i, a1 - a0, a0)).
struct SetupTriangle {
  EdgeEq edge[3];
  int32_t x0_fx8 = 0, y0_fx8 = 0;                   // vertex 0, snapped
  int16_t bbox_x0 = 0, bbox_y0 = 0, bbox_x1 = 0, bbox_y1 = 0;   // pixels, half-open, inside scissor and target
  float l1_dx = 0, l1_dy = 0, l2_dx = 0, l2_dy = 0;
  float z0 = 0, z_dx = 0, z_dy = 0;
  float rw[3] = {1, 1, 1};                          // 1/w of the vertices
  uint32_t vertex[3] = {0, 0, 0};                   // records in the chunk
  uint32_t provoking = 0;                           // record whose flat varyings hold
  uint32_t primitive_id = 0;
  bool front = true;
  bool affine = false;                              // the three rw are equal
  bool is_point = false;                            // lambda1, lambda2 are the place in the point, -1/2 .. 1/2
  uint16_t layer : 12 = 0, viewport : 4 = 0;        // of the targets; of DrawState::depth_ranges
};

// A triangle over few tiles: each of them sets it up for itself, from the vertices, while that stays in its caches.
struct SmallTriangle {
  uint32_t vertex[3] = {0, 0, 0};                   // records in the chunk
  uint32_t provoking = 0;
  uint32_t primitive_id = 0;
  uint16_t layer = 0, viewport = 0;
};

struct DepthRange {
  float min = 0, max = 1;
  bool operator==(const DepthRange&) const = default;
};

// What bounds a primitive besides the edges and pixel bounds of its SetupTriangle. Lines and points of one sample a
// pixel need none of it: edges that are 0 everywhere leave out what they do not have.
struct Shape {
  EdgeEq edge;                                      // a fourth one
  int64_t radius_squared_fx16 = -1;                 // not negative: inside a disc around vertex 0, its rim included
  bool stippled = false;                            // by DrawState::polygon_stipple
  bool smooth = false;                              // alpha is multiplied by the covered part of 16 samples
};

// The part of a draw that tiles read; one object for all chunks of the draw. The recorded draw outlives it.
struct DrawState {
  std::shared_ptr<const Pipeline> pipeline;
  IRect clip_rect;                                  // target and scissor
  float blend_color[4] = {0, 0, 0, 0};
  uint8_t stencil_ref[2] = {0, 0};
  uint32_t sample_mask = ~0u;
  uint32_t query_interval = kNoInterval;            // of the frame; who counts its fragments
  const StipplePattern* polygon_stipple = &kSolidStipple;   // the draw call's
  bool smooth = false;                              // some of its shapes are
  float depth_min = 0, depth_max = 1;               // depth range that fragment depth is clamped to
  std::vector<DepthRange> depth_ranges;             // by viewport, where they differ
  SetupState setup;                                 // of viewport 0
  std::vector<SetupState> setups;                   // by viewport, where the program chooses one
  const SetupState& setup_of(uint32_t viewport) const { return setups.empty() ? setup : setups[viewport]; }
  // Fragment stage.
  Bindings fragment_bindings;
  std::vector<uint32_t> fragment_uniforms;          // words of Executable::run_uniform
  StageViews fragment_views;                        // what the bindings point into; they, into the draw call's inputs
  uint32_t draw_number = 0;                         // since the device began; errors name it
  uint32_t budget = 0;
};

// The vertices and triangles of a run of primitives of one draw. Records hold varyings only: words in the order of
// Pipeline::varying_outputs, `stride` words each.
struct Chunk {
  std::shared_ptr<const DrawState> draw;
  uint32_t stride = 0;
  std::vector<float> records;
  std::vector<WinVertex> window;                    // by record, where there are small triangles
  std::vector<SetupTriangle> triangles;             // in primitive order, as are the small ones
  std::vector<SmallTriangle> small;
  std::vector<Shape> shapes;                        // one a triangle, or none at all
  // Triangles by tile: tile (tx, ty) of tile_rect, row by row, has binned[tile_begin[t] .. tile_begin[t + 1]).
  IRect tile_rect;                                  // in tiles, half-open; rows as in Frame::tile_commands
  std::vector<uint32_t> tile_begin;
  // Indices into `triangles`, or, with kSmall, into `small`; in primitive order in each tile.
  static constexpr uint32_t kSmall = 1u << 31;
  std::vector<uint32_t> binned;
};

// A clear of some targets inside a rectangle.
struct ClearCommand {
  uint32_t number = 0;                              // for a PixelWatch
  IRect rect;
  uint32_t first_layer = 0, layers = ~0u;           // those that the framebuffer has
  uint32_t color_targets = 0;                       // bit i: colour target i
  Texel color[kMaxColorTargets];                    // already converted to each target's channel kind
  uint8_t color_mask = 15;
  bool depth = false, stencil = false;
  float depth_value = 1;
  uint8_t stencil_value = 0, stencil_mask = 255;
};

// One value a pixel of a target with several samples.
struct ResolveCommand {
  bool depth = false;                               // the depth-stencil target; else
  uint32_t color_target = 0;
  Surface to;                                       // one sample a pixel, as large as the framebuffer or larger
};

// One entry of a tile's list, in API order.
struct TileCommand {
  enum class Kind : uint8_t { Clear, Triangles, Resolve } kind = Kind::Triangles;
  uint32_t index = 0;                               // into Frame::clears, Frame::chunks or Frame::resolves
  uint32_t begin = 0, end = 0;                      // Triangles: range of Chunk::binned
};

struct Frame {
  Framebuffer target;
  int32_t tile_size_px = 64;
  int32_t tiles_x = 0, tiles_y = 0;                 // of one layer
  std::vector<ClearCommand> clears;
  std::vector<ResolveCommand> resolves;
  std::vector<std::unique_ptr<Chunk>> chunks;
  // By row * tiles_x + tx. Row ty of layer l is row l * tiles_y + ty.
  std::vector<std::vector<TileCommand>> tile_commands;
  int32_t tile_rows() const { return tiles_y * static_cast<int32_t>(target.layers); }
  bool drop_hidden = true;                          // an opaque full-tile draw drops what lies under it
};

}  // namespace tessera::raster
