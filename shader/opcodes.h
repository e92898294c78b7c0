// shader/opcodes.h: the operations and what is known of each; opcodes.def is the one list.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::ir {

enum class Op : uint8_t {
#define OP(name, ...) name,
#include "shader/opcodes.def"
#undef OP
};

inline constexpr uint32_t kOpCount = 0
#define OP(...) +1
#include "shader/opcodes.def"
#undef OP
    ;

enum class Type : uint8_t { None, Word, F32, I32, U32, Bool, F64, I64 };

constexpr uint32_t words_of(Type type) {
  return type == Type::None ? 0 : type == Type::F64 || type == Type::I64 ? 2 : 1;
}

namespace trait {
inline constexpr uint32_t
    Pure = 1 << 0,        // the result depends on the operands alone: may be shared, folded, hoisted, dropped
    LaneCross = 1 << 1,   // reads other lanes of the quad: never moves across a mask change; dropped when unused
    Reads = 1 << 2,       // reads what an Effect may change: stays in its place; dropped when unused
    Effect = 1 << 3,      // does something besides giving a result: stays
    Region = 1 << 4,      // control flow
    Arith = 1 << 5,       // the result may be a NaN with bits of the machine's choice
    Copy = 1 << 6,        // the result has the bits of an operand (sign apart)
    Commutes = 1 << 7,    // a and b may be exchanged
    Slow = 1 << 15,       // worth a branch to avoid
    Variadic = 1 << 8,    // operand and result counts are the instruction's own
    ImmBits = 1 << 9, ImmInput = 1 << 10, ImmBuffer = 1 << 11, ImmArray = 1 << 12,   // what Instr::imm is
    ImmTexture = 1 << 13, ImmRegion = 1 << 14,
    ImmMemory = 1 << 16,
    ImmMask = ImmBits | ImmInput | ImmBuffer | ImmArray | ImmTexture | ImmRegion | ImmMemory;
}  // namespace trait

struct OpInfo {
  std::string_view name;
  Type result = Type::None;
  std::array<Type, 4> operands{};
  uint8_t operand_count = 0;     // typed operands
  uint8_t arg_words = 0;         // words of all operands: Instr::arg_count unless Variadic
  uint32_t traits = 0;
  uint8_t ulp = 0;
  std::string_view formula;

  constexpr bool is(uint32_t any_of) const { return (traits & any_of) != 0; }
};

const OpInfo& op_info(Op op);
// Its operands stand at fixed places, and those that it does not need are kNoValue. It may write results before it has
// read all operands.
inline bool may_lack_operands(Op op) { return op_info(op).is(trait::ImmTexture | trait::ImmMemory); }
std::optional<Op> op_from_name(std::string_view name);

}  // namespace tessera::ir
