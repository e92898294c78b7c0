#include <catch2/catch.hpp>

#include <cmath>
#include <cstring>
#include <random>

#include "core/scalar.h"
#include "raster/blend.h"
#include "tests/support/random.h"
#include "tests/unit/raster/slow_pixel.h"

using namespace tessera;
using namespace tessera::raster;
using tessera::tests::rounds;
using tessera::tests::seed;

namespace {

struct Lanes { alignas(64) float v[4][64]; };

struct BlendCase {
  Format format = Format::R8G8B8A8_UNORM;
  BlendState state;
  float constant[4] = {0.2f, 0.4f, 0.6f, 0.8f};
};

// Runs one block through the kernels of every SIMD target and through the slow pixel.
void check_block(const BlendCase& c, const Lanes& source, const Lanes& source1, const std::vector<std::byte>& before,
                 uint64_t mask) {
  auto pipeline = std::make_shared<Pipeline>();
  pipeline->desc.blend = c.state;
  pipeline->desc.color_formats[0] = c.format;
  DrawState draw;
  draw.pipeline = pipeline;
  std::memcpy(draw.blend_color, c.constant, sizeof c.constant);
  const size_t size = format_info(c.format).block_bytes;

  std::vector<std::byte> expected = before;
  for (size_t lane = 0; lane < 64; ++lane) {
    if (!(mask >> lane & 1)) continue;
    float s[4], s1[4];
    for (int k = 0; k < 4; ++k) s[k] = source.v[k][lane], s1[k] = source1.v[k][lane];
    raster::tests::write_color_slowly(draw, 0, s, s1, expected.data() + lane * size);
  }
  for (const SimdTarget simd : available_simd_targets()) {
    ColorWrite w;
    for (int k = 0; k < 4; ++k) w.source[k] = source.v[k], w.source1[k] = source1.v[k];
    choose_color_write(c.state, 0, c.format, c.constant, false, simd, w);
    struct alignas(64) Texels { std::byte bytes[64 * kMaxTexelBytes]; } texels;
    std::memcpy(texels.bytes, before.data(), before.size());
    w.write(w, mask, texels.bytes);
    CAPTURE(simd_target_name(simd), format_info(c.format).name, mask);
    REQUIRE(std::memcmp(texels.bytes, expected.data(), expected.size()) == 0);
  }
}

class Random {
 public:
  explicit Random(uint32_t seed) : engine_(seed) {}
  uint32_t word() { return static_cast<uint32_t>(engine_()); }
  uint64_t mask() { return word() % 4 == 0 ? ~uint64_t{0} : uint64_t{word()} << 32 | word(); }
  float color() {
    switch (word() % 12) {
      case 0: return 0;
      case 1: return 1;
      case 2: return -0.0f;
      case 3: return word() % 8 ? 1.5f : scalar::float_of(0x7fc00000u);
      case 4: return -0.5f;
      case 5: return static_cast<float>(word() % 256) / 255.0f;
      default: return std::uniform_real_distribution<float>(0, 1)(engine_);
    }
  }
  Lanes lanes() {
    Lanes l;
    for (auto& plane : l.v)
      for (float& v : plane) v = color();
    return l;
  }
  std::vector<std::byte> texels(Format format) {
    std::vector<std::byte> bytes(64 * size_t{format_info(format).block_bytes});
    if (format_info(format).field[0].kind == FieldKind::Float) {
      for (size_t lane = 0; lane < 64; ++lane) {
        const Texel t{
            {scalar::bits_of(color()), scalar::bits_of(color()), scalar::bits_of(color()), scalar::bits_of(color())}};
        pack_texel(format, t, bytes.data() + lane * format_info(format).block_bytes);
      }
    } else {
      for (std::byte& b : bytes) b = static_cast<std::byte>(word());
    }
    return bytes;
  }

 private:
  std::mt19937 engine_;
};

}  // namespace

