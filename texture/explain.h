// texture/explain.h: how one lane's texture operation came to its result: level of detail, levels, texels read.
// In:     what sample_block() gets.
// Out:    plain data, worked out with the functions that sampling itself uses.
// Errors: none.                                       Threads: pure function.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/format.h"
#include "shader/executor.h"

namespace tessera::texture {

struct TexelRead {
  uint32_t probe = 0;                            // of anisotropic filtering
  uint32_t level = 0;                            // from the view's first
  int32_t x = 0, y = 0;
  uint32_t slice = 0;                            // layer, face or depth slice
  bool is_border = false;                        // the sampler's border colour in place of it
  Texel texel;                                   // as the format decodes, before the view's swizzle
};

struct SampleExplanation {
  bool is_filled = false;                        // the instruction was a texture operation and the lane ran
  std::array<uint32_t, 4> coord{};               // s, t, r, layer as given; 0 where absent
  std::array<bool, 4> has_coord{};
  bool has_lod = false;
  float lod = 0;                                 // computed or given, with biases, before the sampler's limits
  uint32_t level = 0;                            // the level that is read,
  float fraction = 0;                            // and how much of the next one
  bool is_linear = false;
  std::vector<std::array<float, 3>> probes;      // of anisotropic filtering: coordinates, in order; their mean counts
  Format format = Format::NONE;                  // of the texels
  std::vector<TexelRead> texels;                 // of queries: none
};

SampleExplanation explain_sample(const void* bound_texture, const SampleArgs& args, int32_t lane);

}  // namespace tessera::texture
