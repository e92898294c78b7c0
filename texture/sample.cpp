#include "texture/sample.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "texture/sample.cpp"
#include "hwy/foreach_target.h"

#include "core/simd.h"
#include "texture/anisotropy.h"
#include "texture/block.h"
#include "texture/filter_bytes.h"
#include "texture/filter_float.h"
#include "texture/lod.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

using ::tessera::texture::BlockFn;
using ::tessera::texture::TexelClass;

// Texel offsets of the operation on a level: where the axis repeats, reduced to one period so that indices stay near.
HWY_INLINE Offsets offsets_on(const LevelImage& level, const ir::TextureOp& op) {
  Offsets offsets;
  if (HWY_LIKELY(op.offset_count == 0)) return offsets;
  for (size_t d = 0; d < 3; ++d) {
    const Axis& axis = level.axis[d];
    const int32_t period = axis.mode == AxisMode::MirrorRepeat ? 2 * axis.size_texels : axis.size_texels;
    offsets.texels[d] = repeats(axis.mode) ? (op.offset[0][d] % period + period) % period : op.offset[0][d];
  }
  return offsets;
}

HWY_INLINE uint32_t running_lanes(const SampleArgs& args, size_t lane) {
  return static_cast<uint32_t>(args.exec >> lane) & ((1u << kLanes) - 1);
}

// One vector of lanes at one level, or blended with the next one.
template <class Filter>
struct VectorSampler {
  const BoundTexture& texture;
  const ir::TextureOp& op;

  HWY_INLINE Color at_level(int32_t level, bool linear, const Coordinates& at) const {
    const LevelImage& image = texture.levels[level];
    const Offsets offsets = offsets_on(image, op);
    return linear ? Filter::linear(texture, image, at, offsets) : Filter::nearest(texture, image, at, offsets);
  }

  HWY_INLINE Color between_levels(int32_t level, bool linear, F32x fraction, const Coordinates& at) const {
    const Color near = at_level(level, linear, at);
    if (all(equal(fraction, splat(0.0f)))) return near;
    // Lanes without a fraction keep their colour exactly: 0 * (b - a) adds nothing, save for infinities.
    const Color far = at_level(level + 1, linear, at);
    return select_color(equal(fraction, splat(0.0f)), near, reduce(texture.sampler.reduction, near, far, fraction));
  }

  // Lanes of one vector usually share their levels; else each distinct choice is sampled for all and kept where it is meant.
  HWY_INLINE Color planned(const LevelPlan& plan, size_t lane, uint32_t pending, const Coordinates& at) const {
    const I32x levels = load(plan.level + lane);
    const U32x linears = load(plan.linear + lane);
    const F32x fractions = load(plan.fraction + lane);
    Color result;
    for (bool first = true;; first = false) {
      const size_t chosen = lane + static_cast<size_t>(__builtin_ctz(pending));
      const int32_t level = plan.level[chosen];
      const uint32_t linear = plan.linear[chosen];
      const Maskx same = hn::And(equal(levels, splat(level)), equal(linears, splat(linear)));
      const Color color = between_levels(level, linear != 0, hn::IfThenElseZero(same, fractions), at);
      result = first ? color : select_color(same, color, result);
      pending &= ~bits_of(same);
      if (HWY_LIKELY(pending == 0)) return result;
    }
  }
};

// The average of the probes of a vector of lanes; lanes with fewer probes than others leave the later ones out.
template <class Filter, Shape kShape>
HWY_INLINE Color average_of_probes(const VectorSampler<Filter>& sampler, const SampleArgs& args, const LevelPlan& plan,
                                   const ProbePlan& probes, bool compares, size_t lane, uint32_t running) {
  const I32x count = load(probes.count + lane);
  const F32x count_f = from_int(count), zero = splat(0.0f);
  Color sum{{zero, zero, zero, zero}};
  for (int32_t n = 1;; ++n) {
    const Maskx counts = greater_equal(count, splat(n));
    const uint32_t pending = bits_of(counts) & running;
    if (pending == 0) break;
    const Direction d = probe_direction(sampler.texture, given_coordinates(args, lane), probes, count_f, n, lane);
    const Coordinates at = coordinates_of<kShape>(sampler.texture, args, d, compares, lane);
    const Color probe = sampler.planned(plan, lane, pending, at);
    for (size_t c = 0; c < 4; ++c) sum.word[c] = sum.word[c] + hn::IfThenElseZero(counts, probe.word[c]);
  }
  for (size_t c = 0; c < 4; ++c) sum.word[c] = sum.word[c] / count_f;
  return sum;
}

