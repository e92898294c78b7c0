#include "frontend/mesh.h"

#include <catch2/catch.hpp>
#include <cmath>

#include "tests/support/data.h"

using namespace tessera;

namespace {

using Vec3 = std::array<float, 3>;

float dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec3 minus(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

// Triangles whose corners turn counter-clockwise seen from the side that the normals point to.
void check_faces_and_normals(const Mesh& mesh) {
  REQUIRE(mesh.indices.size() % 3 == 0);
  size_t wrong = 0;
  for (size_t i = 0; i < mesh.indices.size(); i += 3) {
    const MeshVertex &a = mesh.vertices.at(mesh.indices[i]), &b = mesh.vertices.at(mesh.indices[i + 1]),
                     &c = mesh.vertices.at(mesh.indices[i + 2]);
    const Vec3 face = cross(minus(b.position, a.position), minus(c.position, a.position));
    wrong += dot(face, a.normal) < -1e-6f;
  }
  CHECK(wrong == 0);
  for (const MeshVertex& v : mesh.vertices) wrong += std::abs(dot(v.normal, v.normal) - 1) > 1e-5f;
  CHECK(wrong == 0);
}

std::string first_error(std::string_view text) {
  const Result<Mesh> mesh = parse_obj(text);
  return mesh ? "" : mesh.diags().front().text;
}

}  // namespace

TEST_CASE("shapes face outwards and have unit normals") {
  check_faces_and_normals(make_grid(3, 2));
  check_faces_and_normals(make_cube());
  check_faces_and_normals(make_sphere(12, 6));
  check_faces_and_normals(make_torus(16, 8, 0.3f));
  check_faces_and_normals(make_torus_knot(2, 3, 64, 8, 0.2f));
  CHECK(make_grid(3, 2).indices.size() == 3 * 2 * 6);
  CHECK(make_cube().vertices.size() == 24);
}

TEST_CASE("the seams of shapes meet exactly") {
  const Mesh sphere = make_sphere(12, 6);
  for (uint32_t y = 0; y <= 6; ++y) CHECK(sphere.vertices[y * 13].position == sphere.vertices[y * 13 + 12].position);
  const Mesh knot = make_torus_knot(2, 3, 32, 6, 0.2f);
  for (uint32_t j = 0; j <= 6; ++j) CHECK(knot.vertices[j].position == knot.vertices[32 * 7 + j].position);
}

TEST_CASE("an OBJ file gives its vertices, its normals, and t counted from the top") {
  const Result<Mesh> mesh = parse_obj(
      "# a triangle\nmtllib none.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 +0.5\nvt 0 0\nvt 1 0.25\nvn 0 0 1\r\nf 1/1/1 2/2/1 "
      "3/1/1\n");
  REQUIRE(mesh);
  REQUIRE(mesh->vertices.size() == 3);
  CHECK(mesh->vertices[2].position == Vec3{0, 1, 0.5f});
  CHECK(mesh->vertices[1].texcoord == std::array<float, 2>{1, 0.75f});
  CHECK(mesh->vertices[0].normal == Vec3{0, 0, 1});
}

TEST_CASE("polygons become fans, negative indices count from the end, equal corners are shared") {
  const Result<Mesh> mesh = parse_obj("v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf -4 -3 -2 -1\n");
  REQUIRE(mesh);
  CHECK(mesh->indices == std::vector<uint32_t>{0, 1, 2, 0, 2, 3});
  CHECK(mesh->vertices.size() == 4);
  for (const MeshVertex& v : mesh->vertices) CHECK(v.normal == Vec3{0, 0, 1});
}

TEST_CASE("computed normals are weighted by area") {
  // Two faces share an edge: one of area 1/2 facing +z, one of area 3/2 facing +x.
  const Result<Mesh> mesh = parse_obj("v 0 0 0\nv 0 1 0\nv -1 0 0\nv 0 0 -3\nf 1 2 3\nf 1 4 2\n");
  REQUIRE(mesh);
  const Vec3& n = mesh->vertices[0].normal;
  CHECK(n[0] == Approx(3 / std::sqrt(10.0)));
  CHECK(n[2] == Approx(1 / std::sqrt(10.0)));
}

TEST_CASE("wrong OBJ files give errors with line and column", "[bad input]") {
  CHECK_THAT(first_error(""), Catch::Contains("no faces"));
  CHECK_THAT(first_error("v 0 0 0\n"), Catch::Contains("no faces"));
  CHECK_THAT(first_error("v 0 0\n"), Catch::Contains("expected 3 finite numbers, found ''"));
  CHECK_THAT(first_error("v 0 0 zero\n"), Catch::Contains("found 'zero'"));
  CHECK_THAT(first_error("v 0 0 nan\n"), Catch::Contains("finite"));
  CHECK_THAT(first_error("v 0 0 1e999\n"), Catch::Contains("finite"));
  CHECK_THAT(first_error("v 0 0 0\nf 1 1\n"), Catch::Contains("at least 3 corners"));
  CHECK_THAT(first_error("v 0 0 0\nf 1 1 2\n"), Catch::Contains("vertex 2 does not exist"));
  CHECK_THAT(first_error("v 0 0 0\nf 1 1 0\n"), Catch::Contains("index of a vertex, found '0'"));
  CHECK_THAT(first_error("v 0 0 0\nf 1 1 -2\n"), Catch::Contains("vertex -2 does not exist"));
  CHECK_THAT(first_error("v 0 0 0\nf 1/1 1/1 1/1\n"), Catch::Contains("texture coordinate 1 does not exist"));
  CHECK_THAT(first_error("v 0 0 0\nf 1//9 1 1\n"), Catch::Contains("normal 9 does not exist"));
  CHECK_THAT(first_error("v 0 0 0\nf 1/// 1 1\n"), Catch::Contains("at most 3 parts"));
  const Result<Mesh> mesh = parse_obj("v 0 0 0\nf 1 x 1\n");
  REQUIRE_FALSE(mesh);
  CHECK(mesh.diags().front().loc == SourceLoc{2, 5});
}

TEST_CASE("the meshes of the data folder are read and get normals") {
  for (const auto& [name, faces] : {std::pair{"assets/bunny.obj", 3674u}, {"assets/teapot.obj", 0u}}) {
    const auto path = tests::data_path(name);
    if (!path) return;
    Result<Mesh> mesh = read_obj_file(path->string());
    REQUIRE(mesh);
    if (faces) CHECK(mesh->indices.size() == faces * 3);
    fit_to_unit_box(*mesh);
    float largest = 0;
    for (const MeshVertex& v : mesh->vertices)
      for (const float x : v.position) largest = std::max(largest, std::abs(x));
    CHECK(largest == Approx(1.0f));
    size_t short_normals = 0;
    for (const MeshVertex& v : mesh->vertices) short_normals += std::abs(dot(v.normal, v.normal) - 1) > 1e-5f;
    CHECK(short_normals == 0);
  }
}
