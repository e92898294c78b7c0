// raster/vertex.h: the vertices of a chunk: shaded 64 at a time, then projected to the window.
// In:     a list of vertices; the vertex shader with its uniforms loaded.
// Out:    records of varyings for the chunk; clip-space positions, what planes each vertex is outside of, and, where
//         w > 0, the window position snapped to 1/256 pixel, depth and 1/w.
// Distances: CLIPDIST words, or dot(plane, CLIPVERTEX or POSITION) as one fused chain. A vertex is outside where its
//         distance is not >= 0; a primitive is dropped where all of its vertices are, of one clip or cull distance.
// Numbers: x_win = (x / w) * scale + translate, one rounding an operation; 1/w by division; snapped to nearest even.
//         A vertex outside the guard band or with w <= 0 has no meaningful window position.
// Threads: pure functions of their arguments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/simd_target.h"
#include "raster/fetch.h"
#include "raster/pipeline.h"
#include "raster/reuse.h"
#include "raster/setup_state.h"

namespace tessera::raster {

// Bits of an outside code, in the order in which clipping takes the planes.
enum OutsideCode : uint32_t {
  kOutsideW = 1u << 0,        // w below kMinW
  kOutsideNear = 1u << 1, kOutsideFar = 1u << 2,
  kOutsideLeft = 1u << 3, kOutsideRight = 1u << 4, kOutsideTop = 1u << 5, kOutsideBottom = 1u << 6,   // guard band
  kNotFinite = 1u << 7,
  kOutsideUser = 1u << 8,     // of user distance 0; the other seven follow
  kCulled = 1u << 16          // of cull distance 0; the same
};
inline constexpr uint32_t kClipPlanes = 15;          // the seven above, then the user's
inline constexpr uint32_t kViewPlanes = 7;
inline constexpr uint32_t kMustClip = 0xff7f;        // codes of planes that cut; a primitive outside as a whole is dropped
inline constexpr float kMinW = 0x1p-64f;
// Window coordinates beyond this are clipped; every target ends far inside it, and snapped values fit 24 bits.
inline constexpr float kGuardBand_px = 32767.0f;

// From clip space to the window.
struct ViewTransform {
  float scale[3] = {1, 1, 1}, translate[3] = {0, 0, 0};
  bool clip_halfz = false;
  bool depth_clip = true;
  bool window_space = false;             // positions are x, y, z in the window and 1/w: nothing to project
  uint8_t clip_distances = 0, cull_distances = 0;    // bit i: distance i of a vertex clips, or culls
  int32_t center_offset_fx8 = 0;         // 128 where pixel centres lie at integers
  std::span<const uint32_t> linear_words;   // of a record: values that vary linearly in the window

  // Distance to plane i below kViewPlanes (bit i of the code) of a point; inside where >= 0. The kernel computes the same.
  float distance(uint32_t plane, const float position[4]) const;
};

// Element i of each array belongs to record i of the chunk.
struct ChunkVertices {
  std::vector<float> clip[4];            // x, y, z, w
  std::vector<float> distance[kMaxClipPlanes];        // those of `distances`
  std::vector<WinVertex> window;
  std::vector<uint32_t> code;
  // What programs write of shaded vertices, where the draw uses it; those that clipping makes have none.
  std::vector<float> point_size, edge_flag;
  uint32_t count = 0;                    // the arrays may be longer, by whole vectors
  uint8_t distances = 0;                 // bit i: distance i is used

  void resize(uint32_t new_count);
  const WinVertex& win(uint32_t i) const { return window[i]; }
};

// Fills everything but `clip` and `distance` of vertices [first, first + count).
void project_vertices(const ViewTransform& view, ChunkVertices& vertices, uint32_t first, uint32_t count,
                      SimdTarget simd);

// Positions in the window, as ones in clip space that the identity projects to them.
void to_clip_space(ChunkVertices& vertices, uint32_t first, uint32_t count);

// A vertex shader made ready for one draw.
struct VertexStage {
  const Pipeline* pipeline = nullptr;
  const FetchPlan* fetch = nullptr;
  const Bindings* bindings = nullptr;
  uint32_t budget = 0;
  const ViewTransform* view = nullptr;
  const ClipPlane* clip_planes = nullptr;            // kMaxClipPlanes of them, for programs that write no distances
};

// Runs the shader for every vertex of the list. `slots`: the executable's slot file, uniforms loaded. Without
// `vertices` the results are not kept. False: over the instruction budget.
bool shade_vertices(const VertexStage& stage, const VertexList& list, uint32_t* slots, ChunkVertices* vertices,
                    std::vector<float>* records);

}  // namespace tessera::raster
