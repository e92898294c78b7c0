#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/cull.cpp"
#include "hwy/foreach_target.h"

#include <bit>

#include "core/simd.h"
#include "raster/cull.h"
#include "raster/window_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using I64x = hn::Vec<hn::RepartitionToWide<I32Tag>>;
using Mask32 = hn::Mask<I32Tag>;

// What a vector of triangles has of outside codes: any, and all corners alike.
struct Codes { U32x either, all; };
HWY_INLINE Codes load_codes(const uint32_t* code, const uint32_t* corners) {
  alignas(32) uint32_t either[kLanes], all[kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane, corners += 3) {
    const uint32_t c0 = code[corners[0]], c1 = code[corners[1]], c2 = code[corners[2]];
    either[lane] = c0 | c1 | c2;
    all[lane] = c0 & c1 & c2;
  }
  return {load(either), load(all)};
}

// Most chunks lie inside of all planes: then no triangle's codes need a look.
HWY_INLINE bool any_outside(const raster::ChunkVertices& v) {
  U32x either = hn::Zero(u32);
  for (uint32_t i = 0; i < v.count; i += uint32_t(kLanes)) either = hn::Or(either, load_unaligned(&v.code[i]));
  return any(is_true(either));
}

// The odd lanes moved to the even ones, where MulEven takes its operands.
HWY_INLINE I32x odd_lanes(I32x v) {
  const hn::RepartitionToWide<U32Tag> u64;
  return hn::BitCast(i32, hn::ShiftRight<32>(hn::BitCast(u64, v)));
}

struct AreaSign { Mask32 positive, negative; };

// Signs of dx1 * dy2 - dx2 * dy1: differences fit 25 bits, products and their difference 64.
HWY_INLINE AreaSign area_sign(I32x dx1, I32x dy1, I32x dx2, I32x dy2) {
  const I64x even = hn::Sub(hn::MulEven(dx1, dy2), hn::MulEven(dx2, dy1));
  const I64x odd = hn::Sub(hn::MulEven(odd_lanes(dx1), odd_lanes(dy2)), hn::MulEven(odd_lanes(dx2), odd_lanes(dy1)));
  const I32x e = hn::BitCast(i32, even), o = hn::BitCast(i32, odd);
  const I32x high = hn::OddEven(o, hn::DupOdd(e)), low = hn::OddEven(hn::DupEven(o), e);
  const Mask32 negative = hn::Lt(high, hn::Zero(i32));
  const Mask32 zero = hn::Eq(hn::Or(high, low), hn::Zero(i32));
  return {hn::Not(hn::Or(negative, zero)), negative};
}

// For each mask, its lanes moved to the front. A table of our own: that of Highway is copied at every use by some compilers.
struct CompressTable {
  alignas(64) uint32_t lanes[1u << kLanes][kLanes] = {};
  constexpr CompressTable() {
    for (uint32_t mask = 0; mask < 1u << kLanes; ++mask) {
      uint32_t to = 0;
      for (uint32_t lane = 0; lane < kLanes; ++lane)
        if (mask >> lane & 1) lanes[mask][to++] = lane;
    }
  }
};
constexpr CompressTable kCompress;

HWY_INLINE I32x min3(I32x a, I32x b, I32x c) { return hn::Min(hn::Min(a, b), c); }
HWY_INLINE I32x max3(I32x a, I32x b, I32x c) { return hn::Max(hn::Max(a, b), c); }

// First pixel of the bounds from the smallest coordinate, end from the largest: as setup_triangle() has it.
struct PixelSpan { I32x begin, end; };
HWY_INLINE PixelSpan pixel_span(I32x low, I32x high, int32_t first, int32_t last, int32_t clip_begin,
                                int32_t clip_end) {
  const I32x begin = hn::ShiftRight<8>(hn::Add(low, hn::Set(i32, first)));
  const I32x end = hn::ShiftRight<8>(hn::Add(high, hn::Set(i32, last)));
  return {hn::Max(begin, hn::Set(i32, clip_begin)), hn::Min(end, hn::Set(i32, clip_end))};
}

HWY_INLINE U32x pack_halves(I32x lower, I32x upper) {
  return as_u32(hn::Or(hn::And(lower, splat(0xffff)), hn::ShiftLeft<16>(upper)));
}

}  // namespace

