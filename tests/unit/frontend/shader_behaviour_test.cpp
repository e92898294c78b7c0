// What properties and outputs of shaders do to pixels, as small scenes with probes.
#include <catch2/catch.hpp>

#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"

using namespace tessera;

namespace {

constexpr const char* kWhite =
    "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nIMM FLT32 {1.0, 1.0, 1.0, 1.0}\nMOV OUT[0], IMM[0]\nEND\n";
constexpr const char* kPlain =
    "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nMOV OUT[0], IN[0]\nEND\n";

void expect_probes(const std::string& text, int32_t tile_size_px = 64) {
  const Result<scene::Scene> scene = scene::parse_scene(text);
  if (!scene) FAIL(format_diags(scene.diags(), "scene", text));
  DeviceOptions options;
  options.raster.threads = 2;
  options.raster.tile_size_px = tile_size_px;
  auto device = Device::create(options);
  REQUIRE(device);
  const Result<scene::SceneResult> result = scene::run_scene(**device, *scene, "");
  if (!result) FAIL(format_diags(result.diags(), "scene", text));
  if (result->failure) FAIL(result->failure->text);
  CHECK_FALSE(result->probes.empty());
  for (const scene::ProbeOutcome& probe : result->probes) {
    INFO(probe.loc.line << ": " << probe.text);
    CHECK(probe.passed);
  }
}

std::string vertex(const std::string& declarations, const std::string& code) {
  return "[vertex shader tgsi]\nVERT\nDCL IN[0]\n" + declarations + "DCL OUT[0], POSITION\nDCL TEMP[0]\n" +
         "IMM FLT32 {0.0, 1.0, 0.5, -1.0}\nMOV OUT[0], IN[0]\n" + code + "END\n";
}

const std::string kTarget = "[target]\nsize 16 16\n";
const std::string kDraw = "[test]\nclear color 0 0 0 1\ndraw rect -1 -1 2 2\n";

}  // namespace

TEST_CASE("a clip distance cuts where it turns negative", "[distances]") {
  expect_probes(kTarget +
                vertex("PROPERTY NUM_CLIPDIST_ENABLED 1\nDCL OUT[1].x, CLIPDIST\n", "MOV OUT[1].x, IN[0].xxxx\n") +
                kWhite + kDraw + "probe rect 8 0 8 16  1 1 1 1\nprobe rect 0 0 8 16  0 0 0 1\n");
}

TEST_CASE("all eight clip distances cut", "[distances]") {
  for (int i = 0; i < 8; ++i) {
    const std::string reg = i < 4 ? "OUT[1]." : "OUT[2].", channel(1, "xyzw"[i % 4]);
    expect_probes(
        kTarget +
        vertex("PROPERTY NUM_CLIPDIST_ENABLED 8\nDCL OUT[1], CLIPDIST[0]\nDCL OUT[2], CLIPDIST[1]\n",
               "MOV OUT[1], IMM[0].yyyy\nMOV OUT[2], IMM[0].yyyy\nMOV " + reg + channel + ", -IN[0].yyyy\n") +
        kWhite + kDraw + "probe rect 0 8 16 8  1 1 1 1\nprobe rect 0 0 16 8  0 0 0 1\n");
  }
}

TEST_CASE("distances beyond the enabled number do not count, nor those that the state turns off", "[distances]") {
  const std::string shader = vertex("PROPERTY NUM_CLIPDIST_ENABLED 1\nDCL OUT[1].xy, CLIPDIST\n",
                                    "MOV OUT[1].x, IN[0].xxxx\nMOV OUT[1].y, IMM[0].wwww\n");
  expect_probes(kTarget + shader + kWhite + kDraw + "probe rect 8 0 8 16  1 1 1 1\nprobe rect 0 0 8 16  0 0 0 1\n");
  expect_probes(kTarget + shader + kWhite + "[state]\nclip_distances 0xfe\n" + kDraw + "probe all 1 1 1 1\n");
}

TEST_CASE("a cull distance drops a triangle whose vertices are all behind it, and cuts nothing", "[distances]") {
  const std::string some = "ADD OUT[1].x, IN[0].xxxx, IMM[0].zzzz\n", all = "MOV OUT[1].x, IMM[0].wwww\n";
  const std::string declarations = "PROPERTY NUM_CULLDIST_ENABLED 1\nDCL OUT[1].x, CLIPDIST\n";
  expect_probes(kTarget + vertex(declarations, some) + kWhite + kDraw + "probe all 1 1 1 1\n");
  expect_probes(kTarget + vertex(declarations, all) + kWhite + kDraw + "probe all 0 0 0 1\n");
}

