// texture/lod.h: derivatives -> level of detail -> the levels that a lane samples.
// Implicit derivatives are differences within the quad: lane 1 - lane 0 along x, lane 2 - lane 0 along y, so a quad has
// one level of detail. rho^2 is the larger of the two squared lengths in texels of the view's first level, and
// lambda = lg2(rho^2) / 2, which is lg2(rho) without its square root. Cubes: the derivative of the position on lane 0's face.
// lambda + (sampler's bias + lane's bias), then not below min_lod, then not above max_lod; NaN gives min_lod.
// Explicit levels and derivatives take the same way from lambda on; all arithmetic is in this order, unfused.
// Source: OpenGL 4.6, 8.14.1 (scale factor) and 8.15 (the switch between magnifying and minifying).
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_LOD_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_LOD_H_
#undef TESSERA_TEXTURE_LOD_H_
#else
#define TESSERA_TEXTURE_LOD_H_
#endif

#include "core/math-inl.h"
#include "core/simd.h"
#include "texture/coordinates.h"
#include "texture/cube.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

// What the lanes of a block sample.
struct LevelPlan {
  alignas(32) int32_t level[64];
  alignas(32) float fraction[64];       // of the next level; 0: this level alone
  alignas(32) uint32_t linear[64];      // ~0: linear filter, 0: nearest
};

struct LevelChoice {
  I32x level;
  F32x fraction;
  U32x linear;
};

// The coordinates' changes along x and y of the screen.
struct Gradient { F32x dx[3], dy[3]; };

template <int kLane>
HWY_INLINE F32x change_in_quad(F32x v) { return hn::Broadcast<kLane>(v) - hn::Broadcast<0>(v); }

HWY_INLINE Gradient quad_gradient(const SampleArgs& args, uint32_t dimensions, size_t first_lane) {
  Gradient g;
  for (uint32_t d = 0; d < dimensions; ++d) {
    const F32x v = load_float(args.coord[d] + first_lane);
    g.dx[d] = change_in_quad<1>(v);
    g.dy[d] = change_in_quad<2>(v);
  }
  return g;
}

HWY_INLINE Gradient given_gradient(const SampleArgs& args, uint32_t dimensions, size_t first_lane) {
  Gradient g;
  for (uint32_t d = 0; d < dimensions; ++d) {
    g.dx[d] = args.ddx[d] ? load_float(args.ddx[d] + first_lane) : splat(0.0f);
    g.dy[d] = args.ddy[d] ? load_float(args.ddy[d] + first_lane) : splat(0.0f);
  }
  return g;
}

// From changes of the direction to changes on the face of each lane (given) or of the quad's first lane (implicit).
HWY_INLINE Gradient on_face(const SampleArgs& args, const Gradient& g, size_t first_lane, bool implicit) {
  Direction d{load_float(args.coord[0] + first_lane), load_float(args.coord[1] + first_lane), load_float(args.coord[2] + first_lane)};
  if (implicit) d = {hn::Broadcast<0>(d.x), hn::Broadcast<0>(d.y), hn::Broadcast<0>(d.z)};
  const FaceAxes axes(d);
  const OnFace position = along_face(axes, d);
  const FacePosition dx = change_on_face(position, along_face(axes, {g.dx[0], g.dx[1], g.dx[2]}));
  const FacePosition dy = change_on_face(position, along_face(axes, {g.dy[0], g.dy[1], g.dy[2]}));
  return {{dx.s, dx.t, splat(0.0f)}, {dy.s, dy.t, splat(0.0f)}};
}

HWY_INLINE F32x squared_length(const BoundTexture& texture, const F32x* change) {
  F32x sum = splat(0.0f);
  for (uint32_t d = 0; d < texture.dimensions; ++d) {
    const F32x texels = change[d] * splat(texture.levels[0].axis[d].scale);
    sum = d == 0 ? texels * texels : sum + texels * texels;
  }
  return sum;
}

HWY_INLINE Gradient gradient_of(const BoundTexture& texture, const SampleArgs& args, size_t first_lane) {
  const uint32_t dimensions = texture.is_cube ? 3u : texture.dimensions;
  return args.op->kind == ir::TextureKind::SampleGrad ? given_gradient(args, dimensions, first_lane) : quad_gradient(args, dimensions, first_lane);
}

// Squared lengths in texels of the changes along x and y of the screen.
struct Footprint2 { F32x x, y; };

HWY_INLINE Footprint2 footprint_of(const BoundTexture& texture, const SampleArgs& args, const Gradient& gradient, size_t first_lane) {
  const bool implicit = args.op->kind != ir::TextureKind::SampleGrad;
  const Gradient g = texture.is_cube ? on_face(args, gradient, first_lane, implicit) : gradient;
  return {squared_length(texture, g.dx), squared_length(texture, g.dy)};
}

