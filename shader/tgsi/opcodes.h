// shader/tgsi/opcodes.h: the table of ops.def for the parser, the validator and the printer.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tessera::tgsi {

// Mnemonics stand as they are written, so that this list and the language's are one; a suffix keeps `IF` and `OR` apart
// from words of C++.
enum class Opcode : uint8_t {
#define OP(name, ...) Op_##name,
#include "shader/tgsi/ops.def"
#undef OP
};

enum class OpGroup : uint8_t {
  Float, Derivative, Address, Pack, Convert, Integer, Bit, Double, Int64, Texture, Memory, Atomic, Flow, Fragment, Geometry,
  Subgroup, Misc
};
enum class OpStages : uint8_t { AnyStage, FragmentOnly, GeometryOnly, WorkGroupOnly };
enum class OpKind : uint8_t { Plain, Classic, Sampled, Memory, Labelled };

struct OpcodeInfo {
  std::string_view name;
  OpGroup group;
  std::string_view dsts, srcs;           // the letters of the signature
  uint8_t min_srcs;                      // without those that may be left out
  OpStages stages;
  OpKind kind;
};

const OpcodeInfo& opcode_info(Opcode opcode);
std::span<const OpcodeInfo> all_opcodes();                        // indexed by Opcode
std::optional<Opcode> opcode_from_name(std::string_view upper_case_name);
std::string_view op_group_name(OpGroup group);                    // "float", ...

}  // namespace tessera::tgsi
