#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "raster/blend_un8.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "raster/blend_simd-inl.h"
#include "raster/blend_un8.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace {

using raster::ColorWrite;

// Which channel lies in the lowest byte; alpha lies in the highest.
enum class Order : uint8_t { Rgba, Bgra };

HWY_INLINE void merge(U32x fresh, uint64_t mask, size_t v, U32x write_bits, uint32_t* texels) {
  const U32x old = load(texels), m = words_of(mask_of_block(mask, v)) & write_bits;
  store((fresh & m) | hn::AndNot(m, old), texels);
}

template <Order kOrder>
HWY_INLINE U32x pack(const Channels& x) {
  constexpr int kLow = kOrder == Order::Rgba ? 0 : 2;
  return un8_texels(x.c[kLow], x.c[1], x.c[2 - kLow], x.c[3]);
}

// The colours of a vector of lanes as texels.
template <Order kOrder>
HWY_INLINE U32x packed_source(const float* const* planes, size_t v) {
  Channels s;
  for (int c = 0; c < 4; ++c) s.c[c] = at_most_one(load(planes[c] + v * kLanes));
  return pack<kOrder>(s);
}

template <Order kOrder>
HWY_INLINE Channels unpack(U32x texels) {
  constexpr int kLow = kOrder == Order::Rgba ? 0 : 2;
  Channels d;
  d.c[kLow] = from_un8(texel_byte<0>(texels));
  d.c[1] = from_un8(texel_byte<1>(texels));
  d.c[2 - kLow] = from_un8(texel_byte<2>(texels));
  d.c[3] = from_un8(texel_byte<3>(texels));
  return d;
}

HWY_INLINE Channels clamped_source(const float* const* planes, size_t v) {
  Channels s;
  for (int c = 0; c < 4; ++c) s.c[c] = saturate(load(planes[c] + v * kLanes));
  return s;
}

HWY_INLINE bool covers_all(const ColorWrite& w, uint64_t mask) {
  return mask == ~uint64_t{0} && w.write_bits[0] == ~0u;
}

template <Order kOrder>
void replace(const ColorWrite& w, uint64_t mask, std::byte* bytes) {
  auto* texels = reinterpret_cast<uint32_t*>(bytes);
  if (covers_all(w, mask)) {
    for (size_t v = 0; v < kVectorsInBlock; ++v) store(packed_source<kOrder>(w.source, v), texels + v * kLanes);
    return;
  }
  const U32x write_bits = splat(w.write_bits[0]);
  for (size_t v = 0; v < kVectorsInBlock; ++v)
    merge(packed_source<kOrder>(w.source, v), mask, v, write_bits, texels + v * kLanes);
}

// Source over destination, colours (and alpha apart) premultiplied or not: d * (1 - a) + s * (1 or a). All terms are in
// [0, 1], so the sum rounds to a byte without another clamp.
template <Order kOrder, bool kRgbPremultiplied, bool kAlphaOne>
void over(const ColorWrite& w, uint64_t mask, std::byte* bytes) {
  auto* texels = reinterpret_cast<uint32_t*>(bytes);
  const U32x write_bits = splat(w.write_bits[0]);
  const bool all = covers_all(w, mask);
  for (size_t v = 0; v < kVectorsInBlock; ++v) {
    const Channels s = clamped_source(w.source, v), d = unpack<kOrder>(load(texels + v * kLanes));
    const F32x alpha = s.c[3], rest = one_minus(alpha);
    Channels out;
    for (int c = 0; c < 3; ++c) out.c[c] = fma(d.c[c], rest, kRgbPremultiplied ? s.c[c] : s.c[c] * alpha);
    out.c[3] = fma(d.c[3], rest, kAlphaOne ? alpha : alpha * alpha);
    const U32x fresh = pack<kOrder>(out);
    if (all) store(fresh, texels + v * kLanes);
    else merge(fresh, mask, v, write_bits, texels + v * kLanes);
  }
}

