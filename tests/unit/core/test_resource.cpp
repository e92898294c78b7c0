#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <string>

#include "core/resource.h"

namespace tessera::tests {
namespace {
std::shared_ptr<Resource> make(const ResourceDesc& desc) {
  auto resource = Resource::create(desc);
  REQUIRE(resource.ok());
  return *resource;
}

// The reason why a resource is refused; empty when it is not.
std::string refusal(const ResourceDesc& desc) {
  const auto resource = Resource::create(desc);
  return resource.ok() ? std::string() : resource.diags().front().text;
}
bool says(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
}  // namespace

TEST_CASE("an image's levels, slices and rows lie one after another", "[resource]") {
  const auto image = make({.kind = ResourceKind::Tex2DArray,
                           .format = Format::R8G8B8A8_UNORM,
                           .width = 13,
                           .height = 5,
                           .layers = 3,
                           .levels = 4});
  Storage& storage = *image->storage();
  const LevelLayout& level0 = storage.level(0);
  CHECK(level0.row_bytes == 52);
  CHECK(level0.slice_bytes == 260);
  CHECK(level0.slices == 3);
  CHECK(storage.slice(0, 2) == storage.data() + 520);
  const LevelLayout& level1 = storage.level(1);
  CHECK((level1.width == 6 && level1.height == 2 && level1.slices == 3));
  CHECK(level1.offset_bytes >= 780);
  CHECK(level1.offset_bytes % 64 == 0);
  const LevelLayout& level3 = storage.level(3);
  CHECK((level3.width == 1 && level3.height == 1));
  CHECK(level3.offset_bytes + 3 * level3.slice_bytes == storage.size_bytes());
}

TEST_CASE("an image of blocks has rows of whole blocks, down to a level smaller than a block", "[resource]") {
  const auto image = make(
      {.kind = ResourceKind::Cube, .format = Format::DXT1_RGB, .width = 10, .height = 10, .layers = 6, .levels = 4});
  const Storage& storage = *image->storage();
  const uint32_t side[] = {10, 5, 2, 1}, blocks[] = {3, 2, 1, 1};
  for (uint32_t i = 0; i < 4; ++i) {
    const LevelLayout& level = storage.level(i);
    CHECK((level.width == side[i] && level.height == side[i]));
    CHECK(level.rows == blocks[i]);
    CHECK(level.row_bytes == blocks[i] * 8);
    CHECK(level.slice_bytes == size_t{blocks[i]} * blocks[i] * 8);
  }
  CHECK(storage.slice(1, 2) == storage.data() + storage.level(1).offset_bytes + size_t{2} * 4 * 8);

  const auto astc = make({.format = Format::ASTC_12x10, .width = 25, .height = 11});
  CHECK(astc->storage()->level(0).row_bytes == 3 * 16);
  CHECK(astc->storage()->level(0).slice_bytes == size_t{3} * 2 * 16);
  // A whole chain takes what its blocks take, and its levels' alignment.
  const auto large = make({.format = Format::BPTC_RGBA_UNORM, .width = 256, .height = 256, .levels = 9});
  CHECK(large->storage()->size_bytes() < 256 * 256 * 4 / 3 * 1.1);
}

TEST_CASE("blocks are refused where there is no room for them", "[resource]") {
  CHECK(says(refusal({.kind = ResourceKind::Tex1D, .format = Format::DXT1_RGB, .width = 8}), "DXT1_RGB of blocks"));
  CHECK(says(refusal({.kind = ResourceKind::Buffer, .format = Format::DXT1_RGB, .width = 8}), "DXT1_RGB of blocks"));
  CHECK(says(refusal({.format = Format::BPTC_SRGBA, .width = 8, .height = 8, .samples = 4}), "several samples"));
}

TEST_CASE("a 3D image's slices shrink with the level", "[resource]") {
  const auto image = make(
      {.kind = ResourceKind::Tex3D, .format = Format::R8_UNORM, .width = 8, .height = 4, .depth = 16, .levels = 5});
  CHECK(image->storage()->level(0).slices == 16);
  CHECK(image->storage()->level(2).slices == 4);
  CHECK(image->storage()->level(4).slices == 1);
}

TEST_CASE("sample planes of a layer follow one another", "[resource]") {
  const auto image = make({.kind = ResourceKind::Tex2DArray,
                           .format = Format::R8_UNORM,
                           .width = 10,
                           .height = 10,
                           .layers = 2,
                           .samples = 4});
  Storage& storage = *image->storage();
  CHECK(storage.slice(0, 0, 3) == storage.data() + 300);
  CHECK(storage.slice(0, 1, 0) == storage.data() + 400);
  CHECK(storage.size_bytes() == 800);
}

TEST_CASE("new storage is aligned, zero, and readable a little past its end", "[resource]") {
  const auto buffer = make({.kind = ResourceKind::Buffer, .format = Format::R8_UINT, .width = 1001});
  const Storage& storage = *buffer->storage();
  CHECK(reinterpret_cast<uintptr_t>(storage.data()) % 64 == 0);
  CHECK(storage.size_bytes() == 1001);
  CHECK(std::all_of(storage.data(), storage.data() + 1001 + kReadSlack_bytes,
                    [](std::byte b) { return b == std::byte{0}; }));
}

TEST_CASE("a write to a resource that recorded work holds goes to new storage", "[resource]") {
  const auto buffer = make({.kind = ResourceKind::Buffer, .format = Format::R8_UINT, .width = 4});
  std::memcpy(buffer->storage_for_write(true).data(), "abcd", 4);
  Storage* first = buffer->storage().get();
  CHECK(&buffer->storage_for_write(true) == first);   // nobody else holds it

  const std::shared_ptr<const Storage> held = buffer->storage();
  Storage& second = buffer->storage_for_write(true);
  CHECK(&second != first);
  CHECK(std::memcmp(second.data(), "abcd", 4) == 0);
  std::memcpy(second.data(), "wxyz", 4);
  CHECK(std::memcmp(held->data(), "abcd", 4) == 0);

  const std::shared_ptr<const Storage> held_again = buffer->storage();
  CHECK(buffer->storage_for_write(false).data()[0] == std::byte{0});
}

TEST_CASE("resources outside the limits are refused with the field's name", "[resource]") {
  struct Case { ResourceDesc desc; std::string_view part; };
  const Case cases[] = {
      {{.width = 0}, "width"},
      {{.width = 16385}, "width"},
      {{.height = 0}, "height"},
      {{.height = 100000}, "height"},
      {{.depth = 2}, "depth"},
      {{.layers = 2}, "layers"},
      {{.layers = 0}, "layers"},
      {{.levels = 0}, "levels"},
      {{.width = 16, .height = 4, .levels = 6}, "levels"},
      {{.samples = 0}, "samples"},
      {{.samples = 3}, "samples"},
      {{.samples = 32}, "samples"},
      {{.width = 8, .levels = 2, .samples = 4}, "levels"},
      {{.format = Format::NONE}, "format"},
      {{.format = static_cast<Format>(9999)}, "format"},
      {{.kind = static_cast<ResourceKind>(99)}, "kind"},
      {{.kind = ResourceKind::Buffer, .format = Format::R8_UINT, .width = 4, .height = 2}, "height"},
      {{.kind = ResourceKind::Buffer, .format = Format::R32_UINT, .width = 4}, "format"},
      {{.kind = ResourceKind::Tex1D, .width = 4, .height = 4}, "height"},
      {{.kind = ResourceKind::Rect, .width = 4, .height = 4, .levels = 2}, "levels"},
      {{.kind = ResourceKind::Cube, .width = 4, .height = 8, .layers = 6}, "square"},
      {{.kind = ResourceKind::Cube, .width = 4, .height = 4, .layers = 5}, "layers"},
      {{.kind = ResourceKind::CubeArray, .width = 4, .height = 4, .layers = 7}, "layers"},
      {{.kind = ResourceKind::Tex2DArray, .width = 4, .height = 4, .layers = 2049}, "layers"},
      {{.kind = ResourceKind::Tex3D,
        .format = Format::R32G32B32A32_FLOAT,
        .width = 16384,
        .height = 16384,
        .depth = 16384},
       "bytes"},
  };
  for (const Case& c : cases) {
    const std::string reason = refusal(c.desc);
    CAPTURE(reason, c.part);
    CHECK(says(reason, c.part));
  }
}

TEST_CASE("the largest target is accepted", "[resource]") {
  CHECK(refusal({.format = Format::R8G8B8A8_UNORM, .width = 16384, .height = 16384, .levels = 15}).empty());
}

}  // namespace tessera::tests
