#include "raster/samples.h"

#include <bit>

#include "core/check.h"

namespace tessera::raster {
namespace {

// The standard pattern (core/sample_pattern.h), or all samples at the centre.
constexpr SamplePattern make_pattern(uint32_t count, bool standard) {
  SamplePattern p;
  p.count = count;
  for (uint32_t s = 0; s < count; ++s) {
    const SampleOffset offset = standard ? sample_offset(count, s) : SampleOffset{};
    p.x_fx4[s] = offset.x_fx4;
    p.y_fx4[s] = offset.y_fx4;
    const int32_t x_fx8 = p.x_fx4[s] * 16, y_fx8 = p.y_fx4[s] * 16;
    p.box.min_x_fx8 = s == 0 || x_fx8 < p.box.min_x_fx8 ? x_fx8 : p.box.min_x_fx8;
    p.box.max_x_fx8 = s == 0 || x_fx8 > p.box.max_x_fx8 ? x_fx8 : p.box.max_x_fx8;
    p.box.min_y_fx8 = s == 0 || y_fx8 < p.box.min_y_fx8 ? y_fx8 : p.box.min_y_fx8;
    p.box.max_y_fx8 = s == 0 || y_fx8 > p.box.max_y_fx8 ? y_fx8 : p.box.max_y_fx8;
    for (uint32_t lane = 4 * s; lane < 4 * s + 4; ++lane) {
      p.x_px[lane] = static_cast<float>(p.x_fx4[s]) / 16.0f;
      p.y_px[lane] = static_cast<float>(p.y_fx4[s]) / 16.0f;
    }
  }
  return p;
}

// By the logarithm of the count.
constexpr SamplePattern kStandard[] = {make_pattern(1, true), make_pattern(2, true), make_pattern(4, true),
                                       make_pattern(8, true), make_pattern(16, true)};
constexpr SamplePattern kCentred[] = {make_pattern(1, false), make_pattern(2, false), make_pattern(4, false),
                                      make_pattern(8, false), make_pattern(16, false)};

}  // namespace

const SamplePattern& sample_pattern(uint32_t samples, bool multisample) {
  TESSERA_CHECK(is_sample_count(samples));
  const SamplePattern* patterns = multisample ? kStandard : kCentred;
  return patterns[std::countr_zero(samples)];
}

}  // namespace tessera::raster
