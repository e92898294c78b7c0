// shader/tgsi/names.h: the words of the language that stand for the members of an enumeration, in its order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tessera::tgsi {

using Names = std::span<const std::string_view>;

extern const Names kFileNames, kPropertyNames, kSemanticNames, kTargetNames, kInterpolationNames, kLocationNames,
    kViewTypeNames, kImmediateTypeNames, kMemoryKindNames, kStageNames, kPrimitiveNames, kCoordOriginNames,
    kPixelCenterNames, kQualifierNames;

enum class PropertyValues : uint8_t { Number, Flag, Primitive, CoordOrigin, PixelCenter, StageName };
PropertyValues property_values(uint32_t property);                // what may stand after a property's name
Names property_value_names(PropertyValues values);                // empty for numbers and flags

std::string to_upper(std::string_view word);                      // of ASCII letters, in any locale
std::optional<uint32_t> find_name(Names names, std::string_view upper_case_word);

template <class Enum>
std::optional<Enum> find_enum(Names names, std::string_view upper_case_word) {
  const auto at = find_name(names, upper_case_word);
  if (!at) return std::nullopt;
  return static_cast<Enum>(*at);
}

template <class Enum>
std::string_view name_of(Names names, Enum value) { return names[static_cast<size_t>(value)]; }

}  // namespace tessera::tgsi
