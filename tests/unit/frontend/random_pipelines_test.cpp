// Scenes with everything of a pixel's way chosen at random: program, texture format, wraps, filters, target format,
// blending, depth, masks. Machine code and the interpreter, on the widest and the narrowest vectors, draw the same bits.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include <random>
#include <string>
#include <string_view>

#include "frontend/device.h"
#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"
#include "tests/support/random.h"

using namespace tessera;
using tests::rounds;
using tests::seed;

namespace {

class SceneWriter {
 public:
  explicit SceneWriter(uint32_t seed) : engine_(seed) {}

  std::string run() {
    target();
    texture();
    sampler();
    state();
    geometry();
    fragment();
    text_ += fmt::format("[test]\nclear color 0.1 0.7 0.3 0.6\n{}draw triangles\ndraw triangles 0 6\n",
                         has_depth_ ? "clear depth 0.75\n" : "");
    return std::move(text_);
  }

 private:
  uint32_t below(uint32_t n) { return static_cast<uint32_t>(engine_() % n); }
  float real(float lo, float hi) { return std::uniform_real_distribution<float>(lo, hi)(engine_); }
  template <size_t kCount>
  std::string_view any(const std::string_view (&of)[kCount]) { return of[below(kCount)]; }
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void target() {
    constexpr std::string_view kFormats[] = {"r8g8b8a8_unorm",     "b8g8r8a8_unorm", "b8g8r8x8_unorm",
                                             "r8g8b8a8_srgb",      "b5g6r5_unorm",   "r10g10b10a2_unorm",
                                             "r16g16b16a16_float", "r8g8b8a8_snorm"};
    constexpr std::string_view kDepths[] = {"z32_float", "z16_unorm", "z24x8_unorm", "z24_unorm_s8_uint"};
    line("[target]\nsize {} {}", 8 + below(90), 8 + below(90));
    line("color 0 {}", below(2) ? any(kFormats) : kFormats[below(2)]);
    has_depth_ = below(3) != 0;
    if (has_depth_) line("depth {}", any(kDepths));
    if (below(6) == 0) line("samples 4");
  }

  void texture() {
    constexpr std::string_view kFormats[] = {"r8g8b8a8_unorm", "r8g8b8a8_srgb", "b8g8r8a8_unorm",  "r8_unorm",
                                             "r8g8_unorm",     "b5g6r5_unorm",  "r16g16b16a16_float", "r32_float"};
    const uint32_t width = below(2) ? 1u << below(7) : 1 + below(50);
    const uint32_t height = below(2) ? width : 1u << below(7);
    line("[texture 0]\nnoise {} {} {}", width, height, below(1000));
    line("format {}", below(2) ? any(kFormats) : kFormats[0]);
    if (below(2)) line("mips");
    if (below(4) == 0) line("swizzle y x w z");
  }

  void sampler() {
    constexpr std::string_view kWraps[] = {"repeat", "clamp", "clamp_to_edge", "clamp_to_border", "mirror_repeat",
                                           "mirror_clamp", "mirror_clamp_to_edge", "mirror_clamp_to_border"};
    constexpr std::string_view kFilters[] = {"nearest", "linear"}, kMips[] = {"none", "nearest", "linear"};
    const bool repeats = below(2) != 0;
    line("[sampler 0]\nfilter {} {}\nmip {}", any(kFilters), any(kFilters), any(kMips));
    line("wrap {} {}", repeats ? kWraps[0] : any(kWraps), repeats ? kWraps[0] : any(kWraps));
    line("border 0.2 0.4 0.6 0.8\nbias {:.3f}", below(3) ? 0.0f : real(-2, 2));
    if (below(6) == 0) line("anisotropy 4");
  }

  void state() {
    constexpr std::string_view kFactors[] = {"zero", "one", "src_color", "inv_src_color", "src_alpha", "inv_src_alpha",
                                             "dst_color", "inv_dst_color", "dst_alpha", "inv_dst_alpha", "const_color",
                                             "inv_const_color", "const_alpha", "inv_const_alpha", "src_alpha_saturate"};
    constexpr std::string_view kEquations[] = {"add", "subtract", "reverse_subtract", "min", "max"};
    constexpr std::string_view kCompares[] = {"never", "less", "equal", "lequal", "greater", "notequal", "gequal",
                                              "always"};
    constexpr std::string_view kMasks[] = {"rgb", "rgba", "ra", "g", "b"};
    line("[state]\nblend_color {:.3f} {:.3f} {:.3f} {:.3f}", real(0, 1), real(0, 1), real(0, 1), real(0, 1));
    const uint32_t blending = below(4);
    if (blending == 1) line("blend src_alpha inv_src_alpha");
    if (blending == 2) {
      line("blend {} {} {} {}", any(kFactors), any(kFactors), any(kFactors), any(kFactors));
      line("blend_equation {} {}", any(kEquations), any(kEquations));
    }
    if (below(4) == 0) line("color_mask {}", any(kMasks));
    if (below(8) == 0) line("logic_op xor");
    if (below(8) == 0) line("dither on");
    if (below(5) == 0) line("alpha_test {} {:.2f}", any(kCompares), real(0, 1));
    if (has_depth_ && below(4)) line("depth_test {}", below(2) ? "less" : any(kCompares));
    if (has_depth_ && below(4) == 0) line("depth_write off");
  }

