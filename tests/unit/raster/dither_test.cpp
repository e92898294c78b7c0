#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/scalar.h"
#include "raster/blend.h"
#include "raster/lanes.h"
#include "tests/support/random.h"
#include "tests/unit/raster/tile_check.h"

using namespace tessera;
using namespace tessera::raster;
using namespace tessera::raster::tests;
using tessera::tests::rounds;
using tessera::tests::seed;

namespace {

// A block of one colour, dithered.
std::vector<Texel> dithered_block(Format format, float value, bool dither = true,
                                  SimdTarget simd = best_simd_target()) {
  struct alignas(64) Lanes {
    float v[4][64];
  } source;
  for (auto& plane : source.v)
    for (float& v : plane) v = value;
  BlendState state;
  state.dither = dither;
  ColorWrite w;
  for (int c = 0; c < 4; ++c) w.source[c] = source.v[c];
  const float constant[4] = {};
  choose_color_write(state, 0, format, constant, false, simd, w);
  alignas(64) std::byte texels[64 * kMaxTexelBytes] = {};
  w.write(w, ~uint64_t{0}, texels);
  std::vector<Texel> block(64);
  unpack_row(format, texels, 64, block.data());
  return block;
}

constexpr int kMatrix[4][4] = {{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}};

}  // namespace

TEST_CASE("dithering rounds up exactly where the value's fraction passes the matrix", "[raster][dither]") {
  for (const Format format : {Format::R8_UNORM, Format::R8G8B8A8_UNORM, Format::B5G6R5_UNORM, Format::B4G4R4A4_UNORM,
                              Format::R10G10B10A2_UNORM, Format::R3G3B2_UNORM, Format::R16_UNORM})
    for (int step = 0; step <= 300; ++step) {
      const float value = static_cast<float>(step) / 300;
      const FormatInfo& info = format_info(format);
      const double most = std::ldexp(1.0, info.field[static_cast<size_t>(info.swizzle[0])].bits) - 1;
      const double scaled = static_cast<double>(value) * most;
      const std::vector<Texel> block = dithered_block(format, value);
      int wrong = 0;
      for (int lane = 0; lane < 64; ++lane) {
        const double threshold = (2 * kMatrix[lane_y(lane) & 3][lane_x(lane) & 3] + 1) / 32.0;
        const double fraction = scaled + threshold - std::floor(scaled + threshold);
        if (fraction < 0.01 || fraction > 0.99) continue;  // too near for single precision to tell
        const double code =
            std::round(static_cast<double>(scalar::float_of(block[static_cast<size_t>(lane)].word[0])) * most);
        wrong += code != std::min(most, std::floor(scaled + threshold));
      }
      CAPTURE(info.name, value);
      REQUIRE(wrong == 0);
    }
}

TEST_CASE("a value that is a code stays as it is, and off nothing is dithered", "[raster][dither]") {
  for (const Format format : {Format::R8_UNORM, Format::R16_UNORM, Format::B5G6R5_UNORM})
    for (uint32_t code = 0; code < 65536; code += format == Format::R16_UNORM ? 251 : 1) {
      const FormatInfo& info = format_info(format);
      const uint32_t most = (1u << info.field[static_cast<size_t>(info.swizzle[0])].bits) - 1;
      if (code > most) break;
      const float value = static_cast<float>(static_cast<double>(code) / most);
      for (const SimdTarget simd : available_simd_targets())
        for (const Texel& t : dithered_block(format, value, true, simd)) REQUIRE(scalar::float_of(t.word[0]) == value);
    }
  for (const Texel& t : dithered_block(Format::R8_UNORM, 0.3f, false))
    REQUIRE(t == dithered_block(Format::R8_UNORM, 0.3f, false)[0]);
}

TEST_CASE("float, snorm, 32-bit and sRGB-encoded channels are not dithered", "[raster][dither]") {
  for (const Format format :
       {Format::R32_FLOAT, Format::R16_FLOAT, Format::R8_SNORM, Format::R32_UNORM, Format::R8G8B8A8_SRGB})
    CHECK(dithered_block(format, 0.3f) == dithered_block(format, 0.3f, false));
}

TEST_CASE("a dithered grey has its mean over every four by four pixels", "[raster][dither]") {
  for (int sixteenths = 0; sixteenths < 16; ++sixteenths) {
    const float value = (100 + static_cast<float>(sixteenths) / 16) / 255;
    const std::vector<Texel> block = dithered_block(Format::R8_UNORM, value);
    double sum = 0;
    for (int lane = 0; lane < 64; ++lane)
      if (lane_x(lane) < 4 && lane_y(lane) < 4)
        sum += static_cast<double>(scalar::float_of(block[static_cast<size_t>(lane)].word[0])) * 255;
    CHECK(sum / 16 == Approx(100 + sixteenths / 16.0));
  }
}

TEST_CASE("dithering follows the target's pixels, whatever the sizes of triangles and tiles", "[raster][dither]") {
  Random random(seed(31));
  CAPTURE(seed(31));
  for (uint32_t round = 0; round < rounds(12); ++round) {
    TargetDesc desc;
    desc.width = random.integer(1, 90);
    desc.height = random.integer(1, 90);
    desc.samples = random.chance(2) ? 1 : 4;
    const Format formats[] = {Format::R8G8B8A8_UNORM, Format::B5G6R5_UNORM, Format::R10G10B10A2_UNORM};
    desc.colors = {formats[random.integer(0, 2)]};
    const TestShader shader =
        make_shader(random.chance(4) ? ShaderKind::Uniform : ShaderKind::Color, best_simd_target());
    TileScene::State state;
    state.blend.dither = true;
    state.blend.target[0].enabled = random.chance(2);
    state.blend.target[0].rgb_src = BlendFactor::SrcAlpha;
    state.blend.target[0].rgb_dst = BlendFactor::InvSrcAlpha;
    std::vector<TestTriangle> triangles;
    for (int i = 0; i < 20; ++i)
      triangles.push_back(random.triangle(90, 90, i % 2 ? 4.0f : 60.0f, shader.words, false));
    check_at_all_tile_sizes(desc, random, false, [&](TileScene& scene) { scene.draw(shader, state, triangles); });
  }
}
