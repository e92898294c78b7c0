// shader/names.h: spellings of the IR's enumerations in text, from names.def and semantics.def.
#pragma once

#include <optional>
#include <string_view>

#include "shader/ir.h"

namespace tessera::ir {

std::string_view name_of(Semantic value);
std::string_view name_of(Stage value);
std::string_view name_of(Interpolation value);
std::string_view name_of(Location value);
std::string_view name_of(InputPart value);
std::string_view name_of(TextureTarget value);
std::string_view name_of(TextureKind value);
std::string_view name_of(MemorySpace value);
std::string_view name_of(AtomicKind value);

// The enumerator with this spelling. Defined for the enumerations above.
template <class Enum>
std::optional<Enum> from_name(std::string_view name);

// A fact about a program that is true or false.
struct Flag {
  std::string_view name;
  bool Program::*member;
};
inline constexpr Flag kFlags[] = {
#define NAME(...)
#define FLAG(member) {#member, &Program::member},
#include "shader/names.def"
#undef FLAG
#undef NAME
};

}  // namespace tessera::ir
