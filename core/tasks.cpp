#include "core/tasks.h"

#include <algorithm>
#include <atomic>
#include <thread>

#if !defined(__SANITIZE_THREAD__)
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#else
#include <vector>
#endif

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tessera {
namespace {
constexpr uint32_t kMaxThreads = 256;

uint32_t choose_threads(uint32_t asked) {
  if (asked == 0) asked = std::thread::hardware_concurrency();
  return std::clamp(asked, 1u, kMaxThreads);
}
}  // namespace

#if !defined(__SANITIZE_THREAD__)
namespace {
// oneTBB starts as many threads as the machine has cores unless told otherwise. The limit is one for the process, so
// it is raised once, and each arena sets its own.
void allow_more_threads_than_cores() {
  static const tbb::global_control control(tbb::global_control::max_allowed_parallelism, kMaxThreads);
}
}  // namespace

struct TaskArena::Impl {
  explicit Impl(uint32_t threads) : arena(static_cast<int>(threads), 1) { allow_more_threads_than_cores(); }

  // Calls work(worker) up to `times` times at once. A slot of the arena belongs to one thread at a time, so its number
  // is the worker. Isolation keeps a thread that waits in a nested call from starting more of the outer one's work.
  template <class Work>
  void run(uint32_t times, const Work& work) {
    const auto in_slot = [&](uint32_t) { work(uint32_t(tbb::this_task_arena::current_thread_index())); };
    const auto all = [&] { tbb::parallel_for(0u, times, in_slot, tbb::simple_partitioner{}); };
    arena.execute([&] { tbb::this_task_arena::isolate(all); });
  }

  tbb::task_arena arena;
};
#else
// ThreadSanitizer cannot see how the threads of oneTBB, a library not built for it, wait for one another, and takes
// everything they share for a race. Under it, threads of our own do the same work.
struct TaskArena::Impl {
  explicit Impl(uint32_t) {}

  template <class Work>
  void run(uint32_t times, const Work& work) {
    std::vector<std::thread> others;
    for (uint32_t worker = 1; worker < times; ++worker) others.emplace_back([&work, worker] { work(worker); });
    work(0);
    for (std::thread& thread : others) thread.join();
  }
};
#endif

TaskArena::TaskArena(uint32_t threads)
    : impl_(std::make_unique<Impl>(choose_threads(threads))), threads_(choose_threads(threads)) {}

TaskArena::~TaskArena() = default;

void TaskArena::parallel_for(uint32_t count, const std::function<void(uint32_t, uint32_t)>& body) {
  if (count == 0) return;
  std::atomic<uint64_t> next{0};
  impl_->run(std::min(count, threads_), [&](uint32_t worker) {
    const FloatEnvironment environment;
    for (uint64_t index; (index = next.fetch_add(1, std::memory_order_relaxed)) < count;)
      body(static_cast<uint32_t>(index), worker);
  });
}

#if defined(__x86_64__)
namespace {
constexpr uint32_t kDefaultControl = 0x1f80;   // all exceptions masked, round to nearest, no flush to zero
uint32_t float_control() { return _mm_getcsr(); }
void set_float_control(uint32_t control) { _mm_setcsr(control); }
}  // namespace
#elif defined(__aarch64__)
namespace {
constexpr uint32_t kDefaultControl = 0;
uint32_t float_control() {
  uint64_t control;
  asm volatile("mrs %0, fpcr" : "=r"(control));
  return static_cast<uint32_t>(control);
}
void set_float_control(uint32_t control) { asm volatile("msr fpcr, %0" : : "r"(uint64_t{control})); }
}  // namespace
#else
#error "core/tasks.cpp needs this machine's floating-point control register"
#endif

FloatEnvironment::FloatEnvironment() : saved_(float_control()) { set_float_control(kDefaultControl); }
FloatEnvironment::~FloatEnvironment() { set_float_control(saved_); }

}  // namespace tessera
