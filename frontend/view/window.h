// frontend/view/window.h: a resizable window on the screen that shows pictures and gives what the user does. ◆ SDL2
// Errors:  no display, or no window: an error that says how to go on without one.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontend/device.h"
#include "frontend/view/overlay.h"

namespace tessera::view {

struct WindowEvents {
  bool closes = false;
  std::vector<int> keys;                          // pressed since the last call; SDL's key codes
  float drag_x = 0, drag_y = 0;                   // pixels, with the left button down
  Pointer pointer;
  bool forward = false, back = false, left = false, right = false, up = false, down = false;   // held
};

class Window {
 public:
  static Result<std::unique_ptr<Window>> open(const std::string& title, uint32_t width, uint32_t height);
  ~Window();

  uint32_t width() const;                         // in pixels
  uint32_t height() const;
  float scale() const;                            // pixels a point
  bool waits_for_screen() const;                  // show() returns at the screen's pace
  WindowEvents events();
  Status show(Context& context, const ResourceRef& picture);   // r8g8b8a8_unorm

 private:
  struct Impl;
  explicit Window(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

}  // namespace tessera::view
