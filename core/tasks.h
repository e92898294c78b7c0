// core/tasks.h: the one place that knows oneTBB. A Device owns one TaskArena; all parallel work runs in it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

namespace tessera {

class TaskArena {
 public:
  explicit TaskArena(uint32_t threads);   // 0: as many as the machine has
  ~TaskArena();
  uint32_t threads() const { return threads_; }

  // Calls body(index, worker) once for each index in [0, count), in any order and in parallel; worker is in
  // [0, threads()) and no two calls with the same worker overlap, so it can index scratch memory. Indices are handed
  // out one by one from the lowest. Each call runs with the default floating-point environment (round to nearest,
  // denormals kept), restored afterwards. Does not return before all are done.
  void parallel_for(uint32_t count, const std::function<void(uint32_t index, uint32_t worker)>& body);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  uint32_t threads_;
};

// Sets the floating-point environment of the numbers contract for a scope.
class FloatEnvironment {
 public:
  FloatEnvironment();
  ~FloatEnvironment();
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
  uint32_t saved_;
};

}  // namespace tessera
