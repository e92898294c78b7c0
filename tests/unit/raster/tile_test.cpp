#include <catch2/catch.hpp>

#include <algorithm>
#include <cstring>
#include <random>

#include "core/scalar.h"
#include "raster/tile.h"
#include "tests/support/random.h"
#include "tests/unit/raster/tile_check.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::raster::tests;
using tessera::tests::rounds;
using tessera::tests::seed;

TEST_CASE("tiles draw what the formulas say, whatever the sizes of triangles and tiles", "[raster][tile]") {
  Random random(seed());
  CAPTURE(seed());
  for (uint32_t round = 0; round < rounds(60); ++round) {
    CAPTURE(round);
    TargetDesc desc;
    desc.width = random.integer(1, 150);
    desc.height = random.integer(1, 150);
    desc.depth = random.chance(4) ? Format::NONE : Format::Z32_FLOAT;
    const auto kind = static_cast<ShaderKind>(random.integer(0, 3));
    const auto interpolation = static_cast<ir::Interpolation>(random.integer(0, 2));
    const TestShader shader = make_shader(kind, best_simd_target(), interpolation);
    TileScene::State state;
    state.depth_stencil_alpha.depth_test = random.chance(2);
    state.depth_stencil_alpha.depth_write = random.chance(2);
    state.depth_stencil_alpha.depth_func = static_cast<Compare>(random.integer(0, 7));
    if (random.chance(3)) {
      state.blend.target[0].enabled = true;
      state.blend.target[0].rgb_src = state.blend.target[0].alpha_src = BlendFactor::SrcAlpha;
      state.blend.target[0].rgb_dst = state.blend.target[0].alpha_dst = BlendFactor::InvSrcAlpha;
    }
    std::vector<std::vector<TestTriangle>> draws;
    const float sizes[] = {1.5f, 4, 12, 60, 400};
    for (int32_t d = random.integer(1, 4); d > 0; --d) {
      draws.emplace_back();
      const bool mixed = random.chance(2);
      float size = sizes[random.integer(0, 4)];
      for (int32_t i = random.integer(1, 60); i > 0; --i) {
        if (mixed) size = sizes[random.integer(0, 4)];
        draws.back().push_back(random.triangle(desc.width, desc.height, size, shader.words, random.chance(2)));
      }
    }
    const bool clears = random.chance(2);
    check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
      if (clears) scene.clear_all(0.1f, 0.2f, 0.3f, 1, 0.7f);
      for (const auto& triangles : draws) scene.draw(shader, state, triangles);
    });
  }
}

TEST_CASE("triangles of any size show in small targets as from single pixels", "[raster][tile]") {
  Random random(seed(2));
  CAPTURE(seed(2));
  const TestShader shader = make_shader(ShaderKind::Color, best_simd_target(), ir::Interpolation::Linear);
  for (uint32_t round = 0; round < rounds(20); ++round) {
    CAPTURE(round);
    TargetDesc desc;
    desc.width = random.integer(1, 20);
    desc.height = random.integer(1, 20);
    std::vector<SetupTriangle> triangles;
    std::vector<float> records;
    for (int32_t i = 0; i < 60; ++i) {
      // An edge passes within some pixels of (x, y), and may be as long as the guard band.
      const int32_t x = random.integer(0, desc.width - 1), y = random.integer(0, desc.height - 1);
      const int32_t reach = random.chance(2) ? 32000 : random.integer(1, 300);
      const int32_t dx = random.integer(-reach * 256, reach * 256), dy = random.integer(-reach * 256, reach * 256);
      const auto near = [&](int32_t px, int32_t offset) { return px * 256 + offset + random.integer(-1000, 1000); };
      const WinVertex v[3] = {{near(x, dx), near(y, dy), 0.5f, 1}, {near(x, -dx), near(y, -dy), 0.5f, 1},
                              {near(x, random.chance(2) ? dy : 0), near(y, random.chance(2) ? -dx : 3000), 0.5f, 1}};
      SetupState state;
      state.clip_rect = {0, 0, desc.width, desc.height};
      SetupTriangle t;
      if (!setup_triangle(v, state, t)) continue;
      for (uint32_t& vertex : t.vertex) {
        vertex = uint32_t(records.size()) / shader.words;
        for (uint32_t word = 0; word < shader.words; ++word) records.push_back(random.real(0, 1));
      }
      t.provoking = t.vertex[0];
      triangles.push_back(t);
    }
    check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
      scene.draw_setup(shader, {}, triangles, records, shader.words);
    });
  }
}

