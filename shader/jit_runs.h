// shader/jit_runs.h: runs of operations (jit_plan.h) as loops over the strips of a block, or one strip after the other
// where that is worth its room; strips without a running lane are left out.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "shader/emit.h"
#include "shader/interp.h"
#include "shader/jit_plan.h"
#include "shader/jit_products.h"
#include "shader/jit_registers.h"

namespace tessera::jit {

// The lanes in which a region's copies are made. All: wherever a lane of the strip runs.
enum class CopyTo : uint8_t { All, Masked };

class Runs {
 public:
  Runs(emit::Emitter& emitter, const ir::Program& program, const interp::Slots& slots, const Plan& plan);

  void add(uint32_t instr);                     // the next operation

  // Each writes the run so far and begins the next one.
  void write();
  // kTrueLanes: running lanes (others: any) where the only operand of `instr` is true.
  void write_condition(uint32_t instr);
  // The operands of `instr` to the values from `first_result` on; Masked: in the lanes of kCopyLanes.
  void write_copies(uint32_t instr, ir::ValueId first_result, CopyTo to);

  // Behind the function: what its runs jump to.
  void write_exact_products() { products_.write_exact(); }

  // Between the two: what is written runs many times, as a rule.
  void begin_loop() { ++loops_; }
  void end_loop() { --loops_; }

  void comment(uint32_t instr);                 // the instruction as text, in a listing

 private:
  enum class Tail : uint8_t { None, Condition, Copies };
  void write_strips(Tail tail);
  void write_each_strip(Tail tail);
  void write_loop(Tail tail);
  void write_strip(Tail tail, std::optional<uint32_t> strip);
  void shift_to_strip(emit::Gp to, emit::Gp lanes);
  void condition_tail(const ir::Instr& instr);
  void copies_tail(const ir::Instr& instr);
  void copy_by_slots(const ir::Instr& instr);
  emit::Ymm mask_of_lanes_that_stay();

  emit::Emitter& e_;
  const ir::Program& program_;
  const interp::Slots& slots_;
  const Plan& plan_;
  Registers registers_;
  Products products_;
  std::vector<uint32_t> run_;
  ir::ValueId first_result_ = ir::kNoValue;      // of a tail of copies
  CopyTo copy_to_ = CopyTo::All;
  std::optional<uint32_t> strip_;                // that is being written; in a loop over strips: any
  uint32_t loops_ = 0;
};

}  // namespace tessera::jit
