// Depth and stencil against tables written out by hand: every function, operation and format; depth bounds; and tests
// before shading against tests after it.
#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/format.h"
#include "raster/depth_stencil.h"
#include "shader/builder.h"
#include "tests/support/random.h"
#include "tests/unit/raster/slow_pixel.h"
#include "tests/unit/raster/tile_check.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::raster::tests;
using tessera::tests::rounds;
using tessera::tests::seed;

namespace {

// By function: does the incoming value pass where it is less than, equal to, greater than the stored one?
struct Passes {
  bool less, equal, greater;
};
constexpr Passes kPasses[8] = {{false, false, false}, {true, false, false}, {false, true, false}, {true, true, false},
                               {false, false, true},  {true, false, true},  {false, true, true},  {true, true, true}};
bool passes(Compare func, int incoming, int stored) {
  const Passes& p = kPasses[static_cast<size_t>(func)];
  return incoming < stored ? p.less : incoming == stored ? p.equal : p.greater;
}

constexpr int kValues[8] = {0, 1, 2, 127, 128, 165, 254, 255};
constexpr int kReference = 128;
// By operation, then by value: keep, zero, replace, incr, decr, incr_wrap, decr_wrap, invert.
constexpr int kResults[8][8] = {{0, 1, 2, 127, 128, 165, 254, 255},       {0, 0, 0, 0, 0, 0, 0, 0},
                                {128, 128, 128, 128, 128, 128, 128, 128}, {1, 2, 3, 128, 129, 166, 255, 255},
                                {0, 0, 1, 126, 127, 164, 253, 254},       {1, 2, 3, 128, 129, 166, 255, 0},
                                {255, 0, 1, 126, 127, 164, 253, 254},     {255, 254, 253, 128, 127, 90, 1, 0}};

// A triangle over a whole target of up to 30 pixels a side at depth 0.5; `front` by its order.
TestTriangle whole_target(bool front) {
  TestTriangle t;
  const double corners[3][2] = {{-10, -10}, {-10, 80}, {80, -10}};
  for (int i = 0; i < 3; ++i) {
    const int from = front ? 2 - i : i;
    t.v[i].x = corners[from][0];
    t.v[i].y = corners[from][1];
    t.v[i].z = 0.5f;
  }
  return t;
}

bool is_front(const TestTriangle& t) {
  SetupTriangle s;
  WinVertex v[3];
  for (int i = 0; i < 3; ++i)
    v[i] = {static_cast<int32_t>(t.v[i].x * 256), static_cast<int32_t>(t.v[i].y * 256), t.v[i].z, 1};
  const SetupState state = make_setup_state({}, {}, Format::NONE, {0, 0, 8, 8}, sample_pattern(1, true).box);
  return setup_triangle(v, state, s) && s.front;
}

TargetDesc eight_by_eight(Format depth) {
  TargetDesc desc;
  desc.width = desc.height = 8;
  desc.depth = depth;
  return desc;
}

// Row y holds stencil value y of the list, column x a depth before (0), at (1) or behind (2) 0.5 by x % 3.
constexpr float kDepths[3] = {0.25f, 0.5f, 0.75f};
Contents prepared(const TileScene& scene, Format format) {
  Contents contents = scene.contents();
  const size_t size = format_info(format).block_bytes;
  for (size_t y = 0; y < 8; ++y)
    for (size_t x = 0; x < 8; ++x) {
      std::byte* texel = contents[1].data() + (8 * y + x) * size;
      if (format_has_depth(format)) pack_depth(format, kDepths[x % 3], texel);
      if (format_has_stencil(format)) pack_stencil(format, static_cast<uint8_t>(kValues[y]), texel);
    }
  return contents;
}

constexpr Format kDepthFormats[] = {Format::Z16_UNORM,         Format::Z24X8_UNORM,         Format::X8Z24_UNORM,
                                    Format::Z24_UNORM_S8_UINT, Format::S8_UINT_Z24_UNORM,   Format::Z32_UNORM,
                                    Format::Z32_FLOAT,         Format::Z32_FLOAT_S8X24_UINT};
constexpr Format kStencilFormats[] = {Format::Z24_UNORM_S8_UINT, Format::S8_UINT_Z24_UNORM,
                                      Format::Z32_FLOAT_S8X24_UINT, Format::S8_UINT};

bool is_drawn(const Contents& contents, size_t pixel) { return contents[0][4 * pixel] != std::byte{0}; }

}  // namespace

