// texture/lod.h: derivatives -> level of detail -> the levels that a lane samples.
// Implicit derivatives are differences within the quad: lane 1 - lane 0 along x, lane 2 - lane 0 along y, so a quad has
// one level of detail. rho^2 is the larger of the two squared lengths in texels of the view's first level, and
// lambda = lg2(rho^2) / 2, which is lg2(rho) without its square root. Cubes: the derivative of the position on lane 0's face.
// lambda + (sampler's bias + lane's bias), then not below min_lod, then not above max_lod; NaN gives min_lod.
// Explicit levels and derivatives take the same way from lambda on; all arithmetic is in this order, unfused.
// Source: OpenGL 4.6, 8.14.1 (scale factor) and 8.15 (the switch between magnifying and minifying); Direct3D 9's rule
// for both: sampler.h.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_LOD_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_LOD_H_
#undef TESSERA_TEXTURE_LOD_H_
#else
#define TESSERA_TEXTURE_LOD_H_
#endif

#include "core/math-inl.h"
#include "core/simd.h"
#include "texture/address.h"
#include "texture/coordinates.h"
#include "texture/cube.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

// What the lanes of a block sample.
struct LevelPlan {
  alignas(32) int32_t level[64];
  alignas(32) float fraction[64];   // of the next level; 0: this level alone
  alignas(32) uint32_t linear[64];  // ~0: linear filter, 0: nearest
};

struct LevelChoice {
  I32x level;
  F32x fraction;
  U32x linear;
};

// Changes of a coordinate along x and y of the screen.
struct Change {
  F32x dx, dy;
};

HWY_INLINE Change change_of(const SampleArgs& args, uint32_t axis, size_t lane) {
  if (args.op->kind == ir::TextureKind::SampleGrad)
    return {args.ddx[axis] ? load_float(args.ddx[axis] + lane) : splat(0.0f),
            args.ddy[axis] ? load_float(args.ddy[axis] + lane) : splat(0.0f)};
  const F32x v = load_float(args.coord[axis] + lane), first = hn::Broadcast<0>(v);
  return {hn::Broadcast<1>(v) - first, hn::Broadcast<2>(v) - first};
}

// Squared lengths in texels of the changes along x and y of the screen.
struct SquaredLengths {
  F32x x, y;
};

HWY_INLINE void add_square(SquaredLengths& sum, const Change& change, float size_texels) {
  const F32x x = change.dx * splat(size_texels), y = change.dy * splat(size_texels);
  sum.x = sum.x + x * x;
  sum.y = sum.y + y * y;
}

// The direction's changes become changes on the face of each lane (given) or of the quad's first lane (implicit).
HWY_NOINLINE inline SquaredLengths lengths_on_cube(const BoundTexture& texture, const SampleArgs& args, size_t lane) {
  Direction d{load_float(args.coord[0] + lane), load_float(args.coord[1] + lane), load_float(args.coord[2] + lane)};
  if (args.op->kind != ir::TextureKind::SampleGrad)
    d = {hn::Broadcast<0>(d.x), hn::Broadcast<0>(d.y), hn::Broadcast<0>(d.z)};
  const Change x = change_of(args, 0, lane), y = change_of(args, 1, lane), z = change_of(args, 2, lane);
  const FaceAxes axes(d);
  const OnFace position = along_face(axes, d);
  const FacePosition dx = change_on_face(position, along_face(axes, {x.dx, y.dx, z.dx}));
  const FacePosition dy = change_on_face(position, along_face(axes, {x.dy, y.dy, z.dy}));
  SquaredLengths sum{splat(0.0f), splat(0.0f)};
  add_square(sum, {dx.s, dy.s}, texture.levels[0].axis[0].scale);
  add_square(sum, {dx.t, dy.t}, texture.levels[0].axis[1].scale);
  return sum;
}

