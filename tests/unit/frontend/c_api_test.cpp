// The C API: what it refuses, and that nothing is left half-done. That it draws what scenes draw: tests/shell/install.sh.
#include <catch2/catch.hpp>

#include "frontend/tessera.h"
#include "tests/unit/frontend/temporary_folder.h"

namespace {

using tessera::tests::TemporaryFolder;

struct OneDevice {
  tessera_device* device = nullptr;
  tessera_resource* target = nullptr;
  OneDevice() {
    REQUIRE(tessera_device_create(nullptr, &device) == TESSERA_OK);
    REQUIRE(tessera_image_create(device, 4, 4, "r8g8b8a8_unorm", 0, &target) == TESSERA_OK);
    REQUIRE(tessera_set_color_target(device, 0, target) == TESSERA_OK);
  }
  ~OneDevice() {
    tessera_resource_destroy(target);
    tessera_device_destroy(device);
  }
};

std::string reason() { return tessera_error(); }

constexpr const char* kVertexText = R"(VERT
DCL IN[0]
DCL OUT[0], POSITION
0: MOV OUT[0], IN[0]
1: END
)";

constexpr const char* kConstantText = R"(FRAG
DCL CONST[0]
DCL OUT[0], COLOR
0: MOV OUT[0], CONST[0]
1: END
)";

}  // namespace

TEST_CASE("the C API draws with state, constants and instances", "[c_api]") {
  OneDevice o;
  const float corners[] = {-1, -1, 3, -1, -1, 3};
  const float half[] = {1, 0.5f, 0, 0.5f};
  tessera_resource* buffer = nullptr;
  tessera_shader *vertex = nullptr, *fragment = nullptr;
  REQUIRE(tessera_buffer_create(o.device, corners, sizeof corners, &buffer) == TESSERA_OK);
  REQUIRE(tessera_shader_create(o.device, TESSERA_VERTEX, kVertexText, &vertex) == TESSERA_OK);
  REQUIRE(tessera_shader_create(o.device, TESSERA_FRAGMENT, kConstantText, &fragment) == TESSERA_OK);
  const tessera_vertex_element element = {"r32g32_float", 0, 0, 0};
  REQUIRE(tessera_set_vertex_elements(o.device, &element, 1) == TESSERA_OK);
  REQUIRE(tessera_set_vertex_buffer(o.device, 0, buffer, 8) == TESSERA_OK);
  REQUIRE(tessera_set_shader(o.device, vertex) == TESSERA_OK);
  REQUIRE(tessera_set_shader(o.device, fragment) == TESSERA_OK);
  REQUIRE(tessera_set_constants(o.device, TESSERA_FRAGMENT, half, 4) == TESSERA_OK);
  REQUIRE(tessera_set_state(o.device, "blend src_alpha inv_src_alpha\nscissor 0 0 2 4") == TESSERA_OK);
  REQUIRE(tessera_clear_color(o.device, 0, 0, 0, 1) == TESSERA_OK);
  const tessera_draw_info info = {TESSERA_TRIANGLES, 0, 3, 0, 0};
  // Destroyed objects live on in the device.
  tessera_resource_destroy(buffer);
  tessera_shader_destroy(vertex);
  tessera_shader_destroy(fragment);
  REQUIRE(tessera_draw(o.device, &info) == TESSERA_OK);

  tessera_picture* picture = nullptr;
  REQUIRE(tessera_image_read(o.device, o.target, &picture) == TESSERA_OK);
  REQUIRE(tessera_picture_width(picture) == 4);
  REQUIRE(tessera_picture_height(picture) == 4);
  const uint8_t* pixels = tessera_picture_pixels(picture);
  CHECK(pixels[0] == 128);   // 1 * 0.5, half to even
  CHECK(pixels[1] == 64);    // 0.5 * 0.5 * 255 = 63.75
  CHECK(pixels[4 * 3] == 0);   // outside of the scissor
  tessera_picture_destroy(picture);
  CHECK(reason().empty());
}

