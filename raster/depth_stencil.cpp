#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/depth_stencil.cpp"
#include "hwy/foreach_target.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/simd.h"
#include "raster/depth_simd-inl.h"
#include "raster/depth_stencil.h"
#include "raster/lane_simd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::Compare;
using raster::DepthTest;
using raster::KeyRange;
using raster::SetupTriangle;
using raster::StencilOp;

// ---- depth ------------------------------------------------------------------------------------------------------

void plane_keys(const DepthTest& test, const SetupTriangle& t, int32_t x, int32_t y, uint32_t* keys) {
  const F32x z0 = splat(t.z0), z_dx = splat(t.z_dx), z_dy = splat(t.z_dy);
  F32x along_x[kVectorsInRow];
  for (int32_t v = 0; v < kVectorsInRow; ++v)
    along_x[v] = fma(offsets_px(f32, (x + v * kVectorWidth_px) * 256 + 128 - t.x0_fx8, kLaneX), z_dx, z0);
  for (int32_t row = 0; row < 8; row += 2) {
    const F32x dy = offsets_px(f32, (y + row) * 256 + 128 - t.y0_fx8, kLaneY);
    for (int32_t v = 0; v < kVectorsInRow; ++v, keys += kLanes)
      store(depth_key(f32, test, fma(dy, z_dy, along_x[v])), keys);
  }
}

// Offsets of a first and a last sample from vertex 0, in lanes picked by `is_last`.
HWY_INLINE Quad corner_offsets(int32_t first_fx8, int32_t last_fx8, const int32_t* is_last) {
  const auto fx8 = hn::Add(hn::Set(quad_i32, first_fx8),
                           hn::And(hn::Set(quad_i32, last_fx8 - first_fx8), hn::Load(quad_i32, is_last)));
  return hn::Mul(hn::ConvertTo(quad_f32, fx8), hn::Set(quad_f32, 1.0f / 256.0f));
}

// Between two corners, in 1/256 pixel from vertex 0.
HWY_INLINE KeyRange range_between(const DepthTest& test, const SetupTriangle& t, const raster::IRect& corners_fx8) {
  alignas(16) static constexpr int32_t kRight[4] = {0, -1, 0, -1}, kBottom[4] = {0, 0, -1, -1};
  const Quad dx = corner_offsets(corners_fx8.x0, corners_fx8.x1, kRight);
  const Quad dy = corner_offsets(corners_fx8.y0, corners_fx8.y1, kBottom);
  const Quad z = plane_at(dx, dy, hn::Set(quad_f32, t.z0), hn::Set(quad_f32, t.z_dx), hn::Set(quad_f32, t.z_dy));
  const auto keys = depth_key(quad_f32, test, z);
  if (test.is_float) {
    const Quad depths = hn::BitCast(quad_f32, keys);
    return {static_cast<double>(hn::GetLane(hn::MinOfLanes(quad_f32, depths))),
            static_cast<double>(hn::GetLane(hn::MaxOfLanes(quad_f32, depths)))};
  }
  return {static_cast<double>(hn::GetLane(hn::MinOfLanes(quad_u32, keys))),
          static_cast<double>(hn::GetLane(hn::MaxOfLanes(quad_u32, keys)))};
}

KeyRange plane_range(const DepthTest& test, const SetupTriangle& t, const raster::IRect& r) {
  return range_between(test, t, {r.x0 * 256 + 128 - t.x0_fx8, r.y0 * 256 + 128 - t.y0_fx8,
                                 r.x1 * 256 - 128 - t.x0_fx8, r.y1 * 256 - 128 - t.y0_fx8});
}

