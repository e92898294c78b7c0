// frontend/view/overlay.h: what stands over the picture: captions, errors, the frame times' graph, counters, the heat
// map of tiles, and the controls. ◆ ImGui, with overlay_draw.*
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/counters.h"
#include "frontend/view/overlay_draw.h"

namespace tessera::view {

struct TileTimes {
  uint32_t columns = 0, rows = 0;
  std::vector<float> us;                 // row by row
};

struct OverlayContent {
  std::vector<std::string> caption;
  std::string error;                     // empty: none
  bool shows_panel = false, shows_heatmap = false;
  std::vector<float> frame_ms;           // the last frames, oldest first
  Counters counters;                     // of the last frame
  TileTimes tiles;
  std::string executor;
  uint32_t threads = 1;
  bool is_paused = false;
  std::vector<std::pair<std::string, std::string>> keys;   // and what they do
};

struct Pointer {
  float x = -1, y = -1, wheel = 0;       // pixels of the picture
  bool left = false, right = false;
};

// What the user chose in the panel.
struct OverlayChoice {
  bool switches_executor = false;
  std::optional<uint32_t> threads;
};

class Overlay {
 public:
  Overlay();
  ~Overlay();
  Overlay(const Overlay&) = delete;
  Overlay& operator=(const Overlay&) = delete;

  Status start(Device& device) { return draw_.start(device); }
  // `scale`: pixels a point, 2 on a screen of high density.
  Status draw(Device& device, const ResourceRef& target, float scale, const OverlayContent& content,
              const Pointer& pointer, OverlayChoice& choice);
  bool wants_pointer() const;            // it is over the panel

 private:
  OverlayDraw draw_;
  bool has_layout_ = false;              // ImGui shows a window of its content's size only once it has laid it out
};

}  // namespace tessera::view
