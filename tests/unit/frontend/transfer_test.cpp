// Texels in and out of images: any pitch, any part, any copy, against a plain array; and what is refused.
#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <random>

#include "../../support/random.h"
#include "frontend/device.h"

using namespace tessera;

namespace {

std::string text_of(const Status& status) { return status ? "" : status.diags().front().text; }

struct Fixture {
  std::unique_ptr<Device> device = std::move(Device::create({.raster = {.threads = 1}}).value());
  Context& c = device->context();
};

// One level of an image as it should be: slice after slice, row after row.
struct Model {
  uint32_t width, height, slices, texel_bytes;
  std::vector<std::byte> bytes;

  Model(const LevelLayout& level, uint32_t texel)
      : width(level.width), height(level.height), slices(level.slices), texel_bytes(texel) {
    bytes.resize(size_t{width} * height * slices * texel);
  }
  std::byte* at(uint32_t x, uint32_t y, uint32_t z) {
    return bytes.data() + ((size_t{z} * height + y) * width + x) * texel_bytes;
  }
};

uint32_t below(uint32_t n, std::mt19937& random) { return static_cast<uint32_t>(random() % n); }

// A box inside the level; some are empty.
Box random_box(const Model& model, std::mt19937& random) {
  Box box;
  box.x = below(model.width, random), box.y = below(model.height, random), box.z = below(model.slices, random);
  box.width = below(model.width - box.x + 1, random);
  box.height = below(model.height - box.y + 1, random);
  box.depth = below(model.slices - box.z + 1, random);
  return box;
}

constexpr std::byte kPadding{0xee};

const ResourceDesc kImages[] = {
    {.format = Format::R8_UINT, .width = 13, .height = 7, .levels = 3},
    {.kind = ResourceKind::Tex2DArray, .format = Format::R8G8B8A8_UNORM, .width = 8, .height = 5, .layers = 4},
    {.kind = ResourceKind::Tex3D,
     .format = Format::R16G16B16A16_FLOAT,
     .width = 6,
     .height = 5,
     .depth = 7,
     .levels = 2},
    {.kind = ResourceKind::Cube, .format = Format::R8G8B8_UNORM, .width = 4, .height = 4, .layers = 6, .levels = 2},
    {.kind = ResourceKind::Tex1DArray, .format = Format::R32_FLOAT, .width = 9, .layers = 3}};

}  // namespace

TEST_CASE_METHOD(Fixture, "parts of images are written and read with any pitch, and nothing beside them changes",
                 "[transfer]") {
  std::mt19937 random(tests::seed());
  for (const ResourceDesc& desc : kImages) {
    const ResourceRef image = device->create_image(desc).value();
    const uint32_t texel = format_info(desc.format).block_bytes;
    for (uint32_t level = 0; level < desc.levels; ++level) {
      Model model(image->storage()->level(level), texel);
      for (uint32_t round = 0; round < tests::rounds(60); ++round) {
        const Box box = random_box(model, random);
        Pitch pitch;
        const size_t row = below(2, random) ? pitch.row_bytes = size_t{box.width} * texel + below(9, random)
                                            : size_t{box.width} * texel;
        const size_t slice =
            below(2, random) ? pitch.slice_bytes = row * box.height + below(20, random) : row * box.height;
        std::vector<std::byte> memory(slice * box.depth, kPadding);
        for (std::byte& byte : memory) byte = static_cast<std::byte>(random());
        CAPTURE(tests::seed(), round, level, box.x, box.y, box.z, box.width, box.height, box.depth, row, slice);
        REQUIRE(text_of(c.write_texels(image, level, box, memory, pitch)) == "");
        for (uint32_t z = 0; z < box.depth; ++z)
          for (uint32_t y = 0; y < box.height; ++y)
            if (box.width > 0)
              std::memcpy(model.at(box.x, box.y + y, box.z + z), memory.data() + z * slice + y * row,
                          size_t{box.width} * texel);

        std::vector<std::byte> all(model.bytes.size());
        REQUIRE(c.read_box(image, level, {.width = model.width, .height = model.height, .depth = model.slices}, all));
        REQUIRE(all == model.bytes);
        std::vector<std::byte> part(memory.size(), kPadding), expected(memory.size(), kPadding);
        REQUIRE(c.read_box(image, level, box, part, pitch));
        for (uint32_t z = 0; z < box.depth; ++z)
          for (uint32_t y = 0; y < box.height; ++y)
            for (uint32_t i = 0; i < box.width * texel; ++i)
              expected[z * slice + y * row + i] = memory[z * slice + y * row + i];
        REQUIRE(part == expected);
      }
    }
  }
}