// Float keys: a vector of blocks at a time, all four corners of each.
void block_ranges(const DepthTest& test, const SetupTriangle& t, int32_t x, int32_t y, std::span<KeyRange> ranges) {
  alignas(32) static constexpr int32_t kBlock[8] = {0, 8, 16, 24, 32, 40, 48, 56};
  if (!test.is_float) {
    for (KeyRange& range : ranges) {
      range = plane_range(test, t, {x, y, x + 8, y + 8});
      x += 8;
    }
    return;
  }
  const F32x z0 = splat(t.z0), z_dx = splat(t.z_dx), z_dy = splat(t.z_dy), far_px = splat(7.0f);
  const F32x top = splat(static_cast<float>(y * 256 + 128 - t.y0_fx8) * (1.0f / 256.0f)), bottom = top + far_px;
  for (size_t first = 0; first < ranges.size(); first += kLanes) {
    const F32x left = offsets_px(f32, (x + 8 * static_cast<int32_t>(first)) * 256 + 128 - t.x0_fx8, kBlock);
    const F32x at_left = fma(left, z_dx, z0), at_right = fma(left + far_px, z_dx, z0);
    const auto depth = [&](F32x dy, F32x along_x) HWY_ATTR {
      return as_f32(depth_key(f32, test, fma(dy, z_dy, along_x)));
    };
    const F32x a = depth(top, at_left), b = depth(top, at_right), c = depth(bottom, at_left),
               d = depth(bottom, at_right);
    alignas(32) float lo[kLanes], hi[kLanes];
    store(hn::Min(hn::Min(a, b), hn::Min(c, d)), lo);
    store(hn::Max(hn::Max(a, b), hn::Max(c, d)), hi);
    for (size_t k = 0; k < kLanes && first + k < ranges.size(); ++k) ranges[first + k] = {lo[k], hi[k]};
  }
}

KeyRange sample_range(const DepthTest& test, const SetupTriangle& t, const raster::IRect& r,
                      const raster::SampleBox& box) {
  return range_between(
      test, t, {r.x0 * 256 + 128 + box.min_x_fx8 - t.x0_fx8, r.y0 * 256 + 128 + box.min_y_fx8 - t.y0_fx8,
                r.x1 * 256 - 128 + box.max_x_fx8 - t.x0_fx8, r.y1 * 256 - 128 + box.max_y_fx8 - t.y0_fx8});
}

void keys_of(const DepthTest& test, const float* depth, uint32_t* keys) {
  for (size_t lane = 0; lane < 64; lane += kLanes) store(depth_key(f32, test, load(depth + lane)), keys + lane);
}

template <Compare kFunc, bool kFloat>
uint64_t compare(const uint32_t* keys, const uint32_t* stored, uint64_t mask) {
  uint64_t pass = 0;
  for (size_t lane = 0; lane < 64; lane += kLanes) {
    const U32x key = load(keys + lane), old = load(stored + lane);
    if constexpr (kFloat) pass |= uint64_t{bits_of(compare_keys<kFunc>(as_f32(key), as_f32(old)))} << lane;
    else pass |= uint64_t{bits_of(hn::RebindMask(f32, compare_keys<kFunc>(key, old)))} << lane;
  }
  return pass & mask;
}

uint64_t inside_bounds(const DepthTest& test, const uint32_t* stored, uint64_t mask) {
  const U32x lo = splat(test.bounds_lo), hi = splat(test.bounds_hi);
  uint64_t inside = 0;
  for (size_t lane = 0; lane < 64; lane += kLanes) {
    const U32x key = load(stored + lane);
    const Maskx in = test.is_float ? hn::And(less_equal(as_f32(lo), as_f32(key)), less_equal(as_f32(key), as_f32(hi)))
                                   : hn::And(greater_equal(key, lo), greater_equal(hi, key));
    inside |= uint64_t{bits_of(in)} << lane;
  }
  return inside & mask;
}

void write(const uint32_t* keys, uint64_t mask, uint32_t* stored) {
  if (mask == ~uint64_t{0}) {
    for (size_t lane = 0; lane < 64; lane += kLanes) store(load(keys + lane), stored + lane);
    return;
  }
  for (size_t lane = 0; lane < 64; lane += kLanes)
    store(select(mask_of_bits(static_cast<uint32_t>(mask >> lane)), load(keys + lane), load(stored + lane)),
          stored + lane);
}

