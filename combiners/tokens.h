// combiners/tokens.h: the choices of tokens.def as enumerations, with their tokens and spellings.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tessera::combiners {

#define ENUMERATOR(name, gl, value, ...) name = value,
enum class Register : uint16_t {
#define REGISTER ENUMERATOR
#include "combiners/tokens.def"
};
enum class Mapping : uint16_t {
#define MAPPING ENUMERATOR
#include "combiners/tokens.def"
};
enum class Usage : uint16_t {
#define USAGE ENUMERATOR
#include "combiners/tokens.def"
};
enum class Portion : uint16_t {
#define PORTION ENUMERATOR
#include "combiners/tokens.def"
};
enum class Variable : uint16_t {
#define VARIABLE ENUMERATOR
#include "combiners/tokens.def"
};
enum class Scale : uint16_t {
#define SCALE ENUMERATOR
#include "combiners/tokens.def"
};
enum class Bias : uint16_t {
#define BIAS ENUMERATOR
#include "combiners/tokens.def"
};
enum class EnvMode : uint16_t {
#define ENV_MODE ENUMERATOR
#include "combiners/tokens.def"
};
enum class EnvFunction : uint16_t {
#define ENV_FUNCTION ENUMERATOR
#include "combiners/tokens.def"
};
enum class EnvSource : uint16_t {
#define ENV_SOURCE ENUMERATOR
#include "combiners/tokens.def"
};
enum class EnvOperand : uint16_t {
#define ENV_OPERAND ENUMERATOR
#include "combiners/tokens.def"
};
enum class FogMode : uint16_t {
#define FOG_MODE ENUMERATOR
#include "combiners/tokens.def"
};
enum class FogSource : uint16_t {
#define FOG_SOURCE ENUMERATOR
#include "combiners/tokens.def"
};
enum class AtiOp : uint16_t {
#define ATI_OP ENUMERATOR
#include "combiners/tokens.def"
};
enum class AtiSource : uint16_t {
#define ATI_SOURCE ENUMERATOR
#include "combiners/tokens.def"
};
enum class AtiReplicate : uint16_t {
#define ATI_REPLICATE ENUMERATOR
#include "combiners/tokens.def"
};
enum class AtiSwizzle : uint16_t {
#define ATI_SWIZZLE ENUMERATOR
#include "combiners/tokens.def"
};
enum class AtiCoordinate : uint16_t {
#define ATI_COORDINATE ENUMERATOR
#include "combiners/tokens.def"
};
#undef ENUMERATOR

template <class E>
struct TokenInfo {
  E value;
  std::string_view text;     // spelling in text
};

template <class E>
inline constexpr std::array<TokenInfo<E>, 0> kTokens{};

#define ROW(name, gl, value, text, ...) {E::name, text},
#define TABLE(Enum)                                        \
  struct Enum##Table {                                     \
    using E = Enum;                                        \
    static constexpr TokenInfo<E> kRows[] = {
#define END_TABLE(Enum) \
    };                  \
  };                    \
  template <>           \
  inline constexpr auto kTokens<Enum> = std::to_array(Enum##Table::kRows);

TABLE(Register)
#define REGISTER ROW
#include "combiners/tokens.def"
END_TABLE(Register)
TABLE(Mapping)
#define MAPPING ROW
#include "combiners/tokens.def"
END_TABLE(Mapping)
TABLE(Usage)
#define USAGE ROW
#include "combiners/tokens.def"
END_TABLE(Usage)
TABLE(Portion)
#define PORTION ROW
#include "combiners/tokens.def"
END_TABLE(Portion)
TABLE(Variable)
#define VARIABLE ROW
#include "combiners/tokens.def"
END_TABLE(Variable)
TABLE(Scale)
#define SCALE ROW
#include "combiners/tokens.def"
END_TABLE(Scale)
TABLE(Bias)
#define BIAS ROW
#include "combiners/tokens.def"
END_TABLE(Bias)
TABLE(EnvMode)
#define ENV_MODE ROW
#include "combiners/tokens.def"
END_TABLE(EnvMode)
TABLE(EnvFunction)
#define ENV_FUNCTION ROW
#include "combiners/tokens.def"
END_TABLE(EnvFunction)
TABLE(EnvSource)
#define ENV_SOURCE ROW
#include "combiners/tokens.def"
END_TABLE(EnvSource)
TABLE(EnvOperand)
#define ENV_OPERAND ROW
#include "combiners/tokens.def"
END_TABLE(EnvOperand)
TABLE(FogMode)
#define FOG_MODE ROW
#include "combiners/tokens.def"
END_TABLE(FogMode)
TABLE(FogSource)
#define FOG_SOURCE ROW
#include "combiners/tokens.def"
END_TABLE(FogSource)
TABLE(AtiOp)
#define ATI_OP ROW
#include "combiners/tokens.def"
END_TABLE(AtiOp)
TABLE(AtiSource)
#define ATI_SOURCE ROW
#include "combiners/tokens.def"
END_TABLE(AtiSource)
TABLE(AtiReplicate)
#define ATI_REPLICATE ROW
#include "combiners/tokens.def"
END_TABLE(AtiReplicate)
TABLE(AtiSwizzle)
#define ATI_SWIZZLE ROW
#include "combiners/tokens.def"
END_TABLE(AtiSwizzle)
TABLE(AtiCoordinate)
#define ATI_COORDINATE ROW
#include "combiners/tokens.def"
END_TABLE(AtiCoordinate)
#undef TABLE
#undef END_TABLE
#undef ROW

template <class E>
constexpr std::optional<E> from_token(uint32_t token) {
  for (const TokenInfo<E>& row : kTokens<E>)
    if (static_cast<uint32_t>(row.value) == token) return row.value;
  return std::nullopt;
}

template <class E>
constexpr std::optional<E> from_text(std::string_view text) {
  for (const TokenInfo<E>& row : kTokens<E>)
    if (row.text == text) return row.value;
  return std::nullopt;
}

template <class E>
constexpr uint32_t to_token(E value) { return static_cast<uint32_t>(value); }

// Place of a value in its table; the table's size where it is none of its values.
template <class E>
constexpr size_t index_of(E value) {
  size_t index = 0;
  while (index < kTokens<E>.size() && kTokens<E>[index].value != value) ++index;
  return index;
}

template <class E>
constexpr std::string_view text_of(E value) { return kTokens<E>[index_of(value)].text; }

// Where a register may stand.
inline constexpr uint8_t kGeneralInput = 1, kFinalInput = 2, kOutput = 4;
inline constexpr uint8_t kRegisterPlaces[] = {
#define REGISTER(name, gl, value, text, places) places,
#include "combiners/tokens.def"
};
constexpr bool may_stand(Register r, uint8_t place) { return kRegisterPlaces[index_of(r)] & place; }

inline constexpr uint8_t kAtiArgumentCounts[] = {
#define ATI_OP(name, gl, value, text, count) count,
#include "combiners/tokens.def"
};
constexpr size_t argument_count(AtiOp op) { return kAtiArgumentCounts[index_of(op)]; }

inline constexpr std::string_view kMappingEquations[] = {
#define MAPPING(name, gl, value, text, equation) equation,
#include "combiners/tokens.def"
};

}  // namespace tessera::combiners
