// frontend/view/scene_camera.h: moves the camera of a scene's text: the arguments of look_at behind a perspective.
// In:  any text; out: the same lines, with other numbers in every look_at that has the main one's arguments.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "frontend/view/camera.h"

namespace tessera::view {

struct SceneCamera {
  Camera camera;          // its angles are 0 where the scene looks from
  glm::vec3 eye{}, center{}, up{};
};

// Of the first look_at that follows a perspective and has plain numbers.
std::optional<SceneCamera> find_scene_camera(std::string_view text);
// With the camera turned, zoomed and moved from where find_scene_camera() put it.
std::string move_scene_camera(std::string_view text, const SceneCamera& from, const Camera& to);

}  // namespace tessera::view
