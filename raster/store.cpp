#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/store.cpp"
#include "hwy/foreach_target.h"

#include <cstring>

#include "core/simd.h"
#include "hwy/cache_control.h"
#include "raster/lanes.h"
#include "raster/store.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::TileSurface;
using U64Tag = hn::Repartition<uint64_t, U32Tag>;
using U64x = hn::Vec<U64Tag>;
inline constexpr U64Tag u64{};

HWY_INLINE bool inside(const TileSurface& s, int32_t x, int32_t y) { return x + 8 <= s.width && y + 8 <= s.height; }

HWY_INLINE std::byte* texel_at(const TileSurface& s, int32_t x, int32_t y) {
  return s.first + static_cast<size_t>(y) * s.pitch_bytes + static_cast<size_t>(x) * s.texel_bytes;
}

// Two texels side by side are two lanes in a row: blocks move as 32 pairs of kPair bytes.
template <size_t kPair>
HWY_INLINE void load_pairs(const std::byte* from, size_t pitch, std::byte* lanes) {
  for (size_t y = 0; y < 8; ++y)
    for (size_t pair = 0; pair < 4; ++pair)
      std::memcpy(lanes + (8 * (y >> 1) + 2 * pair + (y & 1)) * kPair, from + y * pitch + pair * kPair, kPair);
}
template <size_t kPair>
HWY_INLINE void store_pairs(std::byte* to, size_t pitch, const std::byte* lanes) {
  for (size_t y = 0; y < 8; ++y)
    for (size_t pair = 0; pair < 4; ++pair)
      std::memcpy(to + y * pitch + pair * kPair, lanes + (8 * (y >> 1) + 2 * pair + (y & 1)) * kPair, kPair);
}

void load_clipped(const TileSurface& from, int32_t x, int32_t y, std::byte* lanes) {
  for (int32_t lane = 0; lane < 64; ++lane) {
    const int32_t px = x + raster::lane_x(lane), py = y + raster::lane_y(lane);
    std::byte* to = lanes + static_cast<size_t>(lane) * from.texel_bytes;
    if (px < from.width && py < from.height) std::memcpy(to, texel_at(from, px, py), from.texel_bytes);
    else std::memset(to, 0, from.texel_bytes);
  }
}
void store_clipped(const TileSurface& to, int32_t x, int32_t y, const std::byte* lanes) {
  for (int32_t lane = 0; lane < 64; ++lane) {
    const int32_t px = x + raster::lane_x(lane), py = y + raster::lane_y(lane);
    if (px < to.width && py < to.height)
      std::memcpy(texel_at(to, px, py), lanes + static_cast<size_t>(lane) * to.texel_bytes, to.texel_bytes);
  }
}

void load_block(const TileSurface& from, int32_t x, int32_t y, std::byte* lanes) {
  if (!inside(from, x, y)) return load_clipped(from, x, y, lanes);
  const std::byte* first = texel_at(from, x, y);
  switch (from.texel_bytes) {
    case 1: return load_pairs<2>(first, from.pitch_bytes, lanes);
    case 2: return load_pairs<4>(first, from.pitch_bytes, lanes);
    case 4: return load_pairs<8>(first, from.pitch_bytes, lanes);
    case 8: return load_pairs<16>(first, from.pitch_bytes, lanes);
    case 16: return load_pairs<32>(first, from.pitch_bytes, lanes);
    default: return load_clipped(from, x, y, lanes);
  }
}

template <bool kStream>
HWY_INLINE void put(U64x v, std::byte* to) {
  if constexpr (kStream) hn::Stream(v, u64, reinterpret_cast<uint64_t*>(to));
  else hn::StoreU(v, u64, reinterpret_cast<uint64_t*>(to));
}

// Rows y and y + 1 of four quads of 4-byte texels: 64-bit pairs alternate between the rows.
template <bool kStream>
HWY_INLINE void store_two_rows(std::byte* upper, size_t pitch, const std::byte* lanes) {
  for (size_t i = 0; i < 32; i += 4 * kLanes) {
    const auto* pairs = reinterpret_cast<const uint64_t*>(lanes + 2 * i);
    const U64x a = hn::Load(u64, pairs), b = hn::Load(u64, pairs + kLanes / 2);
    put<kStream>(hn::ConcatEven(u64, b, a), upper + i);
    put<kStream>(hn::ConcatOdd(u64, b, a), upper + pitch + i);
  }
}

void store_block(const TileSurface& to, int32_t x, int32_t y, const std::byte* lanes) {
  if (!inside(to, x, y)) return store_clipped(to, x, y, lanes);
  std::byte* first = texel_at(to, x, y);
  switch (to.texel_bytes) {
    case 1: return store_pairs<2>(first, to.pitch_bytes, lanes);
    case 2: return store_pairs<4>(first, to.pitch_bytes, lanes);
    case 4:
      for (size_t row = 0; row < 8; row += 2)
        store_two_rows<false>(first + row * to.pitch_bytes, to.pitch_bytes, lanes + row * 32);
      return;
    case 8: return store_pairs<16>(first, to.pitch_bytes, lanes);
    case 16: return store_pairs<32>(first, to.pitch_bytes, lanes);
    default: return store_clipped(to, x, y, lanes);
  }
}

