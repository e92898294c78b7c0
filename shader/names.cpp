#include "shader/names.h"

namespace tessera::ir {
namespace {

enum class Enumeration : uint8_t {
  Semantic, Stage, Interpolation, Location, InputPart, TextureTarget, TextureKind, MemorySpace, AtomicKind
};

struct Entry {
  Enumeration of;
  uint8_t value;
  std::string_view name;
};

constexpr Entry kNames[] = {
#define SEMANTIC(name, text) {Enumeration::Semantic, static_cast<uint8_t>(Semantic::name), text},
#include "shader/semantics.def"
#undef SEMANTIC
#define NAME(of, name, text) {Enumeration::of, static_cast<uint8_t>(of::name), text},
#define FLAG(...)
#include "shader/names.def"
#undef FLAG
#undef NAME
};

std::string_view find_name(Enumeration of, uint8_t value) {
  for (const Entry& e : kNames)
    if (e.of == of && e.value == value) return e.name;
  return "?";
}

template <class Enum>
std::optional<Enum> find_value(Enumeration of, std::string_view name) {
  for (const Entry& e : kNames)
    if (e.of == of && e.name == name) return static_cast<Enum>(e.value);
  return std::nullopt;
}

}  // namespace

std::string_view semantic_name(Semantic s) { return name_of(s); }

std::string_view name_of(Semantic v) { return find_name(Enumeration::Semantic, static_cast<uint8_t>(v)); }
std::string_view name_of(Stage v) { return find_name(Enumeration::Stage, static_cast<uint8_t>(v)); }
std::string_view name_of(Interpolation v) { return find_name(Enumeration::Interpolation, static_cast<uint8_t>(v)); }
std::string_view name_of(Location v) { return find_name(Enumeration::Location, static_cast<uint8_t>(v)); }
std::string_view name_of(InputPart v) { return find_name(Enumeration::InputPart, static_cast<uint8_t>(v)); }
std::string_view name_of(TextureTarget v) { return find_name(Enumeration::TextureTarget, static_cast<uint8_t>(v)); }
std::string_view name_of(TextureKind v) { return find_name(Enumeration::TextureKind, static_cast<uint8_t>(v)); }
std::string_view name_of(MemorySpace v) { return find_name(Enumeration::MemorySpace, static_cast<uint8_t>(v)); }
std::string_view name_of(AtomicKind v) { return find_name(Enumeration::AtomicKind, static_cast<uint8_t>(v)); }

template <> std::optional<Semantic> from_name(std::string_view n) { return find_value<Semantic>(Enumeration::Semantic, n); }
template <> std::optional<Stage> from_name(std::string_view n) { return find_value<Stage>(Enumeration::Stage, n); }
template <>
std::optional<Interpolation> from_name(std::string_view n) {
  return find_value<Interpolation>(Enumeration::Interpolation, n);
}
template <> std::optional<Location> from_name(std::string_view n) { return find_value<Location>(Enumeration::Location, n); }
template <>
std::optional<InputPart> from_name(std::string_view n) {
  return find_value<InputPart>(Enumeration::InputPart, n);
}
template <>
std::optional<TextureTarget> from_name(std::string_view n) {
  return find_value<TextureTarget>(Enumeration::TextureTarget, n);
}
template <>
std::optional<TextureKind> from_name(std::string_view n) {
  return find_value<TextureKind>(Enumeration::TextureKind, n);
}
template <>
std::optional<MemorySpace> from_name(std::string_view n) {
  return find_value<MemorySpace>(Enumeration::MemorySpace, n);
}
template <>
std::optional<AtomicKind> from_name(std::string_view n) {
  return find_value<AtomicKind>(Enumeration::AtomicKind, n);
}

}  // namespace tessera::ir
