// Samplers that take the least or greatest texel of a footprint, comparisons, and views of one part of a combined format.
#include <bit>
#include <cmath>

#include <catch2/catch.hpp>

#include "../../support/random.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;

std::shared_ptr<Resource> make(Format format, uint32_t width, uint32_t height) {
  ResourceDesc desc;
  desc.format = format;
  desc.width = width;
  desc.height = height;
  return Resource::create(desc).value();
}

}  // namespace

TEST_CASE("min and max take the extreme of the texels that have weight", "[texture][reduction]") {
  std::mt19937 random(seed());
  for (Format format : {Format::R8G8B8A8_UNORM, Format::R32G32B32A32_FLOAT}) {
    ResourceDesc desc;
    desc.format = format;
    desc.width = desc.height = 8;
    const auto image = random_texture(desc, random);
    TextureBlock block;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      // Quarters of texels from the centre of texel (0, 0) on: every fourth coordinate meets a texel exactly.
      block.set(0, lane, (0.5f + static_cast<float>(lane % 8) / 4) / 8);
      block.set(1, lane, (0.5f + static_cast<float>(lane / 8) / 4) / 8);
    }
    for (Reduction reduction : {Reduction::Min, Reduction::Max})
      for (SimdTarget simd : available_simd_targets()) {
        Sampler sampler;
        sampler.reduction = reduction;
        block.run(*bind_texture(whole_view(image->storage()), sampler, simd), {});
        for (uint32_t lane = 0; lane < 64; ++lane)
          for (uint32_t c = 0; c < 4; ++c) {
            const uint32_t x0 = lane % 8 / 4, y0 = lane / 8 / 4;
            float extreme = reduction == Reduction::Min ? INFINITY : -INFINITY;
            for (uint32_t y = y0; y <= y0 + (lane / 8 % 4 != 0); ++y)
              for (uint32_t x = x0; x <= x0 + (lane % 4 != 0); ++x) {
                const std::byte* texel =
                    image->storage()->slice(0, 0) + (y * 8 + x) * size_t{format_info(format).block_bytes};
                const float value = std::bit_cast<float>(unpack_texel(format, texel).word[c]);
                extreme = reduction == Reduction::Min ? std::min(extreme, value) : std::max(extreme, value);
              }
            CAPTURE(format_info(format).name, lane, c, static_cast<int>(reduction));
            CHECK(block.result(c, lane) == extreme);
          }
      }
  }
}

TEST_CASE("each comparison function compares the reference with the texel before filtering", "[texture][compare]") {
  const auto image = make(Format::Z16_UNORM, 2, 1);
  const uint16_t depths[2] = {0x4000, 0xc000};
  std::copy_n(reinterpret_cast<const std::byte*>(depths), 4, image->storage_for_write(false).data());
  TextureBlock block;
  block.has_ref = true;
  // Between the texels a reference of 1/2 passes one of the two: half of the light.
  const struct {
    Compare function;
    float result;
  } table[] = {{Compare::Never, 0},      {Compare::Less, 0.5f},  {Compare::Equal, 0},     {Compare::Lequal, 0.5f},
               {Compare::Greater, 0.5f}, {Compare::NotEqual, 1}, {Compare::Gequal, 0.5f}, {Compare::Always, 1}};
  for (const auto& row : table) {
    Sampler sampler;
    sampler.wrap_s = sampler.wrap_t = Wrap::ClampToEdge;
    sampler.compare = true;
    sampler.compare_func = row.function;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      block.set(0, lane, 0.5f);
      block.ref[lane] = std::bit_cast<uint32_t>(0.5f);
    }
    block.run(*bind_texture(whole_view(image->storage()), sampler, best_simd_target()), {});
    CAPTURE(static_cast<int>(row.function));
    for (uint32_t c = 0; c < 3; ++c) CHECK(block.result(c, 17) == row.result);
    CHECK(block.result(3, 17) == 1.0f);
  }
}

TEST_CASE("the reference is limited to [0, 1] for fixed-point depth only", "[texture][compare]") {
  TextureBlock block;
  block.has_ref = true;
  for (uint32_t lane = 0; lane < 64; ++lane) block.ref[lane] = std::bit_cast<uint32_t>(2.0f);
  Sampler sampler;
  sampler.compare = true;
  for (Format format : {Format::Z24_UNORM_S8_UINT, Format::Z32_FLOAT}) {
    const auto image = make(format, 1, 1);
    pack_depth(format, 1.0f, image->storage_for_write(false).data());
    block.run(*bind_texture(whole_view(image->storage()), sampler, best_simd_target()), {});
    CHECK(block.result(0, 0) == (format == Format::Z32_FLOAT ? 0.0f : 1.0f));
  }
}

TEST_CASE("depth and stencil of a combined format are seen through two formats", "[texture][view]") {
  const struct {
    Format stored, stencil;
  } pairs[] = {{Format::Z24_UNORM_S8_UINT, Format::X24S8_UINT},
               {Format::S8_UINT_Z24_UNORM, Format::S8X24_UINT},
               {Format::Z32_FLOAT_S8X24_UINT, Format::X32_S8X24_UINT}};
  for (const auto& pair : pairs) {
    const auto image = make(pair.stored, 1, 1);
    std::byte* texel = image->storage_for_write(false).data();
    pack_depth(pair.stored, 0.25f, texel);
    pack_stencil(pair.stored, 201, texel);
    TextureBlock block;
    View view = whole_view(image->storage());
    for (SimdTarget simd : available_simd_targets()) {
      CAPTURE(format_info(pair.stored).name);
      view.format = pair.stored;
      block.run(*bind_texture(view, {}, simd), {});
      CHECK(std::fabs(block.result(0, 3) - 0.25f) < 1e-6f);
      view.format = pair.stencil;
      block.run(*bind_texture(view, {}, simd), {});
      CHECK(block.out[0][3] == 201);
      CHECK(block.out[3][3] == 1);
    }
  }
}

}  // namespace tessera::tests
