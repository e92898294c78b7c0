// Fills and copies of buffers and images, against the same done byte by byte.
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "frontend/device.h"

using namespace tessera;

namespace {

using Bytes = std::vector<std::byte>;

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 1}}).value());
  Context& c = device->context();
  std::mt19937 random{77};

  Bytes random_bytes(size_t count) {
    Bytes bytes(count);
    for (std::byte& b : bytes) b = static_cast<std::byte>(random());
    return bytes;
  }
  ResourceRef buffer(const Bytes& contents) { return device->create_buffer(contents).value(); }
  Bytes read(const ResourceRef& resource, uint32_t level = 0, uint32_t slice = 0, uint32_t sample = 0) {
    return c.read_bytes(resource, level, slice, sample).value();
  }
  ResourceRef filled(const ResourceDesc& desc) {
    const ResourceRef made = device->create_image(desc).value();
    for (uint32_t level = 0; level < desc.levels; ++level)
      for (uint32_t slice = 0; slice < made->storage()->level(level).slices; ++slice)
        for (uint32_t sample = 0; sample < desc.samples; ++sample) {
          const Bytes bytes = random_bytes(made->storage()->level(level).slice_bytes);
          std::memcpy(made->storage_for_write(true).slice(level, slice, sample), bytes.data(), bytes.size());
        }
    return made;
  }
};

bool names(const Status& status, std::string_view field) {
  return !status && status.diags().front().text.find(field) != std::string::npos;
}

}  // namespace

TEST_CASE_METHOD(Fixture, "buffers are filled with patterns and copied, overlapping or not", "[copies]") {
  for (const size_t pattern_bytes : {1u, 2u, 3u, 4u, 12u, 16u}) {
    Bytes expected = random_bytes(200);
    const ResourceRef target = buffer(expected);
    const Bytes pattern = random_bytes(pattern_bytes);
    REQUIRE(c.fill_buffer(target, 7, 10 * pattern_bytes, pattern));
    for (size_t i = 0; i < 10 * pattern_bytes; ++i) expected[7 + i] = pattern[i % pattern_bytes];
    CHECK(read(target) == expected);
  }
  Bytes expected = random_bytes(100);
  const Bytes other = random_bytes(64);
  const ResourceRef target = buffer(expected), source = buffer(other);
  const auto copy_back = [&](size_t from, size_t to, size_t count) {
    const Bytes before = expected;
    for (size_t i = 0; i < count; ++i) expected[to + i] = before[from + i];
    REQUIRE(c.copy_buffer(target, from, target, to, count));
    CHECK(read(target) == expected);
  };
  copy_back(10, 13, 50);
  copy_back(13, 10, 50);
  copy_back(0, 100, 0);
  copy_back(0, 0, 100);
  REQUIRE(c.copy_buffer(source, 3, target, 20, 61));
  std::memcpy(&expected[20], &other[3], 61);
  CHECK(read(target) == expected);
}

