// shader/d3d9/opcodes.h: the table of ops.def for the assembler, the bytecode, the validator and the lowering.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "shader/d3d9/versions.h"

namespace tessera::d3d9 {

// Mnemonics stand as they are written; a suffix keeps forms of one mnemonic, and words of C++, apart.
enum class Opcode : uint8_t {
#define OP(name, ...) Op_##name,
#include "shader/d3d9/ops.def"
};

enum class OpGroup : uint8_t { Arithmetic, Texture, Flow, Declaration, Definition, Phase };

namespace trait {
inline constexpr uint8_t Compare = 1, NoPredicate = 2, NoSaturate = 4, Apart = 8, Gradient = 16, Color = 32;
}

struct OpcodeInfo {
  std::string_view text;                 // mnemonic without the comparison
  uint16_t token;
  uint8_t control;
  OpGroup group;
  std::string_view dsts, srcs;           // the letters of the operands
  Versions versions;
  uint8_t slots;
  uint8_t mask, required;                // components: may and must be written
  uint8_t traits;

  bool has(uint8_t trait) const { return (traits & trait) != 0; }
  bool computes() const { return group == OpGroup::Arithmetic || group == OpGroup::Texture; }
  bool takes_predicate() const { return computes() && !has(trait::NoPredicate); }
};

const OpcodeInfo& opcode_info(Opcode opcode);
std::span<const OpcodeInfo> all_opcodes();                              // indexed by Opcode
std::optional<Opcode> opcode_from_text(std::string_view lower_case_text, bool with_comparison, Version version);
bool is_mnemonic(std::string_view lower_case_text);                     // of any version
std::optional<Opcode> opcode_from_token(uint32_t token, uint32_t control, Version version);
uint32_t slots_of(Opcode opcode, Version version, bool is_cube);        // what it counts against the version's limit

}  // namespace tessera::d3d9
