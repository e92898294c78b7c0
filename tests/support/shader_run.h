// tests/support/shader_run.h: runs IR programs, for tests: on the interpreter, and as machine code where that can run.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "shader/executor_choice.h"

namespace tessera::tests {

using BlockWords = std::array<uint32_t, kBlockLanes>;

struct BlockOutput {
  std::vector<BlockWords> outputs;                    // by Program::outputs
  BlockResult result;
};

struct BlockInput {
  std::vector<BlockWords> inputs;                     // by Program::inputs
  std::vector<std::vector<uint32_t>> constants;       // by buffer
  Bindings bindings;                                  // textures and services
  uint64_t exec = ~0ull, live = ~0ull;
  uint32_t budget = 0;
  const PrimitiveVertices* vertices = nullptr;
  EmittedVertices* emitted = nullptr;
};

// Random words, special floats among them, for the program's inputs and two constant buffers of two registers.
BlockInput random_input(const ir::Program& program, std::mt19937& random);

// What runs programs on this machine: the interpreter on each instruction set, and the JIT unless it is refused.
struct ExecutorChoice {
  ExecutorKind kind;
  SimdTarget simd;
  std::string name() const;
};
std::vector<ExecutorChoice> executor_choices();
std::shared_ptr<const Executable> make(const ExecutorChoice& choice, std::shared_ptr<const ir::Program> program);

BlockOutput run_block(const Executable& executable, const BlockInput& in);
// On the interpreter. Programs without side effects also as machine code: a difference throws, but for the bits of a
// NaN in an output, which are fixed only where passes were run (shader/README.md).
BlockOutput run_block(const ir::Program& program, const BlockInput& in, SimdTarget simd = best_simd_target());

}  // namespace tessera::tests