TEST_CASE("the cut of a clip distance interpolates attributes as the whole triangle does", "[distances]") {
  const std::string ramp =
      "[fragment shader tgsi]\nFRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0].xxxx\nEND\n";
  expect_probes(
      "[target]\nsize 16 16\ncolor 0 r32g32b32a32_float\n" +
      vertex("DCL OUT[1].x, CLIPDIST\nDCL OUT[2], GENERIC[0]\n", "MOV OUT[1].x, IN[0].xxxx\nMOV OUT[2], IN[0]\n") +
      ramp + kDraw +
      "probe 8 3  0.0625 0.0625 0.0625 0.0625 tolerance 0.000001\n"
      "probe 15 9  0.9375 0.9375 0.9375 0.9375 tolerance 0.000001\nprobe 7 3  0 0 0 1\n");
}

TEST_CASE("user planes clip programs without distances, at CLIPVERTEX where it is written", "[distances]") {
  const std::string planes = "[state]\nclip_plane 3 1 0 0 0\n";
  expect_probes(kTarget + kPlain + kWhite + planes + kDraw +
                "probe rect 8 0 8 16  1 1 1 1\nprobe rect 0 0 8 16  0 0 0 1\n");
  expect_probes(kTarget + vertex("DCL OUT[1], CLIPVERTEX\n", "MOV OUT[1], -IN[0].xyzw\n") + kWhite + planes + kDraw +
                "probe rect 8 0 8 16  0 0 0 1\nprobe rect 0 0 8 16  1 1 1 1\n");
  expect_probes(kTarget + vertex("PROPERTY VS_PROHIBIT_UCPS 1\n", "") + kWhite + planes + kDraw +
                "probe all 1 1 1 1\n");
  expect_probes(kTarget + kPlain + kWhite + planes + "clip_distances 0xf7\n" + kDraw + "probe all 1 1 1 1\n");
}

TEST_CASE("positions in window space need no viewport", "[properties]") {
  const std::string window =
      "[vertex shader tgsi]\nVERT\nPROPERTY VS_WINDOW_SPACE_POSITION 1\nDCL IN[0]\nDCL OUT[0], POSITION\n"
      "DCL OUT[1], GENERIC[0]\nMOV OUT[0], IN[0]\nMOV OUT[1], IN[0]\nEND\n";
  const std::string show =
      "[fragment shader tgsi]\nFRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0].xyww\nEND\n";
  const std::string data =
      "[vertex data]\n0/r32g32b32a32_float\n2 3 0.5 1\n10 3 0.5 1\n2 11 0.5 1\n10 3 0.5 1\n10 11 0.5 1\n2 11 0.5 1\n";
  expect_probes("[target]\nsize 16 16\ncolor 0 r32g32b32a32_float\n" + data + window + show +
                "[state]\nviewport 5 5 2 2\n[test]\nclear color 0 0 0 0\ndraw triangles\n"
                "probe 2 3  2.5 3.5 1 1\nprobe 9 10  9.5 10.5 1 1\nprobe 1 3  0 0 0 0\nprobe 10 10  0 0 0 0\nprobe 2 "
                "2  0 0 0 0\n");
}

TEST_CASE("the origin and the pixel centre of POSITION are the program's choice", "[properties]") {
  const auto scene = [](const std::string& properties, const std::string& probes) {
    expect_probes("[target]\nsize 16 16\ncolor 0 r32g32b32a32_float\n" + std::string(kPlain) +
                  "[fragment shader tgsi]\nFRAG\n" + properties +
                  "DCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0].xyxy\nEND\n" + kDraw + probes);
  };
  scene("", "probe 2 3  2.5 3.5 2.5 3.5\n");
  scene("PROPERTY FS_COORD_ORIGIN LOWER_LEFT\n", "probe 2 3  2.5 12.5 2.5 12.5\n");
  scene("PROPERTY FS_COORD_PIXEL_CENTER INTEGER\n", "probe 2 3  2 3 2 3\n");
  scene("PROPERTY FS_COORD_ORIGIN LOWER_LEFT\nPROPERTY FS_COORD_PIXEL_CENTER INTEGER\n", "probe 2 3  2 12 2 12\n");
}

