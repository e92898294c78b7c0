#include <catch2/catch.hpp>

#include <cmath>
#include <filesystem>
#include <string>

#include "frontend/mesh.h"
#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"
#include "tests/support/data.h"

namespace tessera::tests {
namespace {

// A mesh with computed normals, lit from the eye: red is the cosine between the normal and the view direction.
constexpr const char* kScene = R"([target]
size 256 256
depth z32_float
[mesh]
file MESH
fit
[state]
depth_test less
[constants]
vertex 0: perspective(40, 1, 1, 10) * look_at(0, 0, 3.6,  0, 0, 0,  0, 1, 0)
[vertex shader tgsi]
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1].xyz, GENERIC[0]
DCL CONST[0..3]
0: DP4 OUT[0].x, IN[0], CONST[0]
1: DP4 OUT[0].y, IN[0], CONST[1]
2: DP4 OUT[0].z, IN[0], CONST[2]
3: DP4 OUT[0].w, IN[0], CONST[3]
4: MOV OUT[1].xyz, IN[1].xyzz
5: END
[fragment shader tgsi]
FRAG
DCL IN[0].xyz, GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
IMM[0] FLT32 {0.0, 1.0, 0.0, 0.0}
0: MAX OUT[0].x, IN[0].zzzz, IMM[0].xxxx
1: MOV OUT[0].yzw, IMM[0].yyyy
2: END
[test]
clear color 0 0 0 0
clear depth 1
draw mesh
)";

Image render(const std::filesystem::path& mesh, uint32_t threads) {
  std::string text = kScene;
  text.replace(text.find("MESH"), 4, mesh.filename().string());
  const auto scene = scene::parse_scene(text);
  REQUIRE(scene);
  const auto device = Device::create({.raster = {.threads = threads}});
  REQUIRE(device);
  auto result = scene::run_scene(**device, *scene, mesh.parent_path().string() + "/");
  if (!result) FAIL(format_diags(result.diags(), mesh.string()));
  REQUIRE_FALSE(result->failure);
  return result->picture;
}

}  // namespace

TEST_CASE("meshes without normals or texture coordinates get unit normals and are drawn", "[mesh]") {
  const auto folder = data_path("assets");
  if (!folder) return;
  size_t meshes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() != ".obj") continue;
    CAPTURE(entry.path().string());
    ++meshes;
    const auto mesh = read_obj_file(entry.path().string());
    REQUIRE(mesh);
    REQUIRE(mesh->indices.size() > 900 * 3);
    size_t unit_normals = 0;
    for (const MeshVertex& v : mesh->vertices) {
      const double length = std::sqrt(double{v.normal[0]} * v.normal[0] + double{v.normal[1]} * v.normal[1] + double{v.normal[2]} * v.normal[2]);
      unit_normals += std::abs(length - 1) < 1e-5;
    }
    // A vertex that no triangle with an area uses has none.
    CHECK(unit_normals >= mesh->vertices.size() * 99 / 100);

    const Image picture = render(entry.path(), 1);
    size_t covered = 0, facing = 0;
    for (uint32_t y = 0; y < picture.height; ++y)
      for (uint32_t x = 0; x < picture.width; ++x) {
        const uint8_t* texel = picture.texel(x, y);
        covered += texel[3] == 255;
        facing += texel[3] == 255 && texel[0] > 64;
      }
    CHECK(covered > 65536 / 8);
    CHECK(covered < 65536 * 3 / 4);
    CHECK(facing > covered / 2);
    CHECK(render(entry.path(), 3) == picture);
  }
  CHECK(meshes >= 1);
}

}  // namespace tessera::tests