TEST_CASE("a mesh of small triangles comes out of batches as from single pixels", "[raster][tile]") {
  Random random(seed(3));
  CAPTURE(seed(3));
  TargetDesc desc;
  desc.width = 100;
  desc.height = 70;
  desc.depth = Format::Z32_FLOAT;
  const TestShader shader = make_shader(ShaderKind::Color, best_simd_target());
  TileScene::State state;
  state.depth_stencil_alpha.depth_test = state.depth_stencil_alpha.depth_write = true;
  std::vector<TestTriangle> mesh;
  constexpr int kColumns = 52, kRows = 37;
  std::vector<TestVertex> grid;
  for (int i = 0; i < (kColumns + 1) * (kRows + 1); ++i) {
    TestVertex v;
    v.x = i % (kColumns + 1) * 1.92 + 0.0001 * random.integer(0, 9000);
    v.y = i / (kColumns + 1) * 1.9 + 0.0001 * random.integer(0, 9000);
    v.z = random.real(0, 1);
    for (int c = 0; c < 4; ++c) v.words.push_back(random.real(0, 1));
    grid.push_back(v);
  }
  for (int y = 0; y < kRows; ++y)
    for (int x = 0; x < kColumns; ++x) {
      const int i = y * (kColumns + 1) + x;
      mesh.push_back({{grid[i], grid[i + 1], grid[i + kColumns + 1]}});
      mesh.push_back({{grid[i + 1], grid[i + kColumns + 2], grid[i + kColumns + 1]}});
    }
  check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
    scene.clear_all(0, 0, 0, 1, 1);
    scene.draw(shader, state, mesh);
    scene.draw(shader, state, mesh);
  });
}

TEST_CASE("depth functions hold for every depth format", "[raster][depth]") {
  const Format formats[] = {Format::Z16_UNORM,         Format::Z24X8_UNORM,         Format::X8Z24_UNORM,
                            Format::Z24_UNORM_S8_UINT, Format::S8_UINT_Z24_UNORM,   Format::Z32_UNORM,
                            Format::Z32_FLOAT,         Format::Z32_FLOAT_S8X24_UINT};
  Random random(seed(4));
  CAPTURE(seed(4));
  for (const Format format : formats) {
    for (int func = 0; func < 8; ++func) {
      for (const ShaderKind kind : {ShaderKind::Color, ShaderKind::KillBelowHalf, ShaderKind::WritesDepth}) {
        CAPTURE(format_info(format).name, func, static_cast<int>(kind));
        TargetDesc desc;
        desc.width = 40;
        desc.height = 24;
        desc.depth = format;
        const TestShader shader = make_shader(kind, best_simd_target());
        TileScene::State state;
        state.depth_stencil_alpha.depth_test = true;
        state.depth_stencil_alpha.depth_write = random.chance(4) ? false : true;
        state.depth_stencil_alpha.depth_func = static_cast<Compare>(func);
        std::vector<TestTriangle> triangles;
        for (int i = 0; i < 12; ++i) {
          triangles.push_back(random.triangle(40, 24, i % 2 ? 5.0f : 60.0f, shader.words, false));
          // Equal depths happen: three levels, flat.
          if (i % 3 == 0)
            for (TestVertex& v : triangles.back().v) v.z = 0.25f * static_cast<float>(random.integer(0, 4));
        }
        const bool clears = random.chance(2);
        check_at_all_tile_sizes(desc, random, format_info(format).field[0].kind == FieldKind::Float,
                                [&](TileScene& scene) {
                                  if (clears) scene.clear_all(0, 0, 0, 1, 0.5f, 7);
                                  scene.draw(shader, state, triangles);
                                });
      }
    }
  }
}

