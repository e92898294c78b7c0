// texture/cube.h: a direction -> a face of the cube and a position on it, and how that position changes.
// Where two or three components are equally long, x comes before y before z. A direction of length zero, and NaN,
// count as position (0, 0) of the face that the comparisons leave.
// Source: OpenGL 4.6, 8.13.
// Include per target, as core/simd.h.
#if defined(TESSERA_TEXTURE_CUBE_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef TESSERA_TEXTURE_CUBE_H_
#undef TESSERA_TEXTURE_CUBE_H_
#else
#define TESSERA_TEXTURE_CUBE_H_
#endif

#include "core/simd.h"

HWY_BEFORE_NAMESPACE();
namespace tessera {
namespace HWY_NAMESPACE {
namespace tex {

struct Direction {
  F32x x, y, z;
};

// Which face, as masks: what turns (x, y, z) into the face's own axes.
struct FaceAxes {
  Maskx is_x, is_y;
  U32x sign;  // of the major component
  U32x face;

  explicit HWY_INLINE FaceAxes(const Direction& d) {
    const F32x ax = abs(d.x), ay = abs(d.y), az = abs(d.z);
    is_x = hn::And(greater_equal(ax, ay), greater_equal(ax, az));
    is_y = hn::AndNot(is_x, greater_equal(ay, az));
    const F32x major = select(is_x, d.x, select(is_y, d.y, d.z));
    sign = as_u32(major) & splat(0x80000000u);
    face = select(is_x, splat(0u), select(is_y, splat(2u), splat(4u))) + hn::ShiftRight<31>(sign);
  }
};

// A direction, or a change of one, along the axes of a face.
struct OnFace {
  F32x s, t, major;
};

HWY_INLINE OnFace along_face(const FaceAxes& axes, const Direction& d) {
  const F32x toward = as_f32(axes.sign);
  const auto flip = [](F32x a, F32x sign) HWY_ATTR { return as_f32(as_u32(a) ^ as_u32(sign)); };
  return {select(axes.is_x, flip(neg(d.z), toward), select(axes.is_y, d.x, flip(d.x, toward))),
          select(axes.is_y, flip(d.z, toward), neg(d.y)),
          flip(select(axes.is_x, d.x, select(axes.is_y, d.y, d.z)), toward)};
}

struct FacePosition {
  F32x s, t;
};

HWY_INLINE FacePosition position_on_face(const OnFace& d) {
  const F32x half = splat(0.5f);
  return {d.s / d.major * half + half, d.t / d.major * half + half};
}

// The change of the position where the direction d changes by `change`: the derivative of s / (2 major).
HWY_INLINE FacePosition change_on_face(const OnFace& d, const OnFace& change) {
  const F32x scale = splat(0.5f) / d.major;
  return {(change.s - d.s / d.major * change.major) * scale, (change.t - d.t / d.major * change.major) * scale};
}

}  // namespace tex
}  // namespace HWY_NAMESPACE
}  // namespace tessera
HWY_AFTER_NAMESPACE();

#endif
