// shader/trace.h: a block that reports each instruction as it goes, for people who look for a bug in a shader.
// Ordinary runs know nothing of it and pay nothing.
#pragma once

#include <functional>
#include <span>

#include "shader/executor.h"

namespace tessera {

// What one instruction did.
struct TraceStep {
  uint32_t instr = 0;                            // index into Program::code
  uint64_t exec = 0;                             // lanes that ran it
  uint64_t live = 0;                             // lanes that were no helpers before it
  std::span<const uint32_t* const> operands;     // as they were before it, 64 words each; null: absent
  std::span<const uint32_t* const> results;      // 64 words each; lanes that did not run hold no value of the program
};

// As executable.run(). `executable` was made by make_interpreter(). Instructions that run nothing are not reported:
// inputs, uniform values, and region marks that need no step.
BlockResult run_traced(const Executable& executable, uint32_t* slots, const BlockArgs& args,
                       const std::function<void(const TraceStep&)>& report);

}  // namespace tessera
