// raster/pixel_tests.h: which test said what about one sample of one fragment: the tests of raster/block.cpp and
// raster/sample_block.cpp in their order, worked out for one lane from what is known before and after.
// In:     the plan of the draw; the fragment; what the sample held before; what the program gave.
// Out:    the tests up to the first that failed.
// Threads: pure function.
#pragma once

#include <vector>

#include "raster/block.h"
#include "raster/pixel_history.h"

namespace tessera::raster {

struct WatchedFragment {
  const SetupTriangle* triangle = nullptr;
  int32_t block_x = 0, block_y = 0;              // first pixel of the block in the target
  int32_t lane = 0;                              // in the block
  uint32_t sample = 0;
  bool has_stipple = false, on_stipple = true;   // polygon stipple
  float coverage = 1;                            // of smooth primitives
};

// Gives true where all passed. `run` is null where the draw has no program, or the program did not run.
bool explain_tests(const TileWork& work, const WatchedFragment& fragment, const PixelState& before,
                   const ProgramRun* run, std::vector<PixelTest>& tests);

}  // namespace tessera::raster
