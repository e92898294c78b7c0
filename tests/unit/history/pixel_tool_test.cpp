// `tessera pixel` as a process: what it says, JSON, every instruction, and wrong use.
#include <sys/wait.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/support/data.h"
#include "tests/unit/frontend/temporary_folder.h"

using namespace tessera;
using Json = nlohmann::json;

namespace {

struct Outcome {
  int status = -1;
  std::string out, err;
};

struct Fixture {
  tests::TemporaryFolder folder;

  Outcome run(const std::string& arguments) const {
    const std::string command =
        "cd '" + folder.path("") + "' && '" TESSERA_TOOL "' pixel " + arguments + " >out.txt 2>err.txt </dev/null";
    const int code = std::system(command.c_str());
    return {WIFEXITED(code) ? WEXITSTATUS(code) : -1, tests::read_file(folder.path("out.txt")),
            tests::read_file(folder.path("err.txt"))};
  }
  Json json(const std::string& arguments) const {
    const Outcome outcome = run(arguments + " --json");
    CAPTURE(outcome.err);
    REQUIRE(outcome.status == 0);
    return Json::parse(outcome.out);
  }
};

// A rectangle that is scissored away, one behind it, and a texture in front; 16 texels of red and blue squares.
constexpr const char* kScene =
    "[target]\nsize 16 16\ndepth z32_float\n"
    "[texture 0]\nchecker 16 16 16  1 0 0 1  0 0 1 1\n"
    "[sampler 0]\nfilter nearest nearest\n"
    "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\n"
    "0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: END\n"
    "[fragment shader tgsi]\nFRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL TEMP[0]\n"
    "IMM[0] FLT32 {0.5, 0.25, 0, 1}\n"
    "0: TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D\n1: MUL OUT[0], TEMP[0], IMM[0].xxxw\n2: END\n"
    "[state]\ndepth_test less\n[test]\nclear color 0 0 0 1\nclear depth 0.25\ndraw rect -1 -1 2 2\n"
    "set scissor 0 0 4 4\ndraw rect -1 -1 2 2\nset scissor off\nclear depth 1\ndraw rect -1 -1 2 2\n";

}  // namespace

TEST_CASE_METHOD(Fixture, "pixel tells of clears, scissored draws, failed tests and colours", "[history]") {
  folder.write("good.scene", kScene);
  const Json json = this->json("good.scene 9 6");
  std::vector<std::string> events;
  for (const Json& event : json["events"]) events.push_back(event["event"]);
  CHECK(events == std::vector<std::string>{"clear", "clear", "fragment", "scissored", "clear", "fragment"});
  const Json& hidden = json["events"][2], &drawn = json["events"][5];
  CHECK(hidden["written"] == false);
  CHECK(hidden["tests"][0]["test"] == "depth");
  CHECK(hidden["tests"][0]["early"] == true);
  CHECK(hidden["tests"][0]["value"] == 0.5);
  CHECK(hidden["tests"][0]["against"] == 0.25);
  CHECK(hidden["tests"][0]["function"] == "<");
  CHECK(json["events"][3]["scissor"] == Json({0, 0, 4, 4}));
  CHECK(drawn["written"] == true);
  CHECK(drawn["command"] == "draw rect -1 -1 2 2");
  CHECK(drawn["before"]["color"][0]["bits"] == "0xff000000");
  CHECK(drawn["after"]["color"][0]["bits"] == "0xff800000");       // texel (9, 6) is blue, halved
  CHECK(drawn["after"]["depth"]["bits"] == "0x3f000000");
}

TEST_CASE_METHOD(Fixture, "pixel tells which of several viewports keep a draw's primitives from the pixel", "[history]") {
  std::string text =
      "[target]\nsize 16 16\n[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], VIEWPORT_INDEX\n"
      "IMM[0] INT32 {2, 0, 0, 0}\n0: MOV OUT[0], IN[0]\n1: MOV OUT[1].x, IMM[0].xxxx\n2: END\n"
      "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\n0: MOV OUT[0], IMM[0]\n1: END\n"
      "[state]\nviewport[1] 0 0 8 16\nscissor[2] 8 0 8 16\n[test]\nclear color 0 0 0 1\ndraw rect -1 -1 2 2\n";
  folder.write("views.scene", text);
  // Left: primitives of viewport 2 are not there; right: those of viewport 1 are not.
  const Json left = this->json("views.scene 3 6"), right = this->json("views.scene 12 6");
  REQUIRE(left["events"].size() == 2);
  CHECK(left["events"][1]["event"] == "scissored");
  CHECK(left["events"][1]["viewport"] == 2);
  CHECK(left["events"][1]["scissor"] == Json({8, 0, 16, 16}));
  REQUIRE(right["events"].size() == 3);
  CHECK(right["events"][1]["viewport"] == 1);
  CHECK(right["events"][1]["scissor"] == Json({0, 0, 8, 16}));
  CHECK(right["events"][2]["event"] == "fragment");
}

