// shader/d3d9/token.h: the bits of the bytecode's words, for the reader and the writer.
#pragma once

#include <cstdint>

namespace tessera::d3d9::token {

inline constexpr uint32_t kEnd = 0x0000ffff, kComment = 0xfffe, kPhase = 0xfffd;
inline constexpr uint32_t kMaxComment_words = 0x7fff;

// Instructions: the opcode in bits 15:0.
inline constexpr uint32_t kControlShift = 16, kLengthShift = 24, kMaxLength = 15;
inline constexpr uint32_t kPredicated = 1u << 28, kCoIssued = 1u << 30;
inline constexpr uint32_t kInstructionReserved = 1u << 29 | 1u << 31;

// Operands: the number in bits 10:0, the register type in 30:28 (its low bits) and 12:11.
inline constexpr uint32_t kOperand = 1u << 31, kRelative = 1u << 13, kOperandReserved = 3u << 14;
inline constexpr uint32_t kNumberMask = 0x7ff;
constexpr uint32_t type_of(uint32_t word) { return (word >> 28 & 7) | (word >> 8 & 0x18); }
constexpr uint32_t type_bits(uint32_t type) { return (type & 7) << 28 | (type & 0x18) << 8; }

inline constexpr uint32_t kMaskShift = 16, kResultShift = 24, kDestinationReserved = 1u << 23;
inline constexpr uint32_t kSaturate = 1u << 20, kPartialPrecision = 1u << 21, kCentroid = 1u << 22;
inline constexpr uint32_t kSwizzleShift = 16, kModifierShift = 24;

// Constants beyond number 2047 have register types of their own.
inline constexpr uint32_t kConstType = 2, kConstBank_registers = 2048, kFirstConstBankType = 11;

// Declarations.
inline constexpr uint32_t kUsageMask = 0xf, kUsageIndexShift = 16, kSamplerTypeShift = 27;
inline constexpr uint32_t kSemanticReserved = 0x7ff0fff0, kSamplerReserved = 0x07ffffff;

inline constexpr uint32_t kConstantTable = 0x42415443;   // first word of its comment: "CTAB"

}  // namespace tessera::d3d9::token
