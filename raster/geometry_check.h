// raster/geometry_check.h: whether a draw fits the stages between vertex shading and clipping.
// Errors: every rule that is broken, each named by the field.        Threads: pure functions.
#pragma once

#include <vector>

#include "core/result.h"
#include "raster/renderer.h"

namespace tessera::raster {

// Of a draw whose pipeline has such stages.
void check_geometry(const DrawCall& call, std::vector<Diag>& errors);

}  // namespace tessera::raster
