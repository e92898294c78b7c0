#include "raster/samples.h"

#include <bit>
#include <cstddef>

#include "core/check.h"

namespace tessera::raster {
namespace {

struct Offset { int8_t x_fx4, y_fx4; };

constexpr Offset k1[] = {{0, 0}};
constexpr Offset k2[] = {{4, 4}, {-4, -4}};
constexpr Offset k4[] = {{-2, -6}, {6, -2}, {-6, 2}, {2, 6}};
constexpr Offset k8[] = {{1, -3}, {-1, 3}, {5, 1}, {-3, -5}, {-5, 5}, {-7, -1}, {3, 7}, {7, -7}};
constexpr Offset k16[] = {{1, 1},  {-1, -3}, {-3, 2}, {4, -1},  {-5, -2}, {2, 5},  {5, 3}, {3, -5},
                          {-2, 6}, {0, -7},  {-4, -6}, {-6, 4}, {-8, 0},  {7, -4}, {6, 7}, {-7, -8}};

template <size_t kCount>
constexpr SamplePattern make_pattern(const Offset (&offsets)[kCount]) {
  SamplePattern p;
  p.count = kCount;
  for (size_t s = 0; s < kCount; ++s) {
    p.x_fx4[s] = offsets[s].x_fx4;
    p.y_fx4[s] = offsets[s].y_fx4;
    const int32_t x_fx8 = p.x_fx4[s] * 16, y_fx8 = p.y_fx4[s] * 16;
    p.box.min_x_fx8 = s == 0 || x_fx8 < p.box.min_x_fx8 ? x_fx8 : p.box.min_x_fx8;
    p.box.max_x_fx8 = s == 0 || x_fx8 > p.box.max_x_fx8 ? x_fx8 : p.box.max_x_fx8;
    p.box.min_y_fx8 = s == 0 || y_fx8 < p.box.min_y_fx8 ? y_fx8 : p.box.min_y_fx8;
    p.box.max_y_fx8 = s == 0 || y_fx8 > p.box.max_y_fx8 ? y_fx8 : p.box.max_y_fx8;
    for (size_t lane = 4 * s; lane < 4 * s + 4; ++lane) {
      p.x_px[lane] = static_cast<float>(p.x_fx4[s]) / 16.0f;
      p.y_px[lane] = static_cast<float>(p.y_fx4[s]) / 16.0f;
    }
  }
  return p;
}

template <size_t kCount>
constexpr SamplePattern make_centred() {
  constexpr Offset kCentre[kCount] = {};
  return make_pattern(kCentre);
}

// By the logarithm of the count.
constexpr SamplePattern kStandard[] = {make_pattern(k1), make_pattern(k2), make_pattern(k4), make_pattern(k8),
                                       make_pattern(k16)};
constexpr SamplePattern kCentred[] = {make_centred<1>(), make_centred<2>(), make_centred<4>(), make_centred<8>(),
                                      make_centred<16>()};

}  // namespace

const SamplePattern& sample_pattern(uint32_t samples, bool multisample) {
  TESSERA_CHECK(is_sample_count(samples));
  const SamplePattern* patterns = multisample ? kStandard : kCentred;
  return patterns[std::countr_zero(samples)];
}

}  // namespace tessera::raster
