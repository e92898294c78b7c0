// Anisotropic filtering: the documented probes, and that they are worth it.
#include <bit>
#include <cmath>
#include <cstring>

#include <catch2/catch.hpp>

#include "../../support/random.h"
#include "spec_sampler.h"
#include "texture/mipgen.h"
#include "texture_block.h"

namespace tessera::tests {
namespace {

using namespace texture;
using ir::TextureKind;

double uniform(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

std::shared_ptr<Resource> mipped(uint32_t size, std::mt19937& random, ResourceKind kind = ResourceKind::Tex2D) {
  ResourceDesc desc;
  desc.kind = kind;
  desc.width = desc.height = size;
  if (kind == ResourceKind::Cube) desc.layers = 6;
  if (kind == ResourceKind::Tex3D) desc.depth = size;
  desc.levels = static_cast<uint32_t>(std::bit_width(size));
  return random_texture(desc, random);
}

Sampler anisotropic(uint8_t most) {
  Sampler sampler;
  sampler.mip_filter = MipFilter::Linear;
  sampler.max_anisotropy = most;
  return sampler;
}

struct Probes {
  int count;
  double lambda;
};

Probes probes_of(double px, double py, double most) {
  const double longer = std::max(px, py), shorter = std::min(px, py);
  const double count = std::max(1.0, std::ceil(std::min({longer / shorter, longer, most})));
  return {static_cast<int>(count), std::log2(longer / count)};
}

bool is_near_integer(double x) { return std::fabs(x - std::nearbyint(x)) < 1e-3; }

float value(uint32_t bits) { return std::bit_cast<float>(bits); }

std::array<double, 3> values(const uint32_t (&slots)[3][64], uint32_t lane) {
  return {value(slots[0][lane]), value(slots[1][lane]), value(slots[2][lane])};
}

std::array<double, 3> random_vector(double length, std::mt19937& random) {
  std::array<double, 3> v;
  for (double& x : v) x = uniform(random) * 2 - 1;
  const double scale = length / std::hypot(v[0], v[1], v[2]);
  for (double& x : v) x *= scale;
  return v;
}

// The length of a change of the coordinates, in texels of level 0.
double length_of(const View& view, const std::array<double, 3>& at, const std::array<double, 3>& change) {
  const double size = view.storage->desc().width;
  if (view.kind == ResourceKind::Cube) return length_on_face(at, change, size);
  return size * std::hypot(change[0], change[1], view.kind == ResourceKind::Tex3D ? change[2] : 0);
}

}  // namespace

TEST_CASE("anisotropic filtering averages the documented probes", "[texture][anisotropy]") {
  std::mt19937 random(seed());
  const ResourceKind kinds[] = {ResourceKind::Tex2D, ResourceKind::Cube, ResourceKind::Tex3D};
  for (uint32_t round = 0; round < rounds(90); ++round) {
    const auto resource = mipped(32, random, kinds[round % 3]);
    const View view = whole_view(resource->storage());
    const Sampler sampler = anisotropic(static_cast<uint8_t>(2 + random() % 15));
    const SpecSampler spec(view, sampler);
    TextureBlock block;
    for (uint32_t lane = 0; lane < 64; ++lane) {
      const double length = std::exp2(uniform(random) * 5 - 6), thin = length * uniform(random);
      const auto dx = random_vector(lane % 2 ? thin : length, random),
                 dy = random_vector(lane % 2 ? length : thin, random);
      for (uint32_t axis = 0; axis < 3; ++axis) {
        block.set(axis, lane, static_cast<float>(uniform(random)));
        block.ddx[axis][lane] = std::bit_cast<uint32_t>(static_cast<float>(dx[axis]));
        block.ddy[axis][lane] = std::bit_cast<uint32_t>(static_cast<float>(dy[axis]));
      }
      if (view.kind == ResourceKind::Cube)
        block.set(static_cast<uint32_t>(random() % 3), lane, random() % 2 ? 1.0f : -1.0f);
    }
    ir::TextureOp op;
    op.kind = TextureKind::SampleGrad;
    std::optional<TextureBlock> first;
    for (SimdTarget simd : available_simd_targets()) {
      block.run(*bind_texture(view, sampler, simd), op);
      if (first) REQUIRE(std::memcmp(first->out, block.out, sizeof block.out) == 0);
      first = block;
    }
    for (uint32_t lane = 0; lane < 64; ++lane) {
      const std::array<double, 3> at = {value(block.coord[0][lane]), value(block.coord[1][lane]),
                                        value(block.coord[2][lane])};
      const double px = length_of(view, at, values(block.ddx, lane)), py = length_of(view, at, values(block.ddy, lane));
      if (is_near_integer(std::max(px, py) / std::min(px, py)) || is_near_integer(std::max(px, py))) continue;
      const Probes probes = probes_of(px, py, sampler.max_anisotropy);
      const std::array<double, 3> step = values(px > py ? block.ddx : block.ddy, lane);
      Rgba expected{};
      for (int n = 1; n <= probes.count; ++n) {
        const double along = static_cast<double>(n) / (probes.count + 1) - 0.5;
        SpecCoordinates probe_at;
        probe_at.s = static_cast<float>(at[0] + along * step[0]);
        probe_at.t = static_cast<float>(at[1] + along * step[1]);
        probe_at.r = static_cast<float>(at[2] + along * step[2]);
        const Rgba probe = spec.sample(probe_at, probes.lambda);
        for (size_t c = 0; c < 4; ++c) expected[c] += probe[c] / probes.count;
      }
      for (uint32_t c = 0; c < 4; ++c) {
        CAPTURE(seed(), round, lane, c, px, py, probes.count, expected[c], block.result(c, lane));
        if (!(std::fabs(static_cast<double>(block.result(c, lane)) - expected[c]) <= 2.0 / 255)) FAIL("out of bound");
      }
    }
  }
}

// A footprint of 16 x 1 texels: its true average by supersampling, against one trilinear sample and against probes.
TEST_CASE("at grazing angles anisotropic filtering is nearer to the true average than isotropic",
          "[texture][anisotropy]") {
  std::mt19937 random(seed());
  const auto resource = mipped(256, random);
  REQUIRE(texture::generate_mips(resource->storage_for_write(true)).ok());
  const View view = whole_view(resource->storage());
  Sampler plain;
  plain.mip_filter = MipFilter::None;
  const SpecSampler base(view, plain);
  TextureBlock block;
  for (uint32_t lane = 0; lane < 64; ++lane) {
    block.set(0, lane, static_cast<float>(uniform(random)));
    block.set(1, lane, static_cast<float>(uniform(random)));
    block.ddx[0][lane] = std::bit_cast<uint32_t>(1.0f / 256);
    block.ddy[1][lane] = std::bit_cast<uint32_t>(16.0f / 256);
  }
  double truth[64] = {};
  for (uint32_t lane = 0; lane < 64; ++lane)
    for (int j = 0; j < 64; ++j)
      for (int i = 0; i < 4; ++i) {
        SpecCoordinates at;
        at.s = value(block.coord[0][lane]) + static_cast<float>((i + 0.5) / 4 - 0.5) / 256;
        at.t = value(block.coord[1][lane]) + static_cast<float>((j + 0.5) / 64 - 0.5) * 16 / 256;
        truth[lane] += base.sample(at, 0)[0] / 256;
      }
  ir::TextureOp op;
  op.kind = TextureKind::SampleGrad;
  const auto error_with = [&](uint8_t most) {
    block.run(*bind_texture(view, anisotropic(most), best_simd_target()), op);
    double sum = 0;
    for (uint32_t lane = 0; lane < 64; ++lane)
      sum += std::pow(static_cast<double>(block.result(0, lane)) - truth[lane], 2);
    return std::sqrt(sum / 64);
  };
  const double isotropic = error_with(1), eight = error_with(8), sixteen = error_with(16);
  CAPTURE(isotropic, eight, sixteen);
  CHECK(eight < isotropic * 0.75);
  CHECK(sixteen < eight);
}

TEST_CASE("a footprint as wide as long takes one probe and gives the bits of isotropic filtering",
          "[texture][anisotropy]") {
  std::mt19937 random(seed());
  const auto resource = mipped(64, random);
  TextureBlock block;
  for (uint32_t lane = 0; lane < 64; ++lane)
    for (uint32_t axis = 0; axis < 2; ++axis)
      block.set(axis, lane, static_cast<float>((lane >> axis & 1u) + lane / 4) * 3.0f / 64);
  const View view = whole_view(resource->storage());
  block.run(*bind_texture(view, anisotropic(1), best_simd_target()), {});
  const TextureBlock isotropic = block;
  block.run(*bind_texture(view, anisotropic(16), best_simd_target()), {});
  for (uint32_t c = 0; c < 4; ++c)
    for (uint32_t lane = 0; lane < 64; ++lane) CHECK(block.out[c][lane] == isotropic.out[c][lane]);
}

}  // namespace tessera::tests
