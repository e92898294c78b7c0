// frontend/tool/bench.h: `tessera bench [ROW...]`: measures the benchmark rows on this machine.
#pragma once

#include <string>
#include <vector>

#include "frontend/device.h"

namespace tessera::bench {

struct Options {
  std::vector<std::string> rows;   // empty: all
  bool json = false;               // one JSON object in place of the table
  bool scaling = false;            // each row with 1, 2, 4, ... threads up to the device's number
  bool list = false;               // names of the rows, nothing measured
  std::string compare;             // file with another renderer's rows: ratios are printed; empty: none
  std::string images;              // folder: the last frame of each row is written there as ROW.png; empty: none
  std::string report;              // HTML file for people; empty: none
  std::string from;                // a run's JSON in place of measuring; empty: measured
  std::string against;             // an earlier run's JSON that the report compares with; empty: none
  DeviceOptions device;
};

// Prints to standard output. Exit status: 0; 1 a row failed or did not do its work; 2 wrong use.
int run(const Options& options);

}  // namespace tessera::bench
