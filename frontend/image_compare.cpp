#include "frontend/image_compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

namespace tessera {
namespace {

std::array<uint8_t, 4> rgba(const uint8_t* p) { return {p[0], p[1], p[2], p[3]}; }

// Small differences are lifted so that they can be seen.
uint8_t visible(int difference) {
  return difference == 0 ? 0 : static_cast<uint8_t>(std::min(255, 63 + difference * 4));
}

// An alpha difference shows in all three colours, since the difference image itself is opaque.
void draw_difference(const std::array<int, 4>& d, uint8_t* out) {
  for (size_t i = 0; i < 3; ++i) out[i] = std::max(visible(d[i]), visible(d[3]));
  out[3] = 255;
}

std::string verdict(const ImageComparison& c, const ImageTolerance& tolerance) {
  if (c.differing == 0) return fmt::format("identical ({})", describe(tolerance));
  std::string text = fmt::format(
      "{} texels differ, {} beyond the tolerance; largest difference {} {} {} {}, mean {:.4f} ({})", c.differing,
      c.beyond, c.largest[0], c.largest[1], c.largest[2], c.largest[3], c.mean, describe(tolerance));
  if (c.passed || c.first.empty()) return text;
  const DifferingTexel& t = c.first.front();
  return text + fmt::format("; first at ({}, {}): expected {} {} {} {}, found {} {} {} {}", t.x, t.y, t.expected[0],
                            t.expected[1], t.expected[2], t.expected[3], t.actual[0], t.actual[1], t.actual[2],
                            t.actual[3]);
}

}  // namespace

std::string describe(const ImageTolerance& t) {
  if (t.is_exact()) return "exact";
  return fmt::format("tolerance {} {} {} {}, count {}", t.channel_un8[0], t.channel_un8[1], t.channel_un8[2],
                     t.channel_un8[3], t.count);
}

ImageComparison compare_images(const Image& expected, const Image& actual, const ImageTolerance& tolerance) {
  ImageComparison result;
  if (expected.width != actual.width || expected.height != actual.height) {
    result.text = fmt::format("the sizes differ: expected {} x {}, found {} x {}", expected.width, expected.height,
                              actual.width, actual.height);
    return result;
  }
  result.difference = actual;
  uint64_t sum = 0;
  for (uint32_t y = 0; y < expected.height; ++y)
    for (uint32_t x = 0; x < expected.width; ++x) {
      const uint8_t *const e = expected.texel(x, y), *const a = actual.texel(x, y);
      std::array<int, 4> d{};
      bool differs = false, beyond = false;
      for (size_t i = 0; i < 4; ++i) {
        d[i] = std::abs(e[i] - a[i]);
        sum += static_cast<uint64_t>(d[i]);
        result.largest[i] = std::max(result.largest[i], static_cast<uint8_t>(d[i]));
        differs |= d[i] > 0;
        beyond |= d[i] > tolerance.channel_un8[i];
      }
      draw_difference(d, result.difference.texel(x, y));
      result.differing += differs;
      result.beyond += beyond;
      if (beyond && result.first.size() < kMaxListed) result.first.push_back({x, y, rgba(e), rgba(a)});
    }
  result.mean = static_cast<double>(sum) / (4.0 * static_cast<double>(expected.width) * expected.height);
  result.passed = result.beyond <= tolerance.count;
  result.text = verdict(result, tolerance);
  return result;
}

}  // namespace tessera
