// Mip generation against a brute-force average by area.
#include <bit>
#include <cmath>

#include <catch2/catch.hpp>

#include "../../support/random.h"
#include "texture/mipgen.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

// How much of source texel k (of n) lies under texel i (of m), as a share of the latter.
double share(uint32_t k, uint32_t n, uint32_t i, uint32_t m) {
  const double scale = static_cast<double>(n) / m;
  const double low = std::max<double>(k, i * scale), high = std::min<double>(k + 1, (i + 1) * scale);
  return std::max(0.0, high - low) / scale;
}

const std::byte* texel(const Storage& storage, uint32_t level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z) {
  const LevelLayout& l = storage.level(level);
  return storage.slice(level, layer * l.depth + z) + y * l.row_bytes +
         size_t{x} * format_info(storage.desc().format).block_bytes;
}

double average(const Storage& storage, uint32_t level, uint32_t layer, uint32_t x, uint32_t y, uint32_t z,
               uint32_t channel) {
  const LevelLayout &source = storage.level(level), &target = storage.level(level + 1);
  double sum = 0;
  for (uint32_t k = 0; k < source.depth; ++k)
    for (uint32_t j = 0; j < source.height; ++j)
      for (uint32_t i = 0; i < source.width; ++i) {
        const double w = share(i, source.width, x, target.width) * share(j, source.height, y, target.height) *
                         share(k, source.depth, z, target.depth);
        if (w > 0)
          sum += w * static_cast<double>(std::bit_cast<float>(
                         unpack_texel(storage.desc().format, texel(storage, level, layer, i, j, k)).word[channel]));
      }
  return sum;
}

void check_all_levels(const Storage& storage) {
  const ResourceDesc& desc = storage.desc();
  for (uint32_t level = 0; level + 1 < desc.levels; ++level) {
    const LevelLayout& target = storage.level(level + 1);
    for (uint32_t layer = 0; layer < desc.layers; ++layer)
      for (uint32_t z = 0; z < target.depth; ++z)
        for (uint32_t y = 0; y < target.height; ++y)
          for (uint32_t x = 0; x < target.width; ++x) {
            Texel expected;
            double value[4];
            for (uint32_t c = 0; c < 4; ++c) {
              value[c] = average(storage, level, layer, x, y, z, c);
              expected.word[c] = std::bit_cast<uint32_t>(static_cast<float>(value[c]));
            }
            // One code of difference where the exact average lies between two codes.
            std::byte packed[16];
            pack_texel(desc.format, expected, packed);
            const Texel nearest = unpack_texel(desc.format, packed),
                        found = unpack_texel(desc.format, texel(storage, level + 1, layer, x, y, z));
            for (uint32_t c = 0; c < 4; ++c) {
              const double off = std::fabs(static_cast<double>(std::bit_cast<float>(found.word[c])) - value[c]);
              const double least = std::fabs(static_cast<double>(std::bit_cast<float>(nearest.word[c])) - value[c]);
              INFO("level " << level + 1 << " texel " << x << " " << y << " " << z << " layer " << layer << " channel "
                            << c << " off " << off);
              if (!(off <= least + 1e-6)) FAIL("not the nearest code");
            }
          }
  }
}

}  // namespace

TEST_CASE("every generated texel is the average by area of what it covers", "[texture][mipgen]") {
  std::mt19937 random(seed());
  const Format formats[] = {Format::R8G8B8A8_UNORM,     Format::R8_UNORM,           Format::R8G8B8A8_SRGB,
                            Format::B5G6R5_UNORM,       Format::R16G16_UNORM,       Format::R8G8B8A8_SNORM,
                            Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_FLOAT, Format::Z32_FLOAT};
  for (Format format : formats) {
    const ResourceDesc descs[] = {
        desc_of(ResourceKind::Tex2D, format, 16, 16, 1, 1),   desc_of(ResourceKind::Tex2D, format, 13, 6, 1, 1),
        desc_of(ResourceKind::Tex2D, format, 1, 9, 1, 1),     desc_of(ResourceKind::Tex1D, format, 11, 1, 1, 1),
        desc_of(ResourceKind::Tex3D, format, 7, 4, 5, 1),     desc_of(ResourceKind::Cube, format, 6, 6, 1, 6),
        desc_of(ResourceKind::Tex2DArray, format, 5, 3, 1, 3)};
    for (const ResourceDesc& desc : descs) {
      CAPTURE(seed(), format_info(format).name, desc.width, desc.height, desc.depth, desc.layers);
      const std::shared_ptr<Resource> resource = random_texture(desc, random);
      Storage& storage = resource->storage_for_write(true);
      REQUIRE(texture::generate_mips(storage).ok());
      check_all_levels(storage);
    }
  }
}

TEST_CASE("8-bit averages round half up", "[texture][mipgen]") {
  const std::shared_ptr<Resource> resource =
      Resource::create(desc_of(ResourceKind::Tex2D, Format::R8_UNORM, 2, 2, 1, 1)).value();
  Storage& storage = resource->storage_for_write(false);
  const uint8_t texels[4] = {0, 0, 1, 1};
  std::copy_n(reinterpret_cast<const std::byte*>(texels), 4, storage.slice(0, 0));
  REQUIRE(texture::generate_mips(storage).ok());
  CHECK(std::to_integer<int>(*storage.slice(1, 0)) == 1);
}

TEST_CASE("formats without an average are refused by name", "[texture][mipgen]") {
  for (Format format : {Format::R8G8B8A8_UINT, Format::Z24_UNORM_S8_UINT, Format::S8_UINT}) {
    const std::shared_ptr<Resource> resource =
        Resource::create(desc_of(ResourceKind::Tex2D, format, 4, 4, 1, 1)).value();
    const Status status = texture::generate_mips(resource->storage_for_write(true));
    REQUIRE(!status.ok());
    CHECK(status.diags()[0].text.find(format_info(format).name) != std::string::npos);
  }
}

}  // namespace tessera::tests
