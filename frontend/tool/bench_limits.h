// frontend/tool/bench_limits.h: what this machine can do at most: the roofs that rows are held against.
#pragma once

#include "core/tasks.h"

namespace tessera::bench {

// Bytes a second over all threads of an arena, the best of some runs.
struct Limits {
  double fill_memory = 0;                        // written to memory, far beyond the caches
  double copy_memory = 0;                        // read and written
  double fill_tile = 0;                          // written to memory of a tile's colours again and again
};
Limits measure_limits(TaskArena& arena);

}  // namespace tessera::bench
