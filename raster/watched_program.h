// raster/watched_program.h: a fragment program that tells what it did for one lane's quad, run by the interpreter.
// In:     `arm()` with the lane that is watched, before blocks that hold it are shaded.
// Out:    `take()`: the run, or null where no live fragment was in that lane.
// Threads: one owner.
#pragma once

#include <memory>

#include "core/simd_target.h"
#include "raster/pixel_history.h"

namespace tessera::raster {

class WatchedProgram final : public Executable {
 public:
  // `executable`: any executor's.
  WatchedProgram(const std::shared_ptr<const Executable>& executable, SimdTarget simd);

  struct Wanted {
    int32_t lane = 0;                            // of a block
    uint32_t sample = 0;
    const int32_t* running_sample = nullptr;     // TileWork::program_sample
    bool is_traced = false;
  };
  void arm(const Wanted& wanted) const;
  std::shared_ptr<const ProgramRun> take() const;

  void run_uniform(const Bindings& bindings, std::span<uint32_t> words) const override;
  void load_uniforms(std::span<const uint32_t> words, uint32_t* slots) const override;
  BlockResult run(uint32_t* slots, const BlockArgs& args) const override;

 private:
  BlockResult run_and_trace(uint32_t* slots, const BlockArgs& args) const;

  std::shared_ptr<const Executable> interpreter_;
  // What is watched is no part of the program: executables are const wherever they are used.
  mutable Wanted wanted_;
  mutable bool armed_ = false;
  mutable std::shared_ptr<ProgramRun> run_;
};

}  // namespace tessera::raster
