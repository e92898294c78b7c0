// Damaged scenes, meshes and pictures never crash their readers: each gives something whole, or errors.
#include <catch2/catch.hpp>
#include <filesystem>
#include <random>
#include <string>

#include "frontend/image_io.h"
#include "frontend/mesh.h"
#include "frontend/scene_parser.h"
#include "tests/support/data.h"
#include "tests/support/mutations.h"
#include "tests/support/random.h"

using namespace tessera;

namespace {

std::vector<std::string> sample_files(std::string_view extension) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(tests::source_path("samples")))
    if (entry.path().extension() == extension) files.push_back(tests::read_file(entry.path()));
  REQUIRE(!files.empty());
  return files;
}

// Reads each sample file, damaged `times` times.
template <class Read>
void read_damaged(std::string_view extension, uint32_t times, Read read) {
  CAPTURE(tests::seed());
  std::mt19937 random(tests::seed());
  for (const std::string& file : sample_files(extension))
    for (uint32_t i = 0; i < times; ++i) read(tests::mutated_bytes(file, random));
}

template <class T>
void check_errors(const Result<T>& result) {
  if (!result && result.diags().empty()) FAIL_CHECK("refused without a reason");
}

void read_picture(const std::string& file) {
  const Result<Image> image = decode_image(std::vector<uint8_t>(file.begin(), file.end()));
  check_errors(image);
  if (image && image->rgba_un8.size() != size_t{image->width} * image->height * 4) FAIL_CHECK("texels are missing");
}

}  // namespace

TEST_CASE("damaged scenes give errors or scenes", "[random]") {
  read_damaged(".scene", tests::rounds(100), [](const std::string& text) { check_errors(scene::parse_scene(text)); });
}

TEST_CASE("damaged meshes give errors or meshes whose indices hold", "[random]") {
  read_damaged(".obj", tests::rounds(30), [](const std::string& text) {
    const Result<Mesh> mesh = parse_obj(text);
    check_errors(mesh);
    if (!mesh) return;
    for (const uint32_t index : mesh->indices)
      if (index >= mesh->vertices.size()) FAIL_CHECK("index " << index << " of " << mesh->vertices.size() << " vertices");
  });
}

TEST_CASE("damaged pictures give errors or whole pictures", "[random]") {
  read_damaged(".png", tests::rounds(3), read_picture);
  read_damaged(".jpg", tests::rounds(30), read_picture);
}
