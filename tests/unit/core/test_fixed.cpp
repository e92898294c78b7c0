#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "core/fixed.h"

namespace tessera::tests {

TEST_CASE("snapping rounds to the nearest 1/256, halves to even", "[fixed]") {
  CHECK(snap_fx8(0.0) == 0);
  CHECK(snap_fx8(1.0) == kOne_fx8);
  CHECK(snap_fx8(-0.5f) == -kHalf_fx8);
  CHECK(snap_fx8(0.5 / 256) == 0);
  CHECK(snap_fx8(1.5 / 256) == 2);
  CHECK(snap_fx8(2.5 / 256) == 2);
  CHECK(snap_fx8(-0.5 / 256) == 0);
  CHECK(snap_fx8(-1.5 / 256) == -2);
  CHECK(snap_fx8(std::nextafter(0.5 / 256, 1.0)) == 1);
  CHECK(snap_fx8(16383.99609375f) == 16384 * 256 - 1);
}

TEST_CASE("snapping saturates, NaN gives 0", "[fixed]") {
  CHECK(snap_fx8(8388608.0) == INT32_MAX);
  CHECK(snap_fx8(1e300) == INT32_MAX);
  CHECK(snap_fx8(INFINITY) == INT32_MAX);
  CHECK(snap_fx8(-8388608.0) == INT32_MIN);
  CHECK(snap_fx8(-1e300) == INT32_MIN);
  CHECK(snap_fx8(-INFINITY) == INT32_MIN);
  CHECK(snap_fx8(std::numeric_limits<float>::quiet_NaN()) == 0);
}

TEST_CASE("whole pixels below and above a fixed-point value", "[fixed]") {
  CHECK(floor_fx8(255) == 0);
  CHECK(floor_fx8(-1) == -1);
  CHECK(ceil_fx8(1) == 1);
  CHECK(ceil_fx8(-255) == 0);
  CHECK(ceil_fx8(INT32_MAX) == 1 << 23);
  CHECK(to_fx8(-3) == -768);
  CHECK(from_fx8(-768) == -3.0);
}

}  // namespace tessera::tests
