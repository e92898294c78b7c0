#include "shader/d3d9/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace tessera::d3d9 {
namespace {

struct FileRow {
  FileInfo info;
  uint32_t counts[kVersionCount];        // by Version
};
constexpr FileRow kFiles[] = {
#define REGISTERS(name, text, token, access, ...) {{text, token, Access::access}, {__VA_ARGS__}},
#include "shader/d3d9/registers.def"
};
constexpr size_t kFileCount = std::size(kFiles);

struct OwnName {
  File file;
  uint32_t number;
  std::string_view text;
};
constexpr OwnName kOwnNames[] = {
#define NAMED(file, number, text) {File::file, number, text},
#include "shader/d3d9/registers.def"
};

struct AssembledCount {
  File file;
  Versions versions;
  uint32_t count;
};
constexpr AssembledCount kAssembled[] = {
#define ASSEMBLED(file, versions, count) {File::file, versions, count},
#include "shader/d3d9/registers.def"
};

constexpr std::string_view kUsages[] = {
#define USAGE(name, text) text,
#include "shader/d3d9/words.def"
};
constexpr std::string_view kSamplerTypes[] = {
#define SAMPLER_TYPE(name, text) text,
#include "shader/d3d9/words.def"
};
constexpr std::string_view kComparisons[] = {
#define COMPARISON(name, text) text,
#include "shader/d3d9/words.def"
};
constexpr ModifierInfo kModifiers[] = {
#define SOURCE_MODIFIER(name, before, after, versions) {before, after, versions},
#include "shader/d3d9/words.def"
};

constexpr DefinitionInfo kDefinitions[] = {
    {Opcode::Op_def, File::Const, 4}, {Opcode::Op_defi, File::ConstInt, 4}, {Opcode::Op_defb, File::ConstBool, 1}};

constexpr uint32_t kConstBanks[] = {11, 12, 13};   // register types of c2048, c4096, c6144

template <class Enum, size_t N>
std::optional<Enum> find_word(const std::string_view (&words)[N], std::string_view word) {
  const auto at = std::ranges::find(words, word);
  if (word.empty() || at == std::end(words)) return std::nullopt;
  return static_cast<Enum>(at - std::begin(words));
}

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 'a' - 'A') : c; }
constexpr bool same_word(std::string_view lower_case, std::string_view word) {
  return std::ranges::equal(lower_case, word, {}, {}, lower);
}

const FileRow& row_of(File file) { return kFiles[static_cast<size_t>(file)]; }

// The file with this prefix that the version has, or else one that other versions have.
std::optional<File> file_from_prefix(std::string_view prefix, Version version) {
  std::optional<File> found;
  for (size_t i = 0; i < kFileCount; ++i) {
    if (kFiles[i].info.text.empty() || !same_word(prefix, kFiles[i].info.text)) continue;
    const File file = static_cast<File>(i);
    if (!found || register_count(file, version)) found = file;
  }
  return found;
}

}  // namespace

const FileInfo& file_info(File file) { return row_of(file).info; }

uint32_t register_count(File file, Version version) { return row_of(file).counts[static_cast<size_t>(version)]; }

uint32_t assembled_count(File file, Version version) {
  for (const AssembledCount& row : kAssembled)
    if (row.file == file && contains(row.versions, version)) return row.count;
  return register_count(file, version);
}

std::string register_name(File file, uint32_t number) {
  for (const OwnName& own : kOwnNames)
    if (own.file == file && own.number == number) return std::string(own.text);
  return fmt::format("{}{}", file_info(file).text, number);
}

std::optional<NamedRegister> register_from_name(std::string_view lower_case_word, Version version) {
  for (const OwnName& own : kOwnNames)
    if (same_word(lower_case_word, own.text)) return NamedRegister{own.file, own.number};
  const size_t digits = std::min(lower_case_word.find_first_of("0123456789"), lower_case_word.size());
  const std::optional<File> file = file_from_prefix(lower_case_word.substr(0, digits), version);
  if (!file) return std::nullopt;
  NamedRegister named{*file, std::nullopt};
  if (digits == lower_case_word.size()) return named;
  const char *begin = lower_case_word.data() + digits, *end = lower_case_word.data() + lower_case_word.size();
  uint32_t number = 0;
  const auto [rest, problem] = std::from_chars(begin, end, number);
  if (rest != end) return std::nullopt;
  named.number = problem == std::errc() ? number : ~0u;
  return named;
}

std::optional<File> file_from_token(uint32_t type, Version version) {
  if (std::ranges::find(kConstBanks, type) != std::end(kConstBanks)) return File::Const;
  for (size_t i = 0; i < kFileCount; ++i) {
    const File file = static_cast<File>(i);
    if (kFiles[i].info.token == type && register_count(file, version)) return file;
  }
  return std::nullopt;
}

const DefinitionInfo& definition_info(Opcode opcode) {
  return *std::ranges::find(kDefinitions, opcode, &DefinitionInfo::opcode);
}
const DefinitionInfo& definition_info(File file) {
  return *std::ranges::find(kDefinitions, file, &DefinitionInfo::file);
}

std::string_view name_of(Usage usage) { return kUsages[static_cast<size_t>(usage)]; }
std::string_view name_of(SamplerType type) { return kSamplerTypes[static_cast<size_t>(type)]; }
std::string_view name_of(Comparison comparison) { return kComparisons[static_cast<size_t>(comparison)]; }
std::optional<Usage> usage_from_name(std::string_view word) { return find_word<Usage>(kUsages, word); }
std::optional<SamplerType> sampler_type_from_name(std::string_view word) {
  return find_word<SamplerType>(kSamplerTypes, word);
}
std::optional<Comparison> comparison_from_name(std::string_view word) {
  return find_word<Comparison>(kComparisons, word);
}

const ModifierInfo& modifier_info(SourceModifier modifier) { return kModifiers[static_cast<size_t>(modifier)]; }

}  // namespace tessera::d3d9
