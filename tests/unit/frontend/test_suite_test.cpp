// `tessera test` can be trusted: what must pass passes, and the control cases that must fail do fail.
#include "frontend/test_suite.h"

#include <catch2/catch.hpp>
#include <set>

#include "frontend/test_report.h"
#include "tests/unit/frontend/temporary_folder.h"

using namespace tessera;
using namespace tessera::suite;

namespace {

constexpr std::string_view kScene = "[target]\nsize 4 3\n[test]\nclear color 1 0 0 1\nexpect image goldens/red.png\n";

Image solid(uint32_t width, uint32_t height, std::array<uint8_t, 4> color) {
  Image image{width, height, {}};
  for (uint32_t i = 0; i < width * height; ++i) image.rgba_un8.insert(image.rgba_un8.end(), color.begin(), color.end());
  return image;
}

struct Fixture {
  tests::TemporaryFolder folder;

  void write_image(const std::string& name, const Image& image) {
    folder.write(name, "");
    REQUIRE(write_png_file(folder.path(name), image));
  }
  SuiteReport run(std::vector<std::string> paths = {}, bool update = false, uint32_t jobs = 1) {
    SuiteOptions options;
    options.paths = paths.empty() ? std::vector{folder.path("")} : paths;
    options.device.raster.threads = 1;
    options.device.raster.instruction_budget = 1000;
    options.update = update;
    options.jobs = jobs;
    Result<SuiteReport> report = run_suite(options, [](const SceneReport&) {});
    if (!report) FAIL(report.diags().front().text);
    return std::move(*report);
  }
  // The scene with its golden image, and how the suite ends.
  int status_with(std::string_view scene, const Image& golden) {
    folder.write("red.scene", scene);
    write_image("goldens/red.png", golden);
    return run().exit_status();
  }
};

const Image kRed = solid(4, 3, {255, 0, 0, 255});

}  // namespace

TEST_CASE_METHOD(Fixture, "a scene whose picture equals the golden one passes") {
  CHECK(status_with(kScene, kRed) == 0);
}

TEST_CASE_METHOD(Fixture, "control: one texel that differs by one fails") {
  Image golden = kRed;
  golden.texel(2, 1)[0] = 254;
  CHECK(status_with(kScene, golden) == 1);
  const SuiteReport report = run();
  CHECK_THAT(report.scenes[0].checks[0].text,
             Catch::Contains("first at (2, 1): expected 254 0 0 255, found 255 0 0 255"));
}

TEST_CASE_METHOD(Fixture, "a tolerance lets it pass and is printed with the result") {
  Image golden = kRed;
  golden.texel(2, 1)[0] = 254;
  std::string scene(kScene);
  scene.insert(scene.size() - 1, " tolerance 1 0 0 0");
  CHECK(status_with(scene, golden) == 0);
  CHECK_THAT(run().scenes[0].checks[0].text, Catch::Contains("tolerance 1 0 0 0, count 0"));
}

TEST_CASE_METHOD(Fixture, "control: a golden image of another size fails") {
  CHECK(status_with(kScene, solid(3, 4, {255, 0, 0, 255})) == 1);
}

TEST_CASE_METHOD(Fixture, "control: a missing golden image fails") {
  folder.write("red.scene", kScene);
  CHECK(run().exit_status() == 1);
}

TEST_CASE_METHOD(Fixture, "control: an unreadable golden image fails") {
  folder.write("red.scene", kScene);
  folder.write("goldens/red.png", "this is no picture");
  CHECK(run().exit_status() == 1);
}

TEST_CASE_METHOD(
    Fixture,
    "control: an image beside the golden ones that no scene expects fails, but only where whole folders are tested") {
  CHECK(status_with(kScene, kRed) == 0);
  write_image("goldens/old.png", kRed);
  const SuiteReport report = run();
  CHECK(report.exit_status() == 1);
  REQUIRE(report.extra_images.size() == 1);
  CHECK_THAT(report.extra_images[0], Catch::EndsWith("goldens/old.png"));
  CHECK(run({folder.path("red.scene")}).exit_status() == 0);
}

TEST_CASE_METHOD(Fixture, "a texture beside the golden images is no extra image") {
  write_image("brick.png", kRed);
  write_image("red.png", kRed);
  folder.write("red.scene",
               "[target]\nsize 4 3\n[texture 0]\nfile brick.png\n[test]\nclear color 1 0 0 1\nexpect image red.png\n");
  CHECK(run().exit_status() == 0);
}

TEST_CASE_METHOD(Fixture, "control: a run without scenes fails") { CHECK(run().exit_status() == 1); }

TEST_CASE_METHOD(Fixture, "control: a scene that checks nothing fails") {
  folder.write("empty.scene", "[test]\nclear color 1 0 0 1\n");
  CHECK(run().exit_status() == 1);
}

TEST_CASE_METHOD(Fixture, "control: probes fail where a texel differs, in every form") {
  for (const std::string_view probe :
       {"probe 0 0 0 1 0 1", "probe all 1 0 0 0", "probe rect 0 0 2 2 0.99 0 0 1", "probe 3 2 0.9 0 0 1 tolerance 0.05",
        "probe 0 0 1 0 0 0.5 tolerance 1 1 1 0.4"}) {
    CAPTURE(probe);
    folder.write("probe.scene", "[target]\nsize 4 3\n[test]\nclear color 1 0 0 1\n" + std::string(probe) + "\n");
    CHECK(run().exit_status() == 1);
  }
  folder.write(
      "probe.scene",
      "[target]\nsize 4 3\n[test]\nclear color 1 0 0 1\nprobe all 1 0 0 1\nprobe 3 2 0.96 0 0 1 tolerance 0.05\n");
  CHECK(run().exit_status() == 0);
}