TEST_CASE("every factor with every equation gives the formula's bits", "[raster][blend]") {
  Random random(seed());
  CAPTURE(seed());
  for (const Format format : {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R16G16B16A16_FLOAT}) {
    for (int equation = 0; equation < 5; ++equation)
      for (int src = 0; src <= static_cast<int>(BlendFactor::InvSrc1Alpha); ++src)
        for (int dst = 0; dst <= static_cast<int>(BlendFactor::InvSrc1Alpha); ++dst) {
          CAPTURE(equation, src, dst);
          BlendCase c;
          c.format = format;
          TargetBlend& b = c.state.target[0];
          b.enabled = true;
          b.rgb_equation = static_cast<BlendEquation>(equation);
          b.alpha_equation = static_cast<BlendEquation>(equation);
          b.rgb_src = b.alpha_dst = static_cast<BlendFactor>(src);
          b.rgb_dst = b.alpha_src = static_cast<BlendFactor>(dst);
          if (src == dst) b.alpha_src = static_cast<BlendFactor>(src), b.alpha_dst = BlendFactor::InvSrcAlpha;
          check_block(c, random.lanes(), random.lanes(), random.texels(format), random.mask());
        }
  }
}

TEST_CASE("source over destination rounds each channel as the exact sum of its rounded terms", "[raster][blend]") {
  // In double: d * (1 - a) + s * a with every operand a float differs from the exact value by less than 2^-50, and the
  // formula's own rounding moves it by at most 2^-24 of the result; texels whose exact value is nearer to a half than
  // that are not judged here.
  Random random(seed(2));
  CAPTURE(seed(2));
  for (uint32_t round = 0; round < rounds(200); ++round) {
    Lanes source = random.lanes();
    ColorWrite w;
    for (int k = 0; k < 4; ++k) w.source[k] = source.v[k];
    BlendState state;
    state.target[0] = {true,
                       BlendEquation::Add,
                       BlendEquation::Add,
                       BlendFactor::SrcAlpha,
                       BlendFactor::InvSrcAlpha,
                       BlendFactor::SrcAlpha,
                       BlendFactor::InvSrcAlpha,
                       15};
    const float constant[4] = {};
    choose_color_write(state, 0, Format::R8G8B8A8_UNORM, constant, false, best_simd_target(), w);
    struct alignas(64) Texels { uint8_t bytes[256]; } texels, before;
    for (uint8_t& b : before.bytes) b = static_cast<uint8_t>(random.word());
    texels = before;
    w.write(w, ~uint64_t{0}, reinterpret_cast<std::byte*>(texels.bytes));
    for (size_t lane = 0; lane < 64; ++lane)
      for (size_t k = 0; k < 4; ++k) {
        const double a = double(scalar::saturate(source.v[3][lane])), s = double(scalar::saturate(source.v[k][lane]));
        const double exact = 255.0 * (before.bytes[4 * lane + k] / 255.0 * (1 - a) + s * a);
        if (std::fabs(exact - std::floor(exact) - 0.5) < 1e-4) continue;
        CAPTURE(lane, k, exact);
        REQUIRE(texels.bytes[4 * lane + k] == static_cast<uint8_t>(std::floor(exact + 0.5)));
      }
  }
}

TEST_CASE("stored bytes decode to the nearest float of k / 255 when they are blended", "[raster][blend]") {
  // max(0, d) written to a float would show d; here (d + 0) goes back to the same byte and d * d to the rounded square.
  for (int first = 0; first < 256; first += 64) {
    BlendCase c;
    TargetBlend& b = c.state.target[0];
    b.enabled = true;
    b.rgb_src = b.alpha_src = BlendFactor::Zero;
    b.rgb_dst = b.alpha_dst = BlendFactor::DstColor;
    std::vector<std::byte> before(256);
    for (int lane = 0; lane < 64; ++lane)
      for (int k = 0; k < 4; ++k) before[static_cast<size_t>(4 * lane + k)] = static_cast<std::byte>(first + lane);
    check_block(c, Lanes{}, Lanes{}, before, ~uint64_t{0});
  }
}

