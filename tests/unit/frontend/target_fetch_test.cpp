// Framebuffer fetch: a fragment reads its pixel as all earlier fragments have left it, those of its own draw
// included.
#include <catch2/catch.hpp>

#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"

using namespace tessera;

namespace {

constexpr const char* kPlain =
    "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";

// All tile sizes and two numbers of threads: the order of fragments does not depend on them.
void expect_probes(const std::string& text) {
  const Result<scene::Scene> scene = scene::parse_scene(text);
  if (!scene) FAIL(format_diags(scene.diags(), "scene", text));
  for (const int32_t tile_size_px : {64, 16}) {
    DeviceOptions options;
    options.raster.threads = tile_size_px == 64 ? 1 : 3;
    options.raster.tile_size_px = tile_size_px;
    auto device = Device::create(options);
    REQUIRE(device);
    const Result<scene::SceneResult> result = scene::run_scene(**device, *scene, "");
    if (!result) FAIL(format_diags(result.diags(), "scene", text));
    if (result->failure) FAIL(result->failure->text);
    CHECK_FALSE(result->probes.empty());
    for (const scene::ProbeOutcome& probe : result->probes) {
      INFO(tile_size_px << " px; " << probe.loc.line << ": " << probe.text);
      CHECK(probe.passed);
    }
  }
}

std::string target(const std::string& format) { return "[target]\nsize 36 20\ncolor 0 " + format + "\n"; }

std::string fragment(const std::string& code, const std::string& type = "FLT32 {1.0, 2.0, 3.0, 0.5}") {
  return "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nDCL TEMP[0]\nIMM " + type + "\nFBFETCH TEMP[0], OUT[0]\n" +
         code + "END\n";
}

std::string triangles(int count, const std::string& corners) {
  std::string data = "[vertex data]\n0/r32g32_float\n";
  for (int i = 0; i < count; ++i) data += corners;
  return data;
}

const std::string kAll = "-1 -1\n3 -1\n-1 3\n";  // one triangle over the whole target
const std::string kAddOne = "ADD OUT[0], TEMP[0], IMM[0].xxxx\n";
const std::string kTest = "[test]\nclear color 0 0 0 0\ndraw triangles\n";

}  // namespace

TEST_CASE("each of overlapping triangles of a draw sees what those before it wrote", "[fetch]") {
  expect_probes(target("r32g32b32a32_float") + triangles(5, kAll) + kPlain + fragment(kAddOne) + kTest +
                "probe all 5 5 5 5\n");
}

TEST_CASE("small triangles over the same pixels take turns, too", "[fetch]") {
  // Three pixels wide around pixel (18, 10), 40 times.
  expect_probes(target("r32g32b32a32_float") + triangles(40, "-0.02 -0.02\n0.1 -0.02\n-0.02 -0.2\n") + kPlain +
                fragment(kAddOne) + kTest + "probe 18 10  40 40 40 40\nprobe 0 0  0 0 0 0\nprobe 17 10  0 0 0 0\n");
}

TEST_CASE("what is fetched is the stored colour, under blending as well", "[fetch]") {
  // d' = d + (d + 1): 1, 3, 7, 15.
  expect_probes(target("r32g32b32a32_float") + triangles(4, kAll) + kPlain + fragment(kAddOne) +
                "[state]\nblend one one\n" + kTest + "probe all 15 15 15 15\n");
}

TEST_CASE("a clear and earlier draws are seen; quantised as the format stores them", "[fetch]") {
  expect_probes(target("r8g8b8a8_unorm") + triangles(1, kAll) + kPlain +
                fragment("ADD OUT[0], IMM[0].xxxx, -TEMP[0]\n") +
                "[test]\nclear color 0.2 0.4 0.6 1\ndraw triangles\nprobe all 0.8 0.6 0.4 0\ndraw triangles\nprobe "
                "all 0.2 0.4 0.6 1\n");
}

TEST_CASE("integer targets give integers", "[fetch]") {
  expect_probes(target("r32g32b32a32_uint") + triangles(3, kAll) + kPlain +
                fragment("UADD OUT[0], TEMP[0], IMM[0]\n", "UINT32 {1, 2, 3, 4}") +
                "[test]\ndraw triangles\nprobe all 3 6 9 12\n");
}

TEST_CASE("a killed fragment leaves its pixel as it was", "[fetch]") {
  expect_probes(target("r32g32b32a32_float") + triangles(4, kAll) + kPlain +
                fragment("ADD TEMP[0].x, IMM[0].yyyy, -TEMP[0].xxxx\nADD TEMP[0].x, TEMP[0].xxxx, "
                         "-IMM[0].wwww\nKILL_IF TEMP[0].xxxx\nFBFETCH TEMP[0], OUT[0]\n" +
                         kAddOne) +
                kTest + "probe all 2 2 2 2\n");
}

TEST_CASE("derivatives of a fetched colour see the neighbouring pixels as they are", "[fetch]") {
  // The first triangle makes column 19 and all right of it 1; the second covers pixel 18 alone and adds 1 to DDX
  // there.
  const std::string step = "0.05555556 -3\n3 0\n0.05555556 3\n", one = "0.0 0.0\n0.07 0.0\n0.0 -0.15\n";
  expect_probes(target("r32g32b32a32_float") + "[vertex data]\n0/r32g32_float\n" + step + one + kPlain +
                fragment("DDX TEMP[0], TEMP[0]\nADD OUT[0], TEMP[0], IMM[0].xxxx\n") + kTest +
                "probe 18 10  2 2 2 2\nprobe 19 10  1 1 1 1\nprobe 17 10  0 0 0 0\n");
}

TEST_CASE("a program may fetch one target and write another", "[fetch]") {
  expect_probes(
      "[target]\nsize 8 8\n[target two]\nsize 8 8\ncolor 0 r32g32b32a32_float\ncolor 1 r32g32b32a32_float\n" +
      triangles(3, kAll) + kPlain +
      "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR[0]\nDCL OUT[1], COLOR[1]\nDCL TEMP[0..1]\nIMM FLT32 {1.0, "
      "10.0, 0.0, 0.0}\n"
      "FBFETCH TEMP[0], OUT[1]\nFBFETCH TEMP[1], OUT[0]\nADD OUT[0], TEMP[0], IMM[0].yyyy\nADD OUT[1], TEMP[1], "
      "IMM[0].xxxx\nEND\n"
      "[test]\nuse target two\nclear color 0 0 0 0\ndraw triangles\nprobe all 21 21 21 21\n");  // 10, 11; 11, 11; 21,
                                                                                                // 12
}

TEST_CASE("with several samples a pixel each sample has its own colour to fetch", "[fetch]") {
  // A clear of 0, then three triangles over the left half of pixel 18's samples or all of it: what is resolved is a
  // mean.
  expect_probes("[target]\nsize 36 20\ncolor 0 r32g32b32a32_float\nsamples 4\n[vertex data]\n0/r32g32_float\n" +
                kAll + "0.02777778 -3\n-3 0\n0.02777778 3\n" + kAll + kPlain +
                fragment("MAD OUT[0], TEMP[0], IMM[0].yyyy, IMM[0].xxxx\n") + kTest +
                "probe 3 3  7 7 7 7\nprobe 30 3  3 3 3 3\nprobe 18 10  5 5 5 5\n");
}
