// frontend/tool/bench_measure.h: runs one row on a device of its own and measures it.
#pragma once

#include <string>
#include <vector>

#include "core/counters.h"
#include "frontend/tool/bench_rows.h"

namespace tessera::bench {

struct Measurement {
  const Row* row = nullptr;
  uint32_t threads = 0;
  uint32_t frames = 0;
  double median_ms = 0, q1_ms = 0, q3_ms = 0;  // the quartiles show the noise
  double rate = 0;                             // row->unit
  double peak_mib = 0;                         // resident memory of the process at its highest
  double tiles_per_s = 0;
  double tile_us_p50 = 0, tile_us_p95 = 0;
  double of_copy = 0;                          // row->moved_bytes: bandwidth as a part of that of copying; 0: not asked
  Counters per_frame;                          // one frame's work; stage times are the mean of all frames
};

// `image_folder`: not empty: the last frame is written to ROW.png in it.
// Error: the row failed to draw, or its counters do not show its work.
Result<Measurement> measure(const Row& row, DeviceOptions options, const std::string& image_folder);

// Value at the fraction `p` of the sorted values; 0 when there are none.
double percentile(std::vector<float> values, double p);

}  // namespace tessera::bench