  // Two triangles over all of the target, and small ones.
  void geometry() {
    line("[vertex data]\n0/r32g32b32a32_float  1/r32g32b32a32_float");
    const bool perspective = below(2) != 0;
    const float z = real(-0.8f, 0.8f), slope = real(-0.2f, 0.2f);
    constexpr float kCorners[6][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, -1}, {1, 1}, {-1, 1}};
    for (const auto& [x, y] : kCorners) vertex(x, y, z + slope * x, perspective ? 1.5f + 0.5f * x : 1.0f);
    for (uint32_t k = 0; k < 30; ++k) vertex(real(-1, 1), real(-1, 1), real(-1, 1), perspective ? real(0.5f, 2) : 1.0f);
    line(R"([vertex shader tgsi]
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: END)");
  }

  void vertex(float x, float y, float z, float w) {
    const float scale = below(8) == 0 ? 40.0f : 3.0f;
    line("{} {} {} {}  {} {} {} {}", x * w, y * w, z * w, w, real(-scale, scale), real(-scale, scale),
         real(-0.2f, 1.2f), real(-0.2f, 1.2f));
  }

  void fragment() {
    constexpr std::string_view kBodies[] = {
        "MOV OUT[0], IN[0]",
        "TEX OUT[0], IN[0].xyyy, SAMP[0], 2D",
        "TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D\nMUL OUT[0], TEMP[0], IN[0].zwzw",
        "TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D\nADD TEMP[1].x, TEMP[0].xxxx, IMM[0].xxxx\nKILL_IF TEMP[1].xxxx\n"
        "MOV OUT[0], TEMP[0]",
        "MOV TEMP[0], IN[0]\nTXB OUT[0], TEMP[0], SAMP[0], 2D",
        "MOV TEMP[0], IN[0]\nTXL OUT[0], TEMP[0], SAMP[0], 2D",
        "PK4UB TEMP[0].x, IN[0]\nUP4UB OUT[0], TEMP[0].xxxx",
        "SIN TEMP[0].x, IN[0].xxxx\nCOS TEMP[0].y, IN[0].yyyy\nPOW TEMP[0].z, IN[0].zzzz, IMM[0].zzzz\n"
        "MOV TEMP[0].w, IN[0].wwww\nMOV OUT[0], TEMP[0]",
        "MOV TEMP[0], IN[0]\nMOV TEMP[1].x, IMM[0].yyyy\nBGNLOOP\nSGE TEMP[1].y, TEMP[1].xxxx, IMM[0].wwww\n"
        "FSLT TEMP[1].z, IMM[0].zzzz, TEMP[0].xxxx\nIF TEMP[1].yyyy\nBRK\nENDIF\nUIF TEMP[1].zzzz\nBRK\nENDIF\n"
        "MAD TEMP[0].xy, TEMP[0].xyyy, TEMP[0].xyyy, IN[0].xyyy\nADD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz\nENDLOOP\n"
        "FRC OUT[0], TEMP[0]",
        "DDX TEMP[0], IN[0]\nDDY TEMP[1], IN[0]\nMAD OUT[0], TEMP[0], IN[0].zwzw, TEMP[1]",
    };
    constexpr std::string_view kInterpolations[] = {"PERSPECTIVE", "LINEAR", "CONSTANT"};
    line(R"([fragment shader tgsi]
FRAG
DCL IN[0], GENERIC[0], {}
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..1]
IMM[0] FLT32 {{-0.4, 0.0, 1.0, 9.0}}
{}
END)",
         below(3) ? kInterpolations[0] : any(kInterpolations), any(kBodies));
  }

  std::mt19937 engine_;
  std::string text_;
  bool has_depth_ = false;
};

Image draw(const scene::Scene& scene, ExecutorKind executor, SimdTarget simd) {
  DeviceOptions options;
  options.executor = executor;
  options.raster.threads = 1;
  options.raster.simd = simd;
  Result<std::unique_ptr<Device>> device = Device::create(options);
  REQUIRE(device);
  Result<scene::SceneResult> result = scene::run_scene(**device, scene, "");
  if (!result) FAIL(result.diags().front().text);
  if (result->failure) FAIL(result->failure->text);
  return std::move(result->picture);
}

}  // namespace

TEST_CASE("random pipelines draw the same bits as machine code and in the interpreter", "[same bits][jit]") {
  CAPTURE(seed(83));
  for (uint32_t i = 0; i < rounds(150); ++i) {
    const std::string text = SceneWriter(seed(83) + i).run();
    INFO(text);
    const Result<scene::Scene> scene = scene::parse_scene(text);
    if (!scene) FAIL(format_diags(scene.diags(), "random", text));
    const Image expected = draw(*scene, ExecutorKind::Interpreter, available_simd_targets().front());
    CHECK(draw(*scene, ExecutorKind::Interpreter, best_simd_target()).rgba_un8 == expected.rgba_un8);
    CHECK(draw(*scene, ExecutorKind::Jit, best_simd_target()).rgba_un8 == expected.rgba_un8);
  }
}