HWY_INLINE SquaredLengths lengths_of(const BoundTexture& texture, const SampleArgs& args, size_t lane) {
  if (texture.is_cube) return lengths_on_cube(texture, args, lane);
  SquaredLengths sum{splat(0.0f), splat(0.0f)};
  const Axis* axis = texture.levels[0].axis;
  add_square(sum, change_of(args, 0, lane), axis[0].scale);
  if (texture.dimensions > 1) add_square(sum, change_of(args, 1, lane), axis[1].scale);
  if (texture.dimensions > 2) add_square(sum, change_of(args, 2, lane), axis[2].scale);
  return sum;
}

HWY_INLINE F32x rho_squared(const BoundTexture& texture, const SampleArgs& args, size_t lane) {
  const SquaredLengths lengths = lengths_of(texture, args, lane);
  return max(lengths.x, lengths.y);
}

HWY_INLINE F32x lambda_of(F32x rho_squared) { return lg2(rho_squared) * splat(0.5f); }

HWY_INLINE F32x limit_lambda(const BoundTexture& texture, F32x lambda) {
  const F32x low = splat(texture.min_lod), high = splat(texture.max_lod);
  lambda = select(greater(lambda, low), lambda, low);
  return select(less(lambda, high), lambda, high);
}

// Levels count from the view's first.
HWY_INLINE LevelChoice choose_levels(const BoundTexture& texture, F32x lambda) {
  const F32x deciding = texture.d3d9_levels ? zero_nan(lambda) : limit_lambda(texture, lambda);
  lambda = limit_lambda(texture, lambda);
  const Maskx magnified = less_equal(deciding, splat(texture.magnify_limit));
  const U32x min_linear = splat(texture.min_linear ? ~0u : 0u), mag_linear = splat(texture.mag_linear ? ~0u : 0u);
  const U32x linear = select(magnified, mag_linear, min_linear);
  const F32x last = splat(static_cast<float>(texture.last_mip)), zero = splat(0.0f);
  const F32x limited = hn::Min(hn::Max(lambda, zero), last);
  if (texture.mip_linear) {
    const F32x level = floor(limited);
    return {hn::ConvertTo(i32, level), hn::IfThenZeroElse(magnified, limited - level), linear};
  }
  const F32x half_more = limited + splat(0.5f);
  const F32x level = texture.d3d9_levels ? floor(half_more) : ceil(half_more) - splat(1.0f);
  return {hn::ConvertTo(i32, level), zero, linear};
}

HWY_INLINE void store_choice(const LevelChoice& choice, LevelPlan& plan, size_t first_lane) {
  store(choice.level, plan.level + first_lane);
  store(choice.fraction, plan.fraction + first_lane);
  store(choice.linear, plan.linear + first_lane);
}

template <int kLane>
HWY_INLINE void store_quads(const LevelChoice& choice, LevelPlan& plan, size_t first_lane) {
  store_choice(
      {hn::Broadcast<kLane>(choice.level), hn::Broadcast<kLane>(choice.fraction), hn::Broadcast<kLane>(choice.linear)},
      plan, first_lane);
}

// One value a quad: four vectors share one, vector n in lane n of each quad.
HWY_NOINLINE inline void plan_quads(const BoundTexture& texture, const SampleArgs& args, LevelPlan& plan) {
  const hn::Repartition<uint64_t, F32Tag> u64;
  for (size_t lane = 0; lane < 64; lane += 4 * kLanes) {
    const F32x first = rho_squared(texture, args, lane), second = rho_squared(texture, args, lane + kLanes);
    const F32x third = rho_squared(texture, args, lane + 2 * kLanes),
               fourth = rho_squared(texture, args, lane + 3 * kLanes);
    const F32x low = hn::InterleaveLower(first, second), high = hn::InterleaveLower(f32, third, fourth);
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
  return lambda +
         (args.op->kind == ir::TextureKind::SampleBias && args.lod ? bias + load_float(args.lod + lane) : bias);
}

HWY_NOINLINE inline void plan_lanes(const BoundTexture& texture, const SampleArgs& args, LevelPlan& plan) {
  for (size_t lane = 0; lane < 64; lane += kLanes) {
    const bool is_given = args.op->kind == ir::TextureKind::SampleLod;
    const F32x lambda = !is_given  ? lambda_of(rho_squared(texture, args, lane))
                        : args.lod ? load_float(args.lod + lane)
                                   : splat(0.0f);
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
