#include "frontend/tool/bench.h"

#include <algorithm>
#include <cstdio>
#include <optional>

#include <fmt/format.h>

#include "frontend/image_io.h"
#include "frontend/tool/bench_html.h"
#include "frontend/tool/bench_measure.h"
#include "frontend/tool/bench_report.h"
#include "frontend/tool/bench_rows.h"
#include "frontend/tool/machine.h"

namespace tessera::bench {
namespace {

void print_line(std::FILE* out, const std::string& line) {
  std::fputs((line + "\n").c_str(), out);
  std::fflush(out);
}

int wrong_use(const std::vector<Diag>& diags, std::string_view file) {
  std::fputs(format_diags(diags, file).c_str(), stderr);
  return 2;
}

Result<std::vector<const Row*>> choose_rows(const std::vector<std::string>& names) {
  std::vector<const Row*> chosen;
  for (const std::string& name : names)
    if (std::none_of(rows().begin(), rows().end(), [&](const Row& r) { return r.name == name; }))
      return error(fmt::format("no such row: {} (--list names them)", name));
  for (const Row& row : rows())
    if (names.empty() || std::find(names.begin(), names.end(), row.name) != names.end()) chosen.push_back(&row);
  return chosen;
}

Result<std::vector<Peer>> read_peers(const std::string& path) {
  if (path.empty()) return std::vector<Peer>{};
  const auto bytes = read_file(path);
  if (!bytes) return bytes.diags();
  return parse_peers({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

std::vector<uint32_t> thread_counts(uint32_t most, bool scaling) {
  std::vector<uint32_t> counts;
  for (uint32_t n = 1; scaling && n < most; n *= 2) counts.push_back(n);
  counts.push_back(most);
  return counts;
}

Result<Run> read_run(const std::string& path) {
  const auto bytes = read_file(path);
  if (!bytes) return bytes.diags();
  return parse_run({reinterpret_cast<const char*>(bytes->data()), bytes->size()});
}

// What is wrong with files is said before anything is measured.
Result<std::optional<Run>> read_earlier(const Options& options) {
  if (options.against.empty()) return std::optional<Run>();
  Result<Run> run = read_run(options.against);
  if (!run) return run.diags();
  return std::optional<Run>(std::move(*run));
}

int write_report(const Options& options, const Run& run, const std::optional<Run>& earlier) {
  const std::string html = html_report(run, earlier ? &*earlier : nullptr);
  const Status written = write_file(options.report, html.data(), html.size());
  return written ? 0 : wrong_use(written.diags(), options.report);
}

std::string run_json(const Options& options, uint32_t threads, const std::vector<Measurement>& measurements,
                     const std::vector<Peer>& peers) {
  const SimdTarget simd = options.device.raster.simd;
  const ExecutorKind executor = executor_that_runs(options.device.executor, simd);
  const Machine machine = {TESSERA_VERSION, cpu_name(), std::string(simd_target_name(simd)),
                           std::string(executor_name(executor)), threads};
  TaskArena arena(threads);
  return to_json(machine, measure_limits(arena), measurements, peers);
}

}  // namespace

int run(const Options& options) {
  const auto earlier = read_earlier(options);
  if (!earlier) return wrong_use(earlier.diags(), options.against);
  if (!options.from.empty()) {
    const auto given = read_run(options.from);
    if (!given) return wrong_use(given.diags(), options.from);
    if (options.report.empty())
      return wrong_use({error("--from shows a run in a report: --report FILE is missing")}, "bench");
    return write_report(options, *given, *earlier);
  }
  const auto chosen = choose_rows(options.rows);
  if (!chosen) return wrong_use(chosen.diags(), "bench");
  if (options.list) {
    for (const Row* row : *chosen) print_line(stdout, std::string(row->name));
    return 0;
  }
  const auto peers = read_peers(options.compare);
  if (!peers) return wrong_use(peers.diags(), options.compare);
  const auto device = Device::create(options.device);
  if (!device) return wrong_use(device.diags(), "bench");
  const uint32_t threads = (*device)->options().raster.threads;

  if (!options.json) print_line(stdout, table_head(*peers));
  std::vector<Measurement> measurements;
  int status = 0;
  for (const Row* row : *chosen) {
    for (const uint32_t count : thread_counts(threads, options.scaling)) {
      DeviceOptions device_options = options.device;
      device_options.raster.threads = count;
      const auto m = measure(*row, device_options, options.images);
      if (!m) {
        std::fputs(format_diags(m.diags(), row->name).c_str(), stderr);
        status = 1;
        break;
      }
      measurements.push_back(*m);
      if (!options.json) print_line(stdout, table_line(*m, *peers));
    }
  }
  if (!options.json && options.report.empty()) return status;
  const std::string json = run_json(options, threads, measurements, *peers);
  if (options.json) std::fputs(json.c_str(), stdout);
  if (options.report.empty()) return status;
  const int written = write_report(options, parse_run(json).value(), *earlier);
  return written != 0 ? written : status;
}

}  // namespace tessera::bench
