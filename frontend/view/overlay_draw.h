// frontend/view/overlay_draw.h: Dear ImGui's draw lists, drawn by Tessera itself. ◆ ImGui, with overlay.*
#pragma once

#include "frontend/device.h"

struct ImDrawData;

namespace tessera::view {

class OverlayDraw {
 public:
  Status start(Device& device);      // programs and the font's texture
  // Over what `target` holds. The context's state is that of a new one before and after.
  Status draw(Device& device, const ImDrawData& data, const ResourceRef& target);

 private:
  ShaderRef vertex_, fragment_;
  ResourceRef font_;
};

}  // namespace tessera::view