KeyRange float_range(const uint32_t* stored) {
  F32x lo = as_f32(load(stored)), hi = lo;
  Maskx ordered = hn::Eq(lo, lo);
  for (size_t lane = kLanes; lane < 64; lane += kLanes) {
    const F32x v = as_f32(load(stored + lane));
    ordered = hn::And(ordered, hn::Eq(v, v));
    lo = hn::Min(lo, v);
    hi = hn::Max(hi, v);
  }
  if (!all(ordered)) return {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  return {static_cast<double>(hn::GetLane(hn::MinOfLanes(f32, lo))),
          static_cast<double>(hn::GetLane(hn::MaxOfLanes(f32, hi)))};
}

KeyRange stored_range(bool is_float, const uint32_t* stored) {
  if (is_float) return float_range(stored);
  U32x lo = load(stored), hi = lo;
  for (size_t lane = kLanes; lane < 64; lane += kLanes) {
    lo = hn::Min(lo, load(stored + lane));
    hi = hn::Max(hi, load(stored + lane));
  }
  return {static_cast<double>(hn::GetLane(hn::MinOfLanes(u32, lo))),
          static_cast<double>(hn::GetLane(hn::MaxOfLanes(u32, hi)))};
}

// ---- stencil ----------------------------------------------------------------------------------------------------

HWY_INLINE U32x apply(StencilOp op, U32x stencil, U32x ref) {
  const U32x one = splat(1u), most = splat(255u);
  switch (op) {
    case StencilOp::Keep: return stencil;
    case StencilOp::Zero: return hn::Zero(u32);
    case StencilOp::Replace: return ref;
    case StencilOp::Incr: return hn::Min(hn::Add(stencil, one), most);
    case StencilOp::Decr: return hn::Sub(hn::Max(stencil, one), one);
    case StencilOp::IncrWrap: return hn::And(hn::Add(stencil, one), most);
    case StencilOp::DecrWrap: return hn::And(hn::Sub(stencil, one), most);
    case StencilOp::Invert: return hn::AndNot(stencil, most);
  }
  return stencil;
}

HWY_INLINE Maskx compare_stencil(Compare func, U32x ref, U32x stencil) {
  switch (func) {
    case Compare::Never: return hn::Not(equal(ref, ref));
    case Compare::Less: return less(ref, stencil);
    case Compare::Equal: return equal(ref, stencil);
    case Compare::Lequal: return greater_equal(stencil, ref);
    case Compare::Greater: return less(stencil, ref);
    case Compare::NotEqual: return not_equal(ref, stencil);
    case Compare::Gequal: return greater_equal(ref, stencil);
    case Compare::Always: break;
  }
  return equal(ref, ref);
}

uint64_t stencil_and_depth(const DepthTest& test, bool front, const uint32_t* keys, const uint32_t* stored,
                           uint64_t mask, const uint32_t* refs, uint32_t* rest) {
  const raster::StencilFace& face = test.face[front ? 0 : 1];
  const U32x draw_ref = splat(uint32_t{test.stencil_ref[front ? 0 : 1]}), byte = splat(255u);
  const U32x value_mask = splat(uint32_t{face.value_mask});
  uint64_t stencil_pass = 0;
  for (size_t lane = 0; lane < 64; lane += kLanes) {
    const U32x stencil = load(rest + lane) & value_mask, ref = refs ? load(refs + lane) : draw_ref;
    stencil_pass |= uint64_t{bits_of(compare_stencil(face.func, ref & value_mask, stencil))} << lane;
  }
  stencil_pass &= mask;
  const uint64_t both_pass = test.test ? test.compare(keys, stored, stencil_pass) : stencil_pass;

  const U32x write_mask = splat(uint32_t{face.write_mask});
  for (size_t lane = 0; lane < 64; lane += kLanes) {
    const U32x old = load(rest + lane), stencil = old & byte, ref = refs ? load(refs + lane) & byte : draw_ref;
    U32x next = select(mask_of_bits(static_cast<uint32_t>(both_pass >> lane)), apply(face.depth_pass, stencil, ref),
                       apply(face.depth_fail, stencil, ref));
    next = select(mask_of_bits(static_cast<uint32_t>(stencil_pass >> lane)), next, apply(face.fail, stencil, ref));
    next = hn::Or(hn::And(next, write_mask), hn::AndNot(write_mask, old));
    store(select(mask_of_bits(static_cast<uint32_t>(mask >> lane)), next, old), rest + lane);
  }
  return both_pass;
}

}  // namespace