void cull_triangles(const uint32_t* corners, uint32_t triangle_count, const raster::ChunkVertices& v,
                    const raster::SetupState& state, raster::Survivors& survivors) {
  const Mask32 keep_positive = hn::MaskFromVec(hn::Set(i32, state.cull_positive ? 0 : -1));
  const Mask32 keep_negative = hn::MaskFromVec(hn::Set(i32, state.cull_negative ? 0 : -1));
  const int32_t first_x = state.first_x(), last_x = state.last_x();
  const int32_t first_y = state.first_y(), last_y = state.last_y();
  const raster::IRect& clip = state.clip_rect;
  const bool has_codes = any_outside(v);
  uint32_t kept = 0;
  for (uint32_t t = 0; t < triangle_count; t += uint32_t(kLanes)) {
    const uint32_t* const at = corners + size_t{t} * 3;
    U32x i0, i1, i2;
    hn::LoadInterleaved3(u32, at, i0, i1, i2);
    const Codes codes = has_codes ? load_codes(v.code.data(), at) : Codes{hn::Zero(u32), hn::Zero(u32)};
    const U32x drop = hn::Or(codes.all, hn::And(codes.either, hn::Set(u32, raster::kNotFinite)));
    const U32x any_code = hn::And(codes.either, hn::Set(u32, raster::kMustClip));

    const WindowLanes v0 = load_window(v.window.data(), at, 3), v1 = load_window(v.window.data(), at + 1, 3),
                      v2 = load_window(v.window.data(), at + 2, 3);
    const I32x x0 = v0.x, x1 = v1.x, x2 = v2.x, y0 = v0.y, y1 = v1.y, y2 = v2.y;
    const AreaSign area = area_sign(hn::Sub(x1, x0), hn::Sub(y1, y0), hn::Sub(x2, x0), hn::Sub(y2, y0));
    const Mask32 faces = hn::Or(hn::And(area.positive, keep_positive), hn::And(area.negative, keep_negative));
    const PixelSpan columns = pixel_span(min3(x0, x1, x2), max3(x0, x1, x2), first_x, last_x, clip.x0, clip.x1);
    const PixelSpan rows = pixel_span(min3(y0, y1, y2), max3(y0, y1, y2), first_y, last_y, clip.y0, clip.y1);
    const Mask32 has_pixels = hn::And(hn::Lt(columns.begin, columns.end), hn::Lt(rows.begin, rows.end));

    const Mask32 must_clip = hn::RebindMask(i32, hn::Ne(any_code, hn::Zero(u32)));
    const Mask32 not_dropped = hn::RebindMask(i32, hn::Eq(drop, hn::Zero(u32)));
    Mask32 keep = hn::And(not_dropped, hn::Or(must_clip, hn::And(faces, has_pixels)));
    if (triangle_count - t < kLanes) keep = hn::And(keep, hn::FirstN(i32, triangle_count - t));
    const uint32_t bits = bits_of(hn::RebindMask(f32, keep));
    if (bits == 0) continue;
    const auto order = hn::SetTableIndices(u32, kCompress.lanes[bits]);
    store_unaligned(hn::TableLookupLanes(i0, order), &survivors.corner[0][kept]);
    store_unaligned(hn::TableLookupLanes(i1, order), &survivors.corner[1][kept]);
    store_unaligned(hn::TableLookupLanes(i2, order), &survivors.corner[2][kept]);
    store_unaligned(hn::TableLookupLanes(any_code, order), &survivors.code[kept]);
    store_unaligned(hn::TableLookupLanes(pack_halves(columns.begin, rows.begin), order), &survivors.bounds_first[kept]);
    store_unaligned(hn::TableLookupLanes(pack_halves(columns.end, rows.end), order), &survivors.bounds_end[kept]);
    store_unaligned(hn::TableLookupLanes(hn::Iota(u32, t), order), &survivors.triangle[kept]);
    kept += uint32_t(std::popcount(bits));
  }
  survivors.count = kept;
}

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

void cull_triangles(const uint32_t* corners, uint32_t triangle_count, const ChunkVertices& vertices,
                    const SetupState& state, Survivors& survivors, SimdTarget simd) {
  const size_t size = size_t{triangle_count} + kCullPadding;
  if (survivors.code.size() < size) {
    for (std::vector<uint32_t>& c : survivors.corner) c.resize(size);
    survivors.triangle.resize(size);
    survivors.bounds_first.resize(size);
    survivors.bounds_end.resize(size);
    survivors.code.resize(size);
  }
  TESSERA_DISPATCH(cull_triangles, simd)(corners, triangle_count, vertices, state, survivors);
}

}  // namespace tessera::raster
#endif