TEST_CASE("stencil tests and operations work on both faces", "[raster][depth]") {
  Random random(seed(5));
  CAPTURE(seed(5));
  for (uint32_t round = 0; round < rounds(60); ++round) {
    CAPTURE(round);
    TargetDesc desc;
    desc.width = 40;
    desc.height = 24;
    const Format formats[] = {Format::Z24_UNORM_S8_UINT, Format::S8_UINT_Z24_UNORM, Format::Z32_FLOAT_S8X24_UINT,
                              Format::S8_UINT};
    desc.depth = formats[random.integer(0, 3)];
    const ShaderKind kinds[] = {ShaderKind::Color, ShaderKind::KillBelowHalf, ShaderKind::WritesStencil};
    const TestShader shader =
        make_shader(kinds[random.integer(0, 2)], best_simd_target());
    TileScene::State state;
    DepthStencilAlphaState& s = state.depth_stencil_alpha;
    s.depth_test = random.chance(2);
    s.depth_write = true;
    s.depth_func = Compare::Less;
    for (int side = 0; side < 2; ++side) {
      StencilFace& face = s.stencil[side];
      face.enabled = side == 0 || random.chance(2);
      face.func = static_cast<Compare>(random.integer(0, 7));
      face.fail = static_cast<StencilOp>(random.integer(0, 7));
      face.depth_pass = static_cast<StencilOp>(random.integer(0, 7));
      face.depth_fail = static_cast<StencilOp>(random.integer(0, 7));
      face.value_mask = static_cast<uint8_t>(random.integer(0, 255));
      face.write_mask = static_cast<uint8_t>(random.integer(0, 255));
      state.stencil_ref[side] = static_cast<uint8_t>(random.integer(0, 255));
    }
    std::vector<TestTriangle> triangles;
    for (int i = 0; i < 20; ++i)
      triangles.push_back(random.triangle(40, 24, i % 2 ? 5.0f : 60.0f, shader.words, false));
    check_at_all_tile_sizes(desc, random, desc.depth == Format::Z32_FLOAT_S8X24_UINT,
                            [&](TileScene& scene) { scene.draw(shader, state, triangles); });
  }
}

TEST_CASE("hierarchical depth changes no pixel", "[raster][depth]") {
  Random random(seed(6));
  CAPTURE(seed(6));
  for (const Compare func : {Compare::Less, Compare::Lequal, Compare::Greater, Compare::Gequal}) {
    TargetDesc desc;
    desc.width = 130;
    desc.height = 70;
    desc.depth = Format::Z24X8_UNORM;
    const TestShader shader = make_shader(ShaderKind::Color, best_simd_target());
    TileScene::State state;
    state.depth_stencil_alpha.depth_test = state.depth_stencil_alpha.depth_write = true;
    state.depth_stencil_alpha.depth_func = func;
    // Full-screen layers, flat and sloped, nearer and farther, with small triangles between them.
    std::vector<std::vector<TestTriangle>> draws;
    for (int layer = 0; layer < 12; ++layer) {
      std::vector<TestTriangle> triangles;
      for (int i = 0; i < 10; ++i) triangles.push_back(random.triangle(130, 70, 6, shader.words, false));
      TestTriangle full = random.triangle(130, 70, 1, shader.words, false);
      const double corners[3][2] = {{-10, -10}, {400, -10}, {-10, 400}};
      const float z = random.real(0, 1);
      for (int i = 0; i < 3; ++i) {
        full.v[i].x = corners[i][0];
        full.v[i].y = corners[i][1];
        full.v[i].z = layer % 2 ? z : z + random.real(-0.2f, 0.2f);
      }
      triangles.push_back(full);
      draws.push_back(triangles);
    }
    check_at_all_tile_sizes(desc, random, false, [&](TileScene& scene) {
      scene.clear_all(0, 0, 0, 0, func == Compare::Less || func == Compare::Lequal ? 1.0f : 0.0f);
      for (const auto& triangles : draws) scene.draw(shader, state, triangles);
    });
  }
}

TEST_CASE("eight targets of different formats are written at once", "[raster][tile]") {
  Random random(seed(7));
  CAPTURE(seed(7));
  for (uint32_t round = 0; round < rounds(10); ++round) {
    TargetDesc desc;
    desc.width = 70;
    desc.height = 45;
    desc.depth = Format::Z32_FLOAT;
    desc.colors = {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::NONE, Format::R16G16B16A16_FLOAT,
                   Format::R32G32B32A32_FLOAT, Format::R8G8B8A8_SRGB, Format::B5G6R5_UNORM, Format::R10G10B10A2_UNORM};
    const TestShader shader = make_shader(ShaderKind::ManyTargets, best_simd_target());
    TileScene::State state;
    state.blend.independent = true;
    for (TargetBlend& b : state.blend.target) {
      b.color_mask = static_cast<uint8_t>(random.integer(0, 15));
      b.enabled = random.chance(2);
      b.rgb_src = static_cast<BlendFactor>(random.integer(0, 13));
      b.rgb_dst = static_cast<BlendFactor>(random.integer(0, 13));
    }
    std::vector<TestTriangle> triangles;
    for (int i = 0; i < 15; ++i) triangles.push_back(random.triangle(70, 45, i % 3 ? 6.0f : 80.0f, shader.words, true));
    check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
      if (round % 2) scene.clear_all(0.5f, 0.25f, 1, 0.75f);
      scene.draw(shader, state, triangles);
    });
  }
}

