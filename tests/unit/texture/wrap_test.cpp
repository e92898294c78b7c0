// The wrap modes at exact borders, as tables, and coordinates that no program should ask for.
#include <bit>
#include <cmath>
#include <vector>

#include <catch2/catch.hpp>

#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;

// A 1D texture of `width` texels; texel i is i + 1, the border 100.
std::shared_ptr<Resource> ramp(uint32_t width) {
  ResourceDesc desc;
  desc.kind = ResourceKind::Tex1D;
  desc.format = Format::R32_FLOAT;
  desc.width = width;
  std::shared_ptr<Resource> resource = Resource::create(desc).value();
  auto* texels = reinterpret_cast<float*>(resource->storage_for_write(false).data());
  for (uint32_t i = 0; i < width; ++i) texels[i] = static_cast<float>(i + 1);
  return resource;
}

std::vector<float> sample(const Resource& resource, Wrap wrap, Filter filter, const std::vector<float>& coordinates) {
  Sampler sampler;
  sampler.wrap_s = wrap;
  sampler.min_filter = sampler.mag_filter = filter;
  sampler.border[0] = std::bit_cast<uint32_t>(100.0f);
  TextureBlock block;
  for (uint32_t lane = 0; lane < coordinates.size(); ++lane) block.set(0, lane, coordinates[lane]);
  block.run(*bind_texture(whole_view(resource.storage()), sampler, best_simd_target()), {});
  std::vector<float> results;
  for (uint32_t lane = 0; lane < coordinates.size(); ++lane) results.push_back(block.result(0, lane));
  return results;
}

float next_below(float x) { return std::nextafter(x, -1e30f); }

}  // namespace

TEST_CASE("a nearest texel changes exactly at texel borders, in every wrap mode", "[texture][wrap]") {
  const std::shared_ptr<Resource> four = ramp(4);
  const std::vector<float> at = {-1.25f,
                                 next_below(-1.0f),
                                 -1.0f,
                                 next_below(-0.75f),
                                 -0.75f,
                                 -1e-30f,
                                 -0.0f,
                                 0.0f,
                                 0.25f,
                                 next_below(0.25f),
                                 next_below(1.0f),
                                 1.0f,
                                 1.25f,
                                 next_below(2.0f),
                                 2.0f,
                                 2.25f};
  const struct {
    Wrap wrap;
    std::vector<float> texels;
  } table[] = {{Wrap::Repeat, {4, 4, 1, 1, 2, 4, 1, 1, 2, 1, 4, 1, 2, 4, 1, 2}},
               {Wrap::MirrorRepeat, {4, 4, 4, 4, 3, 1, 1, 1, 2, 1, 4, 4, 3, 1, 1, 2}},
               {Wrap::ClampToEdge, {1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 4, 4, 4, 4, 4, 4}},
               {Wrap::Clamp, {1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 4, 4, 4, 4, 4, 4}},
               {Wrap::ClampToBorder, {100, 100, 100, 100, 100, 100, 1, 1, 2, 1, 4, 100, 100, 100, 100, 100}},
               {Wrap::MirrorClampToEdge, {4, 4, 4, 4, 3, 1, 1, 1, 2, 1, 4, 4, 4, 4, 4, 4}},
               {Wrap::MirrorClamp, {4, 4, 4, 4, 3, 1, 1, 1, 2, 1, 4, 4, 4, 4, 4, 4}},
               {Wrap::MirrorClampToBorder, {100, 100, 4, 4, 3, 1, 1, 1, 2, 1, 4, 100, 100, 100, 100, 100}}};
  for (const auto& row : table) {
    CAPTURE(static_cast<int>(row.wrap));
    CHECK(sample(*four, row.wrap, Filter::Nearest, at) == row.texels);
  }
}

TEST_CASE("a linear filter meets the border as its wrap mode says", "[texture][wrap]") {
  const std::shared_ptr<Resource> four = ramp(4);
  const std::vector<float> at = {-10, -0.125f, 0, 0.125f, 0.25f, 0.875f, 1, 1.125f, 10};
  const struct {
    Wrap wrap;
    std::vector<float> values;
  } table[] = {{Wrap::Repeat, {2.5f, 4, 2.5f, 1, 1.5f, 4, 2.5f, 1, 2.5f}},
               {Wrap::MirrorRepeat, {1, 1, 1, 1, 1.5f, 4, 4, 4, 1}},
               {Wrap::ClampToEdge, {1, 1, 1, 1, 1.5f, 4, 4, 4, 4}},
               {Wrap::Clamp, {50.5f, 50.5f, 50.5f, 1, 1.5f, 4, 52, 52, 52}},
               {Wrap::ClampToBorder, {100, 100, 50.5f, 1, 1.5f, 4, 52, 100, 100}},
               {Wrap::MirrorClampToEdge, {4, 1, 1, 1, 1.5f, 4, 4, 4, 4}},
               {Wrap::MirrorClamp, {52, 1, 1, 1, 1.5f, 4, 52, 52, 52}},
               {Wrap::MirrorClampToBorder, {100, 1, 1, 1, 1.5f, 4, 52, 100, 100}}};
  for (const auto& row : table) {
    CAPTURE(static_cast<int>(row.wrap));
    CHECK(sample(*four, row.wrap, Filter::Linear, at) == row.values);
  }
}

TEST_CASE("borders of texels that are no power of two lie at the exact quotient", "[texture][wrap]") {
  for (uint32_t width : {3u, 5u, 7u, 1000u, 16383u}) {
    const std::shared_ptr<Resource> texture = ramp(width);
    for (uint32_t k = 1; k < width; k += width < 100 ? 1 : width / 61) {
      // The first float at or above k / width is texel k, the one before it texel k - 1.
      float border = static_cast<float>(k) / static_cast<float>(width);
      if (static_cast<double>(border) * width < k) border = std::nextafter(border, 2.0f);
      CAPTURE(width, k);
      CHECK(sample(*texture, Wrap::ClampToEdge, Filter::Nearest, {border, next_below(border)}) ==
            std::vector<float>{float(k + 1), float(k)});
      CHECK(sample(*texture, Wrap::Repeat, Filter::Nearest, {border, next_below(border)}) ==
            std::vector<float>{float(k + 1), float(k)});
    }
  }
}

TEST_CASE("huge, infinite and undefined coordinates give defined texels", "[texture][wrap]") {
  const std::shared_ptr<Resource> texture = ramp(5);
  const std::vector<float> at = {1e10f, -1e10f, 3e38f, -3e38f, INFINITY, -INFINITY, NAN, 8388607.5f, -8388607.5f};
  CHECK(sample(*texture, Wrap::Repeat, Filter::Nearest, at) == std::vector<float>{1, 1, 1, 1, 1, 1, 1, 3, 3});
  CHECK(sample(*texture, Wrap::MirrorRepeat, Filter::Nearest, at) == std::vector<float>{1, 1, 1, 1, 1, 1, 1, 3, 3});
  CHECK(sample(*texture, Wrap::ClampToEdge, Filter::Nearest, at) == std::vector<float>{5, 1, 5, 1, 5, 1, 1, 5, 1});
  CHECK(sample(*texture, Wrap::ClampToBorder, Filter::Nearest, at) ==
        std::vector<float>{100, 100, 100, 100, 100, 100, 1, 100, 100});
  CHECK(sample(*texture, Wrap::MirrorClampToEdge, Filter::Nearest, at) ==
        std::vector<float>{5, 5, 5, 5, 5, 5, 1, 5, 5});
}

}  // namespace tessera::tests
