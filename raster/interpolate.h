// raster/interpolate.h: barycentrics of 16 quads, and from them the inputs of the fragment program.
// In:     a draw's InputPlan; triangles and the vertex records of their chunk.
// Out:    the input slots of one block of 64 lanes, helper lanes too.
// Formulas: raster/frame.h, in its order of fused operations: the block path and the packed path give the same bits.
// Errors: none.                                       Threads: slots and scratch have one owner.
#pragma once

#include <cstdint>
#include <vector>

#include "core/simd_target.h"
#include "raster/frame.h"
#include "raster/samples.h"

namespace tessera::raster {

// Which input slots get what; made once a draw.
struct InputPlan {
  struct Word { uint32_t slot, word; };               // word: in a vertex record
  struct Special { uint32_t slot; FragmentInput::Kind kind; uint8_t component; ir::InputPart part; };
  struct Corner { uint32_t slot, word; ir::InputPart part; bool flat; };
  std::vector<Word> perspective, linear, flat;
  std::vector<Word> centroid_perspective, centroid_linear;   // only where that may differ from the pixel's centre
  std::vector<Special> special;
  struct TargetWord { uint32_t slot, target; uint8_t component; };
  std::vector<TargetWord> target_words;               // by target (raster/target_input.h)
  std::vector<Corner> corners;                        // a varying's values at the vertices
  struct Back { uint32_t slot, word; ir::Interpolation interpolation; bool centroid; };
  std::vector<Back> back;                             // what back faces take in place of a word above
  bool sprite_lower_left = false;
  const SamplePattern* samples = nullptr;
  bool post_depth_coverage = false;
  bool lower_left = false;                            // window y up
  float pixel_center = 0.5f, target_height = 0;

  void assign(const Pipeline& pipeline, uint32_t height);
  bool needs_quads() const { return needs_special() || needs_centroid(); }
  bool needs_special() const { return !special.empty() || !corners.empty() || !back.empty(); }
  bool needs_centroid() const { return !centroid_perspective.empty() || !centroid_linear.empty(); }

 private:
  std::vector<Word>& words_of(const FragmentInput& in, bool has_centroid);
};

// 16 quads about to be shaded, each with its own triangle. Quad q has lanes 4q .. 4q + 3.
struct alignas(64) QuadBatch {
  float lambda1[64], lambda2[64], i[64], j[64];
  uint32_t key[64];                                   // depth (raster/depth_stencil.h)
  const SetupTriangle* triangle[16];
  const Chunk* chunk[16];
  int32_t x[16], y[16];                               // first pixel of the quad in the target
  uint32_t tile_lane[16];                             // its first lane in a tile's plane
  // With several samples a pixel; bits 4s .. 4s + 3 are sample s of the quad's lanes.
  uint64_t raster[16];                                // what the triangle covers
  uint64_t samples[16];                               // what of it passed the early tests
  int32_t sample = -1;                                // that the program runs for; -1: the whole pixel
  uint64_t cover = 0;                                 // lanes that are covered and passed the early tests
  uint32_t count = 0;                                 // quads
};

struct InterpolateKernels {
  // One triangle over a whole block at target pixel (x, y).
  void (*block)(const InputPlan&, const SetupTriangle&, const Chunk&, int32_t x, int32_t y, uint32_t* slots);
  // The batch's quads; their barycentrics are there.
  void (*batch)(const InputPlan&, const QuadBatch&, uint32_t* slots);
  // Varyings at the centroid, of either path; reads triangle, chunk, x, y, count and raster.
  void (*centroid)(const InputPlan&, const QuadBatch&, uint32_t* slots);
  // Inputs that are not interpolated, of either path; reads triangle, chunk, x, y, count and `live`, and, with several
  // samples, raster, samples and sample.
  void (*special)(const InputPlan&, const QuadBatch&, uint64_t live, uint32_t* slots);
};
const InterpolateKernels& interpolate_kernels(SimdTarget simd);

}  // namespace tessera::raster
