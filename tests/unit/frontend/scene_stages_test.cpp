// Scenes with indirect draws, conditions, stream output and patches: what the commands do.
#include <catch2/catch.hpp>

#include "frontend/scene_parser.h"
#include "frontend/scene_runner.h"

using namespace tessera;

namespace {

constexpr std::string_view kSections = R"([target]
size 16 16
[vertex shader tgsi]
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
MOV OUT[0], IN[0]
MOV OUT[1], IN[0]
END
[fragment shader tgsi]
FRAG
DCL OUT[0], COLOR
IMM[0] FLT32 {1, 1, 1, 1}
MOV OUT[0], IMM[0]
END
[vertex data]
0/r32g32b32a32_float
9 9 0 1
-1 -1 0 1
1 -1 0 1
-1 1 0 1
1 1 0 1
[indices]
0 3 2 4
[buffer 0]
int 4 1 1 0
int 3 1 1 0 0
int 1
[buffer 1]
size 256
[stream output kept]
target 0 buffer 1 offset 16
0 GENERIC[0].xy
0 skip 8
[test]
clear color 0 0 0 1
)";

// Every probe of the commands behind the sections passes.
void check_passes(const std::string& commands) {
  const std::string text = std::string(kSections) + commands;
  const Result<scene::Scene> parsed = scene::parse_scene(text);
  if (!parsed) FAIL(format_diags(parsed.diags(), "scene", text));
  auto device = std::move(Device::create({.raster = {.threads = 2}}).value());
  const Result<scene::SceneResult> result = scene::run_scene(*device, *parsed, "");
  if (!result) FAIL(format_diags(result.diags(), "scene", text));
  CHECK_FALSE(result->probes.empty());
  for (const scene::ProbeOutcome& probe : result->probes) {
    CAPTURE(commands, probe.text);
    CHECK(probe.passed);
  }
}

}  // namespace

TEST_CASE("a scene draws with the numbers of a buffer", "[scene][indirect]") {
  check_passes("draw indirect triangle_strip buffer 0\nprobe all 1 1 1 1\n");
  check_passes("draw indirect indexed triangles buffer 0 offset 16\nprobe 15 3 1 1 1 1\nprobe 1 14 0 0 0 1\n");
  check_passes("draw indirect triangle_strip buffer 0 draws 5 count_buffer 0 count_offset 36\nprobe all 1 1 1 1\n");
  check_passes("draw indirect triangle_strip buffer 0 draws 5 count_buffer 0 count_offset 12\nprobe all 0 0 0 1\n");
}

TEST_CASE("a scene draws under a condition", "[scene][query]") {
  const std::string none = "query begin seen any_samples_passed\nquery end seen\nexpect query seen 0\n";
  check_passes(none + "condition seen\ndraw triangle_strip 1 4\nprobe all 0 0 0 1\n");
  check_passes(none + "condition not seen\ndraw triangle_strip 1 4\nprobe all 1 1 1 1\n");
  check_passes(none + "condition seen\ncondition off\ndraw triangle_strip 1 4\nprobe all 1 1 1 1\n");
  check_passes("query begin all samples_passed\ndraw triangle_strip 1 4\nquery end all\nexpect query all 256\n"
               "expect query all 200 to 300\ncondition all\nclear color 0 0 0 0\nprobe all 0 0 0 0\n");
  check_passes("query begin s statistics\ndraw triangle_strip 1 4\nquery end s\nexpect query s input_primitives 2\n"
               "expect query s fragment_invocations 256\n");
}

TEST_CASE("a scene streams vertices out and draws them", "[scene][stream_output]") {
  check_passes("set discard on\nuse stream output kept\ndraw points 1 2\nuse stream output kept append\ndraw points 3 1\n"
               "probe buffer 1 0 float 0 0 0 0 -1 -1 0 0 1 -1 0 0 -1 1 0 0 0 0\nuse stream output off\nset discard off\n"
               "draw streamed triangles 0 of kept\nprobe 1 14 1 1 1 1\nprobe 15 0 0 0 0 1\n");
}
