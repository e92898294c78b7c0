#include "frontend/tool/bench_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace tessera::bench {
namespace {

using Json = nlohmann::json;

double number(const Json& json, const char* key, double missing) {
  const auto found = json.find(key);
  return found != json.end() && found->is_number() ? found->get<double>() : missing;
}
std::string text(const Json& json, const char* key) {
  const auto found = json.find(key);
  return found != json.end() && found->is_string() ? found->get<std::string>() : std::string();
}

Result<RunRow> parse_row(const Json& json, size_t index) {
  RunRow row;
  row.name = text(json, "name");
  row.median_ms = number(json, "median_ms", 0);
  if (row.name.empty()) return error(fmt::format("rows[{}]: a row has a `name`", index));
  if (!(row.median_ms > 0)) return error(fmt::format("rows[{}], {}: expected a positive `median_ms`", index, row.name));
  row.unit = text(json, "unit");
  row.threads = static_cast<uint32_t>(number(json, "threads", 0));
  row.frames = static_cast<uint32_t>(number(json, "frames", 0));
  row.q1_ms = number(json, "q1_ms", row.median_ms);
  row.q3_ms = number(json, "q3_ms", row.median_ms);
  row.rate = number(json, "rate", 0);
  row.peak_mib = number(json, "peak_mib", 0);
  row.stored_bytes = number(json, "stored_bytes", 0);
  if (const auto counters = json.find("counters"); counters != json.end() && counters->is_object())
    row.fragments = number(*counters, "fragments", 0);
  if (const auto stages = json.find("stage_ms"); stages != json.end() && stages->is_object())
    for (const auto& [stage, ms] : stages->items())
      if (ms.is_number()) row.stage_ms[stage] = ms.get<double>();
  return row;
}

double error_of_median(const RunRow& row) {
  if (row.frames == 0) return 0;
  const double spread = (row.q3_ms - row.q1_ms) / 1.35;
  return 1.25 * spread / std::sqrt(static_cast<double>(row.frames));
}

}  // namespace

Result<Run> parse_run(std::string_view source) {
  const Json json = Json::parse(source, nullptr, false);
  if (json.is_discarded()) return error("no JSON: expected what `tessera bench --json` prints");
  const auto rows = json.is_object() ? json.find("rows") : json.end();
  if (!json.is_object() || rows == json.end() || !rows->is_array())
    return error("expected an object with `rows`, as `tessera bench --json` prints it");
  Run run;
  if (const auto machine = json.find("machine"); machine != json.end() && machine->is_object()) {
    run.version = text(*machine, "version");
    run.cpu = text(*machine, "cpu");
    run.simd = text(*machine, "simd");
    run.executor = text(*machine, "executor");
    run.threads = static_cast<uint32_t>(number(*machine, "threads", 0));
  }
  if (const auto limits = json.find("limits"); limits != json.end() && limits->is_object())
    run.limits = Limits{number(*limits, "fill_memory", 0), number(*limits, "copy_memory", 0),
                        number(*limits, "fill_tile", 0)};
  for (size_t i = 0; i < rows->size(); ++i) {
    Result<RunRow> row = parse_row((*rows)[i], i);
    if (!row) return row.diags();
    run.rows.push_back(std::move(*row));
  }
  return run;
}

Comparison compare(const RunRow& before, const RunRow& now) {
  Comparison c;
  c.ratio = before.median_ms / now.median_ms;
  const double a = error_of_median(before) / before.median_ms, b = error_of_median(now) / now.median_ms;
  c.noise = std::max(kSteady, 3 * std::sqrt(a * a + b * b));
  if (c.ratio > 1 + c.noise) c.verdict = Verdict::Faster;
  if (c.ratio < 1 / (1 + c.noise)) c.verdict = Verdict::Slower;
  return c;
}

const RunRow* find_row(const Run& run, const RunRow& row) {
  const auto found = std::find_if(run.rows.begin(), run.rows.end(),
                                  [&](const RunRow& r) { return r.name == row.name && r.threads == row.threads; });
  return found == run.rows.end() ? nullptr : &*found;
}

}  // namespace tessera::bench
