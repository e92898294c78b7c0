// The level of detail: rho of the specification from quads, given derivatives, biases and limits; the levels chosen.
#include <bit>
#include <cmath>

#include <catch2/catch.hpp>

#include "../../support/random.h"
#include "spec_sampler.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;
using ir::TextureKind;

ResourceDesc pyramid(ResourceKind kind, uint32_t width, uint32_t height, uint32_t depth) {
  return desc_of(kind, Format::R32_FLOAT, width, height, depth, kind == ResourceKind::Cube ? 6 : 1,
                 kind == ResourceKind::Rect ? 1 : 0);
}

Sampler trilinear() {
  Sampler sampler;
  sampler.mip_filter = MipFilter::Linear;
  return sampler;
}

double uniform(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

// Coordinates that change by dx and dy over the quad, equal in all lanes otherwise.
void set_quad(TextureBlock& block, uint32_t quad, const double* at, const double* dx, const double* dy) {
  for (uint32_t axis = 0; axis < 3; ++axis)
    for (uint32_t n = 0; n < 4; ++n)
      block.set(axis, 4 * quad + n, static_cast<float>(at[axis] + (n & 1 ? dx[axis] : 0) + (n & 2 ? dy[axis] : 0)));
}

double coordinate(const TextureBlock& block, uint32_t axis, uint32_t lane) {
  return static_cast<double>(std::bit_cast<float>(block.coord[axis][lane]));
}

// Equation 8.8 with the differences that the quad really holds.
double rho_of_quad(const TextureBlock& block, uint32_t quad, const double* size, uint32_t dimensions) {
  double x = 0, y = 0;
  for (uint32_t axis = 0; axis < dimensions; ++axis) {
    x += std::pow((coordinate(block, axis, 4 * quad + 1) - coordinate(block, axis, 4 * quad)) * size[axis], 2);
    y += std::pow((coordinate(block, axis, 4 * quad + 2) - coordinate(block, axis, 4 * quad)) * size[axis], 2);
  }
  return std::max(std::sqrt(x), std::sqrt(y));
}

}  // namespace

TEST_CASE("lambda of a quad is log2 of the larger derivative's length, within 2^-10", "[texture][lod]") {
  std::mt19937 random(seed());
  const struct {
    ResourceKind kind;
    uint32_t dimensions;
    double size[3];
  } shapes[] = {{ResourceKind::Tex1D, 1, {256, 1, 1}},
                {ResourceKind::Tex2D, 2, {256, 64, 1}},
                {ResourceKind::Tex2D, 2, {100, 37, 1}},
                {ResourceKind::Rect, 2, {100, 37, 1}},
                {ResourceKind::Tex3D, 3, {32, 16, 64}}};
  for (const auto& shape : shapes) {
    const auto resource =
        numbered_levels(pyramid(shape.kind, uint32_t(shape.size[0]), uint32_t(shape.size[1]), uint32_t(shape.size[2])));
    const View view = whole_view(resource->storage());
    const double in_texels[3] = {1, 1, 1};
    const double* const size = shape.kind == ResourceKind::Rect ? in_texels : shape.size;
    for (uint32_t round = 0; round < rounds(50); ++round) {
      TextureBlock block;
      for (uint32_t quad = 0; quad < 16; ++quad) {
        const double scale = std::exp2(uniform(random) * 12 - 10);
        double at[3], dx[3], dy[3];
        for (uint32_t axis = 0; axis < 3; ++axis) {
          at[axis] = uniform(random) * 4 - 2;
          dx[axis] = (uniform(random) - 0.5) * scale;
          dy[axis] = (uniform(random) - 0.5) * scale;
        }
        set_quad(block, quad, at, dx, dy);
      }
      for (SimdTarget simd : available_simd_targets()) {
        ir::TextureOp op;
        op.kind = TextureKind::QueryLod;
        block.run(*bind_texture(view, trilinear(), simd), op);
        for (uint32_t lane = 0; lane < 64; ++lane) {
          const double lambda = std::log2(rho_of_quad(block, lane / 4, size, shape.dimensions));
          CAPTURE(seed(), round, lane, lambda);
          CHECK(std::fabs(static_cast<double>(block.result(1, lane)) - lambda) <= 1.0 / 1024);
          CHECK(std::fabs(static_cast<double>(block.result(0, lane)) -
                          std::clamp(lambda, 0.0, view.last_level * 1.0)) <= 1.0 / 1024);
        }
        op.kind = TextureKind::Sample;  // each level holds its own number
        block.run(*bind_texture(view, trilinear(), simd), op);
        for (uint32_t lane = 0; lane < 64; ++lane) {
          const double lambda =
              std::clamp(std::log2(rho_of_quad(block, lane / 4, size, shape.dimensions)), 0.0, view.last_level * 1.0);
          CHECK(std::fabs(static_cast<double>(block.result(0, lane)) - lambda) <= 1.0 / 1024);
        }
      }
    }
  }
}