TEST_CASE("early depth tests write depth before a program kills", "[properties]") {
  const auto scene = [](const std::string& property, const std::string& probes) {
    expect_probes(
        "[target]\nsize 16 16\ndepth z32_float\n" + std::string(kPlain) + "[fragment shader tgsi]\nFRAG\n" +
        property +
        "DCL OUT[0], COLOR\nKILL\nEND\n[state]\ndepth_test less\n[test]\nclear color 0 0 0 1\nclear depth 1\n"
        "draw rect -1 -1 2 2\nprobe all 0 0 0 1\n" +
        probes);
  };
  scene("", "probe depth 3 3 1\n");
  scene("PROPERTY FS_EARLY_DEPTH_STENCIL 1\n", "probe depth 3 3 0.5\n");
}

TEST_CASE("a depth that the program promised not to change is the fragment's own", "[properties]") {
  for (const auto& [layout, depth] : {std::pair{1, "0.25"}, {2, "0.5"}, {3, "0.25"}, {4, "0.5"}})
    expect_probes(
        "[target]\nsize 16 16\ndepth z32_float\n" + std::string(kPlain) +
        "[fragment shader tgsi]\nFRAG\nPROPERTY FS_DEPTH_LAYOUT " + std::to_string(layout) +
        "\nDCL OUT[0], COLOR\nDCL OUT[1], POSITION\nIMM FLT32 {0.25, 0.0, 0.0, 0.0}\n"
        "MOV OUT[0], IMM[0]\nMOV OUT[1].z, IMM[0].xxxx\nEND\n[state]\ndepth_test less\n[test]\nclear depth 1\n"
        "draw rect -1 -1 2 2\nprobe depth 3 3 " +
        depth + "\n");
}

TEST_CASE("colour 0 goes to all targets where the program says so", "[properties]") {
  const auto scene = [](const std::string& property, const std::string& second) {
    expect_probes(
        "[target]\nsize 4 4\ncolor 0 r8g8b8a8_unorm\n[target two]\nsize 4 4\ncolor 0 r8g8b8a8_unorm\ncolor 1 "
        "r8g8b8a8_unorm\n" +
        std::string(kPlain) + "[fragment shader tgsi]\nFRAG\n" + property +
        "DCL OUT[0], COLOR\nIMM FLT32 {1.0, 0.0, 0.0, 1.0}\nMOV OUT[0], IMM[0]\nEND\n"
        "[texture 0]\ntarget two color 1\n[sampler 0]\nfilter nearest nearest\n"
        "[fragment shader tgsi copy]\nFRAG\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\nIMM FLT32 {0.5, "
        "0.5, 0.0, 0.0}\n"
        "TEX OUT[0], IMM[0], SAMP[0], 2D\nEND\n"
        "[test]\nuse target two\nclear color 0 0 0 1\ndraw rect -1 -1 2 2\nuse target main\nuse fragment shader "
        "copy\n"
        "draw rect -1 -1 2 2\nprobe all " +
        second + "\n");
  };
  scene("PROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\n", "1 0 0 1");
  scene("", "0 0 0 1");
}

// ---- helper lanes
// ------------------------------------------------------------------------------------------------------

TEST_CASE("a vertex knows its number, its instance and where both begin", "[system values]") {
  const std::string numbers =
      "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL SV[0], VERTEXID\nDCL SV[1], VERTEXID_NOBASE\nDCL SV[2], BASEVERTEX\n"
      "DCL SV[3], BASEINSTANCE\nDCL SV[4], INSTANCEID\nDCL SV[5], DRAWID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
      "DCL OUT[2], GENERIC[1]\nMOV OUT[0], IN[0]\nMOV OUT[1].x, SV[0].xxxx\nMOV OUT[1].y, SV[1].xxxx\n"
      "MOV OUT[1].z, SV[2].xxxx\nMOV OUT[1].w, SV[3].xxxx\nMOV OUT[2].x, SV[4].xxxx\nMOV OUT[2].y, SV[5].xxxx\nEND\n";
  const auto scene = [&](const std::string& varying, const std::string& expected) {
    expect_probes("[target]\nsize 16 16\ncolor 0 r32g32b32a32_uint\n" + numbers +
                  "[fragment shader tgsi]\nFRAG\nDCL IN[0], " + varying + ", CONSTANT\nDCL OUT[0], COLOR\n" +
                  "MOV OUT[0], IN[0]\nEND\n[vertex data]\n0/r32g32_float\n0 0\n0 0\n-1 -1\n3 -1\n-1 3\n" +
                  "[indices]\n0 1 2\n[test]\nclear color 9 9 9 9\n" +
                  "draw indexed triangles base 2 instances 2 first 5\nprobe all " + expected + "\n");
  };
  scene("GENERIC[0]", "4 2 2 5");   // the last vertex is the one that counts
  scene("GENERIC[1]", "1 0 0 0");
}