TEST_CASE("depth functions keep to the truth table in every format", "[raster][depth]") {
  const TestShader shader = make_shader(ShaderKind::Uniform, best_simd_target());
  for (const Format format : kDepthFormats)
    for (int func = 0; func < 8; ++func)
      for (const bool writes : {false, true}) {
        TileScene scene(eight_by_eight(format));
        TileScene::State state;
        state.depth_stencil_alpha.depth_test = true;
        state.depth_stencil_alpha.depth_write = writes;
        state.depth_stencil_alpha.depth_func = static_cast<Compare>(func);
        scene.draw(shader, state, {whole_target(true)});
        const Contents before = prepared(scene, format);
        for (const SimdTarget simd : available_simd_targets()) {
          scene.set_contents(before);
          scene.run(simd);
          const Contents after = scene.contents();
          for (size_t pixel = 0; pixel < 64; ++pixel) {
            const int stored = static_cast<int>(pixel % 8 % 3);
            const bool pass = passes(static_cast<Compare>(func), 1, stored);
            CAPTURE(format_info(format).name, func, writes, stored);
            REQUIRE(is_drawn(after, pixel) == pass);
            std::vector<std::byte> expected(
                before[1].begin() + static_cast<ptrdiff_t>(pixel * format_info(format).block_bytes),
                before[1].begin() + static_cast<ptrdiff_t>((pixel + 1) * format_info(format).block_bytes));
            if (pass && writes) pack_depth(format, 0.5f, expected.data());
            REQUIRE(std::memcmp(expected.data(), after[1].data() + pixel * expected.size(), expected.size()) == 0);
          }
        }
      }
}

TEST_CASE("stencil functions and operations keep to the tables on both faces in every format", "[raster][stencil]") {
  const TestShader shader = make_shader(ShaderKind::Uniform, best_simd_target());
  REQUIRE(is_front(whole_target(true)));
  REQUIRE_FALSE(is_front(whole_target(false)));
  for (const Format format : kStencilFormats)
    for (int func = 0; func < 8; ++func)
      for (int op = 0; op < 8; ++op)
        for (const bool front : {true, false})
          for (const int write_mask : {255, 0x5a}) {
            const int value_mask = write_mask == 255 ? 255 : 0x7e;
            TileScene scene(eight_by_eight(format));
            TileScene::State state;
            DepthStencilAlphaState& s = state.depth_stencil_alpha;
            s.depth_test = true;
            s.depth_func = Compare::Less;
            // The other face does something else.
            StencilFace& face = s.stencil[front ? 0 : 1];
            s.stencil[front ? 1 : 0] = {true, Compare::Never, StencilOp::Zero, StencilOp::Zero, StencilOp::Zero, 255,
                                        255};
            face.enabled = true;
            face.func = static_cast<Compare>(func);
            face.fail = static_cast<StencilOp>(op);
            face.depth_fail = static_cast<StencilOp>((op + 3) % 8);
            face.depth_pass = static_cast<StencilOp>((op + 5) % 8);
            face.value_mask = static_cast<uint8_t>(value_mask);
            face.write_mask = static_cast<uint8_t>(write_mask);
            state.stencil_ref[front ? 0 : 1] = kReference;
            scene.draw(shader, state, {whole_target(front)});
            const Contents before = prepared(scene, format);
            for (const SimdTarget simd : available_simd_targets()) {
              scene.set_contents(before);
              scene.run(simd);
              const Contents after = scene.contents();
              int wrong = 0;
              for (size_t pixel = 0; pixel < 64; ++pixel) {
                const size_t value = pixel / 8;
                const bool stencil_pass = passes(face.func, kReference & value_mask, kValues[value] & value_mask);
                const bool depth_pass = !format_has_depth(format) || pixel % 8 % 3 == 2;
                const StencilOp done = !stencil_pass ? face.fail : depth_pass ? face.depth_pass : face.depth_fail;
                const int expected =
                    (kResults[static_cast<size_t>(done)][value] & write_mask) | (kValues[value] & ~write_mask);
                wrong += unpack_stencil(format, after[1].data() + pixel * format_info(format).block_bytes) != expected;
                wrong += is_drawn(after, pixel) != (stencil_pass && depth_pass);
              }
              CAPTURE(format_info(format).name, func, op, front, write_mask);
              REQUIRE(wrong == 0);
            }
          }
}

