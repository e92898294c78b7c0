#include "raster/shape_cover.h"

#include <array>
#include <cmath>

#include "core/fixed.h"
#include "raster/lanes.h"

namespace tessera::raster {
namespace {

// By a bit a column: the lanes of a block's first row. Those of row y stand lane_at(0, y) further on.
constexpr std::array<uint64_t, 256> kRowLanes = [] {
  std::array<uint64_t, 256> lanes{};
  for (uint32_t columns = 0; columns < 256; ++columns)
    for (int32_t x = 0; x < 8; ++x)
      if (columns >> x & 1) lanes[columns] |= uint64_t{1} << lane_at(x, 0);
  return lanes;
}();

uint64_t row_lanes(uint32_t columns, int32_t y) { return kRowLanes[columns] << lane_at(0, y); }

void keep(const SampleEdges& edges, const SampleCoverageKernels& kernels, uint32_t samples, BlockCover cover, int32_t x,
          int32_t y, uint64_t* masks) {
  if (cover == BlockCover::Full) return;
  uint64_t inside[kMaxSamples];
  kernels.block(edges, samples, x, y, inside);
  for (uint32_t s = 0; s < samples; ++s) masks[s] &= inside[s];
}

}  // namespace

bool ShapeCover::begin(const SetupTriangle& triangle, const Shape& shape, const SamplePattern& pattern,
                       const StipplePattern& stipple, int32_t tile_x, int32_t tile_y, const IRect& pixels) {
  triangle_ = &triangle;
  shape_ = &shape;
  pattern_ = &pattern;
  stipple_ = &stipple;
  tile_x_ = tile_x;
  tile_y_ = tile_y;
  pixels_ = pixels;
  SetupTriangle fourth;
  fourth.edge[0] = shape.edge;
  return cross_tile(triangle, pattern, tile_x, tile_y, pixels, edges_) &&
         cross_tile(fourth, pattern, tile_x, tile_y, pixels, other_);
}

bool ShapeCover::block(const SampleCoverageKernels& kernels, int32_t x, int32_t y, uint64_t* masks) const {
  const BlockCover cover = classify_block(edges_, x, y), other = classify_block(other_, x, y);
  if (cover == BlockCover::None || other == BlockCover::None) return false;
  const uint32_t samples = pattern_->count;
  const int32_t px = tile_x_ + x, py = tile_y_ + y;
  uint64_t inside = rect_mask(pixels_.x0 - px, pixels_.y0 - py, pixels_.x1 - px, pixels_.y1 - py);
  if (shape_->stippled) inside &= stippled_lanes(px, py);
  for (uint32_t s = 0; s < samples; ++s) masks[s] = inside;
  keep(edges_, kernels, samples, cover, x, y, masks);
  keep(other_, kernels, samples, other, x, y, masks);
  if (shape_->radius_squared_fx16 >= 0) keep_disc(px, py, masks);
  uint64_t any = 0;
  for (uint32_t s = 0; s < samples; ++s) any |= masks[s];
  return any != 0;
}

// A row of samples at distance d from the centre is inside from -sqrt(r*r - d*d) to that: whole numbers, whose root in
// double, rounded down, is exact.
void ShapeCover::keep_disc(int32_t px, int32_t py, uint64_t* masks) const {
  for (uint32_t s = 0; s < pattern_->count; ++s) {
    uint64_t inside = 0;
    const int64_t x_fx8 = int64_t{px} * kOne_fx8 + kHalf_fx8 + pattern_->x_fx8(s) - triangle_->x0_fx8;
    const int64_t y_fx8 = int64_t{py} * kOne_fx8 + kHalf_fx8 + pattern_->y_fx8(s) - triangle_->y0_fx8;
    for (int32_t row = 0; row < 8; ++row) {
      const int64_t d = y_fx8 + row * kOne_fx8, rest = shape_->radius_squared_fx16 - d * d;
      if (rest < 0) continue;
      const auto half = static_cast<int64_t>(std::sqrt(static_cast<double>(rest)));
      uint32_t columns = 0;
      for (int32_t column = 0; column < 8; ++column)
        if (std::abs(x_fx8 + column * kOne_fx8) <= half) columns |= 1u << column;
      inside |= row_lanes(columns, row);
    }
    masks[s] &= inside;
  }
}

uint64_t ShapeCover::stippled_lanes(int32_t px, int32_t py) const {
  uint64_t lanes = 0;
  for (int32_t row = 0; row < 8; ++row) {
    const uint32_t word = (*stipple_)[static_cast<size_t>((py + row) & 31)];
    uint32_t columns = 0;
    for (int32_t column = 0; column < 8; ++column) columns |= (word >> (31 - ((px + column) & 31)) & 1) << column;
    lanes |= row_lanes(columns, row);
  }
  return lanes;
}

}  // namespace tessera::raster
