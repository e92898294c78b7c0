// combiners/ati_state.h: a program of GL_ATI_fragment_shader as plain values: one or two passes, each of routes that
// fill registers and then up to eight pairs of a colour and an alpha instruction. ati_build.h makes legal ones.
// Source: ATI_fragment_shader.
#pragma once

#include "combiners/tokens.h"

namespace tessera::combiners {

using Color = std::array<float, 4>;      // red, green, blue, alpha

inline constexpr uint32_t kAtiRegisters = 6, kAtiConstants = 8, kAtiPairs = 8, kAtiPasses = 2;

// Bits of an argument's modifiers, applied in this order: 1 - s, s - 0.5, 2 s, -s.
namespace ati_arg {
inline constexpr uint8_t Complement = 2, Bias = 8, Double = 1, Negate = 4, All = 15;
}
// Bits of a result's modifiers: one scale at most, then the clamp to [0,1].
namespace ati_dst {
inline constexpr uint8_t Double = 1, Quadruple = 2, Eightfold = 4, Half = 8, Quarter = 16, Eighth = 32, Saturate = 64;
inline constexpr uint8_t Scales = 63, All = 127;
}

struct AtiArgument {
  AtiSource source = AtiSource::Zero;
  AtiReplicate replicate = AtiReplicate::None;
  uint8_t modifiers = 0;
  bool operator==(const AtiArgument&) const = default;
};

struct AtiInstruction {
  bool is_given = false;
  AtiOp op = AtiOp::Mov;
  uint8_t target = 0;                     // number of the register
  uint8_t mask = 7;                       // of a colour instruction: bit 0 red .. bit 2 blue
  uint8_t modifiers = 0;
  std::array<AtiArgument, 3> args;
  bool operator==(const AtiInstruction&) const = default;
};

// Both read the registers as they were before the pair.
struct AtiPair {
  AtiInstruction color, alpha;
  bool operator==(const AtiPair&) const = default;
};

// How a register is filled before a pass: not at all (it is then 0), with coordinates, or with the texel that its unit
// has there.
struct AtiRoute {
  enum class Kind : uint8_t { None, Pass, Sample } kind = Kind::None;
  AtiCoordinate coordinate = AtiCoordinate::Texture0;
  AtiSwizzle swizzle = AtiSwizzle::Str;
  bool operator==(const AtiRoute&) const = default;
};

struct AtiPass {
  std::array<AtiRoute, kAtiRegisters> routes;
  std::array<AtiPair, kAtiPairs> pairs;
  uint32_t pair_count = 0;
  bool operator==(const AtiPass&) const = default;
};

struct AtiFragmentShader {
  bool enabled = false;
  uint32_t pass_count = 1;
  std::array<AtiPass, kAtiPasses> passes;
  std::array<Color, kAtiConstants> constants{};
  bool operator==(const AtiFragmentShader&) const = default;
};

// A register's numbers lie in [-kAtiRange, kAtiRange].
inline constexpr float kAtiRange = 8;
// The scale that a result's modifiers name; 1: none.
constexpr float ati_scale(uint8_t modifiers) {
  switch (modifiers & ati_dst::Scales) {
    case ati_dst::Double: return 2;
    case ati_dst::Quadruple: return 4;
    case ati_dst::Eightfold: return 8;
    case ati_dst::Half: return 0.5f;
    case ati_dst::Quarter: return 0.25f;
    case ati_dst::Eighth: return 0.125f;
    default: return 1;
  }
}

// The number of a register among its kind; `count` where the source is of another kind.
constexpr uint32_t register_of(AtiSource source) {
  const uint32_t number = to_token(source) - to_token(AtiSource::Reg0);
  return number < kAtiRegisters ? number : kAtiRegisters;
}
constexpr uint32_t constant_of(AtiSource source) {
  const uint32_t number = to_token(source) - to_token(AtiSource::Con0);
  return number < kAtiConstants ? number : kAtiConstants;
}
constexpr uint32_t register_of(AtiCoordinate coordinate) {
  const uint32_t number = to_token(coordinate) - to_token(AtiCoordinate::Reg0);
  return number < kAtiRegisters ? number : kAtiRegisters;
}
constexpr bool is_interpolator(AtiSource source) {
  return source == AtiSource::Primary || source == AtiSource::Secondary;
}
constexpr bool is_dot(AtiOp op) { return op == AtiOp::Dot3 || op == AtiOp::Dot4 || op == AtiOp::Dot2Add; }
constexpr bool divides(AtiSwizzle s) { return s == AtiSwizzle::StrDr || s == AtiSwizzle::StqDq; }
constexpr bool reads_q(AtiSwizzle s) { return s == AtiSwizzle::Stq || s == AtiSwizzle::StqDq; }

}  // namespace tessera::combiners
