#include <catch2/catch.hpp>

#include "raster/tile.h"
#include "tests/support/random.h"
#include "tests/unit/raster/tile_check.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::raster::tests;
using tessera::tests::rounds;
using tessera::tests::seed;

namespace {

constexpr uint32_t kCounts[] = {2, 4, 8, 16};
constexpr float kSizes[] = {1.5f, 4, 12, 60, 200};

TargetDesc random_target(Random& random, uint32_t samples) {
  TargetDesc desc;
  desc.samples = samples;
  desc.width = random.integer(1, 80);
  desc.height = random.integer(1, 80);
  return desc;
}

std::vector<TestTriangle> random_triangles(Random& random, const TargetDesc& desc, uint32_t words) {
  std::vector<TestTriangle> triangles;
  const bool mixed = random.chance(2);
  float size = kSizes[random.integer(0, 4)];
  for (int32_t i = random.integer(1, 30); i > 0; --i) {
    if (mixed) size = kSizes[random.integer(0, 4)];
    triangles.push_back(random.triangle(desc.width, desc.height, size, words, random.chance(2)));
  }
  return triangles;
}

void blend_over(TileScene::State& state) {
  state.blend.target[0].enabled = true;
  state.blend.target[0].rgb_src = state.blend.target[0].alpha_src = BlendFactor::SrcAlpha;
  state.blend.target[0].rgb_dst = state.blend.target[0].alpha_dst = BlendFactor::InvSrcAlpha;
}

}  // namespace

TEST_CASE("every sample has its own coverage, depth and colour, whatever the sizes of triangles and tiles",
          "[raster][samples]") {
  Random random(seed());
  CAPTURE(seed());
  for (uint32_t round = 0; round < rounds(60); ++round) {
    CAPTURE(round);
    TargetDesc desc = random_target(random, kCounts[round % 4]);
    desc.depth = random.chance(4) ? Format::NONE : Format::Z32_FLOAT;
    const auto kind = static_cast<ShaderKind>(random.integer(0, 3));
    const auto interpolation = static_cast<ir::Interpolation>(random.integer(0, 2));
    const auto location = static_cast<ir::Location>(random.integer(0, 2));
    const TestShader shader = make_shader(kind, best_simd_target(), interpolation, location);
    TileScene::State state;
    state.rasterizer.multisample = !random.chance(6);
    state.rasterizer.bottom_edge_rule = random.chance(4);
    state.depth_stencil_alpha.depth_test = random.chance(2);
    state.depth_stencil_alpha.depth_write = random.chance(2);
    state.depth_stencil_alpha.depth_func = static_cast<Compare>(random.integer(0, 7));
    if (random.chance(3)) blend_over(state);
    if (random.chance(4)) state.sample_mask = static_cast<uint32_t>(random.integer(0, 0xffff));
    if (random.chance(6)) state.min_samples = 2;
    std::vector<std::vector<TestTriangle>> draws;
    for (int32_t d = random.integer(1, 3); d > 0; --d) draws.push_back(random_triangles(random, desc, shader.words));
    const bool clears = random.chance(2);
    check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
      if (clears) scene.clear_all(0.1f, 0.2f, 0.3f, 1, 0.7f);
      for (const auto& triangles : draws) scene.draw(shader, state, triangles);
    });
  }
}

TEST_CASE("depth and stencil formats keep every sample's value", "[raster][samples][depth]") {
  Random random(seed(1));
  CAPTURE(seed(1));
  constexpr Format kFormats[] = {Format::Z16_UNORM, Format::Z24_UNORM_S8_UINT, Format::Z24X8_UNORM,
                                 Format::S8_UINT_Z24_UNORM, Format::Z32_UNORM, Format::Z32_FLOAT_S8X24_UINT,
                                 Format::S8_UINT};
  for (const Format format : kFormats) {
    for (const uint32_t samples : kCounts) {
      CAPTURE(format_info(format).name, samples);
      TargetDesc desc = random_target(random, samples);
      desc.depth = format;
      const TestShader shader = make_shader(random.chance(2) ? ShaderKind::Color : ShaderKind::KillBelowHalf,
                                            best_simd_target());
      TileScene::State state;
      state.depth_stencil_alpha.depth_test = state.depth_stencil_alpha.depth_write = true;
      state.depth_stencil_alpha.depth_func = static_cast<Compare>(random.integer(1, 6));
      for (StencilFace& face : state.depth_stencil_alpha.stencil) {
        face.enabled = random.chance(2);
        face.func = static_cast<Compare>(random.integer(0, 7));
        face.depth_pass = static_cast<StencilOp>(random.integer(0, 7));
        face.depth_fail = static_cast<StencilOp>(random.integer(0, 7));
        face.fail = static_cast<StencilOp>(random.integer(0, 7));
      }
      const std::vector<TestTriangle> triangles = random_triangles(random, desc, shader.words);
      check_at_all_tile_sizes(desc, random, format == Format::Z32_FLOAT_S8X24_UINT, [&](TileScene& scene) {
        scene.clear_all(0, 0, 0, 1, 0.5f, 3);
        scene.draw(shader, state, triangles);
      });
    }
  }
}

