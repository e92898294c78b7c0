// tests/support/shader_oracle.h: the meaning of IR programs, slow and obvious: one lane at a time, one instruction after
// the other. Operations that look at other lanes, and textures, are not covered.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shader/ir.h"

namespace tessera::tests {

// The result of a pure operation on words, from its formula in opcodes.def. NaNs of Arith operations are 0x7fc00000.
uint32_t evaluate(ir::Op op, std::span<const uint32_t> args);
// The same for all pure operations, those on 64-bit values included.
std::vector<uint32_t> evaluate_words(ir::Op op, std::span<const uint32_t> args);

struct LaneInput {
  std::vector<uint32_t> inputs;                       // by Program::inputs
  std::vector<std::vector<uint32_t>> constants;       // by buffer
};

struct LaneOutput {
  std::vector<uint32_t> outputs;                      // by Program::outputs
  bool killed = false;
  uint32_t turns = 0;                                 // loop back-edges taken
};

LaneOutput run_lane(const ir::Program& program, const LaneInput& in);

}  // namespace tessera::tests