TEST_CASE("depth bounds drop fragments by the stored depth, before stencil and depth tests", "[raster][depth]") {
  Random random(seed(41));
  CAPTURE(seed(41));
  const TestShader shader = make_shader(ShaderKind::Uniform, best_simd_target());
  for (const Format format : kDepthFormats)
    for (uint32_t round = 0; round < rounds(12); ++round) {
      TileScene scene(eight_by_eight(format));
      TileScene::State state;
      DepthStencilAlphaState& s = state.depth_stencil_alpha;
      s.depth_bounds_test = true;
      // Bounds that are some stored depths, and others.
      const float depths[4] = {random.real(0, 1), random.real(0, 1), 0, 1};
      const float a = depths[random.integer(0, 3)], b = depths[random.integer(0, 3)];
      s.depth_bounds_min = std::min(a, b);
      s.depth_bounds_max = std::max(a, b);
      s.depth_test = random.chance(2);
      s.depth_write = random.chance(2);
      s.depth_func = static_cast<Compare>(random.integer(0, 7));
      s.stencil[0].enabled = random.chance(2);
      s.stencil[0].depth_pass = s.stencil[0].depth_fail = StencilOp::IncrWrap;
      scene.draw(shader, state, {whole_target(true)});
      Contents before = prepared(scene, format);
      const size_t size = format_info(format).block_bytes;
      for (size_t pixel = 0; pixel < 64; ++pixel)
        pack_depth(format, random.chance(2) ? depths[random.integer(0, 3)] : random.real(0, 1),
                   before[1].data() + pixel * size);
      CAPTURE(format_info(format).name, s.depth_bounds_min, s.depth_bounds_max);
      check_scene(scene, before);
      const Contents after = scene.contents();
      for (size_t pixel = 0; pixel < 64; ++pixel)
        if (!inside_depth_bounds_slowly(s, format, before[1].data() + pixel * size)) {
          REQUIRE_FALSE(is_drawn(after, pixel));
          REQUIRE(std::memcmp(after[1].data() + pixel * size, before[1].data() + pixel * size, size) == 0);
        }
    }
}

TEST_CASE("the bounds of unorm depth are the exact first and last codes inside", "[raster][depth]") {
  // k / most against the bound in whole numbers: a float is a multiple of 2^-149, those here of 2^-60.
  __extension__ typedef unsigned __int128 Wide;
  Random random(seed(42));
  CAPTURE(seed(42));
  for (const Format format : {Format::Z16_UNORM, Format::Z24X8_UNORM, Format::Z32_UNORM})
    for (uint32_t round = 0; round < rounds(2000); ++round) {
      const DepthLayout layout = depth_layout(format);
      const Wide most = layout.max_key();
      const auto code = static_cast<uint32_t>(random.integer(0, INT32_MAX)) % (layout.max_key() / 2);
      const float bound = random.chance(2) ? random.real(0x1p-20f, 1)
                                           : static_cast<float>(static_cast<double>(code + 1) / layout.max_key());
      auto pipeline = std::make_shared<Pipeline>();
      DepthStencilAlphaState& s = pipeline->desc.depth_stencil_alpha;
      s.depth_bounds_test = true;
      s.depth_bounds_min = s.depth_bounds_max = bound;
      DrawState draw;
      draw.pipeline = pipeline;
      const DepthTest test = make_depth_test(draw, layout, best_simd_target());
      const Wide scaled = static_cast<Wide>(std::ldexp(static_cast<double>(bound), 60));
      const auto at_least = [&](Wide k) { return (k << 60) >= scaled * most; };
      const auto at_most = [&](Wide k) { return (k << 60) <= scaled * most; };
      CAPTURE(format_info(format).name, bound, test.bounds_lo, test.bounds_hi);
      REQUIRE(at_least(test.bounds_lo));
      REQUIRE((test.bounds_lo == 0 || !at_least(test.bounds_lo - 1)));
      REQUIRE(at_most(test.bounds_hi));
      REQUIRE((test.bounds_hi == layout.max_key() || !at_most(Wide{test.bounds_hi} + 1)));
    }
}