TEST_CASE_METHOD(Fixture, "texels go between buffers and images with any offset and pitch, blocks too", "[copies]") {
  struct Case { Format format; ResourceKind kind; uint32_t width, height, slices; Box box; };
  const Case cases[] = {
      {Format::R8G8B8A8_UNORM, ResourceKind::Tex2D, 13, 9, 1, {2, 3, 0, 7, 5, 1}},
      {Format::R8_UNORM, ResourceKind::Tex2DArray, 11, 6, 4, {1, 1, 1, 9, 4, 3}},
      {Format::R32G32B32A32_FLOAT, ResourceKind::Tex3D, 5, 4, 6, {0, 0, 2, 5, 4, 4}},
      {Format::Z24_UNORM_S8_UINT, ResourceKind::Tex2D, 8, 8, 1, {3, 0, 0, 5, 8, 1}},
      {Format::DXT5_RGBA, ResourceKind::Tex2D, 18, 10, 1, {4, 4, 0, 14, 6, 1}},     // reaches the edges
      {Format::DXT1_RGB, ResourceKind::Cube, 8, 8, 6, {0, 4, 2, 8, 4, 2}}};
  for (const Case& t : cases) {
    CAPTURE(format_info(t.format).name);
    const bool volume = t.kind == ResourceKind::Tex3D;
    const ResourceRef image = filled({.kind = t.kind, .format = t.format, .width = t.width, .height = t.height,
                                      .depth = volume ? t.slices : 1, .layers = volume ? 1 : t.slices});
    const FormatInfo& f = format_info(t.format);
    const auto blocks = [](uint32_t texels, uint32_t size) { return (texels + size - 1) / size; };
    const size_t row = size_t{blocks(t.box.width, f.block_width)} * f.block_bytes,
                 rows = blocks(t.box.height, f.block_height);
    const Pitch pitch{row + 5, (row + 5) * rows + 3};
    const size_t offset = 9, size = offset + pitch.slice_bytes * t.box.depth;
    const size_t x = size_t{t.box.x / f.block_width} * f.block_bytes, y = t.box.y / f.block_height;

    Bytes expected = random_bytes(size);
    const ResourceRef down = buffer(expected), up = buffer(random_bytes(size));
    for (uint32_t z = 0; z < t.box.depth; ++z)
      for (size_t r = 0; r < rows; ++r)
        std::memcpy(&expected[offset + z * pitch.slice_bytes + r * pitch.row_bytes],
                    &read(image, 0, t.box.z + z)[(y + r) * image->storage()->level(0).row_bytes + x], row);
    REQUIRE(c.copy_image_to_buffer(image, 0, t.box, down, offset, pitch));
    CHECK(read(down) == expected);

    const Bytes source = read(up);
    std::vector<Bytes> slices;
    for (uint32_t z = 0; z < t.slices; ++z) slices.push_back(read(image, 0, z));
    for (uint32_t z = 0; z < t.box.depth; ++z)
      for (size_t r = 0; r < rows; ++r)
        std::memcpy(&slices[t.box.z + z][(y + r) * image->storage()->level(0).row_bytes + x],
                    &source[offset + z * pitch.slice_bytes + r * pitch.row_bytes], row);
    REQUIRE(c.copy_buffer_to_image(up, offset, pitch, image, 0, t.box));
    for (uint32_t z = 0; z < t.slices; ++z) CHECK(read(image, 0, z) == slices[z]);
  }
}

TEST_CASE_METHOD(Fixture, "boxes are copied between kinds, blocks and texels of their size, and within one image",
                 "[copies]") {
  const ResourceRef volume =
      filled({.kind = ResourceKind::Tex3D, .format = Format::R32_FLOAT, .width = 9, .height = 7, .depth = 5});
  const ResourceRef array = filled({.kind = ResourceKind::Tex2DArray,
                                    .format = Format::R8G8B8A8_UNORM,
                                    .width = 12,
                                    .height = 8,
                                    .layers = 6,
                                    .levels = 2});
  REQUIRE(c.copy_texels(volume, 0, {.x = 2, .y = 1, .z = 1, .width = 4, .height = 3, .depth = 3}, array, 1, 1, 1, 2));
  for (uint32_t z = 0; z < 3; ++z)
    for (uint32_t y = 0; y < 3; ++y)
      CHECK(std::memcmp(&read(volume, 0, 1 + z)[(size_t{1 + y} * 9 + 2) * 4],
                        &read(array, 1, 2 + z)[(size_t{1 + y} * 6 + 1) * 4], 16) == 0);

  // Overlapping: as from a copy.
  const ResourceRef image = filled({.format = Format::R16_UINT, .width = 10, .height = 10});
  const Bytes before = read(image);
  REQUIRE(c.copy_texels(image, 0, {.x = 0, .y = 0, .width = 8, .height = 8}, image, 0, 1, 2, 0));
  const Bytes after = read(image);
  for (size_t y = 0; y < 8; ++y) CHECK(std::memcmp(&after[((y + 2) * 10 + 1) * 2], &before[y * 20], 16) == 0);

  // Blocks of 8 bytes and texels of 8 bytes.
  const ResourceRef blocks = filled({.format = Format::DXT1_RGBA, .width = 12, .height = 8});
  const ResourceRef texels = filled({.format = Format::R16G16B16A16_UINT, .width = 5, .height = 5});
  REQUIRE(c.copy_texels(blocks, 0, {.x = 4, .y = 0, .width = 8, .height = 8}, texels, 0, 2, 1, 0));
  for (size_t y = 0; y < 2; ++y)
    CHECK(std::memcmp(&read(texels)[((y + 1) * 5 + 2) * 8], &read(blocks)[(y * 3 + 1) * 8], 16) == 0);

  // All samples.
  const ResourceDesc four{.width = 6, .height = 6, .samples = 4};
  const ResourceRef many = filled(four), copy = filled(four);
  REQUIRE(c.copy_texels(many, 0, {.width = 6, .height = 6}, copy, 0, 0, 0, 0));
  for (uint32_t s = 0; s < 4; ++s) CHECK(read(copy, 0, 0, s) == read(many, 0, 0, s));
}

