// shader/jit_registers.h: which values of a run are in which vector register (one strip of 8 lanes each).
//
// Linear scan: values come in when they are made or first needed in a register and leave after their last use in the
// run; where none is free, the one whose next use is farthest goes to its slot. Slots are those of the interpreter: a
// value's slot is its own from its definition to its last use, so it may be stored there at any time.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shader/emit.h"
#include "shader/interp.h"
#include "shader/jit_plan.h"

namespace tessera::jit {

// Registers that code has for itself throughout (jit_function.cpp).
inline constexpr emit::Gp kSlots = emit::Gp::rbx;       // the slot file
inline constexpr emit::Gp kExec = emit::Gp::r12;        // lanes that run
inline constexpr emit::Gp kRun = emit::Gp::r13;         // interp::Run
inline constexpr emit::Gp kStrip = emit::Gp::rsi;       // in a run: the slot file's address plus the strip's offset
inline constexpr emit::Gp kLane = emit::Gp::rcx;        // in a run: first lane of the strip
inline constexpr emit::Gp kTrueLanes = emit::Gp::r8;    // behind a run: lanes in which its tail's condition holds
inline constexpr emit::Gp kCopyLanes = emit::Gp::r9;    // in a tail: lanes that copy

inline constexpr uint32_t kSlotBytes = kBlockLanes * sizeof(uint32_t);
inline constexpr uint32_t kStripLanes = 8, kStripBytes = kStripLanes * sizeof(uint32_t);
inline constexpr uint32_t kStrips = kBlockLanes / kStripLanes;

class Registers {
 public:
  Registers(emit::Emitter& emitter, const ir::Program& program, const interp::Slots& slots, const Plan& plan);

  // `run`: its instructions in order; the last may be the boundary whose operands its tail reads. `strip`: which one,
  // where that is known.
  void begin(std::span<const uint32_t> run, std::optional<uint32_t> strip);
  // The operands of `run[position]` are asked for from now on.
  void begin_instruction(uint32_t position);
  // Lets go of temporaries, and of values that are not needed any more.
  void end_instruction();

  // ---- operands of the instruction, by number ----
  emit::Operand any(uint32_t operand);           // a register, or memory
  emit::Ymm in_register(uint32_t operand);       // not to be written
  emit::Ymm own(uint32_t operand);               // a register with its value that may be written
  bool is_in_register(uint32_t operand) const;
  // Its register is free once the instruction has read it.
  bool dies(uint32_t operand) const;

  // ---- results ----
  emit::Ymm temporary();
  void give_back(emit::Ymm temporary);           // before the instruction's end
  // For the last machine instruction of an operation: may be the register of an operand that is not needed any more.
  emit::Ymm result();
  void set_result(emit::Ymm reg);                // from temporary(), own() or result()

  emit::Operand slot(ir::ValueId value) const;   // the strip's part of it
  emit::Operand strip_of(uint32_t slot) const;
  bool is_in_slot(ir::ValueId value) const { return is_in_slot_[value]; }

 private:
  static constexpr uint32_t kCount = 16, kNever = ~0u;
  struct Register {
    ir::ValueId value = ir::kNoValue;
    uint32_t next_use = kNever;
    bool is_busy = false;                        // by the current instruction: neither given away nor overwritten
  };

  void find_next_uses();
  ir::ValueId value_of(uint32_t operand) const { return program_.args[first_arg_ + operand]; }
  uint32_t next_use_of(uint32_t operand) const { return next_use_[first_arg_ + operand]; }
  emit::Ymm release(uint32_t operand);           // the register of a value that is not needed any more
  uint8_t take();
  uint32_t free_count() const;
  void load(uint8_t reg, ir::ValueId value);
  void forget(uint8_t reg);

  emit::Emitter& e_;
  const ir::Program& program_;
  const interp::Slots& slots_;
  const Plan& plan_;
  std::array<Register, kCount> registers_;
  std::vector<uint8_t> register_of_;             // by value
  std::vector<bool> is_in_slot_;                 // by value
  // By index into Program::args: the next position in the run that uses the same value.
  std::vector<uint32_t> next_use_;
  std::vector<uint32_t> use_ahead_;              // by value: while walking backwards; then a result's first use
  std::span<const uint32_t> run_;
  std::optional<uint32_t> strip_;
  uint32_t first_arg_ = 0, arg_count_ = 0, position_ = 0;
  static constexpr uint8_t kNone = 255;
};

}  // namespace tessera::jit
