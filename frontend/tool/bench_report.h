// frontend/tool/bench_report.h: measurements as a table for people and as JSON for programs; ratios to other renderers.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "frontend/tool/bench_limits.h"
#include "frontend/tool/bench_measure.h"

namespace tessera::bench {

// Median milliseconds of the rows of one other renderer.
struct Peer {
  std::string name;
  std::map<std::string, double, std::less<>> median_ms;
};

// Reads lines `ROW MILLISECONDS ms ...`; a line `# device: NAME` begins the rows of another renderer.
Result<std::vector<Peer>> parse_peers(std::string_view text);

std::string table_head(const std::vector<Peer>& peers);
std::string table_line(const Measurement& m, const std::vector<Peer>& peers);

struct Machine {
  std::string version, cpu, simd, executor;
  uint32_t threads = 0;
};
std::string to_json(const Machine& machine, const Limits& limits, const std::vector<Measurement>& measurements,
                    const std::vector<Peer>& peers);

}  // namespace tessera::bench