template <class Filter, Shape kShape>
HWY_NOINLINE void sample_probes(const VectorSampler<Filter>& sampler, const SampleArgs& args, bool compares,
                                Results& results) {
  LevelPlan plan;
  ProbePlan probes;
  plan_probes(sampler.texture, args, plan, probes);
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes)
    if (const uint32_t running = running_lanes(args, lane))
      results.store_color(average_of_probes<Filter, kShape>(sampler, args, plan, probes, compares, lane, running),
                          lane);
}

// One filter on level 0 for all lanes. What the loop reads stands in copies: as far as the compiler knows, the results'
// stores could change the texture and the arguments. (The same for lanes that share two levels made trilinear slower.)
template <class Filter, Shape kShape, bool kLinear>
HWY_INLINE void sample_level(const BoundTexture& texture, const SampleArgs& given, bool compares,
                             const Results& results) {
  const LevelImage level = texture.levels[0];
  const SampleArgs args = given;
  const Offsets offsets = offsets_on(level, *args.op);
  uint32_t* const word[4] = {results.word(0), results.word(1), results.word(2), results.word(3)};
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) {
    if (running_lanes(args, lane) == 0) continue;
    const Coordinates at = coordinates_of<kShape>(texture, args, given_coordinates(args, lane), compares, lane);
    const Color color = kLinear ? Filter::linear(texture, level, at, offsets) : Filter::nearest(texture, level, at, offsets);
    for (size_t n = 0; n < 4; ++n) store_float(color.word[n], word[n] + lane);
  }
}

// One probe a lane.
template <class Filter, Shape kShape>
HWY_INLINE void sample_once(const VectorSampler<Filter>& sampler, const SampleArgs& args, bool compares,
                            Results& results) {
  const BoundTexture& texture = sampler.texture;
  if (!texture.needs_lod) {
    if (texture.fixed_linear) return sample_level<Filter, kShape, true>(texture, args, compares, results);
    return sample_level<Filter, kShape, false>(texture, args, compares, results);
  }
  LevelPlan plan;
  plan_levels(texture, args, plan);
  for (size_t lane = 0; lane < kBlockLanes; lane += kLanes) {
    const uint32_t running = running_lanes(args, lane);
    if (running == 0) continue;
    const Coordinates at = coordinates_of<kShape>(texture, args, given_coordinates(args, lane), compares, lane);
    results.store_color(sampler.planned(plan, lane, running, at), lane);
  }
}

template <class Filter, Shape kShape>
void sample_block_with(const BoundTexture& texture, const SampleArgs& given) {
  const SampleArgs args = complete(given);
  const bool compares = kShape == Shape::Any && texture.compares && given.ref;
  const VectorSampler<Filter> sampler{texture, *args.op};
  Results results(compares ? texture.select_compared : texture.select, args);
  if (texture.max_probes > 1 && args.op->kind != ir::TextureKind::SampleLod)
    sample_probes<Filter, kShape>(sampler, args, compares, results);
  else
    sample_once<Filter, kShape>(sampler, args, compares, results);
  results.finish(texture.is_integer ? 1u : 0x3f800000u);
}

template <bool kMayBeCold>
struct SampleFunctions {
  template <uint32_t kBytes, Shape kShape>
  static BlockFn of_bytes() { return sample_block_with<BytesFilter<kBytes, kShape, kMayBeCold>, kShape>; }

  template <class Texels>
  static BlockFn of_floats() {
    return sample_block_with<FloatFilter<std::conditional_t<kMayBeCold, ColdTexels<Texels>, Texels>>, Shape::Any>;
  }

  static BlockFn choose(TexelClass texel_class, Shape shape) {
    switch (texel_class) {
      case TexelClass::Bytes1: return of_bytes<1, Shape::Any>();
      case TexelClass::Bytes2: return of_bytes<2, Shape::Any>();
      case TexelClass::Bytes4:
        if (shape == Shape::Repeat2D) return of_bytes<4, Shape::Repeat2D>();
        if (shape == Shape::SeamlessCube) return of_bytes<4, Shape::SeamlessCube>();
        return of_bytes<4, Shape::Any>();
      case TexelClass::Srgb4: return of_floats<SrgbTexels>();
      case TexelClass::Halves4: return of_floats<HalfTexels<4>>();
      case TexelClass::Word: return of_floats<WordTexels<1>>();
      case TexelClass::Decoded: break;
    }
    return of_floats<DecodedTexels>();
  }
};

BlockFn sample_function(TexelClass texel_class, Shape shape, bool may_be_cold) {
  return may_be_cold ? SampleFunctions<true>::choose(texel_class, shape)
                     : SampleFunctions<false>::choose(texel_class, shape);
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace tessera::texture {

BlockFn choose_sample(TexelClass texel_class, Shape shape, bool may_be_cold, SimdTarget simd) {
  return TESSERA_DISPATCH(tex::sample_function, simd)(texel_class, shape, may_be_cold);
}

}  // namespace tessera::texture
#endif
