// raster/samples.h: where the samples of a pixel lie: the standard patterns of Direct3D 11 and Vulkan.
// In:     a number of samples: 1, 2, 4, 8 or 16.
// Out:    offsets from the pixel's centre in 1/16 pixel, x to the right and y down; their extremes.
// Errors: other numbers have no pattern.              Threads: constants.
// Source: Vulkan 1.3, "Multisampling" (standard sample locations); Direct3D 11.3, section 19.2.4.
#pragma once

#include <cstdint>

#include "core/sample_pattern.h"

namespace tessera::raster {

using tessera::is_sample_count;
using tessera::kMaxSamples;

// The smallest box around a pattern's offsets, in 1/256 pixel.
struct SampleBox {
  int32_t min_x_fx8 = 0, max_x_fx8 = 0, min_y_fx8 = 0, max_y_fx8 = 0;
};

struct SamplePattern {
  uint32_t count = 1;
  int8_t x_fx4[kMaxSamples] = {}, y_fx4[kMaxSamples] = {};
  SampleBox box;
  // The offsets in pixels, each four times: the lanes of a quad.
  alignas(64) float x_px[4 * kMaxSamples] = {};
  alignas(64) float y_px[4 * kMaxSamples] = {};

  int32_t x_fx8(uint32_t sample) const { return x_fx4[sample] * 16; }
  int32_t y_fx8(uint32_t sample) const { return y_fx4[sample] * 16; }
  uint32_t all() const { return (1u << count) - 1; }   // a bit a sample
  bool is_spread() const { return box.min_x_fx8 != box.max_x_fx8; }   // else all lie at the centre
};

// `multisample` false: all samples lie at the centre, so that a fragment covers all of them or none.
const SamplePattern& sample_pattern(uint32_t samples, bool multisample);

// The samples whose covered number scales alpha where primitives are smooth.
inline const SamplePattern& smooth_pattern() { return sample_pattern(16, true); }

}  // namespace tessera::raster
