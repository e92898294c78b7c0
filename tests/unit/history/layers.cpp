#include "tests/unit/history/layers.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <random>

#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"

namespace tessera::tests {
namespace {

constexpr const char* kColor =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n0: MOV OUT[0], IN[0]\n1: END\n";
// Kills where red is below a half.
constexpr const char* kKill =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM[0] FLT32 {-0.5, 0, 0, 0}\n"
    "0: ADD TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\n1: KILL_IF TEMP[0].xxxx\n2: MOV OUT[0], IN[0]\n3: END\n";
constexpr const char* kDepth =
    "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\n"
    "0: MOV OUT[0], IN[0]\n1: MOV OUT[1].z, IN[0].xxxx\n2: END\n";

}  // namespace

const std::vector<LayerKind>& layer_kinds() {
  static const std::vector<LayerKind> kKinds = {
      {"early depth, blending", "depth z32_float\n", "depth_test less\nblend src_alpha inv_src_alpha\n", kColor, "1"},
      {"depth without writes, 8-bit stencil", "depth z24_unorm_s8_uint\n",
       "depth_test lequal\ndepth_write off\nstencil both lequal 2 255 255\nstencil_op both incr incr_wrap invert\n",
       kColor, "1"},
      {"late depth: kill", "depth z24x8_unorm\n", "depth_test less\n", kKill, "1"},
      {"depth from the program", "depth z16_unorm\n", "depth_test greater\nblend one one\n", kDepth, "0"},
      {"alpha test", "depth z32_float\n", "depth_test less\nalpha_test greater 0.4\n", kColor, "1"},
      {"float target", "color 0 r32g32b32a32_float\ndepth z32_float_s8x24_uint\n",
       "depth_test notequal\nblend one src_alpha\n", kColor, "1"},
      {"four samples", "samples 4\ndepth z32_float\n", "depth_test less\nblend src_alpha inv_src_alpha\n", kColor, "1"},
      {"four samples, a run each, a mask", "samples 4\ndepth z24_unorm_s8_uint\n",
       "depth_test less\nmin_samples 4\nsample_mask 0xd\n", kKill, "1"},
      {"alpha to coverage", "samples 4\n", "alpha_to_coverage on\n", kColor, ""},
      {"back faces and scissor", "depth z32_float\n", "depth_test less\nscissor 4 4 20 30\n", kColor, "1"},
  };
  return kKinds;
}

std::string layered_scene(const LayerKind& kind, uint32_t seed, uint32_t layers, bool one_draw) {
  std::mt19937 random(seed);
  const auto real = [&](double lo, double hi) {
    return lo + (hi - lo) * static_cast<double>(random() % 4096) / 4095.0;
  };
  std::string scene = fmt::format("[target]\nsize {0} {0}\n{1}", kLayerSize, kind.target);
  scene += "[vertex data]\n0/r32g32b32a32_float 1/r32g32b32a32_float\n";
  for (uint32_t i = 0; i < 3 * kLayers; ++i) {
    const double w = real(0.5, 2);
    scene += fmt::format("{} {} {} {}  {} {} {} {}\n", real(-1.6, 1.6) * w, real(-1.6, 1.6) * w, real(-0.9, 0.9) * w, w,
                         real(0, 1), real(0, 1), real(0, 1), real(0, 1));
  }
  scene += "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
           "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: END\n";
  scene += fmt::format("[fragment shader tgsi]\n{}[state]\n{}", kind.fragment, kind.state);
  scene += "[test]\nclear color 0.2 0.4 0.1 0.5\n";
  if (*kind.clear_depth) scene += fmt::format("clear depth {}\n", kind.clear_depth);
  if (one_draw && layers > 0) scene += fmt::format("draw triangles 0 {}\n", 3 * layers);
  for (uint32_t i = 0; i < layers && !one_draw; ++i) scene += fmt::format("draw triangles {} 3\n", 3 * i);
  return scene;
}

StoredPixel render_pixel(const std::string& text, uint32_t x, uint32_t y, uint32_t sample) {
  const Result<scene::Scene> scene = scene::parse_scene(text);
  if (!scene) FAIL(format_diags(scene.diags(), "layers.scene", text));
  auto device = std::move(Device::create({.raster = {.threads = 1}}).value());
  scene::TargetImages images;
  scene::SceneHooks hooks;
  hooks.prepared = [&](const auto& targets) -> Status {
    images = targets.at("");
    return Done{};
  };
  const Result<scene::SceneResult> result = scene::run_scene(*device, *scene, "", hooks);
  if (!result) FAIL(format_diags(result.diags(), "layers.scene", text));
  const auto pixel_of = [&](const ResourceRef& image) -> std::vector<std::byte> {
    if (!image) return {};
    const std::vector<std::byte> bytes = device->context().read_bytes(image, 0, 0, sample).value();
    const size_t size = format_info(image->desc().format).block_bytes;
    const auto at = bytes.begin() + static_cast<ptrdiff_t>((y * image->desc().width + x) * size);
    return {at, at + static_cast<ptrdiff_t>(size)};
  };
  return {pixel_of(images.color[0]), pixel_of(images.depth)};
}

}  // namespace tessera::tests
