#include "frontend/trigonometry.h"

#include <cmath>

#include "core/math.h"

namespace tessera {
namespace {

// Sine of the angle `quarters` quarter turns behind `turns`.
double sine(double turns, int quarters) {
  const double within = turns - std::floor(turns);            // [0, 1), exact
  const double whole_quarters = std::floor(within * 4);
  const double angle = (within - whole_quarters / 4) * (2 * math::kPi);
  switch ((static_cast<int>(whole_quarters) + quarters) & 3) {
    case 0: return math::sin(angle);
    case 1: return math::cos(angle);
    case 2: return -math::sin(angle);
    default: return -math::cos(angle);
  }
}

}  // namespace

double sin_turns(double turns) { return sine(turns, 0); }
double cos_turns(double turns) { return sine(turns, 1); }

}  // namespace tessera
