#include "frontend/row_copy.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace tessera {
namespace {

constexpr size_t kPiece_bytes = 256u << 10;      // of one task: long against its start, short against a cache

struct Run { size_t in_storage, in_memory, length_bytes; };

// The box as runs, each at most a piece long.
std::vector<Run> runs_of(const Storage& storage, uint32_t level, const Box& blocks, const Rows& rows) {
  std::vector<Run> runs;
  for_each_row(storage, level, blocks, rows, 0, [&](size_t in_storage, size_t in_memory) {
    size_t rest = rows.length_bytes;
    while (rest > 0) {
      const bool goes_on = !runs.empty() && runs.back().in_storage + runs.back().length_bytes == in_storage &&
                           runs.back().in_memory + runs.back().length_bytes == in_memory &&
                           runs.back().length_bytes < kPiece_bytes;
      if (!goes_on) runs.push_back({in_storage, in_memory, 0});
      const size_t part = std::min(rest, kPiece_bytes - runs.back().length_bytes);
      runs.back().length_bytes += part;
      in_storage += part, in_memory += part, rest -= part;
    }
  });
  return runs;
}

// Calls copy(run) for each of them, for several pieces together on several threads.
template <class Copy>
void for_each_run(TaskArena& arena, const std::vector<Run>& runs, Copy copy) {
  size_t sum = 0;
  std::vector<size_t> ends;                      // of groups of runs that make a piece
  for (size_t i = 0; i < runs.size(); ++i) {
    sum += runs[i].length_bytes;
    if (sum < kPiece_bytes && i + 1 < runs.size()) continue;
    ends.push_back(i + 1);
    sum = 0;
  }
  const auto copy_group = [&](size_t group) {
    for (size_t i = group == 0 ? 0 : ends[group - 1]; i < ends[group]; ++i) copy(runs[i]);
  };
  if (ends.size() <= 2)
    for (size_t group = 0; group < ends.size(); ++group) copy_group(group);
  else
    arena.parallel_for(static_cast<uint32_t>(ends.size()), [&](uint32_t group, uint32_t) { copy_group(group); });
}

}  // namespace

void copy_to_storage(TaskArena& arena, Storage& storage, uint32_t level, const Box& blocks, const Rows& rows,
                     std::span<const std::byte> from) {
  for_each_run(arena, runs_of(storage, level, blocks, rows), [&](const Run& run) {
    std::memcpy(storage.data() + run.in_storage, from.data() + run.in_memory, run.length_bytes);
  });
}

void copy_from_storage(TaskArena& arena, const Storage& storage, uint32_t level, const Box& blocks, const Rows& rows,
                       std::span<std::byte> to) {
  for_each_run(arena, runs_of(storage, level, blocks, rows), [&](const Run& run) {
    std::memcpy(to.data() + run.in_memory, storage.data() + run.in_storage, run.length_bytes);
  });
}

}  // namespace tessera
