// raster/resolve.h: one value a pixel from its samples, tile by tile, while the samples are in the tile's memory.
// In:     the planes of a tile; a ResolveCommand: which target, and the surface that gets the result.
// Out:    the texels of that surface under the tile.
// Numbers: 8-bit unorm: the exact mean, halves to even. Other colours: the mean, linear where the format is sRGB, added
//         in double in pairs ((s0 + s1) + (s2 + s3)) and rounded once to float, then the format's conversion. Integer
//         formats, depth and stencil: sample 0.
// Errors: none.                                       Threads: tiles do not share surface texels.
#pragma once

#include "core/simd_target.h"
#include "raster/frame.h"
#include "raster/planes.h"

namespace tessera::raster {

void resolve_tile(TilePlanes& planes, const ResolveCommand& command, SimdTarget simd);

}  // namespace tessera::raster