template <Order kOrder>
void blend(const ColorWrite& w, uint64_t mask, std::byte* bytes) {
  auto* texels = reinterpret_cast<uint32_t*>(bytes);
  const U32x write_bits = splat(w.write_bits[0]);
  for (size_t v = 0; v < kVectorsInBlock; ++v) {
    const Channels s = clamped_source(w.source, v), d = unpack<kOrder>(load(texels + v * kLanes));
    Channels out = blend_channels(w, s, w.source1[0] ? clamped_source(w.source1, v) : s, d);
    for (F32x& c : out.c) c = at_most_one(c);
    merge(pack<kOrder>(out), mask, v, write_bits, texels + v * kLanes);
  }
}

void fill_uniform(const ColorWrite& w, uint64_t mask, std::byte* bytes) {
  auto* texels = reinterpret_cast<uint32_t*>(bytes);
  const U32x texel = splat(w.uniform_texel[0]);
  if (covers_all(w, mask)) {
    for (size_t v = 0; v < kVectorsInBlock; ++v) store(texel, texels + v * kLanes);
    return;
  }
  const U32x write_bits = splat(w.write_bits[0]);
  for (size_t v = 0; v < kVectorsInBlock; ++v) merge(texel, mask, v, write_bits, texels + v * kLanes);
}

struct Un8Kernels {
  raster::ColorWriteFn replace, blend;
  raster::ColorWriteFn over[2][2];       // colour premultiplied, alpha's source factor One
};
template <Order kOrder>
constexpr Un8Kernels kernels_of() {
  return {
      replace<kOrder>,
      blend<kOrder>,
      {{over<kOrder, false, false>, over<kOrder, false, true>}, {over<kOrder, true, false>, over<kOrder, true, true>}}};
}
constexpr Un8Kernels kUn8Kernels[2] = {kernels_of<Order::Rgba>(), kernels_of<Order::Bgra>()};

bool is_over(raster::BlendFactor src, raster::BlendFactor dst) {
  using raster::BlendFactor;
  return (src == BlendFactor::One || src == BlendFactor::SrcAlpha) && dst == BlendFactor::InvSrcAlpha;
}

}  // namespace

raster::ColorWriteFn find_un8(const ColorWrite& w);
raster::ColorWriteFn find_un8(const ColorWrite& w) {
  using raster::BlendEquation;
  using raster::BlendFactor;
  const bool bgra = w.format == Format::B8G8R8A8_UNORM || w.format == Format::B8G8R8X8_UNORM;
  const bool has_alpha = w.format == Format::B8G8R8A8_UNORM || w.format == Format::R8G8B8A8_UNORM;
  if (!bgra && !has_alpha && w.format != Format::R8G8B8X8_UNORM) return nullptr;
  const raster::TargetBlend& b = w.blend;
  const bool advanced = b.enabled && w.advanced != raster::AdvancedEquation::None;
  if (w.logic_op_enabled || w.dithers || advanced) return nullptr;
  const Un8Kernels& k = kUn8Kernels[bgra ? 1 : 0];
  if (!b.enabled) return k.replace;
  if (b.rgb_equation == BlendEquation::Add && b.alpha_equation == BlendEquation::Add && is_over(b.rgb_src, b.rgb_dst) &&
      is_over(b.alpha_src, b.alpha_dst))
    return k.over[b.rgb_src == BlendFactor::One][b.alpha_src == BlendFactor::One];
  return has_alpha ? k.blend : nullptr;     // without alpha, the destination's reads 1
}

extern const raster::ColorWriteFn kUniformWrite;
const raster::ColorWriteFn kUniformWrite = fill_uniform;

}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::raster {
ColorWriteFn find_un8_write(const ColorWrite& w, SimdTarget simd) { return TESSERA_DISPATCH(find_un8, simd)(w); }
ColorWriteFn uniform_write(SimdTarget simd) { return TESSERA_DISPATCH(kUniformWrite, simd); }
}  // namespace tessera::raster
#endif
