#include <memory>

#include "frontend/tool/bench.h"
#include "frontend/tool/command.h"

namespace tessera::tool {

Run declare_bench(CLI::App& app, CommonOptions& common) {
  auto options = std::make_shared<bench::Options>();
  app.add_option("ROW", options->rows, "rows to measure; none: all of them");
  app.add_flag("--json", options->json, "print one JSON object in place of the table");
  app.add_flag("--scaling", options->scaling, "measure each row with 1, 2, 4, ... threads");
  app.add_flag("--list", options->list, "print the names of the rows");
  app.add_option("--compare", options->compare, "file with another renderer's rows: print ratios");
  app.add_option("--images", options->images, "folder for the last frame of each row, as ROW.png");
  app.add_option("--report", options->report, "an HTML file: rows, scaling, roofline, comparison");
  app.add_option("--against", options->against, "JSON of an earlier run, for the report to compare with");
  app.add_option("--from", options->from, "JSON of a run, for the report to show in place of measuring one");
  return [options, &common] {
    options->device = common.device;
    return bench::run(*options);
  };
}

}  // namespace tessera::tool
