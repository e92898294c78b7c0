#include "frontend/view/scene_subject.h"

#include <catch2/catch.hpp>

#include "frontend/view/fresh_state.h"
#include "tests/unit/frontend/temporary_folder.h"

using namespace tessera;
using tessera::tests::TemporaryFolder;

namespace {

struct Shown {
  std::unique_ptr<Device> device = std::move(Device::create({}).value());
  ResourceRef color = device->create_image({.width = 64, .height = 48}).value();
  ResourceRef depth = device->create_image({.format = Format::Z32_FLOAT, .width = 64, .height = 48}).value();

  Status draw(view::Subject& subject, const view::Camera& camera) {
    REQUIRE(view::use_fresh_state(device->context()));
    REQUIRE(device->context().set_color_target(0, {color}));
    return subject.draw(device->context(), {.width = 64, .height = 48, .camera = camera, .color = color, .depth = depth});
  }
  std::array<int, 3> middle() {
    const Image image = device->context().read_image(color).value();
    const uint8_t* texel = image.texel(32, 24);
    return {texel[0], texel[1], texel[2]};
  }
};

void write_later(const TemporaryFolder& folder, const std::string& name, std::string_view text) {
  folder.write(name, text);
  // File systems count time in steps that a test does not wait for.
  std::filesystem::last_write_time(folder.path(name), std::filesystem::file_time_type::clock::now() + std::chrono::hours(1));
}

}  // namespace

TEST_CASE("a scene that changes on disk is read again; a wrong one leaves the last good picture", "[scene_subject]") {
  const TemporaryFolder folder;
  folder.write("a.scene", "[target]\nsize 8 6\n[test]\nclear color 1 0 0 1\n");
  auto subject = view::SceneSubject::open(folder.path("a.scene"));
  REQUIRE(subject);
  Shown shown;
  REQUIRE((*subject)->start(*shown.device));
  REQUIRE(shown.draw(**subject, {}));
  CHECK(shown.middle() == std::array<int, 3>{255, 0, 0});
  CHECK_FALSE((*subject)->is_outdated());

  write_later(folder, "a.scene", "[target]\nsize 8 6\n[test]\nclear color 0 1 0 1\n");
  REQUIRE((*subject)->is_outdated());
  REQUIRE((*subject)->reload());
  REQUIRE(shown.draw(**subject, {}));
  CHECK(shown.middle() == std::array<int, 3>{0, 255, 0});

  SECTION("wrong text: the error has its place") {
    folder.write("a.scene", "[target]\nsize 8 6\n[test]\nclear colour 0 0 1 1\n");
    const Status reloaded = (*subject)->reload();
    REQUIRE_FALSE(reloaded);
    CHECK(reloaded.diags().front().text.find("a.scene:4:") != std::string::npos);
  }
  SECTION("a wrong shader: the error has its place in the scene") {
    folder.write("a.scene", "[target]\nsize 8 6\n[fragment shader tgsi]\nFRAG\n0: MOV OUT[0], IN[3]\n1: END\n[test]\nclear color 0 0 1 1\n");
    const Status reloaded = (*subject)->reload();
    REQUIRE_FALSE(reloaded);
    CHECK(reloaded.diags().front().text.find("a.scene:5:") != std::string::npos);
  }
  SECTION("no file") {
    std::filesystem::remove(folder.path("a.scene"));
    REQUIRE_FALSE((*subject)->reload());
  }
  REQUIRE(shown.draw(**subject, {}));
  CHECK(shown.middle() == std::array<int, 3>{0, 255, 0});
}

TEST_CASE("a file that a scene names is looked at, too", "[scene_subject]") {
  const TemporaryFolder folder;
  const Image red{.width = 1, .height = 1, .rgba_un8 = {255, 0, 0, 255}};
  REQUIRE(write_png_file(folder.path("t.png"), red));
  REQUIRE(write_png_file(folder.path("other.png"), red));
  folder.write("a.scene", "[target]\nsize 8 6\n[texture 0]\nfile t.png\n[test]\nclear color 1 0 0 1\n");
  auto subject = view::SceneSubject::open(folder.path("a.scene"));
  REQUIRE(subject);
  write_later(folder, "other.png", "x");
  CHECK_FALSE((*subject)->is_outdated());
  write_later(folder, "t.png", "x");
  CHECK((*subject)->is_outdated());
}

TEST_CASE("a scene that cannot be opened gives no subject", "[scene_subject]") {
  const TemporaryFolder folder;
  CHECK_FALSE(view::SceneSubject::open(folder.path("none.scene")));
  folder.write("bad.scene", "[test]\ndraw nonsense\n");
  CHECK_FALSE(view::SceneSubject::open(folder.path("bad.scene")));
}

TEST_CASE("a context with fresh state draws as a new one, and keeps what was drawn", "[scene_subject]") {
  Shown shown;
  Context& context = shown.device->context();
  REQUIRE(context.set_color_target(0, {shown.color}));
  REQUIRE(context.clear_color({0, 0, 1, 1}));
  REQUIRE(view::use_fresh_state(context));
  CHECK(shown.middle() == std::array<int, 3>{0, 0, 255});
  CHECK_FALSE(context.clear_color({1, 1, 1, 1}));   // no target is set
}
