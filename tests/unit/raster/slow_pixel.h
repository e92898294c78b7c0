// tests/unit/raster/slow_pixel.h: one pixel through depth, stencil and blending, written for being obvious.
#pragma once

#include "raster/frame.h"

namespace tessera::raster::tests {

std::byte* texel_address(const Surface& surface, int32_t x, int32_t y, uint32_t sample = 0);

// From a pixel's centre, in 1/256 pixel.
struct Offset { int32_t x_fx8 = 0, y_fx8 = 0; };
// The standard place of a sample of so many a pixel.
Offset sample_offset(uint32_t samples, uint32_t sample);

struct Sample { float lambda1, lambda2, i, j, z; };
Sample sample_of(const SetupTriangle& t, int32_t x, int32_t y, Offset offset = {});
float interpolate_slowly(const Chunk& chunk, const SetupTriangle& t, const Sample& s, const FragmentInput& input);

bool inside_depth_bounds_slowly(const DepthStencilAlphaState& state, Format format, const std::byte* texel);
bool compare_slowly(Compare func, double a, double b);
// Tests and updates one pixel's depth and stencil; `stencil_ref`: the program's own reference, or null.
bool test_depth_stencil_slowly(const DrawState& draw, bool front, float depth, const uint32_t* stencil_ref,
                               const Surface& surface, int32_t x, int32_t y, uint32_t sample = 0);
// (x, y): the pixel, for dithering.
void write_color_slowly(const DrawState& draw, uint32_t target, const float source[4], const float source1[4],
                        std::byte* texel, int32_t x = 0, int32_t y = 0);
// Moves the channels of a mask; other channels and padding keep their bits.
void merge_channels_slowly(Format format, uint8_t color_mask, const std::byte* fresh, std::byte* texel);
// One blended channel before conversion to the target's format.
float blend_slowly(const TargetBlend& blend, int channel, const float s[4], const float s1[4], const float d[4],
                   const float constant[4]);

}  // namespace tessera::raster::tests