TEST_CASE("clears of parts, channels and single aspects leave the rest alone", "[raster][tile]") {
  Random random(seed(8));
  CAPTURE(seed(8));
  for (uint32_t round = 0; round < rounds(40); ++round) {
    CAPTURE(round);
    TargetDesc desc;
    desc.width = random.integer(1, 140);
    desc.height = random.integer(1, 140);
    const Format colors[] = {Format::R8G8B8A8_UNORM, Format::R8G8_UNORM, Format::R16G16B16A16_FLOAT, Format::R8_UNORM,
                             Format::R32G32B32A32_FLOAT};
    desc.colors = {colors[random.integer(0, 4)], colors[random.integer(0, 4)]};
    desc.depth = random.chance(2) ? Format::Z24_UNORM_S8_UINT : Format::Z32_FLOAT_S8X24_UINT;
    const TestShader shader = make_shader(ShaderKind::Color, best_simd_target());
    std::vector<ClearCommand> clears;
    std::vector<std::vector<TestTriangle>> draws;
    for (int i = 0; i < 4; ++i) {
      ClearCommand c;
      c.rect = {random.integer(-10, 60), random.integer(-10, 60), random.integer(20, 150), random.integer(20, 150)};
      if (random.chance(3)) c.rect = {0, 0, desc.width, desc.height};
      c.rect = {std::max(c.rect.x0, 0), std::max(c.rect.y0, 0), std::min(c.rect.x1, desc.width),
                std::min(c.rect.y1, desc.height)};
      c.color_targets = static_cast<uint32_t>(random.integer(0, 3));
      c.color_mask = random.chance(2) ? 15 : static_cast<uint8_t>(random.integer(0, 15));
      for (Texel& t : c.color)
        for (uint32_t& w : t.word) w = scalar::bits_of(random.real(0, 1));
      c.depth = random.chance(2);
      c.stencil = random.chance(2);
      c.depth_value = random.real(0, 1);
      c.stencil_value = static_cast<uint8_t>(random.integer(0, 255));
      if (random.chance(2)) c.stencil_mask = static_cast<uint8_t>(random.integer(0, 255));
      clears.push_back(c);
      draws.emplace_back();
      for (int k = random.integer(0, 2); k > 0; --k)
        draws.back().push_back(random.triangle(desc.width, desc.height, 20, 4, false));
    }
    check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
      for (size_t i = 0; i < clears.size(); ++i) {
        scene.clear(clears[i]);
        if (!draws[i].empty()) scene.draw(shader, TileScene::State{}, draws[i]);
      }
    });
  }
}

TEST_CASE("window position and face reach the program on both paths", "[raster][tile]") {
  Random random(seed(9));
  TargetDesc desc;
  desc.width = 90;
  desc.height = 50;
  desc.colors = {Format::R32G32B32A32_FLOAT};
  const TestShader shader = make_shader(ShaderKind::FaceAndPosition, best_simd_target());
  std::vector<TestTriangle> triangles;
  for (int i = 0; i < 40; ++i) triangles.push_back(random.triangle(90, 50, i % 2 ? 4.0f : 50.0f, 0, true));
  check_at_all_tile_sizes(desc, random, true,
                          [&](TileScene& scene) { scene.draw(shader, TileScene::State{}, triangles); });
}

