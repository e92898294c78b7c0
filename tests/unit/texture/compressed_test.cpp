// Compressed images as textures: fetch and filters see the decoded texels; views, borders and decoded copies.
#include <algorithm>
#include <bit>
#include <cstring>

#include <catch2/catch.hpp>

#include "../../support/random.h"
#include "texture/block_codec.h"
#include "texture/decompress.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;
using ir::TextureKind;

// The texel as its own block gives it.
Texel decoded_texel(const Storage& storage, uint32_t level, uint32_t slice, uint32_t x, uint32_t y) {
  const FormatInfo& format = format_info(storage.desc().format);
  const LevelLayout& layout = storage.level(level);
  const auto* block = reinterpret_cast<const uint8_t*>(storage.slice(level, slice)) +
                      y / format.block_height * layout.row_bytes + size_t{x / format.block_width} * format.block_bytes;
  std::byte texels[kMaxBlock_bytes];
  block_codec(format.codec).decode(format, block, texels);
  const size_t index = size_t{y % format.block_height} * format.block_width + x % format.block_width;
  return unpack_texel(format.decoded, texels + index * format_info(format.decoded).block_bytes);
}

Texel result(const TextureBlock& block, uint32_t lane) {
  return {{block.out[0][lane], block.out[1][lane], block.out[2][lane], block.out[3][lane]}};
}

std::vector<Format> block_formats() {
  std::vector<Format> formats;
  for (size_t i = 0; i < all_formats().size(); ++i)
    if (all_formats()[i].is_compressed) formats.push_back(static_cast<Format>(i));
  return formats;
}

}  // namespace

TEST_CASE("fetch gives the decoded texel of every compressed format, to the smallest level", "[texture][blocks]") {
  std::mt19937 random(seed());
  for (Format format : block_formats()) {
    const ResourceDesc desc{
        .kind = ResourceKind::Tex2DArray, .format = format, .width = 27, .height = 13, .layers = 3, .levels = 5};
    const auto resource = random_blocks(desc, random);
    const Storage& storage = *resource->storage();
    TextureBlock block;
    block.has_lod = true;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      const uint32_t level = lane % 5;
      block.lod[lane] = level;
      block.coord[0][lane] = static_cast<uint32_t>(random()) % storage.level(level).width;
      block.coord[1][lane] = static_cast<uint32_t>(random()) % storage.level(level).height;
      block.coord[3][lane] = static_cast<uint32_t>(random()) % 3;
    }
    ir::TextureOp op;
    op.kind = TextureKind::Fetch;
    uint32_t wrong = 0;
    for (SimdTarget simd : available_simd_targets()) {
      block.run(*bind_texture(whole_view(resource->storage()), {}, simd), op);
      for (uint32_t lane = 0; lane < 64; ++lane) {
        const Texel expected =
            decoded_texel(storage, block.lod[lane], block.coord[3][lane], block.coord[0][lane], block.coord[1][lane]);
        for (uint32_t c = 0; c < 4; ++c)
          wrong += std::bit_cast<float>(result(block, lane).word[c]) != std::bit_cast<float>(expected.word[c]);
      }
    }
    CAPTURE(format_info(format).name, seed());
    CHECK(wrong == 0);
  }
}

TEST_CASE("filters give on a compressed image what they give on its decoded copy", "[texture][blocks]") {
  std::mt19937 random(seed());
  for (Format format :
       {Format::DXT1_RGBA, Format::DXT5_SRGBA, Format::BPTC_RGBA_UNORM, Format::RGTC2_SNORM, Format::ASTC_5x4}) {
    const auto resource = random_blocks({.format = format, .width = 32, .height = 16, .levels = 6}, random);
    const View view = whole_view(resource->storage());
    View plain = whole_view(decompress_whole(*resource->storage(), format));
    CHECK(plain.format == format_info(format).decoded);
    Sampler sampler;
    sampler.mip_filter = MipFilter::Linear;
    TextureBlock one, other;
    for (uint32_t lane = 0; lane < 64; ++lane)
      for (uint32_t c = 0; c < 2; ++c) {
        const float at = static_cast<float>(random() % 4096) / 1024.0f - 2;
        one.set(c, lane, at);
        other.set(c, lane, at);
      }
    one.run(*bind_texture(view, sampler, best_simd_target()), {});
    other.run(*bind_texture(plain, sampler, best_simd_target()), {});
    CAPTURE(format_info(format).name, seed());
    CHECK(std::memcmp(one.out, other.out, sizeof one.out) == 0);
  }
}