extern const raster::DepthKernels kDepthKernels;
const raster::DepthKernels kDepthKernels{plane_keys, plane_range,  block_ranges,  sample_range,     keys_of,
                                         write,      stored_range, inside_bounds, stencil_and_depth};

// By function, then unorm or float.
using CompareFn = uint64_t (*)(const uint32_t*, const uint32_t*, uint64_t);
extern const CompareFn kCompareKernels[8][2];
#define TESSERA_COMPARE(func) {compare<Compare::func, false>, compare<Compare::func, true>}
const CompareFn kCompareKernels[8][2] = {
    TESSERA_COMPARE(Never), TESSERA_COMPARE(Less), TESSERA_COMPARE(Equal), TESSERA_COMPARE(Lequal),
    TESSERA_COMPARE(Greater), TESSERA_COMPARE(NotEqual), TESSERA_COMPARE(Gequal), TESSERA_COMPARE(Always)};
#undef TESSERA_COMPARE

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {

const DepthKernels& depth_kernels(SimdTarget simd) { return TESSERA_DISPATCH(kDepthKernels, simd); }

DepthLayout depth_layout(Format format) {
  switch (format) {
    // texel bytes, depth bits, depth shift, rest shift, float, stencil, rest
    case Format::Z16_UNORM: return {2, 16, 0, 0, false, false, false};
    case Format::Z32_UNORM: return {4, 32, 0, 0, false, false, false};
    case Format::Z32_FLOAT: return {4, 32, 0, 0, true, false, false};
    case Format::Z24_UNORM_S8_UINT: return {4, 24, 0, 24, false, true, true};
    case Format::Z24X8_UNORM: return {4, 24, 0, 24, false, false, true};
    case Format::S8_UINT_Z24_UNORM: return {4, 24, 8, 0, false, true, true};
    case Format::X8Z24_UNORM: return {4, 24, 8, 0, false, false, true};
    case Format::Z32_FLOAT_S8X24_UINT: return {8, 32, 0, 0, true, true, true};
    case Format::S8_UINT: return {1, 0, 0, 0, false, true, true};
    default: return {};
  }
}

void split_texel(const DepthLayout& layout, const std::byte* texel, uint32_t& key, uint32_t& rest) {
  uint32_t word = 0;
  std::memcpy(&word, texel, layout.texel_bytes < 4 ? layout.texel_bytes : 4);
  key = layout.depth_bits ? word >> layout.depth_shift & layout.max_key() : 0;
  rest = layout.has_rest ? word >> layout.rest_shift & 255u : 0;
  if (layout.texel_bytes == 8) std::memcpy(&rest, texel + 4, 4);
}

void join_texel(const DepthLayout& layout, uint32_t key, uint32_t rest, std::byte* texel) {
  uint32_t word = layout.depth_bits ? key << layout.depth_shift : 0;
  if (layout.texel_bytes == 8) std::memcpy(texel + 4, &rest, 4);
  else if (layout.has_rest) word |= rest << layout.rest_shift;
  std::memcpy(texel, &word, layout.texel_bytes < 4 ? layout.texel_bytes : 4);
}

namespace {

// The least key k with k / most >= bound, and the greatest with k / most <= bound: the product in two doubles, exactly.
uint32_t first_key_from(double bound, double most) {
  const double product = bound * most, error = std::fma(bound, most, -product), up = std::ceil(product);
  return static_cast<uint32_t>(up == product && error > 0 ? up + 1 : up);
}
uint32_t last_key_to(double bound, double most) {
  const double product = bound * most, error = std::fma(bound, most, -product), down = std::floor(product);
  return static_cast<uint32_t>(down == product && error < 0 ? down - 1 : down);
}

void set_bounds(const DepthStencilAlphaState& state, const DepthLayout& layout, DepthTest& t) {
  t.bounds = layout.depth_bits != 0 && state.depth_bounds_test;
  if (!t.bounds) return;
  if (layout.is_float) {
    t.bounds_lo = std::bit_cast<uint32_t>(state.depth_bounds_min);
    t.bounds_hi = std::bit_cast<uint32_t>(state.depth_bounds_max);
  } else {
    const auto most = static_cast<double>(layout.max_key());
    t.bounds_lo = first_key_from(static_cast<double>(state.depth_bounds_min), most);
    t.bounds_hi = last_key_to(static_cast<double>(state.depth_bounds_max), most);
  }
}

}  // namespace

DepthTest make_depth_test(const DrawState& draw, const DepthLayout& layout, SimdTarget simd) {
  const DepthStencilAlphaState& state = draw.pipeline->desc.depth_stencil_alpha;
  DepthTest t;
  t.is_float = layout.is_float;
  t.depth_bits = layout.depth_bits;
  t.clamp_lo = draw.depth_min;
  t.clamp_hi = draw.depth_max;
  if (!layout.is_float) {
    t.clamp_lo = t.clamp_lo > 0 ? t.clamp_lo : 0.0f;
    t.clamp_hi = t.clamp_hi < 1 ? t.clamp_hi : 1.0f;
  }
  t.test = layout.depth_bits != 0 && state.depth_test;
  t.write = t.test && state.depth_write;
  t.func = t.test ? state.depth_func : Compare::Always;
  set_bounds(state, layout, t);
  t.stencil = layout.has_stencil && state.stencil[0].enabled;
  t.face[0] = state.stencil[0];
  t.face[1] = state.stencil[1].enabled ? state.stencil[1] : state.stencil[0];
  t.stencil_ref[0] = draw.stencil_ref[0];
  t.stencil_ref[1] = state.stencil[1].enabled ? draw.stencil_ref[1] : draw.stencil_ref[0];
  t.compare = TESSERA_DISPATCH(kCompareKernels, simd)[static_cast<size_t>(t.func)][layout.is_float ? 1 : 0];
  return t;
}

namespace {
RangeTest decide(bool fail, bool pass) {
  return fail ? RangeTest::AllFail : pass ? RangeTest::AllPass : RangeTest::Mixed;
}
}  // namespace

RangeTest test_range(Compare func, KeyRange in, KeyRange stored) {
  const bool apart = in.hi < stored.lo || in.lo > stored.hi;
  switch (func) {
    case Compare::Never: return RangeTest::AllFail;
    case Compare::Less: return decide(in.lo >= stored.hi, in.hi < stored.lo);
    case Compare::Equal: return decide(apart, false);
    case Compare::Lequal: return decide(in.lo > stored.hi, in.hi <= stored.lo);
    case Compare::Greater: return decide(in.hi <= stored.lo, in.lo > stored.hi);
    case Compare::NotEqual: return decide(false, apart);
    case Compare::Gequal: return decide(in.hi < stored.lo, in.lo >= stored.hi);
    case Compare::Always: break;
  }
  return RangeTest::AllPass;
}

}  // namespace tessera::raster
#endif
