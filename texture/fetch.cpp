// Texel fetch: integer coordinates, a level or sample a lane, no filtering. Outside of the view all results are 0.
#include "texture/sample.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "texture/fetch.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "texture/block.h"
#include "texture/filter_bytes.h"
#include "texture/filter_float.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::BlockFn;
using ::tessera::texture::TexelClass;

HWY_INLINE Maskx is_below(I32x i, uint32_t end) { return less(as_u32(i), splat(end)); }

struct Address {
  U32x index;  // 0 outside
  Maskx inside;
};

// The texel that integer coordinates name on one level.
HWY_INLINE Address address_of(const BoundTexture& texture, const LevelImage& level, const SampleArgs& args,
                              size_t lane) {
  const int8_t* offset = args.op->offset[0];
  const auto coordinate = [&](size_t n) HWY_ATTR {
    return as_i32(load(args.coord[n] + lane)) + splat(args.op->offset_count ? int32_t{offset[n]} : 0);
  };
  const auto size = [&](size_t n) HWY_ATTR { return static_cast<uint32_t>(level.axis[n].size_texels); };
  const I32x i = coordinate(0);
  Maskx inside = is_below(i, size(0));
  U32x index = as_u32(i);
  if (texture.dimensions > 1) {
    const I32x j = coordinate(1);
    inside = hn::And(inside, is_below(j, size(1)));
    index = index + as_u32(j) * splat(level.row_texels);
  }
  if (texture.dimensions > 2) {
    const I32x k = coordinate(2);
    inside = hn::And(inside, is_below(k, size(2)));
    index = index + as_u32(k) * splat(level.slice_texels);
  }
  if (texture.has_slices) {
    const I32x layer = as_i32(load(args.coord[3] + lane));
    inside = hn::And(inside, is_below(layer, texture.layer_count * (texture.is_cube ? 6u : 1u)));
    index = index + as_u32(layer) * splat(level.slice_texels);
  }
  if (names_samples(texture, *args.op) && args.lod) {
    const I32x sample = as_i32(load(args.lod + lane));
    inside = hn::And(inside, is_below(sample, texture.sample_count));
    index = index + as_u32(sample) * splat(level.sample_texels);
  }
  return {index & words_of(inside), inside};
}

template <class Texels>
void fetch_block(const BoundTexture& texture, const SampleArgs& given) {
  const SampleArgs args = complete(given);
  Results results(texture.select, args);
  alignas(64) uint32_t inside_words[kBlockLanes];
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) {
    const U32x levels = args.lod && !names_samples(texture, *args.op) ? load(args.lod + lane) : splat(0u);
    Color color{{splat(0.0f), splat(0.0f), splat(0.0f), splat(0.0f)}};
    U32x inside = splat(0u);
    for (uint32_t n = 0; n < texture.level_count; ++n) {
      const Maskx here = equal(levels, splat(n));
      if (!any(here)) continue;
      const Address address = address_of(texture, texture.levels[n], args, lane);
      const Color texel = Texels::color(texture, texture.levels[n].texels, address.index);
      color = select_color(here, texel, color);
      inside = inside | (words_of(here) & words_of(address.inside));
    }
    results.store_color(color, lane);
    store(inside, inside_words + lane);
  }
  results.finish(texture.is_integer ? 1u : 0x3f800000u);
  for (uint32_t* out : args.out)
    for (size_t lane = 0; out && lane < kBlockLanes; lane += kLanes)
      store(load(out + lane) & load(inside_words + lane), out + lane);
}

template <class Texels>
BlockFn fetch_of(bool may_be_cold) { return may_be_cold ? fetch_block<ColdTexels<Texels>> : fetch_block<Texels>; }

BlockFn fetch_function(TexelClass texel_class, bool may_be_cold) {
  switch (texel_class) {
    case TexelClass::Bytes1: return fetch_of<ByteTexels<1>>(may_be_cold);
    case TexelClass::Bytes2: return fetch_of<ByteTexels<2>>(may_be_cold);
    case TexelClass::Bytes4: return fetch_of<ByteTexels<4>>(may_be_cold);
    default: break;
  }
  return fetch_of<DecodedTexels>(may_be_cold);
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::texture {

BlockFn choose_fetch(TexelClass texel_class, bool may_be_cold, SimdTarget simd) {
  return TESSERA_DISPATCH(tex::fetch_function, simd)(texel_class, may_be_cold);
}

}  // namespace tessera::texture
#endif
