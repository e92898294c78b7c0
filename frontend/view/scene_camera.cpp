#include "frontend/view/scene_camera.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>

namespace tessera::view {
namespace {

constexpr std::string_view kCall = "look_at(";

struct LookAt {
  size_t begin = 0, end = 0;            // of the arguments
  std::array<float, 9> numbers{};
};

// Nine plain numbers up to a ')'; nothing where it has others.
std::optional<LookAt> read_look_at(std::string_view text, size_t begin) {
  LookAt found{.begin = begin, .end = text.find(')', begin)};
  if (found.end == std::string_view::npos) return std::nullopt;
  const char* at = text.data() + begin;
  const char* const end = text.data() + found.end;
  for (size_t i = 0; i < 9; ++i) {
    while (at != end && (*at == ' ' || (*at == ',' && i > 0))) ++at;
    const auto [next, code] = std::from_chars(at, end, found.numbers[i]);
    if (code != std::errc{}) return std::nullopt;
    at = next;
  }
  while (at != end && *at == ' ') ++at;
  return at == end ? std::optional(found) : std::nullopt;
}

std::optional<LookAt> next_look_at(std::string_view text, size_t from) {
  for (size_t at = text.find(kCall, from); at != std::string_view::npos; at = text.find(kCall, at + 1))
    if (auto found = read_look_at(text, at + kCall.size())) return found;
  return std::nullopt;
}

bool follows_perspective(std::string_view text, const LookAt& call) {
  const size_t line = text.rfind('\n', call.begin) + 1;   // npos + 1: the text's beginning
  return text.substr(line, call.begin - line).find("perspective(") != std::string_view::npos;
}

// The axes of the scene's own camera: right, up, back.
glm::mat3 axes(const SceneCamera& scene) {
  const glm::vec3 back = glm::normalize(scene.eye - scene.center);
  const glm::vec3 right = glm::normalize(glm::cross(scene.up, back));
  return {right, glm::cross(back, right), back};
}

}  // namespace

std::optional<SceneCamera> find_scene_camera(std::string_view text) {
  for (auto call = next_look_at(text, 0); call; call = next_look_at(text, call->end)) {
    if (!follows_perspective(text, *call)) continue;
    const auto& n = call->numbers;
    SceneCamera scene{.eye = {n[0], n[1], n[2]}, .center = {n[3], n[4], n[5]}, .up = {n[6], n[7], n[8]}};
    const glm::vec3 back = scene.eye - scene.center;
    if (!(glm::length(glm::cross(back, scene.up)) > 0)) continue;
    scene.camera.distance = glm::length(back);
    scene.camera.pitch_turns = 0;
    scene.camera.near_plane = scene.camera.distance * 1e-3f;
    scene.camera.far_plane = scene.camera.distance * 1e3f;
    return scene;
  }
  return std::nullopt;
}

std::string move_scene_camera(std::string_view text, const SceneCamera& from, const Camera& to) {
  const glm::mat3 world_from_own = axes(from);
  const glm::vec3 center = from.center + world_from_own * to.center;
  const glm::vec3 eye = from.center + world_from_own * to.eye();
  const glm::vec3 up = world_from_own * glm::vec3(0, 1, 0);
  const std::string numbers = fmt::format("{}, {}, {},  {}, {}, {},  {}, {}, {}", eye.x, eye.y, eye.z, center.x,
                                          center.y, center.z, up.x, up.y, up.z);
  const std::array<float, 9> main = {from.eye.x, from.eye.y, from.eye.z, from.center.x, from.center.y,
                                     from.center.z, from.up.x, from.up.y, from.up.z};
  std::string moved;
  size_t copied = 0;
  for (auto call = next_look_at(text, 0); call; call = next_look_at(text, call->end)) {
    if (call->numbers != main) continue;
    moved += text.substr(copied, call->begin - copied);
    moved += numbers;
    copied = call->end;
  }
  return moved + std::string(text.substr(copied));
}

}  // namespace tessera::view
