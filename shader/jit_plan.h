// shader/jit_plan.h: how the JIT cuts a program into pieces.
//
// A *run* is a list of operations that work on lanes (or quads) alone: it becomes one loop over the 8 strips of 8 lanes
// of a block, its values in registers. A run ends where it becomes long, and at a *boundary*: control flow, or an
// operation on the whole block. What a boundary does with a run's values a strip at a time (conditions, copies to a
// region's results) belongs to the run: its *tail*. What outlives a run is kept in its slot.
#pragma once

#include <cstdint>
#include <vector>

#include "shader/interp.h"
#include "shader/ir.h"

namespace tessera::jit {

enum class Piece : uint8_t {
  Nothing,      // the caller or run_uniform() has its result
  InRun,        // part of a run
  Call,         // the interpreter's step, on the whole block
  Kill,         // a condition as the tail, then masks
  Region        // perhaps with a tail
};

struct Plan {
  std::vector<Piece> pieces;             // by instruction
  std::vector<uint32_t> run_of;          // by instruction: the run that it belongs to, or whose tail reads its operands
  std::vector<bool> is_kept;             // by value: read outside of its run, thus stored in its slot
  std::vector<bool> is_bool;             // by value: ~0 or 0
  std::vector<const ir::Instr*> constant;  // by value: the Const that it is; null: something else
};
inline constexpr uint32_t kNoRun = ~0u;

// A region's copies become part of the tail up to this number: all values are in registers at once.
inline constexpr uint32_t kMaxCopiesInTail = 9;

Plan make_plan(const ir::Program& program, const interp::Slots& slots);

}  // namespace tessera::jit