TEST_CASE_METHOD(Fixture, "copies move boxes between levels, layers, slices and kinds, and over themselves",
                 "[transfer]") {
  std::mt19937 random(tests::seed());
  const ResourceDesc volume{.kind = ResourceKind::Tex3D, .width = 9, .height = 8, .depth = 5, .levels = 2};
  const ResourceDesc array{.kind = ResourceKind::Tex2DArray,
                           .format = Format::B8G8R8A8_UNORM,
                           .width = 7,
                           .height = 9,
                           .layers = 6,
                           .levels = 3};
  const ResourceRef images[] = {device->create_image(volume).value(), device->create_image(array).value()};
  std::vector<std::vector<Model>> models;
  for (const ResourceRef& image : images) {
    models.emplace_back();
    for (uint32_t level = 0; level < image->desc().levels; ++level) {
      Model& model = models.back().emplace_back(image->storage()->level(level), 4);
      for (std::byte& byte : model.bytes) byte = static_cast<std::byte>(random());
      REQUIRE(c.write_texels(image, level, {.width = model.width, .height = model.height, .depth = model.slices},
                             model.bytes));
    }
  }
  for (uint32_t round = 0; round < tests::rounds(200); ++round) {
    const uint32_t from = below(2, random), to = below(2, random);
    const uint32_t from_level = below(images[from]->desc().levels, random);
    const uint32_t to_level = below(images[to]->desc().levels, random);
    const Model source = models[from][from_level];
    Model& target = models[to][to_level];
    Box box = random_box(source, random);
    box.width = std::min(box.width, target.width);
    box.height = std::min(box.height, target.height);
    box.depth = std::min(box.depth, target.slices);
    const auto place = [&](uint32_t limit, uint32_t count) {
      return std::min(below(limit - count + 1, random), limit - 1);
    };
    const uint32_t x = place(target.width, box.width), y = place(target.height, box.height);
    const uint32_t z = place(target.slices, box.depth);
    CAPTURE(tests::seed(), round, from, to, from_level, to_level, box.x, box.y, box.z, box.width, box.height, box.depth,
            x, y, z);
    REQUIRE(text_of(c.copy_texels(images[from], from_level, box, images[to], to_level, x, y, z)) == "");
    for (uint32_t k = 0; k < box.depth; ++k)
      for (uint32_t j = 0; j < box.height; ++j)
        if (box.width > 0)
          std::memcpy(target.at(x, y + j, z + k), Model(source).at(box.x, box.y + j, box.z + k), size_t{box.width} * 4);
    std::vector<std::byte> all(target.bytes.size());
    REQUIRE(c.read_box(images[to], to_level, {.width = target.width, .height = target.height, .depth = target.slices},
                       all));
    REQUIRE(all == target.bytes);
  }
}

TEST_CASE_METHOD(Fixture, "wrong boxes, pitches and sizes are refused by name and change nothing",
                 "[transfer][bad input]") {
  const ResourceDesc desc{.kind = ResourceKind::Tex2DArray, .width = 8, .height = 8, .layers = 4, .levels = 2};
  const ResourceRef image = device->create_image(desc).value();
  const ResourceRef bytes = device->create_image({.format = Format::R8_UINT, .width = 8, .height = 8}).value();
  const ResourceRef many = device->create_image({.width = 8, .height = 8, .samples = 4}).value();
  const ResourceRef buffer = device->create_buffer(std::vector<std::byte>(64)).value();
  std::vector<std::byte> memory(8 * 8 * 4 * 4, std::byte{1});
  const Box box{.width = 4, .height = 4, .depth = 2};
  const auto write = [&](const ResourceRef& to, uint32_t level, const Box& b, size_t count, Pitch pitch = {}) {
    return text_of(c.write_texels(to, level, b, std::span(memory).first(count), pitch));
  };
  const auto read = [&](const ResourceRef& from, uint32_t level, const Box& b, size_t count, Pitch pitch = {}) {
    return text_of(c.read_box(from, level, b, std::span(memory).first(count), pitch));
  };
  const auto both = [&](const ResourceRef& i, uint32_t level, const Box& b, size_t count, Pitch pitch,
                        const char* part) {
    CAPTURE(part);
    CHECK_THAT(write(i, level, b, count, pitch), Catch::Contains(part));
    CHECK_THAT(read(i, level, b, count, pitch), Catch::Contains(part));
  };
  both(nullptr, 0, box, 128, {}, "image: null");
  both(buffer, 0, box, 128, {}, "found a buffer");
  both(many, 0, box, 128, {}, "several samples");
  both(image, 2, box, 128, {}, "level: expected less than 2, found 2");
  both(image, 1, {.width = 5}, 20, {}, "box: 5 x 1 x 1");
  both(image, 0, {.x = 5, .width = 4}, 16, {}, "box:");
  both(image, 0, {.z = 3, .depth = 2}, 8, {}, "box:");
  both(image, 0, {.z = 4}, 4, {}, "layer: expected less than 4");
  both(image, 0, {.y = ~0u, .height = 2}, 8, {}, "box:");
  both(image, 0, box, 127, {}, "bytes: expected 128 for 4 x 4 x 2");
  both(image, 0, box, 129, {}, "bytes: expected 128 for 4 x 4 x 2");
  both(image, 0, box, 400, {.row_bytes = 15}, "pitch.row_bytes: expected at least 16, found 15");
  both(image, 0, box, 400, {.row_bytes = 20, .slice_bytes = 75}, "pitch.slice_bytes: expected at least 76, found 75");
  both(image, 0, box, 155, {.row_bytes = 20}, "bytes: expected at least 156");
  both(image, 0, box, 400, {.row_bytes = ~size_t{0} / 2}, "pitch.row_bytes");
  both(image, 0, box, 400, {.slice_bytes = ~size_t{0} - 60}, "pitch.slice_bytes");
  CHECK(write(image, 0, box, 156, {.row_bytes = 20}) == "");  // nothing behind the last row is needed
  CHECK(read(image, 0, {.width = 0, .height = 4}, 0) == "");
  CHECK_THAT(text_of(c.copy_texels(image, 0, box, bytes, 0, 0, 0, 0)), Catch::Contains("box:"));
  CHECK_THAT(text_of(c.copy_texels(image, 0, {}, bytes, 0, 0, 0, 0)), Catch::Contains("differ in size"));
  CHECK_THAT(text_of(c.copy_texels(image, 0, {}, image, 0, 8, 0, 0)), Catch::Contains("box:"));
  CHECK_THAT(text_of(c.copy_texels(image, 0, {}, nullptr, 0, 0, 0, 0)), Catch::Contains("to: null"));
  CHECK_THAT(text_of(c.copy_texels(buffer, 0, {}, image, 0, 0, 0, 0)), Catch::Contains("from:"));
  CHECK(c.read_bytes(image, 1, 3).value() == std::vector<std::byte>(64));
}