TEST_CASE("colour masks keep the bits of other channels in every format", "[raster][blend]") {
  Random random(seed(3));
  CAPTURE(seed(3));
  const Format formats[] = {
      Format::R8G8B8A8_UNORM,     Format::B8G8R8A8_UNORM,     Format::B8G8R8X8_UNORM,     Format::R8G8B8X8_UNORM,
      Format::A8R8G8B8_UNORM,     Format::B5G6R5_UNORM,       Format::B5G5R5A1_UNORM,     Format::R10G10B10A2_UNORM,
      Format::R8_UNORM,           Format::R8G8_UNORM,         Format::A8_UNORM,           Format::L8A8_UNORM,
      Format::R16G16B16A16_UNORM, Format::R8G8B8A8_SNORM,     Format::R16G16B16A16_SNORM, Format::R8G8B8A8_SRGB,
      Format::B8G8R8A8_SRGB,      Format::R16G16B16A16_FLOAT, Format::R32_FLOAT,          Format::R32G32B32A32_FLOAT,
      Format::R11G11B10_FLOAT,    Format::R8G8B8A8_UINT,      Format::R32G32B32A32_SINT,  Format::R16G16_UINT};
  for (const Format format : formats)
    for (uint8_t mask = 0; mask < 16; ++mask)
      for (const bool blended : {false, true}) {
        CAPTURE(static_cast<int>(mask), blended);
        BlendCase c;
        c.format = format;
        TargetBlend& b = c.state.target[0];
        b.color_mask = mask;
        b.enabled = blended;
        b.rgb_src = BlendFactor::SrcAlpha;
        b.rgb_dst = BlendFactor::InvSrcAlpha;
        b.alpha_src = BlendFactor::One;
        b.alpha_dst = mask & 1 ? BlendFactor::InvSrcAlpha : BlendFactor::One;
        check_block(c, random.lanes(), random.lanes(), random.texels(format), random.mask());
      }
}

TEST_CASE("logic operations follow their truth tables on integer targets and leave float targets alone",
          "[raster][blend]") {
  Random random(seed(4));
  CAPTURE(seed(4));
  for (const Format format : {Format::R8G8B8A8_UNORM, Format::B5G6R5_UNORM, Format::R32G32B32A32_SINT,
                              Format::R16G16B16A16_FLOAT, Format::R8G8B8A8_SRGB})
    for (int op = 0; op < 16; ++op) {
      CAPTURE(op);
      BlendCase c;
      c.format = format;
      c.state.logic_op_enabled = true;
      c.state.logic_op = static_cast<LogicOp>(op);
      check_block(c, random.lanes(), random.lanes(), random.texels(format), random.mask());
    }
}

TEST_CASE("a uniform colour fills as the same colour in every lane does", "[raster][blend]") {
  Random random(seed(5));
  for (const Format format : {Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::R10G10B10A2_UNORM,
                              Format::R32_FLOAT, Format::R16G16B16A16_FLOAT})
    for (const uint8_t color_mask : {15, 5}) {
      Lanes source;
      for (auto& plane : source.v) {
        const float value = random.color();
        for (float& v : plane) v = value;
      }
      BlendState state;
      state.target[0].color_mask = color_mask;
      const float constant[4] = {};
      const std::vector<std::byte> before = random.texels(format);
      for (const SimdTarget simd : available_simd_targets()) {
        struct alignas(64) Texels { std::byte bytes[64 * kMaxTexelBytes]; } results[2];
        for (int uniform = 0; uniform < 2; ++uniform) {
          ColorWrite w;
          for (int k = 0; k < 4; ++k) w.source[k] = source.v[k];
          w.source_is_uniform = uniform == 1;
          for (int k = 0; k < 4; ++k) w.uniform[k] = source.v[k][0];
          choose_color_write(state, 0, format, constant, false, simd, w);
          std::memcpy(results[uniform].bytes, before.data(), before.size());
          w.write(w, 0x123456789abcdef1ull, results[uniform].bytes);
        }
        REQUIRE(std::memcmp(results[0].bytes, results[1].bytes, before.size()) == 0);
      }
    }
}
