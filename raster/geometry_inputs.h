// raster/geometry_inputs.h: what a draw brings to the stages between vertex shading and clipping.
#pragma once

#include <algorithm>

#include "raster/stage_inputs.h"
#include "raster/stream_output.h"
#include "raster/tessellator.h"

namespace tessera::raster {

struct GeometryInputs {
  StageInputs control, evaluation, geometry;
  TessLevels levels;                             // where no control program says them
  StreamTargets targets;                         // none with a storage: no stream output

  bool has_targets() const {
    return std::ranges::any_of(targets, [](const StreamTarget& t) { return t.storage != nullptr; });
  }
};

}  // namespace tessera::raster
