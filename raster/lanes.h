// raster/lanes.h: where the 64 lanes of a block lie, and masks of them.
// A block is 8x8 pixels = 16 quads: lane = 4*quad + 2*(y&1) + (x&1), quad q at (q&3, q>>2); mask bit = lane.
#pragma once

#include <array>
#include <cstdint>

namespace tessera::raster {

constexpr int32_t lane_x(int32_t lane) { return 2 * ((lane >> 2) & 3) + (lane & 1); }
constexpr int32_t lane_y(int32_t lane) { return 2 * (lane >> 4) + ((lane >> 1) & 1); }
constexpr int32_t lane_at(int32_t x, int32_t y) { return 16 * (y >> 1) + 4 * (x >> 1) + 2 * (y & 1) + (x & 1); }

namespace detail {
constexpr std::array<uint64_t, 9> make_from(int32_t (*coordinate)(int32_t)) {
  std::array<uint64_t, 9> masks{};
  for (int32_t first = 0; first <= 8; ++first)
    for (int32_t lane = 0; lane < 64; ++lane)
      if (coordinate(lane) >= first) masks[first] |= uint64_t{1} << lane;
  return masks;
}
}  // namespace detail

inline constexpr std::array<uint64_t, 9> kColumnsFrom = detail::make_from(lane_x);   // lanes with x >= index
inline constexpr std::array<uint64_t, 9> kRowsFrom = detail::make_from(lane_y);

// Lanes with x0 <= x < x1 and y0 <= y < y1; the bounds may lie anywhere.
constexpr uint64_t rect_mask(int32_t x0, int32_t y0, int32_t x1, int32_t y1) {
  const auto in_block = [](int32_t v) { return v < 0 ? 0 : v > 8 ? 8 : v; };
  return kColumnsFrom[in_block(x0)] & ~kColumnsFrom[in_block(x1)] & kRowsFrom[in_block(y0)] & ~kRowsFrom[in_block(y1)];
}

// All lanes of the quads that hold a lane of `mask`.
constexpr uint64_t whole_quads(uint64_t mask) {
  mask |= mask >> 1;
  mask |= mask >> 2;
  return (mask & 0x1111111111111111ull) * 15;
}

// Bit q: quad q holds a lane of `mask`.
constexpr uint32_t quads_of(uint64_t mask) {
  mask |= mask >> 1;
  mask = (mask | mask >> 2) & 0x1111111111111111ull;
  mask = (mask | mask >> 3) & 0x0303030303030303ull;
  mask = (mask | mask >> 6) & 0x000f000f000f000full;
  mask = (mask | mask >> 12) & 0x000000ff000000ffull;
  return static_cast<uint32_t>((mask | mask >> 24) & 0xffff);
}

}  // namespace tessera::raster
