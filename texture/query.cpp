// What a program can ask about a view: its size, its samples, and the level that sampling would use.
#include "texture/sample.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "texture/query.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "texture/block.h"
#include "texture/lod.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

// x: the level that would be used, with a fraction between two; y: lambda with the sampler's bias, before its limits.
void query_lod_block(const BoundTexture& texture, const SampleArgs& given) {
  const SampleArgs args = complete(given);
  const F32x zero = splat(0.0f), last = splat(static_cast<float>(texture.last_mip));
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) {
    const F32x lambda = lambda_of(rho_squared(texture, args, lane)) + splat(texture.lod_bias);
    const LevelChoice choice = choose_levels(texture, lambda);
    const F32x level = hn::Min(from_int(choice.level) + choice.fraction, last);
    if (args.out[0]) store_float(level, args.out[0] + lane);
    if (args.out[1]) store_float(canonical(lambda), args.out[1] + lane);
    if (args.out[2]) store_float(zero, args.out[2] + lane);
    if (args.out[3]) store_float(zero, args.out[3] + lane);
  }
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::texture {
namespace {

void store_lane(const SampleArgs& args, uint32_t lane, const uint32_t (&words)[4]) {
  for (uint32_t c = 0; c < 4; ++c)
    if (args.out[c]) args.out[c][lane] = words[c];
}

}  // namespace

BlockFn choose_query_lod(SimdTarget simd) { return TESSERA_DISPATCH(tex::query_lod_block, simd); }

// Sizes of the dimensions, then the layers of an array; w: the number of levels. Sizes of a level that does not exist
// are 0; kinds that have one level ignore which is asked for.
void query_size(const BoundTexture& texture, const SampleArgs& args) {
  const bool has_levels = texture.view.kind != ResourceKind::Buffer && texture.view.kind != ResourceKind::Rect &&
                          !names_samples(texture, *args.op);
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) {
    const uint32_t level = args.lod && has_levels ? args.lod[lane] : 0;
    uint32_t words[4] = {0, 0, 0, texture.level_count};
    if (level < texture.level_count) {
      for (uint32_t d = 0; d < texture.dimensions; ++d)
        words[d] = static_cast<uint32_t>(texture.levels[level].axis[d].size_texels);
      if (texture.is_array) words[texture.dimensions] = texture.layer_count;
    }
    store_lane(args, lane, words);
  }
}

void query_samples(const BoundTexture& texture, const SampleArgs& args) {
  for (uint32_t lane = 0; lane < kBlockLanes; ++lane) store_lane(args, lane, {texture.sample_count, 0, 0, 0});
}

}  // namespace tessera::texture
#endif
