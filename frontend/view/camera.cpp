#include "frontend/view/camera.h"

#include <algorithm>
#include <glm/geometric.hpp>

#include "frontend/trigonometry.h"

namespace tessera::view {
namespace {

float sin_of(float turns) { return static_cast<float>(sin_turns(turns)); }
float cos_of(float turns) { return static_cast<float>(cos_turns(turns)); }

constexpr float kSteepest_turns = 0.245f;   // straight up, no direction would be right

glm::mat4 from_rows(const glm::vec4& a, const glm::vec4& b, const glm::vec4& c, const glm::vec4& d) {
  return {{a.x, b.x, c.x, d.x}, {a.y, b.y, c.y, d.y}, {a.z, b.z, c.z, d.z}, {a.w, b.w, c.w, d.w}};
}

}  // namespace

glm::vec3 Camera::forward() const {
  const float flat = cos_of(pitch_turns);
  return {-sin_of(yaw_turns) * flat, -sin_of(pitch_turns), -cos_of(yaw_turns) * flat};
}

glm::vec3 Camera::right() const { return {cos_of(yaw_turns), 0, -sin_of(yaw_turns)}; }
glm::vec3 Camera::eye() const { return center - forward() * distance; }

glm::mat4 Camera::clip_from_world(float aspect) const {
  return perspective(fov_degrees, aspect, near_plane, far_plane) * look_at(eye(), center, {0, 1, 0});
}

void Camera::orbit(float turns_right, float turns_up) {
  yaw_turns += turns_right;
  yaw_turns -= static_cast<float>(static_cast<int>(yaw_turns));
  pitch_turns = std::clamp(pitch_turns + turns_up, -kSteepest_turns, kSteepest_turns);
}

void Camera::look(float turns_right, float turns_up) {
  const glm::vec3 fixed = eye();
  orbit(turns_right, turns_up);
  center = fixed + forward() * distance;
}

void Camera::zoom(float factor) { distance = std::clamp(distance * factor, near_plane * 2, far_plane / 2); }

void Camera::fly(const glm::vec3& m) { center += right() * m.x + glm::vec3(0, m.y, 0) + forward() * m.z; }

glm::mat4 look_at(const glm::vec3& eye, const glm::vec3& center, const glm::vec3& up) {
  const glm::vec3 forward = glm::normalize(center - eye), side = glm::normalize(glm::cross(forward, up));
  const glm::vec3 above = glm::cross(side, forward);
  return from_rows({side, -glm::dot(side, eye)}, {above, -glm::dot(above, eye)}, {-forward, glm::dot(forward, eye)},
                   {0, 0, 0, 1});
}

glm::mat4 perspective(float fov_degrees, float aspect, float n, float f) {
  const float half_turns = fov_degrees / 720, y = cos_of(half_turns) / sin_of(half_turns);
  return from_rows({y / aspect, 0, 0, 0}, {0, y, 0, 0}, {0, 0, (f + n) / (n - f), 2 * f * n / (n - f)}, {0, 0, -1, 0});
}

glm::mat4 orthographic(float half_width, float half_height, float n, float f) {
  return from_rows({1 / half_width, 0, 0, 0}, {0, 1 / half_height, 0, 0}, {0, 0, 2 / (n - f), (f + n) / (n - f)},
                   {0, 0, 0, 1});
}

glm::mat4 rotation(float turns, const glm::vec3& axis) {
  const float c = cos_of(turns), s = sin_of(turns);
  glm::mat4 m(1.0f);
  for (int column = 0; column < 3; ++column) {
    glm::vec3 unit(0.0f);
    unit[column] = 1;
    m[column] = glm::vec4(unit * c + glm::cross(axis, unit) * s + axis * (axis[column] * (1 - c)), 0.0f);
  }
  return m;
}

}  // namespace tessera::view