HWY_INLINE F32x rho_squared(const BoundTexture& texture, const SampleArgs& args, size_t first_lane) {
  const Footprint2 footprint = footprint_of(texture, args, gradient_of(texture, args, first_lane), first_lane);
  return max(footprint.x, footprint.y);
}

HWY_INLINE F32x lambda_of(F32x rho_squared) { return lg2(rho_squared) * splat(0.5f); }

HWY_INLINE F32x limit_lambda(const BoundTexture& texture, F32x lambda) {
  const F32x low = splat(texture.min_lod), high = splat(texture.max_lod);
  lambda = select(greater(lambda, low), lambda, low);
  return select(less(lambda, high), lambda, high);
}

// Levels count from the view's first.
HWY_INLINE LevelChoice choose_levels(const BoundTexture& texture, F32x lambda) {
  lambda = limit_lambda(texture, lambda);
  const Maskx magnified = less_equal(lambda, splat(texture.magnify_limit));
  const U32x min_linear = splat(texture.min_linear ? ~0u : 0u), mag_linear = splat(texture.mag_linear ? ~0u : 0u);
  const U32x linear = select(magnified, mag_linear, min_linear);
  const F32x last = splat(static_cast<float>(texture.last_mip)), zero = splat(0.0f);
  const F32x limited = hn::Min(hn::Max(lambda, zero), last);
  if (texture.mip_linear) {
    const F32x level = floor(limited);
    return {hn::ConvertTo(i32, level), hn::IfThenZeroElse(magnified, limited - level), linear};
  }
  return {hn::ConvertTo(i32, ceil(limited + splat(0.5f)) - splat(1.0f)), zero, linear};
}

HWY_INLINE void store_choice(const LevelChoice& choice, LevelPlan& plan, size_t first_lane) {
  store(choice.level, plan.level + first_lane);
  store(choice.fraction, plan.fraction + first_lane);
  store(choice.linear, plan.linear + first_lane);
}

template <int kLane>
HWY_INLINE void store_quads(const LevelChoice& choice, LevelPlan& plan, size_t first_lane) {
  store_choice({hn::Broadcast<kLane>(choice.level), hn::Broadcast<kLane>(choice.fraction), hn::Broadcast<kLane>(choice.linear)},
               plan, first_lane);
}

// One value a quad: four vectors share one, vector n in lane n of each quad.
HWY_NOINLINE inline void plan_quads(const BoundTexture& texture, const SampleArgs& args, LevelPlan& plan) {
  const hn::Repartition<uint64_t, F32Tag> u64;
  for (size_t lane = 0; lane < 64; lane += 4 * kLanes) {
    F32x rho2[4];
    for (size_t n = 0; n < 4; ++n) rho2[n] = rho_squared(texture, args, lane + n * kLanes);
    const F32x low = hn::InterleaveLower(rho2[0], rho2[1]), high = hn::InterleaveLower(f32, rho2[2], rho2[3]);
    const F32x packed = hn::BitCast(f32, hn::InterleaveLower(u64, hn::BitCast(u64, low), hn::BitCast(u64, high)));
    const LevelChoice choice = choose_levels(texture, lambda_of(packed) + splat(texture.lod_bias));
    store_quads<0>(choice, plan, lane);
    store_quads<1>(choice, plan, lane + kLanes);
    store_quads<2>(choice, plan, lane + 2 * kLanes);
    store_quads<3>(choice, plan, lane + 3 * kLanes);
  }
}

// The sampler's bias, and the lane's where it has one.
HWY_INLINE F32x biased(const BoundTexture& texture, const SampleArgs& args, F32x lambda, size_t lane) {
  const F32x bias = splat(texture.lod_bias);
  return lambda + (args.op->kind == ir::TextureKind::SampleBias && args.lod ? bias + load_float(args.lod + lane) : bias);
}

HWY_NOINLINE inline void plan_lanes(const BoundTexture& texture, const SampleArgs& args, LevelPlan& plan) {
  for (size_t lane = 0; lane < 64; lane += kLanes) {
    const bool is_given = args.op->kind == ir::TextureKind::SampleLod;
    const F32x lambda = !is_given ? lambda_of(rho_squared(texture, args, lane)) : args.lod ? load_float(args.lod + lane) : splat(0.0f);
    store_choice(choose_levels(texture, biased(texture, args, lambda, lane)), plan, lane);
  }
}

HWY_INLINE void plan_levels(const BoundTexture& texture, const SampleArgs& args, LevelPlan& plan) {
  if (args.op->kind == ir::TextureKind::Sample) return plan_quads(texture, args, plan);
  plan_lanes(texture, args, plan);
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
