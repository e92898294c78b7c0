// core/math.h: the transcendental functions of the whole project: the same bits on every machine. Scenes, loaders,
// samples and shaders use these and never libm's, whose results depend on the CPU.
//
// Float: the code that shaders run (core/math-inl.h), one value at a time. Largest errors, in units of the last place:
//   ex2   1   exact where x is an integer; 0 below -150, infinity from 128 on; denormal results correctly scaled
//   lg2   1   exact at powers of two; -infinity at 0 and -0, NaN below; denormals are no special case
//   pow       ex2(y * lg2(x)); 1 + 2 |y log2 x| ulp; NaN where x < 0; pow(0, 0) = 1
//   sin   2   cos 2; for every finite x, however large; NaN for infinities
// Double: sin, cos, tan for |x| <= 2^20: 1 ulp (tan 2) where the result is not near 0, and 1e-16 absolute; beyond, the
// reduction loses |x| * 2^-53 more.
// Each test of these bounds compares with libm in higher precision.
#pragma once

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

constexpr double radians(double degrees) { return degrees * (kPi / 180.0); }

}  // namespace tessera::math
