// Boxes that are copied in pieces, on several threads.
#include <catch2/catch.hpp>

#include <cstring>

#include "frontend/device.h"

using namespace tessera;

namespace {

constexpr uint32_t kWidth = 1000, kHeight = 700, kLayers = 2;

uint32_t word_at(const std::vector<std::byte>& bytes, size_t at) {
  uint32_t word;
  std::memcpy(&word, bytes.data() + at, 4);
  return word;
}

}  // namespace

TEST_CASE("a large box arrives whole and nowhere else, whatever the pitch and the number of threads") {
  const uint32_t threads = GENERATE(1u, 4u);
  // The whole image, rows of it, and parts of rows; the last with gaps in memory.
  const auto [box, row_gap_bytes] = GENERATE(table<Box, uint64_t>({
      {Box{0, 0, 0, kWidth, kHeight, kLayers}, 0},
      {Box{0, 10, 1, kWidth, 500, 1}, 0},
      {Box{3, 5, 0, 700, 650, 2}, 0},
      {Box{3, 5, 0, 700, 650, 2}, 12},
      {Box{999, 699, 1, 1, 1, 1}, 0},
  }));
  CAPTURE(threads, box.x, box.y, box.width, box.height, row_gap_bytes);
  const auto device = std::move(Device::create({.raster = {.threads = threads}}).value());
  Context& c = device->context();
  const ResourceRef image = device->create_image({.kind = ResourceKind::Tex2DArray, .format = Format::R32_UINT,
                                                  .width = kWidth, .height = kHeight, .layers = kLayers}).value();
  const Pitch pitch{box.width * 4 + row_gap_bytes, (box.width * 4 + row_gap_bytes) * box.height};
  std::vector<std::byte> memory(pitch.slice_bytes * box.depth);
  for (size_t i = 0; i < memory.size() / 4; ++i) {
    const auto word = static_cast<uint32_t>(i + 1);
    std::memcpy(memory.data() + 4 * i, &word, 4);
  }
  REQUIRE(c.write_texels(image, 0, box, memory, pitch));

  std::vector<std::byte> all(size_t{kWidth} * kHeight * kLayers * 4);
  REQUIRE(c.read_box(image, 0, {0, 0, 0, kWidth, kHeight, kLayers}, all, {}));
  size_t wrong = 0;
  for (uint32_t z = 0; z < kLayers; ++z)
    for (uint32_t y = 0; y < kHeight; ++y)
      for (uint32_t x = 0; x < kWidth; ++x) {
        const bool inside = x - box.x < box.width && y - box.y < box.height && z - box.z < box.depth;
        const size_t at = (z - box.z) * pitch.slice_bytes + (y - box.y) * pitch.row_bytes + (x - box.x) * size_t{4};
        wrong += word_at(all, ((size_t{z} * kHeight + y) * kWidth + x) * 4) != (inside ? word_at(memory, at) : 0);
      }
  CHECK(wrong == 0);

  std::vector<std::byte> back(memory.size());
  REQUIRE(c.read_box(image, 0, box, back, pitch));
  for (uint32_t z = 0; z < box.depth; ++z)
    for (uint32_t y = 0; y < box.height; ++y) {
      const size_t at = z * pitch.slice_bytes + y * pitch.row_bytes;
      wrong += std::memcmp(back.data() + at, memory.data() + at, size_t{box.width} * 4) != 0;
    }
  CHECK(wrong == 0);
}
