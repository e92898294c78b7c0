// frontend/view/stage.h: a device, targets, a subject and what stands over it: everything of a frame but the window.
#pragma once


#include "frontend/view/overlay.h"
#include "frontend/view/subject.h"

namespace tessera::view {

class Stage {
 public:
  Stage(Subject& subject, const DeviceOptions& options) : subject_(subject), options_(options) {}

  Status start();                                    // a device by the options, everything on it anew
  Status resize(uint32_t width, uint32_t height);
  // Errors of the subject; what it could draw all the same is in the picture.
  Status draw_subject(double seconds);
  Status draw_overlay(float scale, const Pointer& pointer, OverlayChoice& choice);

  Status switch_executor();
  Status set_threads(uint32_t threads);

  Device& device() { return *device_; }
  const ResourceRef& picture() const { return color_; }

  Camera camera;
  OverlayContent content;
  Overlay overlay;

 private:
  Status restart(const DeviceOptions& options);      // the old device stays where the new one fails
  void measure(double ms);

  Subject& subject_;
  DeviceOptions options_;
  std::unique_ptr<Device> device_;
  ResourceRef color_, depth_;
  uint32_t width_ = 0, height_ = 0;
};

}  // namespace tessera::view
