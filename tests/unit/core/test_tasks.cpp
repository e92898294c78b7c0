#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <cfenv>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "core/tasks.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tessera::tests {

TEST_CASE("every index runs once, whatever the number of threads", "[tasks]") {
  for (const uint32_t threads : {1u, 2u, 3u, 7u}) {
    TaskArena arena(threads);
    REQUIRE(arena.threads() == threads);
    for (const uint32_t count : {0u, 1u, 2u, 1000u}) {
      std::vector<std::atomic<uint32_t>> runs(count);
      std::atomic<uint32_t> bad_workers{0};
      arena.parallel_for(count, [&](uint32_t index, uint32_t worker) {
        ++runs[index];
        if (worker >= threads) ++bad_workers;
      });
      uint32_t wrong = 0;
      for (const auto& n : runs) wrong += n != 1;
      CAPTURE(threads, count);
      CHECK(wrong == 0);
      CHECK(bad_workers == 0);
    }
  }
}

TEST_CASE("a worker runs one call at a time", "[tasks]") {
  TaskArena arena(4);
  std::vector<std::atomic<uint32_t>> busy(4);
  std::atomic<uint32_t> overlaps{0};
  arena.parallel_for(2000, [&](uint32_t, uint32_t worker) {
    if (busy[worker]++ != 0) ++overlaps;
    std::this_thread::yield();
    --busy[worker];
  });
  CHECK(overlaps == 0);
}

TEST_CASE("as many threads work as were asked for, more than the machine has too", "[tasks]") {
  // Each call waits for the others: fewer threads would run into the time limit.
  const uint32_t threads = std::thread::hardware_concurrency() + 3;
  TaskArena arena(threads);
  std::atomic<uint32_t> arrived{0};
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  arena.parallel_for(threads, [&](uint32_t, uint32_t) {
    ++arrived;
    while (arrived < threads && std::chrono::steady_clock::now() < limit) std::this_thread::yield();
  });
  CHECK(arrived == threads);
  CHECK(std::chrono::steady_clock::now() < limit);
}

TEST_CASE("one thread takes the indices in order, on the thread that asks", "[tasks]") {
  TaskArena arena(1);
  std::vector<uint32_t> order;
  std::set<std::thread::id> seen;
  arena.parallel_for(100, [&](uint32_t index, uint32_t worker) {
    order.push_back(index);
    seen.insert(std::this_thread::get_id());
    CHECK(worker == 0);
  });
  REQUIRE(order.size() == 100);
  for (uint32_t i = 0; i < 100; ++i) CHECK(order[i] == i);
  CHECK(seen == std::set{std::this_thread::get_id()});
}

TEST_CASE("zero threads means as many as the machine has", "[tasks]") {
  CHECK(TaskArena(0).threads() >= 1);
  CHECK(TaskArena(100000).threads() <= 100000);
}

TEST_CASE("arenas of different sizes live side by side", "[tasks]") {
  TaskArena one(1), three(3);
  std::atomic<uint32_t> sum{0};
  one.parallel_for(10, [&](uint32_t index, uint32_t) { sum += index; });
  three.parallel_for(10, [&](uint32_t index, uint32_t) { sum += index; });
  CHECK(sum == 90);
}

TEST_CASE("a call may start another", "[tasks]") {
  TaskArena arena(3);
  std::atomic<uint32_t> sum{0};
  arena.parallel_for(4, [&](uint32_t, uint32_t) { arena.parallel_for(5, [&](uint32_t, uint32_t) { ++sum; }); });
  CHECK(sum == 20);
}

TEST_CASE("tasks round to nearest and keep denormals, and the caller's environment comes back", "[tasks]") {
  TaskArena arena(2);
  std::fesetround(FE_UPWARD);
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);   // flush to zero, denormals are zero
  const uint32_t before = _mm_getcsr();
#endif
  std::atomic<uint32_t> wrong{0};
  volatile float third = 3.0f, tiny = 0x1p-126f;
  arena.parallel_for(100, [&](uint32_t, uint32_t) {
    if (std::fegetround() != FE_TONEAREST && 1.0f / third != 0x1.555556p-2f) ++wrong;
    if (tiny * 0.5f == 0.0f) ++wrong;
  });
#if defined(__x86_64__)
  const uint32_t after = _mm_getcsr();
  _mm_setcsr(0x1f80);
  CHECK((after & ~0x3fu) == (before & ~0x3fu));   // the low bits only note which exceptions occurred
#endif
  std::fesetround(FE_TONEAREST);
  CHECK(wrong == 0);
}

}  // namespace tessera::tests