TEST_CASE_METHOD(Fixture, "a probe's colour is converted to the target's format before it is compared exactly") {
  folder.write(
      "probe.scene",
      "[target]\nsize 4 3\ncolor 0 r8g8b8a8_unorm\n[test]\nclear color 0.3 0.5 0.7 1\nprobe all 0.3 0.5 0.7 1\n");
  CHECK(run().exit_status() == 0);
}

TEST_CASE_METHOD(Fixture, "control: a frame over its instruction budget fails and gives no picture") {
  folder.write(
      "endless.scene",
      "[target]\nsize 4 3\n[vertex shader tgsi]\nVERT\nDCL IN[0]\nDCL OUT[0], POSITION\n0: MOV OUT[0], IN[0]\n1: END\n"
      "[fragment shader tgsi]\nFRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {1.0, 1.0, 1.0, 1.0}\n0: BGNLOOP\n1: ENDLOOP\n2: "
      "MOV OUT[0], IMM[0]\n3: END\n"
      "[test]\ndraw rect -1 -1 2 2\nexpect image never.png\n");
  const SuiteReport report = run({}, true);
  CHECK(report.exit_status() == 1);
  CHECK_THAT(report.scenes[0].errors, Catch::Contains("draw"));
  CHECK_FALSE(folder.has("never.png"));
}

TEST_CASE_METHOD(Fixture, "a wrong scene is told apart: exit status 2, and the others still run") {
  CHECK(status_with(kScene, kRed) == 0);
  folder.write("wrong.scene", "[test]\nfly\n");
  const SuiteReport report = run();
  CHECK(report.exit_status() == 2);
  CHECK(report.passed == 1);
  CHECK(report.failed == 1);
  CHECK_THAT(report.scenes[1].errors, Catch::Contains("wrong.scene:2:1: error: [test] has no command 'fly'"));
}

TEST_CASE_METHOD(Fixture, "a path that does not exist is wrong use") {
  CHECK_FALSE(find_scenes({folder.path("nosuch")}));
}

TEST_CASE_METHOD(Fixture, "update writes missing and different images in one step, and nothing else") {
  CHECK(status_with(kScene, solid(4, 3, {0, 0, 0, 255})) == 1);
  const SuiteReport updated = run({}, true);
  CHECK(updated.exit_status() == 0);
  CHECK(updated.scenes[0].updated.size() == 1);
  CHECK(run().exit_status() == 0);
  CHECK(run({}, true).scenes[0].updated.empty());
}

TEST_CASE_METHOD(Fixture, "several jobs report the same, in the same order") {
  for (const char* name : {"a.scene", "b.scene", "c.scene", "d.scene"}) folder.write(name, kScene);
  write_image("goldens/red.png", kRed);
  const SuiteReport one = run(), three = run({}, false, 3);
  REQUIRE(one.scenes.size() == three.scenes.size());
  for (size_t i = 0; i < one.scenes.size(); ++i) CHECK(one.scenes[i].path == three.scenes[i].path);
  CHECK(three.exit_status() == 0);
}

TEST_CASE("text for XML is escaped; what is no character of XML becomes a question mark") {
  CHECK(escape_xml("a<b> & \"c\" 'd'") == "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;");
  CHECK(escape_xml("tab\tline\n") == "tab\tline\n");
  CHECK(escape_xml(std::string_view("\0\x01\x1b", 3)) == "???");
  CHECK(escape_xml("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\x89") == "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x8e\x89");
  CHECK(escape_xml("\xff \xc3 \xed\xa0\x80 \xc0\xaf \xef\xbf\xbe") == "? ? ??? ?? ???");
}

TEST_CASE_METHOD(Fixture, "the JUnit report counts failures and errors and names them") {
  folder.write("a&b.scene", "[target]\nsize 4 3\n[test]\nclear color 1 0 0 1\nprobe all 0 0 0 0\n");
  folder.write("wrong.scene", "<\n");
  const std::string xml = junit_xml(run());
  CHECK_THAT(xml, Catch::Contains("tests=\"2\" failures=\"1\" errors=\"1\""));
  CHECK_THAT(xml, Catch::Contains("a&amp;b.scene"));
  CHECK_THAT(xml, Catch::Contains("found &#39;&lt;&#39;"));
  CHECK_THAT(xml, Catch::StartsWith("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
}

TEST_CASE_METHOD(Fixture, "the HTML report holds the pictures and the first differing texels") {
  Image golden = kRed;
  golden.texel(2, 1)[0] = 254;
  CHECK(status_with(kScene, golden) == 1);
  const std::string html = html_report(run());
  size_t pictures = 0;
  for (size_t at = html.find("data:image/png;base64,"); at != std::string::npos;
       at = html.find("data:image/png;base64,", at + 1))
    ++pictures;
  CHECK(pictures == 3);
  CHECK_THAT(html, Catch::Contains("<tr><td>2</td><td>1</td><td>254 0 0 255</td><td>255 0 0 255</td></tr>"));
  CHECK_THAT(html, !Catch::Contains("src=\"http"));
}