TEST_CASE("alpha tests drop fragments before depth is written", "[raster][tile]") {
  Random random(seed(10));
  for (int func = 0; func < 8; ++func) {
    CAPTURE(func);
    TargetDesc desc;
    desc.width = 60;
    desc.height = 40;
    desc.depth = Format::Z32_FLOAT;
    const TestShader shader = make_shader(ShaderKind::Color, best_simd_target());
    TileScene::State state;
    state.depth_stencil_alpha.depth_test = state.depth_stencil_alpha.depth_write = true;
    state.depth_stencil_alpha.alpha_test = true;
    state.depth_stencil_alpha.alpha_func = static_cast<Compare>(func);
    state.depth_stencil_alpha.alpha_ref = 0.5f;
    std::vector<TestTriangle> triangles;
    for (int i = 0; i < 40; ++i) triangles.push_back(random.triangle(60, 40, i % 2 ? 4.0f : 50.0f, 4, true));
    check_at_all_tile_sizes(desc, random, true, [&](TileScene& scene) {
      scene.clear_all(0, 0, 0, 0);
      scene.draw(shader, state, triangles);
    });
  }
}

TEST_CASE("dropping hidden work changes no pixel and shades less", "[raster][tile]") {
  Random random(seed(11));
  TargetDesc desc;
  desc.width = 128;
  desc.height = 64;
  const TestShader shader = make_shader(ShaderKind::Color, best_simd_target());
  TileScene scene(desc);
  std::vector<TestTriangle> below, above;
  for (int i = 0; i < 10; ++i) below.push_back(random.triangle(128, 64, 40, 4, false));
  TestTriangle full = random.triangle(1, 1, 1, 4, false);
  const double corners[3][2] = {{-1, -1}, {300, -1}, {-1, 300}};
  for (int i = 0; i < 3; ++i) full.v[i].x = corners[i][0], full.v[i].y = corners[i][1];
  above.push_back(random.triangle(128, 64, 40, 4, false));
  above.push_back(full);
  above.push_back(random.triangle(128, 64, 10, 4, false));
  scene.clear_all(0, 0, 0, 0);
  scene.draw(shader, {}, below);
  scene.draw(shader, {}, above);
  scene.frame().drop_hidden = false;
  const Counters all = scene.run(best_simd_target());
  const Contents expected = scene.contents();
  scene.frame().drop_hidden = true;
  const Counters fewer = scene.run(best_simd_target());
  CHECK(scene.contents() == expected);
  CHECK(fewer.fragments < all.fragments);
  CHECK(fewer.fragments >= 128u * 64u);
}

TEST_CASE("small triangles of one draw share program runs", "[raster][tile]") {
  Random random(seed(12));
  TargetDesc desc;
  const TestShader shader = make_shader(ShaderKind::Color, best_simd_target());
  TileScene scene(desc);
  std::vector<TestTriangle> triangles;
  for (int y = 0; y < 60; y += 3)
    for (int x = 0; x < 60; x += 3) {
      TestTriangle t = random.triangle(1, 1, 1, 4, false);
      const double corners[3][2] = {{0, 0}, {2.5, 0}, {0, 2.5}};
      for (int i = 0; i < 3; ++i) t.v[i].x = x + corners[i][0], t.v[i].y = y + corners[i][1];
      triangles.push_back(t);
    }
  scene.draw(shader, {}, triangles);
  const Counters counters = scene.run(best_simd_target());
  CHECK(counters.fragments == 400 * 3);   // a right triangle of 2.5 pixels a side holds 3 centres
  CHECK(counters.blocks <= 400 * 4 / 16);
}

TEST_CASE("a program over its instruction budget is named by its draw", "[raster][tile]") {
  Random random(seed(13));
  for (const float size : {2.0f, 60.0f}) {
    TargetDesc desc;
    TileScene scene(desc);
    scene.draw(make_shader(ShaderKind::Color, best_simd_target()), {}, {random.triangle(64, 64, 60, 4, false)});
    TestTriangle t = random.triangle(1, 1, 1, 4, false);
    const double corners[3][2] = {{1, 1}, {1, 0}, {0, 1}};
    for (int i = 0; i < 3; ++i) t.v[i].x = 1 + size * corners[i][0], t.v[i].y = 1 + size * corners[i][1];
    scene.draw(make_shader(ShaderKind::EndlessLoop, best_simd_target()), {}, {t});
    auto limited = std::make_shared<DrawState>(*scene.frame().chunks[1]->draw);
    limited->budget = 100;
    scene.frame().chunks[1]->draw = limited;
    TileBuffers buffers;
    CHECK(run_tile(scene.frame(), 0, 0, best_simd_target(), buffers).failed_draw == 1);
    // The same buffers work on.
    scene.frame().tile_commands[0].pop_back();
    CHECK(run_tile(scene.frame(), 0, 0, best_simd_target(), buffers).failed_draw == -1);
  }
}
