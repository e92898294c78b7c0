#include "frontend/tool/bench_limits.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <vector>

namespace tessera::bench {
namespace {

constexpr size_t kMemory_bytes = 64u << 20, kPiece_bytes = 1u << 20, kTile_bytes = 64 * 64 * 4;
constexpr uint32_t kRuns = 6, kPieces = kMemory_bytes / kPiece_bytes, kTileTurns = 2000;

template <class F>
double best_seconds(F&& work) {
  double best = 1e9;
  for (uint32_t run = 0; run < kRuns; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

// The compiler must take the bytes for read.
void keep(const std::byte* bytes) { asm volatile("" : : "r"(bytes) : "memory"); }

}  // namespace

Limits measure_limits(TaskArena& arena) {
  std::vector<std::byte> from(kMemory_bytes, std::byte{1}), to(kMemory_bytes, std::byte{2});
  std::vector<std::byte> tiles(kTile_bytes * arena.threads());
  Limits limits;
  limits.copy_memory = 2.0 * kMemory_bytes / best_seconds([&] {
    arena.parallel_for(kPieces, [&](uint32_t piece, uint32_t) {
      std::memcpy(to.data() + piece * kPiece_bytes, from.data() + piece * kPiece_bytes, kPiece_bytes);
    });
  });
  limits.fill_memory = double{kMemory_bytes} / best_seconds([&] {
    arena.parallel_for(kPieces, [&](uint32_t piece, uint32_t) {
      std::memset(to.data() + piece * kPiece_bytes, static_cast<int>(piece), kPiece_bytes);
    });
  });
  limits.fill_tile = double{kTile_bytes} * kTileTurns * arena.threads() / best_seconds([&] {
    arena.parallel_for(arena.threads(), [&](uint32_t task, uint32_t) {
      std::byte* tile = tiles.data() + kTile_bytes * task;
      for (uint32_t turn = 0; turn < kTileTurns; ++turn) {
        std::memset(tile, static_cast<int>(turn), kTile_bytes);
        keep(tile);
      }
    });
  });
  return limits;
}

}  // namespace tessera::bench