TEST_CASE("a fragment knows its triangle and the side that it sees", "[system values]") {
  expect_probes(
      "[target]\nsize 16 16\ncolor 0 r32g32b32a32_uint\n" + std::string(kPlain) +
      "[fragment shader tgsi]\nFRAG\nDCL SV[0], FACE\nDCL SV[1], PRIM_ID\nDCL IN[0], FACE\nDCL IN[1], PRIM_ID, CONSTANT\n"
      "DCL OUT[0], COLOR\nMOV OUT[0].x, SV[0].xxxx\nMOV OUT[0].y, SV[1].xxxx\nMOV OUT[0].z, IN[0].xxxx\n"
      "MOV OUT[0].w, IN[1].xxxx\nEND\n[vertex data]\n0/r32g32_float\n-1 -1\n1 -1\n-1 1\n-1 1\n1 1\n1 -1\n"
      "[state]\ncull none\n[test]\nclear color 0 0 0 0\ndraw triangles\n"
      "probe 2 12  4294967295 0 1065353216 0\nprobe 14 1  0 1 3212836864 1\n");   // 1.0 and -1.0
}

TEST_CASE("killed lanes go on feeding derivatives and implicit levels of detail", "[helpers]") {
  // Columns 0, 2, 4 ... are killed; the rest still sees its left neighbour.
  const auto fragment = [](const std::string& kill, const std::string& code) {
    return "[fragment shader tgsi]\nFRAG\nDCL IN[0], POSITION, LINEAR\nDCL OUT[0], COLOR\nDCL TEMP[0..1]\nDCL "
           "SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
           "IMM[0] FLT32 {0.5, 0.75, 0.0, 0.25}\nMUL TEMP[0], IN[0].xxxx, IMM[0].xxxx\nFRC TEMP[0].x, TEMP[0].xxxx\n"
           "ADD TEMP[0].x, TEMP[0].xxxx, -IMM[0].xxxx\n" +
           kill + code + "END\n";
  };
  const std::string texture =
      "[texture 0]\nsize 2 2\nlevels 2\ntexels level 0\n1 0 0 1  1 0 0 1  1 0 0 1  1 0 0 1\ntexels level 1\n0 1 0 1\n"
      "[sampler 0]\nfilter nearest nearest\nmip nearest\n";
  const std::string test = "[test]\nclear color 0 0 1 1\ndraw rect -1 -1 2 2\n";
  for (const std::string kill :
       {"KILL_IF TEMP[0].xxxx\n", "FSLT TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].xxxx\nKILL\nENDIF\n",
        "FSLT TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz\nUIF TEMP[0].xxxx\nDEMOTE\nENDIF\n"}) {
    expect_probes(
        kTarget + kPlain + texture + fragment(kill, "DDX TEMP[1], IN[0].xxxx\nMUL OUT[0], TEMP[1], IMM[0].xxxx\n") +
        test +
        "probe 1 1  0.5 0.5 0.5 0.5 tolerance 0.01\nprobe 7 6  0.5 0.5 0.5 0.5 tolerance 0.01\nprobe 2 2  0 0 1 1\n");
    // A texel a pixel's width each: level 1, which only the derivative tells.
    expect_probes(kTarget + kPlain + texture + fragment(kill, "TEX OUT[0], IN[0], SAMP[0], 2D\n") + test +
                  "probe 1 1  0 1 0 1\nprobe 3 6  0 1 0 1\nprobe 2 2  0 0 1 1\n");
  }
}
