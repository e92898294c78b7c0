// texture/anisotropy.h: several probes along the longer derivative where the footprint is long and thin.
// With Pmax and Pmin the lengths of the two derivatives in texels, N = ceil(min(Pmax / Pmin, Pmax, max_anisotropy)), at
// least 1; lambda = lg2(Pmax / N). Probe n of N stands n / (N + 1) - 1/2 derivatives from the coordinate, along x where
// its derivative is the longer one, else along y. The result is the probes' sum, in order, divided by N. Cubes: probes
// step in direction space, so they go round edges. Operations with a given level have no derivatives and take
// one probe; so do samplers that take extremes, integer and 1D textures.
// Why Pmax limits N: probes closer than a texel find nothing new.
// Source: EXT_texture_filter_anisotropic (the example footprint); OpenGL 4.6, 8.14.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_ANISOTROPY_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_ANISOTROPY_H_
#undef TESSERA_TEXTURE_ANISOTROPY_H_
#else
#define TESSERA_TEXTURE_ANISOTROPY_H_
#endif

#include "core/simd.h"
#include "texture/lod.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

struct ProbePlan {
  alignas(32) int32_t count[kBlockLanes];
  alignas(32) float step[3][kBlockLanes];  // the longer derivative of each coordinate
};

HWY_INLINE F32x probe_count(const BoundTexture& texture, F32x longer2, F32x shorter2) {
  const F32x longest = sqrt(longer2), one = splat(1.0f);
  const F32x ratio = min(min(longest / sqrt(shorter2), longest), splat(texture.max_probes));
  const F32x count = ceil(ratio);
  return select(greater(count, one), count, one);
}

HWY_NOINLINE inline void plan_probes(const BoundTexture& texture, const SampleArgs& args, LevelPlan& plan,
                                     ProbePlan& probes) {
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) {
    const SquaredLengths lengths = lengths_of(texture, args, lane);
    const Maskx along_x = greater(lengths.x, lengths.y);
    const F32x longer2 = max(lengths.x, lengths.y), count = probe_count(texture, longer2, min(lengths.x, lengths.y));
    store(hn::ConvertTo(i32, count), probes.count + lane);
    const uint32_t dimensions = texture.is_cube ? 3u : texture.dimensions;
    for (uint32_t axis = 0; axis < dimensions; ++axis) {
      const Change change = change_of(args, axis, lane);
      store(select(along_x, change.dx, change.dy), probes.step[axis] + lane);
    }
    store_choice(choose_levels(texture, biased(texture, args, lambda_of(longer2 / (count * count)), lane)), plan, lane);
  }
}

// Where probe n, from 1 on, of `count` stands.
HWY_INLINE Direction probe_direction(const BoundTexture& texture, Direction d, const ProbePlan& probes, F32x count,
                                     int32_t n, size_t lane) {
  const F32x along = splat(static_cast<float>(n)) / (count + splat(1.0f)) - splat(0.5f);
  d.x = d.x + along * load(probes.step[0] + lane);
  d.y = d.y + along * load(probes.step[1] + lane);
  if (texture.is_cube || texture.dimensions > 2) d.z = d.z + along * load(probes.step[2] + lane);
  return d;
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