TEST_CASE("views change between formats of the same blocks, and are refused between others", "[texture][blocks]") {
  std::mt19937 random(seed());
  const auto resource = random_blocks({.format = Format::DXT5_RGBA, .width = 16, .height = 16}, random);
  View view = whole_view(resource->storage());
  view.format = Format::DXT5_SRGBA;
  CHECK(check_view(view).ok());
  view.format = Format::BPTC_RGBA_UNORM;   // other meaning, same blocks
  CHECK(check_view(view).ok());
  for (Format wrong : {Format::DXT1_RGBA, Format::ASTC_6x6, Format::R32G32B32A32_UINT, Format::R8G8B8A8_UNORM}) {
    view.format = wrong;
    CAPTURE(format_info(wrong).name);
    CHECK_FALSE(check_view(view).ok());
  }
  View words =
      whole_view(Resource::create({.format = Format::R32G32B32A32_UINT, .width = 4, .height = 4}).value()->storage());
  words.format = Format::DXT5_RGBA;
  CHECK_FALSE(check_view(words).ok());
}

TEST_CASE("a view counts the decoded size of a level against the limit", "[texture][blocks]") {
  const auto view_of = [](uint32_t layers) {
    return whole_view(Resource::create({.kind = ResourceKind::Tex2DArray, .format = Format::ASTC_12x12, .width = 16384,
                                        .height = 16384, .layers = layers}).value()->storage());
  };
  CHECK(check_view(view_of(2)).ok());   // 2 * 2^28 texels of 8 bytes
  CHECK_FALSE(check_view(view_of(3)).ok());
}

TEST_CASE("a border has the channels and the range of the compressed format", "[texture][blocks]") {
  const auto border_of = [](Format format) {
    const auto resource = Resource::create({.format = format, .width = 8, .height = 8}).value();
    Sampler sampler;
    sampler.wrap_s = sampler.wrap_t = Wrap::ClampToBorder;
    const float border[4] = {2.0f, -2.0f, 0.25f, 0.5f};
    for (uint32_t c = 0; c < 4; ++c) sampler.border[c] = std::bit_cast<uint32_t>(border[c]);
    TextureBlock block;
    for (uint32_t lane = 0; lane < 64; ++lane) block.set(0, lane, -5), block.set(1, lane, -5);
    block.run(*bind_texture(whole_view(resource->storage()), sampler, best_simd_target()), {});
    return std::array<float, 4>{block.result(0, 9), block.result(1, 9), block.result(2, 9), block.result(3, 9)};
  };
  CHECK(border_of(Format::DXT1_RGBA) == std::array<float, 4>{1, 0, 0.25f, 0.5f});
  CHECK(border_of(Format::DXT1_RGB) == std::array<float, 4>{1, 0, 0.25f, 1});
  CHECK(border_of(Format::RGTC2_UNORM) == std::array<float, 4>{1, 0, 0, 1});
  CHECK(border_of(Format::RGTC2_SNORM) == std::array<float, 4>{1, -1, 0, 1});
  CHECK(border_of(Format::BPTC_RGB_FLOAT) == std::array<float, 4>{2, -2, 0.25f, 1});
  CHECK(border_of(Format::LATC1_UNORM) == std::array<float, 4>{1, 1, 1, 1});
  CHECK(border_of(Format::ASTC_4x4) == std::array<float, 4>{1, 0, 0.25f, 0.5f});
}

TEST_CASE("decoded copies are made once, forgotten on writes, and freed when nothing holds them", "[texture][blocks]") {
  std::mt19937 random(seed());
  const auto resource = random_blocks({.format = Format::DXT1_RGB, .width = 64, .height = 64, .levels = 7}, random);
  DecodedCopies copies;
  auto first = copies.get(resource->storage(), Format::DXT1_RGB);
  CHECK(copies.get(resource->storage(), Format::DXT1_RGB) == first);
  CHECK(copies.get(resource->storage(), Format::DXT1_SRGB) == first);    // the same bytes
  CHECK(copies.get(resource->storage(), Format::DXT1_RGBA) != first);    // black is transparent
  CHECK(copies.size_bytes() == 2 * first->texels.size_bytes());
  for (int frame = 0; frame < 20; ++frame) copies.end_frame();
  CHECK(copies.size_bytes() == first->texels.size_bytes());   // held here; the other is gone
  copies.forget(*resource->storage());
  CHECK(copies.size_bytes() == 0);
  CHECK(copies.get(resource->storage(), Format::DXT1_RGB) != first);
  first.reset();
  for (int frame = 0; frame < 20; ++frame) copies.end_frame();
  CHECK(copies.size_bytes() == 0);
}