TEST_CASE("given derivatives and biases count a lane, and a cube's derivatives are those of its face",
          "[texture][lod]") {
  std::mt19937 random(seed());
  const auto resource = numbered_levels(pyramid(ResourceKind::Cube, 256, 256, 1));
  const View view = whole_view(resource->storage());
  for (uint32_t round = 0; round < rounds(50); ++round) {
    TextureBlock block;
    double expected[64];
    for (uint32_t lane = 0; lane < 64; ++lane) {
      std::array<double, 3> d, change[2];
      for (double& x : d) x = static_cast<double>(static_cast<float>(uniform(random) * 2 - 1));
      d[random() % 3] = random() % 2 ? 1 : -1;
      for (auto& by : change)
        for (double& x : by) x = static_cast<double>(static_cast<float>((uniform(random) - 0.5) * 0.25));
      const double length[2] = {length_on_face(d, change[0], 256), length_on_face(d, change[1], 256)};
      for (uint32_t axis = 0; axis < 3; ++axis) {
        block.set(axis, lane, static_cast<float>(d[axis]));
        block.ddx[axis][lane] = std::bit_cast<uint32_t>(static_cast<float>(change[0][axis]));
        block.ddy[axis][lane] = std::bit_cast<uint32_t>(static_cast<float>(change[1][axis]));
      }
      expected[lane] = std::clamp(std::log2(std::max(length[0], length[1])) + 0.5, 0.0, view.last_level * 1.0);
    }
    Sampler sampler = trilinear();
    sampler.lod_bias = 0.5f;
    ir::TextureOp op;
    op.kind = TextureKind::SampleGrad;
    for (SimdTarget simd : available_simd_targets()) {
      block.run(*bind_texture(view, sampler, simd), op);
      for (uint32_t lane = 0; lane < 64; ++lane) {
        CAPTURE(seed(), round, lane, expected[lane]);
        CHECK(std::fabs(static_cast<double>(block.result(0, lane)) - expected[lane]) <= 1.0 / 1024);
      }
    }
  }
}

TEST_CASE("a quad on a cube has one lambda, from the differences of its directions on the first lane's face",
          "[texture][lod]") {
  std::mt19937 random(seed());
  const auto resource = numbered_levels(pyramid(ResourceKind::Cube, 256, 256, 1));
  for (uint32_t round = 0; round < rounds(50); ++round) {
    TextureBlock block;
    for (uint32_t quad = 0; quad < 16; ++quad) {
      double at[3], dx[3], dy[3];
      for (uint32_t axis = 0; axis < 3; ++axis) {
        at[axis] = uniform(random) * 2 - 1;
        dx[axis] = (uniform(random) - 0.5) * 0.25;
        dy[axis] = (uniform(random) - 0.5) * 0.25;
      }
      at[random() % 3] = random() % 2 ? 1 : -1;
      set_quad(block, quad, at, dx, dy);
    }
    ir::TextureOp op;
    op.kind = TextureKind::QueryLod;
    for (SimdTarget simd : available_simd_targets()) {
      block.run(*bind_texture(whole_view(resource->storage()), trilinear(), simd), op);
      for (uint32_t lane = 0; lane < 64; ++lane) {
        const uint32_t first = lane / 4 * 4;
        std::array<double, 3> d, x, y;
        for (uint32_t axis = 0; axis < 3; ++axis) {
          d[axis] = coordinate(block, axis, first);
          x[axis] = coordinate(block, axis, first + 1) - d[axis];
          y[axis] = coordinate(block, axis, first + 2) - d[axis];
        }
        const double lambda = std::log2(std::max(length_on_face(d, x, 256), length_on_face(d, y, 256)));
        CAPTURE(seed(), round, lane, lambda);
        CHECK(std::fabs(static_cast<double>(block.result(1, lane)) - lambda) <= 1.0 / 1024);
      }
    }
  }
}

