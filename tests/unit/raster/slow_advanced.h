// tests/unit/raster/slow_advanced.h: the equations of KHR_blend_equation_advanced twice: in single precision, operation
// by operation as raster/blend_advanced_simd-inl.h promises them, and in double as the extension's text has them.
#pragma once

#include "raster/state.h"

namespace tessera::raster::tests {

// Premultiplied red, green, blue, alpha.
void blend_advanced_slowly(AdvancedEquation equation, const float source[4], const float stored[4], float out[4]);

struct Rgb64 { double r, g, b; };
// f(cs, cd) of the extension's tables X.1 and X.2, of colours that are not premultiplied.
Rgb64 advanced_in_double(AdvancedEquation equation, const Rgb64& cs, const Rgb64& cd);

}  // namespace tessera::raster::tests
