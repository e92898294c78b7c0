// shader/dispatch.h: runs a grid of work groups of a compute program, in parallel over the threads of an arena.
// In:      an Executable of stage Compute, a Grid that check_grid() accepted, bindings without shared memory.
// Out:     what the program writes to memory; done when run_grid() returns.
// Order:   a group is run by one thread, its blocks one after the other from barrier to barrier; groups are handed out
//          in order. So shared memory and the order of atomic operations inside a group are the same in every run.
// Errors:  a lane over the budget of loop turns.
#pragma once

#include <array>
#include <cstdint>

#include "core/result.h"
#include "core/tasks.h"
#include "shader/executor.h"

namespace tessera {

struct Grid {
  std::array<uint32_t, 3> groups = {1, 1, 1};
  std::array<uint32_t, 3> block = {0, 0, 0};   // invocations of a group; 0: what the program fixes
  uint32_t dimensions = 3;                     // WORK_DIM
  uint32_t shared_bytes = 32768;               // of each group's shared memory, which begins as zeros
  std::array<uint32_t, 4> user_data = {};      // CS_USER_DATA_AMD
};

inline constexpr uint32_t kMaxGridGroups = 65535;          // in each dimension; at least 1
inline constexpr uint32_t kMaxGroupSize = 1024;            // invocations of a group, and in x and y
inline constexpr uint32_t kMaxGroupDepth = 64;             // in z
inline constexpr uint32_t kMaxSharedBytes = 65536;

// Is `grid` one that `program` can run on? Each Diag names its field.
Status check_grid(const ir::Program& program, const Grid& grid);

// How many invocations that are.
uint64_t invocations_of(const ir::Program& program, const Grid& grid);

Status run_grid(const Executable& executable, const Grid& grid, const Bindings& bindings, uint32_t budget,
                TaskArena& arena);

}  // namespace tessera