TEST_CASE("a lane's bias adds to the sampler's before the limits", "[texture][lod]") {
  const auto resource = numbered_levels(pyramid(ResourceKind::Tex2D, 256, 256, 1));
  Sampler sampler = trilinear();
  sampler.lod_bias = 1;
  sampler.min_lod = 1.5f;
  sampler.max_lod = 5;
  TextureBlock block;
  const double at[3] = {0, 0, 0}, dx[3] = {1.0 / 64, 0, 0}, dy[3] = {0, 1.0 / 256, 0};  // rho 4, lambda 2
  block.has_lod = true;
  for (uint32_t quad = 0; quad < 16; ++quad) set_quad(block, quad, at, dx, dy);
  for (uint32_t lane = 0; lane < 64; ++lane)
    block.lod[lane] = std::bit_cast<uint32_t>(static_cast<float>(lane) / 8 - 4);
  ir::TextureOp op;
  op.kind = TextureKind::SampleBias;
  block.run(*bind_texture(whole_view(resource->storage()), sampler, best_simd_target()), op);
  for (uint32_t lane = 0; lane < 64; ++lane) {
    CAPTURE(lane);
    CHECK(block.result(0, lane) == std::clamp(2 + 1 + static_cast<float>(lane) / 8 - 4, 1.5f, 5.0f));
  }
}

TEST_CASE("the nearest level is taken, and halves go to the finer one", "[texture][lod]") {
  const auto resource = numbered_levels(pyramid(ResourceKind::Tex2D, 16, 16, 1));
  Sampler sampler;
  sampler.mip_filter = MipFilter::Nearest;
  TextureBlock block;
  block.has_lod = true;
  const float lods[] = {-INFINITY, -1,   0,    0.5f, 0.5000001f, 1, 1.5f,     1.51f,
                        2.5f,      3.5f, 3.6f, 4,    4.5f,       9, INFINITY, NAN};
  const float levels[] = {0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 4, 4, 4, 4, 4, 0};
  for (uint32_t lane = 0; lane < 64; ++lane) block.lod[lane] = std::bit_cast<uint32_t>(lods[lane % 16]);
  ir::TextureOp op;
  op.kind = TextureKind::SampleLod;
  for (SimdTarget simd : available_simd_targets()) {
    block.run(*bind_texture(whole_view(resource->storage()), sampler, simd), op);
    for (uint32_t lane = 0; lane < 16; ++lane) {
      CAPTURE(lane, lods[lane]);
      CHECK(block.result(0, lane) == levels[lane]);
    }
  }
}

