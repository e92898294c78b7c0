// shader/d3d9/program.h: a Direct3D 9 shader as it was written, as text or as bytecode, with the place of each part.
//
// The assembler (parser) and the bytecode reader make it; printer and bytecode writer turn it back; the validator
// checks it; the lowering reads it. Operands of all instructions lie in two common lists, so that a program is a
// handful of allocations however long. Places: line and column of a text; of bytecode, word_loc() of the word.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/result.h"
#include "shader/d3d9/opcodes.h"

namespace tessera::d3d9 {

constexpr SourceLoc word_loc(uint32_t offset) { return {0, offset + 1}; }   // offset: 0 for the version

// Each list file defines and removes the macros that it uses.
enum class File : uint8_t {
#define REGISTERS(name, ...) name,
#include "shader/d3d9/registers.def"
};

enum class Usage : uint8_t {
#define USAGE(name, ...) name,
#include "shader/d3d9/words.def"
};

enum class SamplerType : uint8_t {
#define SAMPLER_TYPE(name, ...) name,
#include "shader/d3d9/words.def"
};

enum class Comparison : uint8_t {
#define COMPARISON(name, ...) name,
#include "shader/d3d9/words.def"
};

enum class SourceModifier : uint8_t {
#define SOURCE_MODIFIER(name, ...) name,
#include "shader/d3d9/words.def"
};

inline constexpr uint32_t kRasterPosition = 0, kRasterFog = 1, kRasterPointSize = 2;   // numbers of File::RasterOut
inline constexpr uint32_t kMiscPosition = 0, kMiscFace = 1;                            // numbers of File::Misc

// Component k of the result is source component (swizzle >> 2k) & 3.
inline constexpr uint8_t kIdentitySwizzle = 0xe4;
constexpr uint32_t component_of(uint8_t swizzle, uint32_t k) { return swizzle >> (2 * k) & 3; }
constexpr bool is_replicate(uint8_t swizzle) { return swizzle == (swizzle & 3) * 0x55; }

struct Register {
  File file = File::Temp;
  bool relative = false;                 // number + an address
  File address = File::Address;          // where it is relative: Address (a0) or Loop (aL)
  uint8_t address_swizzle = 0;           // of a0; its component 0 counts
  uint32_t number = 0;                   // constants: 0..8191
  SourceLoc loc;

  bool is(File f, uint32_t n) const { return file == f && number == n; }
};

struct Destination {
  Register reg;
  uint8_t mask = 0xf;                    // bit c: component c is written
  bool saturate = false, partial_precision = false, centroid = false;
  int8_t shift = 0;                      // the result times 2^shift
};

struct Source {
  Register reg;
  uint8_t swizzle = kIdentitySwizzle;
  SourceModifier modifier = SourceModifier::None;
};

inline constexpr uint32_t kNoPredicate = ~0u, kMaxUsageIndex = 15;

struct Instruction {
  Opcode opcode{};
  Comparison comparison = Comparison::None;
  bool co_issued = false;                // `+`: a pair with the instruction before it
  uint8_t dst_count = 0, src_count = 0;
  uint32_t first_dst = 0, first_src = 0;
  uint32_t predicate = kNoPredicate;     // its position in Program::sources
  SourceLoc loc;
};

// dcl of an input or output: usage and index; of a sampler: its type. Inputs of ps_2_x, vPos and vFace have no usage.
struct Declaration {
  enum class Kind : uint8_t { Plain, Semantic, Sampler } kind = Kind::Plain;
  Usage usage = Usage::Position;
  uint8_t usage_index = 0;               // 0..15
  SamplerType sampler = SamplerType::None;
  Destination dst;                       // mask, _pp and _centroid
  SourceLoc loc;
};

// def, defi, defb: floats as their bits, signed integers, or 0 or 1 in the first word.
struct Definition {
  Register reg;                          // Const, ConstInt or ConstBool
  std::array<uint32_t, 4> words{};
  SourceLoc loc;
};

struct Comment {                         // of bytecode
  std::vector<uint32_t> words;
  SourceLoc loc;
};

// A row of the constant table that compilers leave in a comment.
struct NamedConstant {
  std::string name;
  File file = File::Const;               // Const, ConstInt, ConstBool or Sampler
  uint16_t first = 0, count = 0;         // registers
  uint16_t type_class = 0, type = 0, rows = 0, columns = 0, elements = 0;   // as numbered in the table
};

struct Statement {                       // the order of the program
  enum class Kind : uint8_t { Declaration, Definition, Instruction, Comment } kind{};
  uint32_t index = 0;                    // into the list of its kind
};

struct Program {
  Version version = Version::vs_1_1;
  std::vector<Statement> order;
  std::vector<Declaration> declarations;
  std::vector<Definition> definitions;
  std::vector<Instruction> instructions;
  std::vector<Comment> comments;
  std::vector<Destination> destinations; // of all instructions
  std::vector<Source> sources;
  std::vector<NamedConstant> constants;  // of the first constant table
  SourceLoc end;                         // of the end token, or behind the text

  std::span<const Destination> dsts(const Instruction& i) const {
    return {destinations.data() + i.first_dst, i.dst_count};
  }
  std::span<const Source> srcs(const Instruction& i) const { return {sources.data() + i.first_src, i.src_count}; }
  const Source* predicate(const Instruction& i) const {
    return i.predicate == kNoPredicate ? nullptr : &sources[i.predicate];
  }
};

}  // namespace tessera::d3d9