TEST_CASE("wrong arguments of the C API are refused by name", "[c_api]") {
  OneDevice o;
  tessera_device* device = o.device;
  tessera_resource* image = o.target;
  CHECK(tessera_image_create(device, 4, 4, "r8g8b8", 0, &image) == TESSERA_WRONG_USE);
  CHECK(reason() == "format: there is no 'r8g8b8'");
  CHECK(image == nullptr);
  CHECK(tessera_image_create(device, 0, 4, "r8_unorm", 0, &image) == TESSERA_WRONG_USE);
  CHECK(tessera_image_create(device, 4, 4, "r8_unorm", 0, nullptr) == TESSERA_WRONG_USE);
  CHECK(tessera_image_create(nullptr, 4, 4, "r8_unorm", 0, &image) == TESSERA_WRONG_USE);
  CHECK(reason() == "device: null");
  CHECK(tessera_device_create(nullptr, nullptr) == TESSERA_WRONG_USE);
  const tessera_options many = {100000, 0, 0, 0};
  CHECK(tessera_device_create(&many, &device) == TESSERA_WRONG_USE);
  CHECK(device == nullptr);
  CHECK(tessera_image_write(o.device, o.target, "abc", 3) == TESSERA_WRONG_USE);
  CHECK(tessera_draw(o.device, nullptr) == TESSERA_WRONG_USE);
  const tessera_draw_info unknown = {static_cast<tessera_primitive>(77), 0, 3, 0, 0};
  CHECK(tessera_draw(o.device, &unknown) == TESSERA_WRONG_USE);
  CHECK(reason() == "primitive: there is no number 77");
  CHECK(tessera_set_vertex_elements(o.device, nullptr, 1) == TESSERA_WRONG_USE);
  CHECK(tessera_set_vertex_elements(o.device, nullptr, 1000) == TESSERA_WRONG_USE);
  tessera_shader* shader = nullptr;
  CHECK(tessera_shader_create(o.device, static_cast<tessera_stage>(9), kVertexText, &shader) == TESSERA_WRONG_USE);
  CHECK(tessera_shader_create(o.device, TESSERA_FRAGMENT, kVertexText, &shader) == TESSERA_WRONG_USE);
  CHECK(shader == nullptr);
}

TEST_CASE("texts of the C API are refused with line and column", "[c_api]") {
  OneDevice o;
  tessera_shader* shader = nullptr;
  CHECK(tessera_shader_create(o.device, TESSERA_VERTEX, "VERT\nDCL IN[0]\n0: MOV OUT[7], IN[0]\n1: END\n", &shader) ==
        TESSERA_WRONG_USE);
  CHECK(reason().find("shader:3:") == 0);
  CHECK(tessera_set_state(o.device, "cull back\ndepth_test sometimes") == TESSERA_WRONG_USE);
  CHECK(reason().find("state:2:12:") == 0);
  CHECK(tessera_set_texture(o.device, TESSERA_FRAGMENT, 0, o.target, "wrap round") == TESSERA_WRONG_USE);
  CHECK(reason().find("sampler:1:") == 0);
}

TEST_CASE("the C API renders scene files and reads and writes pictures", "[c_api]") {
  const TemporaryFolder folder;
  folder.write("red.scene", "[target]\nsize 3 2\n[test]\nclear color 1 0 0 1\n");
  folder.write("bad.scene", "[test]\ndraw nonsense\n");
  tessera_picture* picture = nullptr;
  REQUIRE(tessera_scene_render(nullptr, folder.path("red.scene").c_str(), &picture) == TESSERA_OK);
  CHECK(tessera_picture_width(picture) == 3);
  CHECK(tessera_picture_pixels(picture)[0] == 255);
  REQUIRE(tessera_picture_write(picture, folder.path("red.png").c_str()) == TESSERA_OK);
  tessera_picture_destroy(picture);
  REQUIRE(tessera_picture_read(folder.path("red.png").c_str(), &picture) == TESSERA_OK);
  CHECK(tessera_picture_height(picture) == 2);
  tessera_picture_destroy(picture);
  CHECK(tessera_scene_render(nullptr, folder.path("bad.scene").c_str(), &picture) == TESSERA_WRONG_USE);
  CHECK(reason().find("bad.scene:2:") != std::string::npos);
  CHECK(tessera_scene_render(nullptr, folder.path("none.scene").c_str(), &picture) == TESSERA_WRONG_USE);
  CHECK(picture == nullptr);
}

TEST_CASE("the C API takes null where it destroys or asks", "[c_api]") {
  tessera_device_destroy(nullptr);
  tessera_resource_destroy(nullptr);
  tessera_shader_destroy(nullptr);
  tessera_picture_destroy(nullptr);
  tessera_reset_state(nullptr);
  CHECK(tessera_picture_width(nullptr) == 0);
  CHECK(tessera_picture_pixels(nullptr) == nullptr);
  CHECK(std::string(tessera_version()).find('.') != std::string::npos);
}
