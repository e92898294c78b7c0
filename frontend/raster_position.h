// frontend/raster_position.h: a point in clip space -> the raster position, as a vertex becomes a point of the window.
// In:     clip coordinates; the viewport and the conventions of the rasterizer state.
// Out:    x, y and z of the window, (c / w) * scale + translate, each operation rounded; valid where the point is finite
//         and inside the view volume (near and far count with depth_clip). Everything else is left as it was.
// Threads: pure function.
#pragma once

#include <array>

#include "frontend/pixels.h"
#include "raster/state.h"

namespace tessera {

void place_raster_position(const std::array<float, 4>& clip, const raster::Viewport& viewport,
                           const raster::RasterizerState& rasterizer, RasterPosition& position);

}  // namespace tessera