TEST_CASE("magnifying and minifying switch at 0, or at 1/2 where only magnifying is linear", "[texture][lod]") {
  ResourceDesc desc = pyramid(ResourceKind::Tex1D, 2, 1, 1);
  const std::shared_ptr<Resource> resource = Resource::create(desc).value();
  auto* texels = reinterpret_cast<float*>(resource->storage_for_write(false).data());
  texels[0] = 0;
  texels[1] = 1;  // between the texels a linear filter gives 1/2, a nearest one 1
  Sampler sampler;
  sampler.wrap_s = Wrap::ClampToEdge;
  sampler.mip_filter = MipFilter::Nearest;
  sampler.mag_filter = Filter::Linear;
  sampler.min_filter = Filter::Nearest;
  TextureBlock block;
  block.has_lod = true;
  const float lods[] = {-1, 0, 0.25f, 0.5f};
  for (uint32_t lane = 0; lane < 64; ++lane) {
    block.set(0, lane, 0.5f);
    block.lod[lane] = std::bit_cast<uint32_t>(lods[lane % 4]);
  }
  ir::TextureOp op;
  op.kind = TextureKind::SampleLod;
  const auto results = [&] {
    block.run(*bind_texture(whole_view(resource->storage()), sampler, best_simd_target()), op);
    return std::array<float, 4>{block.result(0, 0), block.result(0, 1), block.result(0, 2), block.result(0, 3)};
  };
  CHECK(results() == std::array<float, 4>{0.5f, 0.5f, 0.5f, 0.5f});
  sampler.mip_filter = MipFilter::None;
  CHECK(results() == std::array<float, 4>{0.5f, 0.5f, 1, 1});
  std::swap(sampler.mag_filter, sampler.min_filter);
  CHECK(results() == std::array<float, 4>{1, 1, 0.5f, 0.5f});
}

// Direct3D 9's algorithm for texldl, which counts for every sample.
TEST_CASE("Direct3D 9 decides between its filters before the smallest level, and takes halves to the coarser level",
          "[texture][lod]") {
  const auto numbers = numbered_levels(pyramid(ResourceKind::Tex2D, 16, 16, 1));
  Sampler sampler;
  sampler.level_rule = LevelRule::Direct3d9;
  sampler.min_lod = 1;
  sampler.lod_bias = 0.25f;
  TextureBlock block;
  block.has_lod = true;
  const float lods[] = {-INFINITY, -1, -0.25f, 0, 0.75f, 1.2f, 1.25f, 1.5f, 2, 2.25f, 3, 3.5f, 3.75f, 9, INFINITY, NAN};
  for (uint32_t lane = 0; lane < 64; ++lane) block.lod[lane] = std::bit_cast<uint32_t>(lods[lane % 16]);
  ir::TextureOp op;
  op.kind = TextureKind::SampleLod;
  for (MipFilter mip : {MipFilter::None, MipFilter::Nearest, MipFilter::Linear}) {
    sampler.mip_filter = mip;
    for (SimdTarget simd : available_simd_targets()) {
      block.run(*bind_texture(whole_view(numbers->storage()), sampler, simd), op);
      for (uint32_t lane = 0; lane < 16; ++lane) {
        const double lod = static_cast<double>(lods[lane]) + 0.25;
        const double level = !(lod > 0) ? 1.0 : std::min(std::max(1.0, lod), 4.0);
        const double expected = mip == MipFilter::None      ? 0
                                : mip == MipFilter::Nearest ? std::floor(level + 0.5)
                                                            : level;
        CAPTURE(lane, lods[lane], static_cast<int>(mip));
        CHECK(static_cast<double>(block.result(0, lane)) == Approx(expected).margin(1e-6));
      }
    }
  }
  // Which filter: between the two texels of the 2 x 1 level a linear filter gives 1/2, a nearest one 1.
  ResourceDesc desc = pyramid(ResourceKind::Tex1D, 4, 1, 1);
  const std::shared_ptr<Resource> steps = Resource::create(desc).value();
  Storage& storage = steps->storage_for_write(false);
  auto* texels = reinterpret_cast<float*>(storage.slice(1, 0));
  texels[0] = 0;
  texels[1] = 1;
  sampler.mip_filter = MipFilter::Nearest;
  sampler.wrap_s = Wrap::ClampToEdge;
  sampler.mag_filter = Filter::Linear;
  sampler.min_filter = Filter::Nearest;
  for (uint32_t lane = 0; lane < 64; ++lane) block.set(0, lane, 0.5f);
  block.run(*bind_texture(whole_view(steps->storage()), sampler, best_simd_target()), op);
  CHECK(block.result(0, 1) == 0.5f);   // LOD -0.75
  CHECK(block.result(0, 2) == 0.5f);   // LOD 0
  CHECK(block.result(0, 3) == 1.0f);   // LOD 0.25
  CHECK(block.result(0, 15) == 0.5f);  // not a number
}

}  // namespace tessera::tests