TEST_CASE_METHOD(Fixture, "a box of texels is filled in every sample and slice", "[copies]") {
  const ResourceRef image = filled({.kind = ResourceKind::Tex2DArray,
                                    .format = Format::R16G16_UNORM,
                                    .width = 7,
                                    .height = 5,
                                    .layers = 3,
                                    .samples = 2});
  const Bytes texel = random_bytes(4);
  for (uint32_t slice = 0; slice < 3; ++slice)
    for (uint32_t sample = 0; sample < 2; ++sample) {
      Bytes expected = read(image, 0, slice, sample);
      for (size_t y = 1; y < 4; ++y)
        for (size_t x = 2; x < 7; ++x)
          if (slice >= 1) std::memcpy(&expected[(y * 7 + x) * 4], texel.data(), 4);
      if (slice == 1 && sample == 0)
        REQUIRE(c.fill_texels(image, 0, {.x = 2, .y = 1, .z = 1, .width = 5, .height = 3, .depth = 2}, texel));
      CHECK(read(image, 0, slice, sample) == expected);
    }
}

TEST_CASE_METHOD(Fixture, "a copy or fill that cannot be names the field and changes nothing", "[copies]") {
  const ResourceRef words = buffer(Bytes(64)), image = device->create_image({.width = 8, .height = 8}).value();
  const ResourceRef blocks = device->create_image({.format = Format::DXT1_RGB, .width = 8, .height = 8}).value();
  const ResourceRef four = device->create_image({.width = 8, .height = 8, .samples = 4}).value();
  const Bytes one(1, std::byte{1}), texel(4, std::byte{9});
  CHECK(names(c.fill_buffer(image, 0, 4, one), "buffer"));
  CHECK(names(c.fill_buffer(nullptr, 0, 4, one), "buffer"));
  CHECK(names(c.fill_buffer(words, 61, 4, one), "buffer"));
  CHECK(names(c.fill_buffer(words, ~uint64_t{0}, 4, one), "buffer"));
  CHECK(names(c.fill_buffer(words, 0, 4, {}), "pattern"));
  CHECK(names(c.fill_buffer(words, 0, 51, Bytes(17)), "pattern"));
  CHECK(names(c.fill_buffer(words, 0, 5, Bytes(2)), "size_bytes"));
  CHECK(names(c.copy_buffer(words, 60, words, 0, 5), "from"));
  CHECK(names(c.copy_buffer(words, 0, words, 60, 5), "to"));
  CHECK(names(c.copy_buffer(image, 0, words, 0, 4), "from"));
  CHECK(names(c.fill_texels(image, 0, {.width = 8, .height = 8}, one), "texel"));
  CHECK(names(c.fill_texels(image, 1, {}, texel), "level"));
  CHECK(names(c.fill_texels(image, 0, {.x = 5, .width = 4}, texel), "box"));
  CHECK(names(c.fill_texels(blocks, 0, {.x = 2, .width = 4, .height = 4}, Bytes(8)), "whole blocks"));
  CHECK(names(c.copy_buffer_to_image(words, 65, {}, image, 0, {}), "buffer"));
  CHECK(names(c.copy_buffer_to_image(words, 0, {.row_bytes = 3}, image, 0, {.width = 4}), "pitch.row_bytes"));
  CHECK(names(c.copy_buffer_to_image(words, 0, {.slice_bytes = 3}, image, 0, {.width = 4, .height = 2}),
              "pitch.slice_bytes"));
  CHECK(names(c.copy_buffer_to_image(words, 0, {}, image, 0, {.width = 8, .height = 3}), "bytes"));
  CHECK(names(c.copy_buffer_to_image(words, 0, {}, four, 0, {}), "image"));
  CHECK(names(c.copy_image_to_buffer(image, 0, {.width = 8, .height = 2}, words, 1, {}), "bytes"));
  CHECK(names(c.copy_image_to_buffer(words, 0, {}, words, 0, {}), "image"));
  CHECK(names(c.copy_texels(image, 0, {}, four, 0, 0, 0, 0), "to"));
  CHECK(read(words) == Bytes(64));
  CHECK(read(image) == Bytes(256));
}
