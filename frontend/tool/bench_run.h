// frontend/tool/bench_run.h: a run of the benchmark as `tessera bench --json` prints it, read back; two compared.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "frontend/tool/bench_limits.h"

namespace tessera::bench {

struct RunRow {
  std::string name, unit;
  uint32_t threads = 0, frames = 0;
  double median_ms = 0, q1_ms = 0, q3_ms = 0;    // a quarter of the frames took less, a quarter more
  double rate = 0, peak_mib = 0;
  double fragments = 0, stored_bytes = 0;        // of a frame; bytes of its targets
  std::map<std::string, double> stage_ms;        // CPU time
};

struct Run {
  std::string version, cpu, simd, executor;
  uint32_t threads = 0;
  std::optional<Limits> limits;
  std::vector<RunRow> rows;
};

Result<Run> parse_run(std::string_view json);

// What the noise of both runs allows to say. The standard error of a median is about 1.25 s / sqrt(n), with s the
// spread of n frames, quartile distance / 1.35. A difference counts when it is beyond three times both errors together
// and beyond kSteady of the time: runs differ by that much for reasons that no spread inside a run shows.
inline constexpr double kSteady = 0.03;
enum class Verdict : uint8_t { Same, Faster, Slower };
struct Comparison {
  Verdict verdict = Verdict::Same;
  double ratio = 1;                              // time before over time now: above 1 is faster
  double noise = 0;                              // what the ratio must differ from 1 by to count
};
Comparison compare(const RunRow& before, const RunRow& now);

// The same row with as many threads, or null.
const RunRow* find_row(const Run& run, const RunRow& row);

}  // namespace tessera::bench
