// tests/support/shader_run.h: runs IR programs on the interpreter, for tests.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "shader/executor.h"

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

BlockOutput run_block(const Executable& executable, const BlockInput& in);
BlockOutput run_block(const ir::Program& program, const BlockInput& in, SimdTarget simd = best_simd_target());

}  // namespace tessera::tests