TEST_CASE_METHOD(Fixture, "pixel --step shows instructions, their lines, and the texels that were read", "[history]") {
  folder.write("good.scene", kScene);
  const Json steps = json("good.scene 9 6 --step 1")["events"][5]["steps"];
  const Json* fetch = nullptr, *product = nullptr;
  for (const Json& step : steps) {
    if (step.contains("fetches")) fetch = &step;
    else if (step["line"] == 25) product = &step;
  }
  REQUIRE(fetch);
  CHECK((*fetch)["line"] == 24);
  // Pixel (9, 6) is lane 1 of its quad; each pixel has a texel of its own.
  const Json& lane = (*fetch)["fetches"][1];
  CHECK(lane["filter"] == "nearest");
  CHECK(lane["level"] == 0);
  CHECK(lane["lod"] == 0);
  REQUIRE(lane["texels"].size() == 1);
  CHECK(lane["texels"][0]["x"] == 9);
  CHECK(lane["texels"][0]["y"] == 6);
  CHECK(lane["texels"][0]["value"] == Json({0, 0, 1, 1}));
  REQUIRE(product);
  CHECK((*product)["operands"].size() == 2);
  const Outcome text = run("good.scene 9 6 --step 1");
  CHECK(text.status == 0);
  CHECK(text.out.find("good.scene:24: 0: TEX TEMP[0], IN[0].xyyy, SAMP[0], 2D") != std::string::npos);
  CHECK(text.out.find("level 0 (9, 6, 0): 0 0 1 1") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "pixel --step names the fixed-function stage that an instruction comes from", "[history]") {
  folder.write("stages.scene",
               "[target]\nsize 8 8\n[texture 0]\nchecker 8 8 2  1 0.5 0 1  0 0 1 1\n"
               "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\nDCL OUT[1], COLOR[0]\n"
               "DCL OUT[2], TEXCOORD[0]\n0: MOV OUT[0], IN[0]\n1: MOV OUT[1], IN[1]\n2: MOV OUT[2], IN[1]\n3: END\n"
               "[register combiners]\nstage\nrgb spare0 = texture0 * primary\nstage\nrgb spare0 = spare0 * texture0\n"
               "final a spare0\nfinal b primary\n[test]\nclear color 0 0 0 1\ndraw rect -1 -1 2 2\n");
  std::vector<std::string> stages;
  const Json report = json("stages.scene 3 5 --step 0");
  for (const Json& step : report["events"].back()["steps"])
    if (const std::string stage = step.value("stage", ""); !stage.empty() && (stages.empty() || stages.back() != stage))
      stages.push_back(stage);
  CHECK(stages == std::vector<std::string>{"general combiner 0", "general combiner 1", "final combiner"});
  const Outcome text = run("stages.scene 3 5 --step 0");
  CHECK(text.out.find("\n  general combiner 1\n") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "pixel refuses places, samples, fragments and files that are not there", "[history]") {
  folder.write("good.scene", kScene);
  struct Wrong { const char* arguments; const char* message; };
  const Wrong kWrong[] = {
      {"good.scene 16 0", "good.scene: error: pixel 16, 0 lies outside of [target], which is 16 x 16"},
      {"good.scene 0 16", "pixel 0, 16 lies outside"},
      {"good.scene -- -1 0", "X"},
      {"good.scene 3 x", "Y"},
      {"good.scene 3", "Y is required"},
      {"good.scene 3 3 --sample 1", "sample 1 is none of [target], which has 1 a pixel"},
      {"good.scene 3 3 --layer 1", "layer 1 is none of [target]"},
      {"good.scene 3 3 --target other", "the scene has no [target other]"},
      {"good.scene 9 6 --step 2", "fragment 2 is none of the pixel's, which has 2 of them"},
      {"good.scene 9 6 --step 0", "fragment 0 ran no program"},
      {"nosuch.scene 3 3", "nosuch.scene: error"},
  };
  for (const Wrong& wrong : kWrong) {
    const Outcome outcome = run(wrong.arguments);
    CAPTURE(wrong.arguments, outcome.err);
    CHECK(outcome.status == 2);
    CHECK(outcome.out.empty());
    CHECK(outcome.err.find(wrong.message) != std::string::npos);
  }
  folder.write("wrong.scene", "[test]\ndraw nonsense\n");
  const Outcome wrong = run("wrong.scene 0 0");
  CHECK(wrong.status == 2);
  CHECK(wrong.err.find("wrong.scene:2:") != std::string::npos);
}

TEST_CASE_METHOD(Fixture, "pixel fails with the frame", "[history]") {
  folder.write("endless.scene",
               "[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n"
               "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1, 1, 1, 1}\n0: BGNLOOP\n1: ENDLOOP\n"
               "2: MOV OUT[0], IMM[0]\n3: END\n[target]\nsize 8 8\n[test]\ndraw rect -1 -1 2 2\n");
  const Outcome outcome = run("endless.scene 0 0 --budget 100");
  CHECK(outcome.status == 1);
  CHECK(outcome.err.find("draw 1") != std::string::npos);
}
