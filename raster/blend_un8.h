// raster/blend_un8.h: kernels for the common colour targets: 4-byte texels of 8-bit unorm channels.
#pragma once

#include "raster/blend.h"

namespace tessera::raster {

// The kernel for this write, or null where only the general one (raster/blend.cpp) will do. Everything but `write` in
// `w` is filled in.
using ColorWriteFn = void (*)(const ColorWrite&, uint64_t mask, std::byte* texels);
ColorWriteFn find_un8_write(const ColorWrite& w, SimdTarget simd);

// One texel of 4 bytes over the covered lanes.
ColorWriteFn uniform_write(SimdTarget simd);

}  // namespace tessera::raster
