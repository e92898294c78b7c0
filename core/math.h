// core/math.h: the transcendental functions of the whole project: the same bits on every machine. Scenes, loaders,
// samples and shaders use these and never libm's, whose results depend on the CPU.
//
// Float: the code that shaders run (core/math-inl.h), one value at a time. Largest errors, in units of the last place:
//   ex2   1   exact where x is an integer; 0 below -150, infinity from 128 on; denormal results rounded once
//   lg2   1   exact at powers of two; -infinity at 0 and -0, NaN below; denormals are no special case
//   pow       1 + 2 |y log2 x|: ex2(y * lg2(x)), but pow(0, 0) = 1; NaN where x < 0
//   sin   2   cos 2; for every finite x, however large; NaN for infinities
// Double: sin, cos (1 ulp) and tan (2 ulp) for |x| <= 2^20; beyond, the reduction of the argument loses up to
// |x| * 2^-53 more. NaN for infinities.
#pragma once

#include <cstdint>

namespace tessera::math {

inline constexpr double kPi = 3.14159265358979323846;

float ex2(float x);
float lg2(float x);
float pow(float x, float y);
float sin(float x);
float cos(float x);

double sin(double x);
double cos(double x);
double tan(double x);

// For core/math-inl.h: x > kLargeAngle, finite, is
// quadrant * pi/2 + the result, which is at most pi/4 (but for rounding).
inline constexpr float kLargeAngle = 0x1p20f;
float reduce_large_angle(float x, uint32_t* quadrant);

constexpr double radians(double degrees) { return degrees * (kPi / 180.0); }

}  // namespace tessera::math
