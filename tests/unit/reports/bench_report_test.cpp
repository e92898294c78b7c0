// `tessera bench --report` from runs as they are stored: verdicts, scaling, roofline, and what is no run.
#include <catch2/catch.hpp>

#include <fmt/format.h>

#include "tests/unit/reports/tool_fixture.h"

using namespace tessera::tests;
using Catch::Contains;

namespace {

std::string row(const char* name, double median, double spread, uint32_t threads = 2, uint32_t frames = 25) {
  return fmt::format(
      "{{\"name\": \"{}\", \"median_ms\": {}, \"q1_ms\": {}, \"q3_ms\": {}, \"frames\": {}, \"threads\": {}, "
      "\"rate\": 100, \"unit\": \"Mpix/s\", \"peak_mib\": 40, \"stored_bytes\": 16588800, "
      "\"stage_ms\": {{\"vertex\": 1, \"tile\": 3}}, \"counters\": {{\"fragments\": 33177600}}}}",
      name, median, median - spread, median + spread, frames, threads);
}

std::string run_of(const std::vector<std::string>& rows) {
  std::string json = "{\"machine\": {\"version\": \"1 <&>\", \"cpu\": \"a cpu\", \"threads\": 2, \"simd\": \"avx2\", "
                     "\"executor\": \"jit\"}, \"limits\": {\"fill_memory\": 1e10, \"copy_memory\": 1e10, "
                     "\"fill_tile\": 1e11}, \"rows\": [";
  for (const std::string& r : rows) json += (json.back() == '[' ? "" : ",") + r;
  return json + "]}";
}

}  // namespace

TEST_CASE_METHOD(ToolFixture, "a report tells differences from noise", "[bench]") {
  folder.write("old.json", run_of({row("fill-flat", 10, 0.1), row("blend", 10, 0.1), row("phong", 10, 4),
                                   row("mandel", 10, 0.1)}));
  // A tenth faster; slower by 2 %, which runs differ by anyway; a tenth slower in great noise; a fifth slower.
  folder.write("new.json", run_of({row("fill-flat", 9, 0.1), row("blend", 10.2, 0.1), row("phong", 11, 4),
                                   row("mandel", 12, 0.1), row("fresh", 5, 0.1)}));
  const ToolOutcome outcome = run("bench --from new.json --against old.json --report r.html");
  CAPTURE(outcome.err);
  REQUIRE(outcome.status == 0);
  const std::string html = text("r.html");
  CHECK_THAT(html, Contains("<p>1 faster, 1 slower, 2 the same.</p>"));
  CHECK_THAT(html, Contains("<td>fill-flat</td><td>2</td><td>10.000</td><td>9.000</td><td>1.111</td>"));
  CHECK_THAT(html, Contains("<td class=\"slower\">slower</td>"));
  CHECK_THAT(html, Contains("<td>new</td>"));
  CHECK_THAT(html, Contains("1 &lt;&amp;&gt;"));
  CHECK_THAT(html, !Contains("src=\"http") && !Contains("<script"));
  // 33177600 fragments in 9 ms, 2 for each byte of the targets: 3.686 of min(2 * 10, 25).
  CHECK_THAT(html, Contains("<td>fill-flat</td><td>3.686</td><td>20.000</td><td>18.4 %</td>"));
}

TEST_CASE_METHOD(ToolFixture, "a report draws how rows scale with threads", "[bench]") {
  folder.write("run.json", run_of({row("blend", 10, 0.1, 1), row("blend", 5, 0.1, 2)}));
  REQUIRE(run("bench --from run.json --report r.html").status == 0);
  CHECK_THAT(text("r.html"), Contains("times faster") && Contains("<polyline"));
  folder.write("one.json", run_of({row("blend", 10, 0.1, 2)}));
  REQUIRE(run("bench --from one.json --report r.html").status == 0);
  CHECK_THAT(text("r.html"), Contains("--scaling measures more"));
}

TEST_CASE_METHOD(ToolFixture, "what is no run is refused with its reason", "[bench]") {
  folder.write("good.json", run_of({row("blend", 10, 0.1)}));
  folder.write("text.json", "nonsense");
  folder.write("array.json", "[1, 2]");
  folder.write("nameless.json", "{\"rows\": [{\"median_ms\": 1}]}");
  folder.write("timeless.json", "{\"rows\": [{\"name\": \"blend\", \"median_ms\": 0}]}");
  folder.write("depth.json", std::string(100000, '['));
  struct Wrong { const char* arguments; const char* message; };
  const Wrong kWrong[] = {
      {"--from nosuch.json --report r.html", "nosuch.json"},
      {"--from text.json --report r.html", "text.json: error: no JSON"},
      {"--from depth.json --report r.html", "no JSON"},
      {"--from array.json --report r.html", "expected an object with `rows`"},
      {"--from nameless.json --report r.html", "rows[0]: a row has a `name`"},
      {"--from timeless.json --report r.html", "positive `median_ms`"},
      {"--from good.json", "--report FILE is missing"},
      {"--from good.json --against text.json --report r.html", "text.json: error: no JSON"},
      {"--from good.json --report nosuch/r.html", "nosuch/r.html"},
  };
  for (const Wrong& wrong : kWrong) {
    const ToolOutcome outcome = run(std::string("bench ") + wrong.arguments);
    CAPTURE(wrong.arguments, outcome.err);
    CHECK(outcome.status == 2);
    CHECK_THAT(outcome.err, Contains(wrong.message));
  }
}