TEST_CASE("programs read and write coverage and see their own sample", "[raster][samples]") {
  Random random(seed(2));
  CAPTURE(seed(2));
  constexpr ShaderKind kKinds[] = {ShaderKind::WritesSampleMask, ShaderKind::ReadsCoverage, ShaderKind::ReadsSample};
  for (uint32_t round = 0; round < rounds(24); ++round) {
    const ShaderKind kind = kKinds[round % 3];
    CAPTURE(round);
    TargetDesc desc = random_target(random, kCounts[round / 3 % 4]);
    desc.colors = {Format::R32G32B32A32_FLOAT};
    desc.depth = random.chance(2) ? Format::NONE : Format::Z32_FLOAT;
    const auto location = static_cast<ir::Location>(random.integer(0, 1));
    const TestShader shader = make_shader(kind, best_simd_target(), ir::Interpolation::Perspective, location);
    TileScene::State state;
    state.depth_stencil_alpha.depth_test = state.depth_stencil_alpha.depth_write = true;
    state.rasterizer.multisample = !random.chance(4);
    std::vector<TestTriangle> triangles = random_triangles(random, desc, shader.words);
    if (kind == ShaderKind::WritesSampleMask)
      for (TestTriangle& t : triangles)
        for (TestVertex& v : t.v) v.words[4] = random.real(0, 65535);
    check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
      scene.clear_all(0, 0, 0, 1, 1);
      scene.draw(shader, state, triangles);
    });
  }
}

TEST_CASE("alpha leaves samples covered, with and without dither, and becomes 1 after that", "[raster][samples]") {
  Random random(seed(4));
  CAPTURE(seed(4));
  for (uint32_t round = 0; round < rounds(24); ++round) {
    CAPTURE(round);
    TargetDesc desc = random_target(random, kCounts[round % 4]);
    desc.depth = Format::Z32_FLOAT;
    const TestShader shader = make_shader(ShaderKind::Color, best_simd_target());
    TileScene::State state;
    state.depth_stencil_alpha.depth_test = state.depth_stencil_alpha.depth_write = true;
    state.blend.alpha_to_coverage = !random.chance(4);
    state.blend.alpha_to_coverage_dither = random.chance(2);
    state.blend.alpha_to_one = random.chance(2);
    if (random.chance(2)) blend_over(state);
    if (random.chance(3)) {
      state.depth_stencil_alpha.alpha_test = true;
      state.depth_stencil_alpha.alpha_func = Compare::Greater;
      state.depth_stencil_alpha.alpha_ref = 0.6f;
    }
    const std::vector<TestTriangle> triangles = random_triangles(random, desc, shader.words);
    check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
      scene.clear_all(0, 0, 0, 1, 1);
      scene.draw(shader, state, triangles);
    });
  }
}

TEST_CASE("many targets with many samples fit a tile, down to 8 pixels a side", "[raster][samples]") {
  Random random(seed(5));
  TargetDesc desc;
  desc.width = 37;
  desc.height = 21;
  desc.samples = 16;
  desc.colors.assign(kMaxColorTargets, Format::R32G32B32A32_FLOAT);
  desc.depth = Format::Z32_FLOAT_S8X24_UINT;
  const TestShader shader = make_shader(ShaderKind::ManyTargets, best_simd_target());
  TileScene::State state;
  state.depth_stencil_alpha.depth_test = state.depth_stencil_alpha.depth_write = true;
  const std::vector<TestTriangle> triangles = random_triangles(random, desc, shader.words);
  check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
    REQUIRE(scene.frame().tile_size_px == 8);
    scene.clear_all(0, 0, 0, 1, 1);
    scene.draw(shader, state, triangles);
  });
}

TEST_CASE("hierarchical depth rejects whole blocks of samples and changes none", "[raster][samples][depth]") {
  Random random(seed(6));
  CAPTURE(seed(6));
  TargetDesc desc;
  desc.samples = 4;
  desc.depth = Format::Z24X8_UNORM;
  const TestShader shader = make_shader(ShaderKind::Color, best_simd_target());
  TileScene::State state;
  state.depth_stencil_alpha.depth_test = state.depth_stencil_alpha.depth_write = true;
  std::vector<TestTriangle> triangles;
  for (int32_t i = 0; i < 12; ++i) triangles.push_back(random.triangle(64, 64, 150, shader.words, false));
  const auto fill = [&](TileScene& scene) {
    scene.clear_all(0, 0, 0, 1, 1);
    for (const TestTriangle& t : triangles) scene.draw(shader, state, {t});
  };
  check_at_all_tile_sizes(desc, random, false, fill);
  // A wall, and a wall behind it: nothing of the second is shaded.
  TileScene scene(desc);
  TestTriangle wall;
  for (int32_t i = 0; i < 3; ++i) wall.v[i] = {i == 1 ? 200.0 : -10.0, i == 2 ? 200.0 : -10.0, 0.25f, 1, {1, 1, 1, 1}};
  scene.clear_all(0, 0, 0, 1, 1);
  scene.draw(shader, state, {wall});
  for (TestVertex& v : wall.v) v.z = 0.75f;
  scene.draw(shader, state, {wall});
  CHECK(scene.run(best_simd_target()).fragments == 64 * 64);
}
