// core/sample_pattern.h: where the samples of a pixel lie: the standard patterns of Direct3D 11 and Vulkan.
// Offsets from the pixel's centre in 1/16 pixel, x to the right and y down, for 1, 2, 4, 8 and 16 samples.
// Source: Vulkan 1.3, "Multisampling" (standard sample locations); Direct3D 11.3, section 19.2.4.
#pragma once

#include <bit>
#include <cstdint>

namespace tessera {

inline constexpr uint32_t kMaxSamples = 16;

struct SampleOffset { int8_t x_fx4 = 0, y_fx4 = 0; };

// The patterns one behind the other: that of n samples begins at n - 1.
inline constexpr SampleOffset kSampleOffsets[2 * kMaxSamples - 1] = {
    {0, 0},
    {4, 4},  {-4, -4},
    {-2, -6}, {6, -2}, {-6, 2}, {2, 6},
    {1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7},
    {1, 1},  {-1, -3}, {-3, 2}, {4, -1},  {-5, -2}, {2, 5},  {5, 3}, {3, -5},
    {-2, 6}, {0, -7},  {-4, -6}, {-6, 4}, {-8, 0},  {7, -4}, {6, 7}, {-7, -8}};

constexpr bool is_sample_count(uint32_t samples) { return std::has_single_bit(samples) && samples <= kMaxSamples; }

// {0, 0}, the centre, where there is no such pattern or sample.
constexpr SampleOffset sample_offset(uint32_t samples, uint32_t sample) {
  return is_sample_count(samples) && sample < samples ? kSampleOffsets[samples - 1 + sample] : SampleOffset{};
}

// From the pixel's corner, in pixels: 0 to 1.
constexpr float sample_position(int8_t offset_fx4) { return static_cast<float>(offset_fx4 + 8) / 16.0f; }

}  // namespace tessera
