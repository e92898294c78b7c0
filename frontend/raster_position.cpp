#include "frontend/raster_position.h"

#include <cmath>

namespace tessera {

void place_raster_position(const std::array<float, 4>& clip, const raster::Viewport& viewport,
                           const raster::RasterizerState& rasterizer, RasterPosition& position) {
  const auto [x, y, z, w] = clip;
  const bool is_finite = std::isfinite(x) && std::isfinite(y) && std::isfinite(z) && std::isfinite(w);
  const bool in_depth = !rasterizer.depth_clip || (z <= w && (rasterizer.clip_halfz ? z >= 0 : z >= -w));
  position.valid = is_finite && w > 0 && std::fabs(x) <= w && std::fabs(y) <= w && in_depth;
  if (!position.valid) return;
  position.x = x / w * viewport.scale[0] + viewport.translate[0];
  position.y = y / w * viewport.scale[1] + viewport.translate[1];
  position.z = z / w * viewport.scale[2] + viewport.translate[2];
}

}  // namespace tessera