// Two pixel rows from end to end before the next two: whole cache lines leave in order.
template <bool kStream>
HWY_INLINE void store_row_of_words(const TileSurface& to, int32_t y, int32_t count, const std::byte* lanes) {
  for (int32_t row = 0; row < 8; row += 2) {
    std::byte* first = texel_at(to, 0, y + row);
    for (int32_t i = 0; i < count; ++i)
      store_two_rows<kStream>(first + i * 32, to.pitch_bytes, lanes + i * 256 + row * 32);
  }
}

void store_row(const TileSurface& to, int32_t y, int32_t count, const std::byte* lanes) {
  if (to.texel_bytes != 4) {
    for (int32_t i = 0; i < count; ++i) store_block(to, 8 * i, y, lanes + static_cast<size_t>(i) * 64 * to.texel_bytes);
  } else if (to.streams) {
    store_row_of_words<true>(to, y, count, lanes);
  } else {
    store_row_of_words<false>(to, y, count, lanes);
  }
}

// `bytes` of a row from a pattern that repeats every 64 bytes, aligned to the row's first byte.
template <bool kStream>
HWY_INLINE void fill_bytes(std::byte* to, size_t bytes, const std::byte* pattern) {
  constexpr size_t kStep = 4 * kLanes, kParts = 64 / kStep;
  U64x part[kParts];
  for (size_t p = 0; p < kParts; ++p) part[p] = hn::Load(u64, reinterpret_cast<const uint64_t*>(pattern + p * kStep));
  size_t i = 0;
  for (; i + 64 <= bytes; i += 64)
    for (size_t p = 0; p < kParts; ++p) put<kStream>(part[p], to + i + p * kStep);
  if (i < bytes) std::memcpy(to + i, pattern, bytes - i);
}

HWY_INLINE void repeat(std::byte* pattern, const std::byte* texel, uint32_t texel_bytes) {
  for (uint32_t i = 0; i < 64; i += texel_bytes) std::memcpy(pattern + i, texel, texel_bytes);
}

void fill(const TileSurface& to, const raster::IRect& rect, const std::byte* texel) {
  const int32_t x1 = rect.x1 < to.width ? rect.x1 : to.width, y1 = rect.y1 < to.height ? rect.y1 : to.height;
  if (rect.x0 >= x1) return;
  if (64 % to.texel_bytes != 0) {
    for (int32_t y = rect.y0; y < y1; ++y)
      for (int32_t x = rect.x0; x < x1; ++x) std::memcpy(texel_at(to, x, y), texel, to.texel_bytes);
    return;
  }
  alignas(64) std::byte pattern[64];
  repeat(pattern, texel, to.texel_bytes);
  const size_t bytes = static_cast<size_t>(x1 - rect.x0) * to.texel_bytes;
  for (int32_t y = rect.y0; y < y1; ++y) {
    if (to.streams && rect.x0 == 0) fill_bytes<true>(texel_at(to, 0, y), bytes, pattern);
    else fill_bytes<false>(texel_at(to, rect.x0, y), bytes, pattern);
  }
}

void fill_lanes(std::byte* lanes, uint32_t texel_bytes, const std::byte* texel) {
  if (64 % texel_bytes != 0) {
    for (size_t lane = 0; lane < 64; ++lane) std::memcpy(lanes + lane * texel_bytes, texel, texel_bytes);
    return;
  }
  alignas(64) std::byte pattern[64];
  repeat(pattern, texel, texel_bytes);
  fill_bytes<false>(lanes, size_t{64} * texel_bytes, pattern);
}

void finish() { hwy::FlushStream(); }

}  // namespace

extern const raster::StoreKernels kStoreKernels;
const raster::StoreKernels kStoreKernels{load_block, store_block, store_row, fill, fill_lanes, finish};

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

const StoreKernels& store_kernels(SimdTarget simd) { return TESSERA_DISPATCH(kStoreKernels, simd); }

TileSurface tile_surface(const Surface& surface, uint32_t layer, int32_t x, int32_t y, int32_t width, int32_t height) {
  const LevelLayout& level = surface.storage->level(surface.level);
  TileSurface s;
  s.texel_bytes = format_info(surface.format).block_bytes;
  s.pitch_bytes = level.row_bytes;
  s.sample_bytes = level.slice_bytes;
  s.first = surface.storage->slice(surface.level, surface.first_layer + layer) +
            static_cast<size_t>(y) * s.pitch_bytes + static_cast<size_t>(x) * s.texel_bytes;
  s.width = width;
  s.height = height;
  // A surface that caches will not keep until it is read again goes straight to memory, whole lines at a time.
  constexpr size_t kLarge_bytes = 2u << 20;
  s.streams =
      level.slice_bytes >= kLarge_bytes && s.pitch_bytes % 64 == 0 && reinterpret_cast<uintptr_t>(s.first) % 64 == 0;
  return s;
}

TileSurface sample_surface(const TileSurface& first, uint32_t sample) {
  TileSurface s = first;
  s.first += sample * s.sample_bytes;
  s.streams = s.streams && reinterpret_cast<uintptr_t>(s.first) % 64 == 0;
  return s;
}

}  // namespace tessera::raster
#endif
