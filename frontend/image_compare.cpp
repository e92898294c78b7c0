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

constexpr uint32_t kWindow_px = 8, kStep_px = 4;

double brightness(const uint8_t* texel) { return 0.299 * texel[0] + 0.587 * texel[1] + 0.114 * texel[2]; }

double window_similarity(const Image& a, const Image& b, uint32_t x0, uint32_t y0) {
  constexpr double kSteadyMean = (0.01 * 255) * (0.01 * 255), kSteadyVariance = (0.03 * 255) * (0.03 * 255);
  const uint32_t x1 = std::min(x0 + kWindow_px, a.width), y1 = std::min(y0 + kWindow_px, a.height);
  double sum_a = 0, sum_b = 0, sum_aa = 0, sum_bb = 0, sum_ab = 0;
  for (uint32_t y = y0; y < y1; ++y) {
    for (uint32_t x = x0; x < x1; ++x) {
      const double va = brightness(a.texel(x, y)), vb = brightness(b.texel(x, y));
      sum_a += va;
      sum_b += vb;
      sum_aa += va * va;
      sum_bb += vb * vb;
      sum_ab += va * vb;
    }
  }
  const double n = static_cast<double>(x1 - x0) * (y1 - y0), mean_a = sum_a / n, mean_b = sum_b / n;
  const double variance_a = sum_aa / n - mean_a * mean_a, variance_b = sum_bb / n - mean_b * mean_b;
  const double covariance = sum_ab / n - mean_a * mean_b;
  return (2 * mean_a * mean_b + kSteadyMean) * (2 * covariance + kSteadyVariance) /
         ((mean_a * mean_a + mean_b * mean_b + kSteadyMean) * (variance_a + variance_b + kSteadyVariance));
}

}  // namespace

Similarity similarity_of(const Image& a, const Image& b) {
  Similarity result;
  double sum = 0, windows = 0;
  const auto last = [](uint32_t size) { return size > kWindow_px ? size - kWindow_px : 0; };
  for (uint32_t y = 0; y <= last(a.height); y += kStep_px) {
    for (uint32_t x = 0; x <= last(a.width); x += kStep_px, ++windows) {
      const double similarity = window_similarity(a, b, x, y);
      sum += similarity;
      result.least = std::min(result.least, similarity);
    }
  }
  result.mean = sum / windows;
  return result;
}

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
  if (result.differing != 0) result.similarity = similarity_of(expected, actual);
  result.passed = result.beyond <= tolerance.count;
  result.text = verdict(result, tolerance);
  return result;
}

}  // namespace tessera
