// raster/compare.h: one comparison of two values, where speed does not matter.
#pragma once

#include "raster/state.h"

namespace tessera::raster {

// Is `value` what `func` wants it to be of `against`?
template <class T>
bool holds(Compare func, T value, T against) {
  switch (func) {
    case Compare::Never: return false;
    case Compare::Less: return value < against;
    case Compare::Equal: return value == against;
    case Compare::Lequal: return value <= against;
    case Compare::Greater: return value > against;
    case Compare::NotEqual: return value != against;
    case Compare::Gequal: return value >= against;
    case Compare::Always: break;
  }
  return true;
}

}  // namespace tessera::raster
