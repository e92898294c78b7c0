#include "frontend/view/camera.h"

#include <catch2/catch.hpp>
#include <glm/geometric.hpp>

#include "frontend/view/scene_camera.h"

using namespace tessera::view;

namespace {

glm::vec3 project(const glm::mat4& m, const glm::vec3& p) {
  const glm::vec4 clip = m * glm::vec4(p, 1);
  return glm::vec3(clip) / clip.w;
}

bool is_near(const glm::vec3& a, const glm::vec3& b) { return glm::length(a - b) < 1e-4f; }

}  // namespace

TEST_CASE("a camera shows its centre in the middle, what is right of it right, what is above it above", "[camera]") {
  const Camera camera{.center = {1, 2, 3}, .distance = 4, .yaw_turns = 0.3f, .pitch_turns = 0.1f};
  const glm::mat4 m = camera.clip_from_world(1.5f);
  CHECK(project(m, camera.center).x == Approx(0).margin(1e-5));
  CHECK(project(m, camera.center).y == Approx(0).margin(1e-5));
  CHECK(project(m, camera.center + camera.right()).x > 0.1f);
  CHECK(project(m, camera.center + glm::vec3(0, 1, 0)).y > 0.1f);
  CHECK(glm::length(camera.eye() - camera.center) == Approx(4));
}

TEST_CASE("depth runs from -1 at the near plane to 1 at the far plane", "[camera]") {
  const glm::mat4 m = perspective(60, 1, 0.5f, 20);
  CHECK(project(m, {0, 0, -0.5f}).z == Approx(-1).margin(1e-5));
  CHECK(project(m, {0, 0, -20}).z == Approx(1).margin(1e-5));
  // At 60 degrees, the upper edge is at tan 30 = 0.57735 of the distance.
  CHECK(project(m, {0, 0.57735027f, -1}).y == Approx(1).margin(1e-5));
  CHECK(project(orthographic(2, 3, 1, 5), {2, -3, -5}).z == Approx(1).margin(1e-5));
}

TEST_CASE("orbiting keeps the centre and the distance, looking around keeps the eye", "[camera]") {
  Camera camera{.distance = 3};
  camera.orbit(0.25f, 0);
  CHECK(is_near(camera.eye(), glm::vec3(3 * 0.9298f, camera.eye().y, 0)));   // cos of 0.06 turns
  camera.orbit(0.1f, 5);                                                     // no further than nearly straight up
  CHECK(camera.pitch_turns < 0.25f);
  CHECK(glm::length(camera.eye()) == Approx(3));
  const glm::vec3 eye = camera.eye();
  camera.look(0.2f, -0.1f);
  CHECK(is_near(camera.eye(), eye));
  camera.zoom(0);                                                            // no nearer than the near plane allows
  CHECK(camera.distance > 0);
}

TEST_CASE("a whole turn brings the same bits", "[camera]") {
  CHECK(rotation(0.25f, {0, 1, 0}) == rotation(1.25f, {0, 1, 0}));
}

TEST_CASE("the camera of a scene is the first look_at behind a perspective", "[camera]") {
  const std::string text =
      "vertex 4: ortho(1, 2, 3, 4, 5, 6) * look_at(9, 9, 9,  0, 0, 0,  0, 1, 0)\n"
      "vertex 0: perspective(36, 4/3, 1, 30) * look_at(0, 3, 4,  0, 0, 0,  0, 1, 0)\n"
      "vertex 8: inverse(perspective(36, 4/3, 1, 30) * look_at(0, 3, 4, 0, 0, 0, 0, 1, 0))\n";
  const std::optional<SceneCamera> found = find_scene_camera(text);
  REQUIRE(found);
  CHECK(found->eye == glm::vec3(0, 3, 4));
  CHECK(found->camera.distance == Approx(5));

  SECTION("unmoved, it looks from where the scene looks") {
    const std::optional<SceneCamera> again = find_scene_camera(move_scene_camera(text, *found, found->camera));
    REQUIRE(again);
    CHECK(is_near(again->eye, found->eye));
    CHECK(is_near(again->center, found->center));
  }
  SECTION("moved, all calls like it move, and no other") {
    Camera moved = found->camera;
    moved.distance = 10;
    const std::string out = move_scene_camera(text, *found, moved);
    CHECK(out.find("look_at(9, 9, 9,  0, 0, 0,  0, 1, 0)") != std::string::npos);
    CHECK(out.find("look_at(0, 3, 4") == std::string::npos);
    const std::optional<SceneCamera> again = find_scene_camera(out);
    REQUIRE(again);
    CHECK(is_near(again->eye, {0, 6, 8}));
    CHECK(std::count(out.begin(), out.end(), '\n') == 3);
  }
}

TEST_CASE("text without a camera that can be moved has none", "[camera]") {
  for (const char* text : {"", "look_at(", "perspective(1, 1, 1, 2) * look_at(1, 2, 3)",
                           "perspective(1, 1, 1, 2) * look_at(1, 2, 3, 4, 5, 6, 7, 8, 9, 10)",
                           "perspective(1, 1, 1, 2) * look_at(sqrt(2), 2, 3, 4, 5, 6, 7, 8, 9)",
                           "look_at(0, 3, 4,  0, 0, 0,  0, 1, 0)",
                           "perspective(1, 1, 1, 2) * look_at(0, 1, 0,  0, 0, 0,  0, 1, 0)"})
    CHECK_FALSE(find_scene_camera(text));
}
