// shader/d3d9/names.h: register files and words as text, from registers.def and words.def.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "shader/d3d9/program.h"

namespace tessera::d3d9 {

enum class Access : uint8_t { None = 0, Read = 1, Write = 2, Both = 3 };

struct FileInfo {
  std::string_view text;                 // before the number; empty: every register has a name of its own
  uint8_t token;                         // register type in the bytecode
  Access access;
};
const FileInfo& file_info(File file);
uint32_t register_count(File file, Version version);                     // for the validator; 0: none
uint32_t assembled_count(File file, Version version);                    // for the assembler
std::string register_name(File file, uint32_t number);                   // `r3`, `oPos`

// A register's word of a text: `r12`, `opos`, or `c` alone. Where versions share a name, that of this version.
struct NamedRegister {
  File file;
  std::optional<uint32_t> number;        // none was written
};
std::optional<NamedRegister> register_from_name(std::string_view lower_case_word, Version version);
std::optional<File> file_from_token(uint32_t type, Version version);     // constants: of types 2 and 11 to 13

// The three definitions.
struct DefinitionInfo {
  Opcode opcode;
  File file;                             // that it defines
  uint32_t words;
};
const DefinitionInfo& definition_info(Opcode opcode);
const DefinitionInfo& definition_info(File file);

std::string_view name_of(Usage usage);
std::string_view name_of(SamplerType type);
std::string_view name_of(Comparison comparison);
std::optional<Usage> usage_from_name(std::string_view lower_case_word);
std::optional<SamplerType> sampler_type_from_name(std::string_view lower_case_word);
std::optional<Comparison> comparison_from_name(std::string_view lower_case_word);

struct ModifierInfo {
  std::string_view before, after;        // `-`, and `bx2` of `_bx2`
  Versions versions;
};
const ModifierInfo& modifier_info(SourceModifier modifier);

}  // namespace tessera::d3d9
