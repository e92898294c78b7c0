// shader/jit_ops.h: machine code of the operations that work on lanes (or quads) alone: jit_NAME of opcodes.def on one
// strip of 8 lanes. The formulas are those of interp_lanes-inl.h, step by step wherever bits depend on it.
#pragma once

#include <optional>

#include "shader/emit.h"
#include "shader/jit_registers.h"

namespace tessera::jit {

// The instruction that is being written, and what its writer needs.
struct Lane {
  emit::Emitter& e;
  Registers& r;
  const ir::Program& program;
  const Plan& plan;
  const ir::Instr& instr;

  ir::ValueId value(uint32_t operand) const { return program.args[instr.first_arg + operand]; }
  bool is_bool(uint32_t operand) const { return plan.is_bool[value(operand)]; }
  std::optional<uint32_t> constant(uint32_t operand) const;      // its bits, where they are known now
  bool is_never_nan(uint32_t operand) const;

  // result = inst(operands); one that commutes takes what is in a register first.
  void unary(emit::Inst inst);
  void binary(emit::Inst inst, bool commutes);
  // `reg` becomes inst(reg, operand), and the like.
  void apply(emit::Inst inst, emit::Ymm reg, const emit::Operand& b) { e.emit(inst, reg, reg, b); }
  emit::Ymm constant_register(uint32_t word);
  emit::Ymm zero();
};

using LaneWriter = void (*)(Lane&);
// Null: there is none, and the interpreter's step runs the operation.
LaneWriter lane_writer(ir::Op op);

// Predicates of vcmpps, and how vroundps rounds.
enum Compare : int {
  kEqual = 0, kUnordered = 3, kNotEqual = 4, kLess = 17, kLessEqual = 18, kGreaterEqual = 29, kGreater = 30
};
enum Rounding : int { kToNearest = 8, kDown = 9, kUp = 10, kToZero = 11 };

// ---- jit_float.cpp ----
void jit_FAdd(Lane&), jit_FSub(Lane&), jit_FMul(Lane&), jit_FDiv(Lane&);
void jit_FFma(Lane&), jit_FFms(Lane&), jit_FFnma(Lane&);
void jit_FMin(Lane&), jit_FMax(Lane&), jit_FNeg(Lane&), jit_FAbs(Lane&), jit_FSat(Lane&), jit_FCanon(Lane&);
void jit_FFloor(Lane&), jit_FCeil(Lane&), jit_FTrunc(Lane&), jit_FRound(Lane&), jit_FFract(Lane&), jit_FSign(Lane&);
void jit_FRcp(Lane&), jit_FSqrt(Lane&), jit_FRsq(Lane&), jit_FLt(Lane&), jit_FGe(Lane&), jit_FEq(Lane&), jit_FNe(Lane&);
void jit_FToI(Lane&), jit_FToU(Lane&), jit_IToF(Lane&), jit_UToF(Lane&), jit_Ddx(Lane&), jit_Ddy(Lane&);

// ---- jit_integer.cpp ----
void jit_Select(Lane&), jit_And(Lane&), jit_Or(Lane&), jit_Xor(Lane&), jit_Not(Lane&);
void jit_Shl(Lane&), jit_UShr(Lane&), jit_IShr(Lane&), jit_IAdd(Lane&), jit_ISub(Lane&), jit_INeg(Lane&);
void jit_IAbs(Lane&), jit_ISign(Lane&), jit_IMul(Lane&);
void jit_IMin(Lane&), jit_IMax(Lane&), jit_UMin(Lane&), jit_UMax(Lane&);
void jit_ILt(Lane&), jit_IGe(Lane&), jit_ULt(Lane&), jit_UGe(Lane&), jit_IEq(Lane&), jit_INe(Lane&);

// ---- jit_pack.cpp ----
void jit_PackUnorm8(Lane&), jit_UnpackUnorm8(Lane&);

// ---- jit_math.cpp ----
void jit_FEx2(Lane&), jit_FLg2(Lane&), jit_FPow(Lane&);

}  // namespace tessera::jit
