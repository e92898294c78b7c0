// shader/tgsi/program.h: a TGSI text as a tree: what was written, in its order, with the place of each part.
//
// The parser makes it, the printer writes it back to the same tokens, the validator checks it, the lowering reads it.
// Operands of all instructions lie in three common lists, so that a program is a handful of allocations however long.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/format.h"
#include "core/result.h"
#include "shader/ir.h"
#include "shader/tgsi/opcodes.h"

namespace tessera::tgsi {

// The meaning of the names that two instruction texts share. 2007: RSQ is 1/sqrt|x|, ARL writes x alone,
// LERP is fma(a, b - c, c). Every name is legal in both.
enum class Dialect : uint8_t { Current, Tgsi2007 };

enum class File : uint8_t {
#define REGISTER_FILE(name, text) name,
#include "shader/tgsi/files.def"
#undef REGISTER_FILE
};

enum class PropertyName : uint8_t {
#define PROPERTY(name, ...) name,
#include "shader/tgsi/properties.def"
#undef PROPERTY
};

enum class ImmediateType : uint8_t { Flt32, Uint32, Int32, Flt64, Int64, Uint64 };
enum class ViewType : uint8_t { Unorm, Snorm, Sint, Uint, Float };
enum class MemoryKind : uint8_t { Global, Shared, Private, Input };
using ir::Interpolation;
using ir::Location;
using ir::Semantic;
using ir::Stage;
using ir::TextureTarget;

// One pair of brackets: `3`, or `ADDR[0].x+3` with an optional array id behind it.
struct Index {
  int32_t value = 0;                     // the register number, or what is added to the indirect register
  bool indirect = false;
  bool component_written = false;        // a missing component means x
  File file = File::Addr;                // the indirect register
  uint8_t component = 0;
  uint32_t reg = 0;
  uint32_t array_id = 0;                 // 0: none, the whole file may be reached
};

struct Register {
  File file = File::Null;
  bool two_dimensional = false;
  Index dimension;                       // the first of two brackets
  Index index;
  SourceLoc loc;
};

struct Destination {
  Register reg;
  uint8_t mask = 0xf;                    // bit c: channel c is written
  bool mask_written = false;
};

struct Source {
  Register reg;
  bool negate = false, absolute = false; // absolute first
  uint8_t letters = 0;                   // of the swizzle as written; 0: none
  uint8_t swizzle[4] = {0, 1, 2, 3};
  std::optional<uint32_t> literal = {};  // float bits: a number stands where a register would
  SourceLoc loc;
};

struct Offset {                          // a texel offset
  Register reg;
  bool swizzle_written = false;
  uint8_t swizzle[3] = {0, 1, 2};
};

namespace qualifier {
inline constexpr uint8_t Coherent = 1, Restrict = 2, Volatile = 4, StreamCachePolicy = 8;
}

struct Instruction {
  Opcode opcode{};
  bool saturate = false, precise = false;
  uint8_t dst_count = 0, src_count = 0, offset_count = 0;
  uint8_t qualifiers = 0;
  std::optional<TextureTarget> target;
  std::optional<Format> format;
  std::optional<uint32_t> number, label; // `7:` before it, `:9` after it
  uint32_t first_dst = 0, first_src = 0, first_offset = 0;
  SourceLoc loc;
};

struct SemanticName {
  Semantic name = Semantic::Generic;
  uint32_t index = 0;
  bool index_written = false;
};

struct Declaration {
  File file = File::Null;
  enum class Dimension : uint8_t { None, Empty, Number } dimension_kind = Dimension::None;
  uint32_t dimension = 0;                // buffer number, or the count of vertices
  uint32_t first = 0, last = 0;          // registers, both included
  uint8_t usage_mask = 0xf;
  bool usage_written = false;
  uint32_t array_id = 0;                 // 0: none
  std::optional<SemanticName> semantic;
  std::optional<Interpolation> interpolation;
  std::optional<Location> location;
  bool invariant = false, local = false, raw = false, writable = false, atomic = false;
  std::optional<std::array<uint8_t, 4>> streams;   // of each channel
  std::optional<TextureTarget> target;
  uint8_t view_type_count = 0;           // 1 or 4 as written
  ViewType view_types[4] = {};
  std::optional<Format> format;
  std::optional<MemoryKind> memory;
  SourceLoc loc;
};

struct Immediate {
  ImmediateType type = ImmediateType::Flt32;
  bool number_written = false;
  uint32_t words[4] = {};                // 64-bit values: low word first
  SourceLoc loc;
};

struct Property {
  PropertyName name{};
  uint32_t value = 0;                    // number, flag, or the position of the word in its list
  SourceLoc loc;
};

struct Statement {                       // the order of the text
  enum class Kind : uint8_t { Property, Declaration, Immediate, Instruction } kind{};
  uint32_t index = 0;                    // into the list of its kind
};

struct Program {
  Stage stage = Stage::Fragment;
  std::vector<Statement> order;
  std::vector<Property> properties;
  std::vector<Declaration> declarations;
  std::vector<Immediate> immediates;
  std::vector<Instruction> instructions;
  std::vector<Destination> destinations; // of all instructions
  std::vector<Source> sources_list;
  std::vector<Offset> offset_list;
  SourceLoc end;                         // behind the last token

  std::span<const Destination> dsts(const Instruction& i) const { return {destinations.data() + i.first_dst, i.dst_count}; }
  std::span<const Source> srcs(const Instruction& i) const { return {sources_list.data() + i.first_src, i.src_count}; }
  std::span<const Offset> offsets(const Instruction& i) const { return {offset_list.data() + i.first_offset, i.offset_count}; }
  std::optional<uint32_t> property(PropertyName name) const {    // the last one given
    std::optional<uint32_t> value;
    for (const Property& p : properties)
      if (p.name == name) value = p.value;
    return value;
  }
};

}  // namespace tessera::tgsi