TEST_CASE("an image in use takes at most its decoded size, out of use its blocks", "[texture][blocks]") {
  std::mt19937 random(seed());
  for (Format format : block_formats())
    for (const ResourceDesc& desc :
         {ResourceDesc{.format = format, .width = 240, .height = 240, .levels = 1},
          ResourceDesc{.format = format, .width = 256, .height = 64, .levels = 9},
          ResourceDesc{.format = format, .width = 1000, .height = 12, .levels = 3},
          ResourceDesc{.kind = ResourceKind::Cube, .format = format, .width = 96, .height = 96, .layers = 6, .levels = 7},
          ResourceDesc{.kind = ResourceKind::Tex3D, .format = format, .width = 48, .height = 48, .depth = 9, .levels = 6}}) {
      if (!Resource::check(desc).ok()) continue;
      const auto resource = random_blocks(desc, random);
      const size_t whole_bytes = decompress_whole(*resource->storage(), format)->size_bytes();
      DecodedCopies copies;
      auto copy = copies.get(resource->storage(), format);
      CAPTURE(format_info(format).name, desc.width, desc.levels);
      CHECK(resource->storage()->size_bytes() + copies.size_bytes() <= whole_bytes);
      copy.reset();
      for (int frame = 0; frame < 20; ++frame) copies.end_frame();
      CHECK(copies.size_bytes() == 0);
    }
}

TEST_CASE("images of any size in use take at most their decoded size", "[texture][blocks][memory]") {
  for (Format format : block_formats())
    for (uint32_t width = 1; width <= 72; ++width)
      for (const uint32_t height : {1u, 4u, 5u, 16u, 63u, width})
        for (const uint32_t levels : {1u, 2u, static_cast<uint32_t>(std::bit_width(std::max(width, height)))}) {
          const ResourceDesc desc{.format = format, .width = width, .height = height, .levels = levels};
          if (!Resource::check(desc).ok()) continue;
          const auto image = Resource::create(desc).value()->storage();
          const size_t whole_bytes = decompress_whole(*image, format)->size_bytes();
          const size_t in_use_bytes = image->size_bytes() + decompress(*image, format)->texels.size_bytes();
          CAPTURE(format_info(format).name, width, height, levels, whole_bytes);
          if (in_use_bytes > std::max(whole_bytes, image->size_bytes())) FAIL_CHECK(in_use_bytes);
        }
}

TEST_CASE("a copy is the same for any number of threads", "[texture][blocks]") {
  std::mt19937 random(seed());
  TaskArena tasks(3);
  for (Format format : {Format::RGTC2_SNORM, Format::ASTC_8x5}) {
    const auto resource = random_blocks(
        {.kind = ResourceKind::Cube, .format = format, .width = 50, .height = 50, .layers = 6, .levels = 6}, random);
    const auto one = decompress_whole(*resource->storage(), format),
               many = decompress_whole(*resource->storage(), format, &tasks);
    CHECK(std::memcmp(one->data(), many->data(), one->size_bytes()) == 0);
    // What a copy in use has of it is the same.
    for (TaskArena* arena : {static_cast<TaskArena*>(nullptr), &tasks}) {
      const auto part = decompress(*resource->storage(), format, arena);
      const size_t missing_bytes = one->size_bytes() - part->texels.size_bytes();
      const size_t skipped_bytes = part->cold_bytes - missing_bytes;
      REQUIRE(missing_bytes <= part->cold_bytes);
      CHECK(std::memcmp(part->texels.data() + skipped_bytes, one->data() + part->cold_bytes,
                        one->size_bytes() - part->cold_bytes) == 0);
    }
    const std::vector<std::byte> slice = decompress_slice(*resource->storage(), 1, 3);
    CHECK(slice.size() == one->level(1).slice_bytes);
    CHECK(std::memcmp(slice.data(), one->slice(1, 3), slice.size()) == 0);
  }
}

}  // namespace tessera::tests
