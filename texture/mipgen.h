// texture/mipgen.h: level n -> level n + 1, for all levels, layers and faces.
// A texel is the average of the source texels that it covers, by area: two along an even side; along an odd side of
// 2m + 1 texels (it becomes m) three, of which texel i takes (m - i), m and (i + 1) parts of 2m + 1. A side of one stays.
// 8-bit unorm formats: exact, rounded half up. Others: weighted sums in double, slice by slice, row by row, then column by
// column, one division, rounded to float and packed; sRGB formats are averaged as linear values.
// Errors: integer formats, stencil and compressed formats have no average.   Threads: pure function of the storage.
#pragma once

#include "core/resource.h"

namespace tessera::texture {

Status generate_mips(Storage& storage);

}  // namespace tessera::texture
