// frontend/view/subject.h: what a window or a picture shows: a scene, or a demo.
// Errors:  a Status that fails is shown in place of a new frame; the subject must still draw what it drew before.
// Threads: the window's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "frontend/device.h"
#include "frontend/view/camera.h"

namespace tessera::view {

struct FrameInput {
  uint32_t width = 1, height = 1;
  double seconds = 0;              // since the start, without pauses
  Camera camera;
  ResourceRef color, depth;        // to draw into; set as targets, not cleared

  float aspect() const { return static_cast<float>(width) / static_cast<float>(height); }
  glm::mat4 clip_from_world() const { return camera.clip_from_world(aspect()); }
};

class Subject {
 public:
  virtual ~Subject() = default;
  // Makes its resources on a device: at the beginning, and again on another one.
  virtual Status start(Device& device) = 0;
  // The context's state is that of a new one, but for the targets.
  virtual Status draw(Context& context, const FrameInput& frame) = 0;

  virtual std::string title() const = 0;
  virtual Camera camera() const { return {}; }              // where it begins
  virtual std::vector<std::string> caption() const { return {}; }   // lines over the picture
  // What it was read from has changed: it reads again. An error leaves it as it was.
  virtual bool is_outdated() const { return false; }
  virtual Status reload() { return Done{}; }
};

}  // namespace tessera::view