namespace {

// The colours of ShaderKind::Color from a program that could drop fragments and never does: tested after it has run.
TestShader never_kills() {
  ir::Builder b(ir::Stage::Fragment);
  const auto varying = [&](uint8_t c) {
    ir::Input in;
    in.semantic = ir::Semantic::Generic;
    in.component = c;
    return b.input(in);
  };
  for (uint8_t c = 0; c < 4; ++c) b.output(ir::Semantic::Color, 0, c, varying(c));
  b.kill_if(b.op(ir::Op::FLt, {varying(0), b.f32(-100)}));
  TestShader shader = make_shader(ShaderKind::Color, best_simd_target());
  shader.program = make_interpreter(std::make_shared<const ir::Program>(b.finish()), best_simd_target());
  return shader;
}

void set_random_tests(DepthStencilAlphaState& s, Random& random) {
  s.depth_test = !random.chance(5);
  s.depth_write = !random.chance(3);
  s.depth_func = static_cast<Compare>(random.integer(0, 7));
  s.depth_bounds_test = random.chance(6);
  s.depth_bounds_min = 0.2f;
  s.depth_bounds_max = 0.8f;
  for (StencilFace& face : s.stencil) {
    face.enabled = random.chance(3);
    face.func = static_cast<Compare>(random.integer(0, 7));
    face.depth_pass = static_cast<StencilOp>(random.integer(0, 7));
    if (random.chance(2)) continue;  // failing depth changes nothing: blocks may be dropped
    face.fail = static_cast<StencilOp>(random.integer(0, 7));
    face.depth_fail = static_cast<StencilOp>(random.integer(0, 7));
  }
}

}  // namespace

TEST_CASE("tests before shading and tests after it leave the same bits", "[raster][depth]") {
  Random random(seed(43));
  CAPTURE(seed(43));
  const TestShader early = make_shader(ShaderKind::Color, best_simd_target()), late = never_kills();
  for (uint32_t round = 0; round < rounds(120); ++round) {
    CAPTURE(round);
    TargetDesc desc;
    desc.width = random.integer(8, 100);
    desc.height = random.integer(8, 100);
    desc.samples = random.chance(3) ? 4 : 1;
    desc.depth = random.chance(2) ? kStencilFormats[random.integer(0, 3)] : kDepthFormats[random.integer(0, 7)];
    TileScene::State state;
    set_random_tests(state.depth_stencil_alpha, random);
    state.stencil_ref[0] = state.stencil_ref[1] = 3;
    std::vector<TestTriangle> triangles;
    for (int i = 0; i < 40; ++i)
      triangles.push_back(random.triangle(desc.width, desc.height, i % 3 ? 5.0f : 90.0f, early.words, false));
    Contents results[3];
    for (int way = 0; way < 3; ++way) {
      TileScene scene(desc);
      scene.clear_all(0, 0, 0, 0, 0.6f, 2);
      TileScene::State own = state;
      own.depth_stencil_alpha.alpha_test = way == 2;  // passes always, and nothing knows
      own.depth_stencil_alpha.alpha_func = Compare::Gequal;
      own.depth_stencil_alpha.alpha_ref = -100;
      scene.draw(way == 1 ? late : early, own, triangles);
      scene.run(best_simd_target());
      results[way] = scene.contents();
    }
    REQUIRE(results[0] == results[1]);
    REQUIRE(results[0] == results[2]);
  }
}

TEST_CASE("hierarchical depth changes no pixel with stencil, several samples and every function", "[raster][depth]") {
  Random random(seed(44));
  CAPTURE(seed(44));
  for (uint32_t round = 0; round < rounds(16); ++round) {
    CAPTURE(round);
    TargetDesc desc;
    desc.width = 40;
    desc.height = 24;
    desc.samples = round >= 8 ? 4 : 1;
    desc.depth = round % 2 ? Format::Z24_UNORM_S8_UINT : Format::Z32_FLOAT_S8X24_UINT;
    const TestShader shader =
        make_shader(random.chance(3) ? ShaderKind::KillBelowHalf : ShaderKind::Color, best_simd_target());
    TileScene::State state;
    set_random_tests(state.depth_stencil_alpha, random);
    state.depth_stencil_alpha.depth_test = true;
    state.depth_stencil_alpha.depth_func = static_cast<Compare>(round % 8);
    std::vector<TestTriangle> triangles;
    for (int i = 0; i < 12; ++i) {  // flat layers with equal depths, and small ones between
      triangles.push_back(random.triangle(40, 24, i % 2 ? 5.0f : 90.0f, shader.words, false));
      if (i % 2 == 0)
        for (TestVertex& v : triangles.back().v) v.z = 0.25f * static_cast<float>(random.integer(0, 4));
    }
    check_at_all_tile_sizes(desc, random, desc.depth == Format::Z32_FLOAT_S8X24_UINT, [&](TileScene& scene) {
      scene.clear_all(0, 0, 0, 0, 0.5f, 1);
      scene.draw(shader, state, triangles);
      scene.draw(shader, state, triangles);
    });
  }
}
