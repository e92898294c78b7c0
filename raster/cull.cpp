#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/cull.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "raster/cull.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using I64x = hn::Vec<hn::RepartitionToWide<I32Tag>>;
using Mask32 = hn::Mask<I32Tag>;

HWY_INLINE I32x gather(const int32_t* from, U32x at) { return hn::GatherIndex(i32, from, hn::BitCast(i32, at)); }

HWY_INLINE U32x gather(const uint32_t* from, U32x at) {
  return hn::BitCast(u32, gather(reinterpret_cast<const int32_t*>(from), at));
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

HWY_INLINE I32x min3(I32x a, I32x b, I32x c) { return hn::Min(hn::Min(a, b), c); }
HWY_INLINE I32x max3(I32x a, I32x b, I32x c) { return hn::Max(hn::Max(a, b), c); }

// First pixel of the bounds from the smallest coordinate, end from the largest: as setup_triangle() has it.
HWY_INLINE Mask32 has_pixels(I32x low, I32x high, int32_t first, int32_t last, int32_t clip_begin, int32_t clip_end) {
  const I32x begin = hn::ShiftRight<8>(hn::Add(low, hn::Set(i32, first)));
  const I32x end = hn::ShiftRight<8>(hn::Add(high, hn::Set(i32, last)));
  return hn::Lt(hn::Max(begin, hn::Set(i32, clip_begin)), hn::Min(end, hn::Set(i32, clip_end)));
}

}  // namespace

void cull_triangles(const uint32_t* corners, uint32_t triangle_count, const raster::ChunkVertices& v,
                    const raster::SetupState& state, raster::Survivors& survivors) {
  const Mask32 keep_positive = hn::MaskFromVec(hn::Set(i32, state.cull_positive ? 0 : -1));
  const Mask32 keep_negative = hn::MaskFromVec(hn::Set(i32, state.cull_negative ? 0 : -1));
  const int32_t first_x = state.first_x(), last_x = state.last_x();
  const int32_t first_y = state.first_y(), last_y = state.last_y();
  const raster::IRect& clip = state.clip_rect;
  uint32_t kept = 0;
  for (uint32_t t = 0; t < triangle_count; t += uint32_t(kLanes)) {
    U32x i0, i1, i2;
    hn::LoadInterleaved3(u32, corners + size_t{t} * 3, i0, i1, i2);
    const U32x c0 = gather(v.code.data(), i0), c1 = gather(v.code.data(), i1), c2 = gather(v.code.data(), i2);
    const U32x either_code = hn::Or(hn::Or(c0, c1), c2), all_code = hn::And(hn::And(c0, c1), c2);
    const U32x drop = hn::Or(all_code, hn::And(either_code, hn::Set(u32, raster::kNotFinite)));
    const U32x any_code = hn::And(either_code, hn::Set(u32, raster::kMustClip));

    const I32x x0 = gather(v.x_fx8.data(), i0), x1 = gather(v.x_fx8.data(), i1), x2 = gather(v.x_fx8.data(), i2);
    const I32x y0 = gather(v.y_fx8.data(), i0), y1 = gather(v.y_fx8.data(), i1), y2 = gather(v.y_fx8.data(), i2);
    const AreaSign area = area_sign(hn::Sub(x1, x0), hn::Sub(y1, y0), hn::Sub(x2, x0), hn::Sub(y2, y0));
    const Mask32 faces = hn::Or(hn::And(area.positive, keep_positive), hn::And(area.negative, keep_negative));
    const Mask32 columns = has_pixels(min3(x0, x1, x2), max3(x0, x1, x2), first_x, last_x, clip.x0, clip.x1);
    const Mask32 rows = has_pixels(min3(y0, y1, y2), max3(y0, y1, y2), first_y, last_y, clip.y0, clip.y1);

    const Mask32 must_clip = hn::RebindMask(i32, hn::Ne(any_code, hn::Zero(u32)));
    const Mask32 not_dropped = hn::RebindMask(i32, hn::Eq(drop, hn::Zero(u32)));
    Mask32 keep = hn::And(not_dropped, hn::Or(must_clip, hn::And(faces, hn::And(columns, rows))));
    if (triangle_count - t < kLanes) keep = hn::And(keep, hn::FirstN(i32, triangle_count - t));
    const auto keep_u = hn::RebindMask(u32, keep);
    hn::CompressStore(i0, keep_u, u32, &survivors.corner[0][kept]);
    hn::CompressStore(i1, keep_u, u32, &survivors.corner[1][kept]);
    hn::CompressStore(i2, keep_u, u32, &survivors.corner[2][kept]);
    hn::CompressStore(any_code, keep_u, u32, &survivors.code[kept]);
    kept += uint32_t(hn::CompressStore(hn::Iota(u32, t), keep_u, u32, &survivors.triangle[kept]));
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
    survivors.code.resize(size);
  }
  TESSERA_DISPATCH(cull_triangles, simd)(corners, triangle_count, vertices, state, survivors);
}

}  // namespace tessera::raster
#endif
