// frontend/image_compare.h: the comparison behind `tessera test`: decoded texels, exact unless a tolerance is given.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "frontend/image_io.h"

namespace tessera {

struct ImageTolerance {
  std::array<uint8_t, 4> channel_un8{};   // a texel is within the tolerance when each channel differs by at most this
  uint64_t count = 0;                     // texels that may differ by more
  bool is_exact() const { return channel_un8 == std::array<uint8_t, 4>{} && count == 0; }
};

struct DifferingTexel {
  uint32_t x = 0, y = 0;
  std::array<uint8_t, 4> expected{}, actual{};
};

// Structural similarity (SSIM; Wang, Bovik, Sheikh, Simoncelli 2004) of the brightness of windows of 8x8 texels, four
// apart: 1 where nothing differs, about 0 where nothing is alike. It tells noise from a shape that is gone.
struct Similarity { double mean = 1, least = 1; };
Similarity similarity_of(const Image& a, const Image& b);   // of one size, not empty

struct ImageComparison {
  bool passed = false;
  std::string text;                       // verdict, with the tolerance and the numbers it rests on
  uint64_t differing = 0, beyond = 0;     // texels that differ at all; by more than the tolerance
  std::array<uint8_t, 4> largest{};       // difference of each channel
  double mean = 0;                        // difference of a channel, over all
  Similarity similarity;                  // as people see it; of pictures of one size
  std::vector<DifferingTexel> first;      // those beyond the tolerance, in reading order, at most kMaxListed
  Image difference;                       // black where equal; empty when the sizes differ
};

inline constexpr size_t kMaxListed = 16;

ImageComparison compare_images(const Image& expected, const Image& actual, const ImageTolerance& tolerance);
std::string describe(const ImageTolerance& tolerance);   // "exact", or "tolerance 1 1 1 1, count 20"

}  // namespace tessera
