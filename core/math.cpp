#include "core/math.h"

#include <bit>
#include <cmath>

#include "core/math-inl.h"

namespace tessera::math {
namespace {
// The kernels give the same bits on every target, so the baseline's serve here.
namespace baseline = ::tessera::HWY_NAMESPACE;
using baseline::splat;
using hwy::HWY_NAMESPACE::GetLane;

// 32 zero bits, then the binary digits of 2/pi after the point.
constexpr uint32_t kTwoOverPi[8] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                    0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};

struct ReducedDouble {
  double r, tail;      // r + tail in [-pi/4, pi/4]
  uint32_t quadrant;   // modulo 4
};

// x - k * pi/2 with pi/2 in two parts: the first step is exact by fusion, the error of the second becomes the tail.
ReducedDouble reduce(double x) {
  constexpr double kUpper = 0x1.921fb54442d18p+0, kLower = 0x1.1a62633145c07p-54;
  const double k = std::rint(x * 0x1.45f306dc9c883p-1);
  const double first = std::fma(-k, kUpper, x);
  const double r = std::fma(-k, kLower, first);
  const double quadrant = k - 4.0 * std::floor(k * 0.25);
  return {r, std::fma(-k, kLower, first - r), quadrant == quadrant ? static_cast<uint32_t>(quadrant) : 0u};
}

// c[0] + c[1] z + c[2] z^2 + ...
template <size_t n>
double polynomial(const double (&c)[n], double z) {
  double sum = c[n - 1];
  for (size_t i = n - 1; i-- > 0;) sum = c[i] + z * sum;
  return sum;
}

// Sine and cosine of x + tail, |x| <= pi/4. Coefficients and order of steps are those of FDLIBM (Sun Microsystems,
// 1993), k_sin.c and k_cos.c.
double sine_kernel(double x, double tail) {
  constexpr double kFirst = -1.66666666666666324348e-01;
  constexpr double kTerms[] = {8.33333333332248946124e-03, -1.98412698298579493134e-04, 2.75573137070700676789e-06,
                               -2.50507602534068634195e-08, 1.58969099521155010221e-10};
  const double z = x * x, v = z * x;
  return x - ((z * (0.5 * tail - v * polynomial(kTerms, z)) - tail) - v * kFirst);
}
double cosine_kernel(double x, double tail) {
  constexpr double kTerms[] = {4.16666666666666019037e-02,  -1.38888888888741095749e-03, 2.48015872894767294178e-05,
                               -2.75573143513906633035e-07, 2.08757232129817482790e-09,  -1.13596475577881948265e-11};
  const double z = x * x, half = 0.5 * z, w = 1.0 - half;
  return w + (((1.0 - w) - half) + (z * (z * polynomial(kTerms, z)) - x * tail));
}

double sine_of(const ReducedDouble& angle, uint32_t quarters_more) {
  const uint32_t quadrant = angle.quadrant + quarters_more;
  const double value = quadrant & 1 ? cosine_kernel(angle.r, angle.tail) : sine_kernel(angle.r, angle.tail);
  return quadrant & 2 ? -value : value;
}
}  // namespace

// x = m * 2^e with a 24-bit integer m. Of the bits of 2/pi those count whose product with m is neither a multiple of 4
// nor below 2^-62 or so: 96 of them, from the one with the weight 2^(1-e) on.
float reduce_large_angle(float x, uint32_t* quadrant) {
  const uint32_t bits = std::bit_cast<uint32_t>(x), m = (bits & 0x7fffffu) | 0x800000u;
  const uint32_t first_bit = 30 + (bits >> 23) - 150, word = first_bit / 32, shift = first_bit % 32;
  const auto window = [&](uint32_t i) {   // word i of the 96 bits
    const uint64_t pair = uint64_t{kTwoOverPi[word + i]} << 32 | (word + i + 1 < 8 ? kTwoOverPi[word + i + 1] : 0u);
    return (pair << shift) >> 32;
  };
  const uint64_t low = m * window(2), middle = m * window(1) + (low >> 32), high = m * window(0) + (middle >> 32);
  const uint64_t turns = high << 32 | (middle & 0xffffffffu);   // x / (pi/2) modulo 4, in units of 2^-62
  *quadrant = static_cast<uint32_t>((turns + (uint64_t{1} << 61)) >> 62);
  const auto rest = static_cast<int64_t>(turns << 2);             // of the nearest quadrant, in units of 2^-64
  return static_cast<float>(static_cast<double>(rest) * (0x1.921fb54442d18p+0 * 0x1p-64));
}

float ex2(float x) { return GetLane(baseline::ex2(splat(x))); }
float lg2(float x) { return GetLane(baseline::lg2(splat(x))); }
float pow(float x, float y) { return GetLane(baseline::pow(splat(x), splat(y))); }
float sin(float x) { return GetLane(baseline::sin(splat(x))); }
float cos(float x) { return GetLane(baseline::cos(splat(x))); }

double sin(double x) { return x == 0.0 ? x : sine_of(reduce(x), 0); }
double cos(double x) { return sine_of(reduce(x), 1); }
double tan(double x) {
  const ReducedDouble angle = reduce(x);
  return x == 0.0 ? x : sine_of(angle, 0) / sine_of(angle, 1);
}

}  // namespace tessera::math
