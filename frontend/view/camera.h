// frontend/view/camera.h: a camera that goes around a point, or flies. y is up; matrices are as GLM has them, columns
// first, clip space z -1..1. The same bits on every machine (frontend/trigonometry.h).
#pragma once

#include <glm/mat4x4.hpp>
#include <glm/vec3.hpp>

namespace tessera::view {

struct Camera {
  glm::vec3 center{0, 0, 0};
  float distance = 5;
  float yaw_turns = 0, pitch_turns = 0.06f;   // around y; above the horizon
  float fov_degrees = 40;                     // from bottom to top
  float near_plane = 0.1f, far_plane = 100;

  glm::vec3 eye() const;
  glm::vec3 forward() const;                  // unit vectors
  glm::vec3 right() const;
  glm::mat4 clip_from_world(float aspect) const;

  void orbit(float turns_right, float turns_up);
  void look(float turns_right, float turns_up);   // the eye stays where it is
  void zoom(float factor);
  void fly(const glm::vec3& right_up_forward);
};

glm::mat4 look_at(const glm::vec3& eye, const glm::vec3& center, const glm::vec3& up);
glm::mat4 perspective(float fov_degrees, float aspect, float near_plane, float far_plane);
glm::mat4 orthographic(float half_width, float half_height, float near_plane, float far_plane);
glm::mat4 rotation(float turns, const glm::vec3& axis);   // a unit vector

}  // namespace tessera::view
