// What debuggers are told of a texture operation: its level of detail, its probes, the texels that it read.
#include "texture/explain.h"

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>

#include "../../support/random.h"
#include "texture/bound.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;

double uniform(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }
float value(uint32_t bits) { return std::bit_cast<float>(bits); }

// Coordinates, and derivatives along s and t alone: `long_texels` and `short_texels` of a texture of `size`.
void fill(TextureBlock& block, double long_texels, double short_texels, double size, std::mt19937& random) {
  for (uint32_t lane = 0; lane < 64; ++lane) {
    for (uint32_t axis = 0; axis < 2; ++axis) block.set(axis, lane, static_cast<float>(uniform(random)));
    block.ddx[0][lane] = std::bit_cast<uint32_t>(static_cast<float>(short_texels / size));
    block.ddy[1][lane] = std::bit_cast<uint32_t>(static_cast<float>(long_texels / size));
  }
}

ir::TextureOp with_derivatives() {
  ir::TextureOp op;
  op.kind = ir::TextureKind::SampleGrad;
  return op;
}

}  // namespace

TEST_CASE("an explained operation has the probes of its footprint, and its result is the mean of what they read",
          "[texture][explain]") {
  std::mt19937 random(seed());
  constexpr double kSize = 64;
  const auto resource = random_texture(desc_of(ResourceKind::Tex2D, Format::R32G32B32A32_FLOAT, 64, 64, 1, 1, 1), random);
  Sampler sampler;
  sampler.min_filter = sampler.mag_filter = Filter::Nearest;
  sampler.mip_filter = MipFilter::None;
  sampler.max_anisotropy = 8;
  struct Footprint { double longer, shorter; size_t probes; };   // N = ceil(min(longer / shorter, longer, 8))
  for (const auto& [longer, shorter, probes] :
       {Footprint{5.5, 1, 6}, {5.5, 2, 3}, {20, 1, 8}, {0.5, 0.1, 1}, {2.5, 0.1, 3}}) {
    TextureBlock block;
    fill(block, longer, shorter, kSize, random);
    const ir::TextureOp op = with_derivatives();
    const auto bound = bind_texture(whole_view(resource->storage()), sampler, best_simd_target());
    block.run(*bound, op);
    for (int32_t lane = 0; lane < 64; ++lane) {
      const SampleExplanation told = explain_sample(bound.get(), block.args(op), lane);
      CAPTURE(seed(), longer, shorter, lane);
      REQUIRE(told.probes.size() == probes);
      REQUIRE(told.texels.size() == probes);
      CHECK(told.lod == Approx(std::log2(longer / static_cast<double>(probes))).margin(1e-4));
      double mean = 0;
      for (size_t n = 0; n < probes; ++n) {
        const double along = static_cast<double>(n + 1) / static_cast<double>(probes + 1) - 0.5;
        const double s = static_cast<double>(value(block.coord[0][lane])),
                     t = static_cast<double>(value(block.coord[1][lane])) + along * longer / kSize;
        CHECK(told.probes[n][0] == Approx(s).margin(1e-6));
        CHECK(told.probes[n][1] == Approx(t).margin(1e-6));
        CHECK(told.texels[n].probe == n);
        CHECK(told.texels[n].x == static_cast<int32_t>(std::floor(s * kSize)) % 64);
        mean += static_cast<double>(value(told.texels[n].texel.word[0])) / static_cast<double>(probes);
      }
      CHECK(block.result(0, static_cast<uint32_t>(lane)) == Approx(mean).margin(1e-5));
    }
  }
}

TEST_CASE("an explained operation without anisotropy has its level of detail and no probes", "[texture][explain]") {
  std::mt19937 random(seed());
  const auto resource = random_texture(desc_of(ResourceKind::Tex2D, Format::R8G8B8A8_UNORM, 64, 64, 1, 1), random);
  Sampler sampler;
  sampler.mip_filter = MipFilter::Linear;
  TextureBlock block;
  fill(block, 6, 3, 64, random);
  const auto bound = bind_texture(whole_view(resource->storage()), sampler, best_simd_target());
  const SampleExplanation told = explain_sample(bound.get(), block.args(with_derivatives()), 17);
  CHECK(told.probes.empty());
  CHECK(told.lod == Approx(std::log2(6.0)).margin(1e-4));
  CHECK(told.level == 2);
  CHECK(told.fraction == Approx(std::log2(6.0) - 2).margin(1e-2));
  REQUIRE(told.texels.size() == 8);                // four of each level
  CHECK(told.texels[3].level == 2);
  CHECK(told.texels[4].level == 3);
}

TEST_CASE("lanes that do not run have no explanation", "[texture][explain]") {
  TextureBlock block;
  const auto bound = bind_texture({}, {}, best_simd_target());
  CHECK_FALSE(explain_sample(bound.get(), block.args({}, 0xf0), 2).is_filled);
  CHECK(explain_sample(bound.get(), block.args({}, 0xf0), 5).is_filled);
}

}  // namespace tessera::tests
