// raster/shape_stage.h: the primitives of a chunk that are no plain triangles -> pieces, ready to be binned: points,
// lines, polygons as points or lines, and polygons that need a Shape.
// In:     shaded and projected vertices; a primitive's corners, one after the other in primitive order.
// Out:    pieces() of the last primitive. Lines are clipped first; their pixels end at the viewport, as a polygon's do,
//         and are those of the whole line up to there. A point is drawn where its vertex is inside of all
//         planes and of the view volume's sides (point_tri_clip: of those not). A polygon's outline is that of its own
//         vertices; drawn as lines, it gains the edges along user planes that cut it, but none along others.
// Numbers: a polygon without area is a back face; as in setup.h and shape_setup.h otherwise.
// Threads: one worker's; its memory is kept from chunk to chunk.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "raster/draw.h"
#include "raster/frame.h"
#include "raster/shape_setup.h"
#include "raster/vertex.h"

namespace tessera::raster {

class ShapeStage {
 public:
  // All of it must outlive the stage's use. `stipple`: what the line stipple has counted before.
  void begin(const PreparedDraw& draw, ChunkVertices& vertices, Chunk& chunk, uint32_t stipple, SimdTarget simd);
  // `number`: of the primitive in its instance; `corners`: its vertices. False: nothing of it is drawn.
  bool add(uint32_t number, const uint32_t* corners, uint32_t viewport);
  std::span<Piece> pieces() { return pieces_; }
  uint32_t stipple() const { return stipple_; }
  uint32_t clipped() const { return clipped_; }      // primitives so far

 private:
  void add_point(uint32_t vertex, double depth_offset);
  void add_line(uint32_t from, uint32_t to, bool last_pixel, double depth_offset);
  void set_up_line(uint32_t from, uint32_t to, bool last_pixel, double depth_offset);   // one that planes have cut
  void add_polygon(uint32_t number, const uint32_t* corners);
  void add_outline(uint32_t number, const uint32_t* corners, FillMode mode, double depth_offset);
  void add_filled(const uint32_t* polygon, uint32_t count, bool positive);

  void use_viewport(uint32_t viewport);

  const PreparedDraw* draw_ = nullptr;
  const ViewTransform* view_ = nullptr;
  ShapeState shape_;                                 // of the viewport in use
  uint32_t viewport_ = 0;
  ChunkVertices* vertices_ = nullptr;
  Chunk* chunk_ = nullptr;
  SimdTarget simd_{};
  bool makes_strips_ = false;                        // lines come from a geometry program: strips share their vertices
  uint32_t strip_end_ = ~0u;                         // where the line before ended
  uint32_t stipple_ = 0, clipped_ = 0;
  std::vector<Piece> pieces_;
};

}  // namespace tessera::raster
