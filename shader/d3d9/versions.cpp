#include "shader/d3d9/versions.h"

#include <algorithm>

namespace tessera::d3d9 {
namespace {

constexpr uint32_t NOLIMIT = kNoLimit;
constexpr VersionInfo kVersions[] = {
#define VERSION(name, word, stage, ...) {#name, word, ir::Stage::stage, __VA_ARGS__},
#include "shader/d3d9/versions.def"
#undef VERSION
};

// `vs.2.x` is another spelling of `vs_2_x`.
constexpr bool same_name(std::string_view text, std::string_view name) {
  return std::ranges::equal(text, name, [](char a, char b) { return a == b || (a == '.' && b == '_'); });
}

template <class Predicate>
std::optional<Version> find(Predicate predicate) {
  const auto at = std::ranges::find_if(kVersions, predicate);
  if (at == std::end(kVersions)) return std::nullopt;
  return static_cast<Version>(at - std::begin(kVersions));
}

}  // namespace

const VersionInfo& version_info(Version version) { return kVersions[static_cast<size_t>(version)]; }

std::optional<Version> version_from_word(uint32_t word) {
  return find([word](const VersionInfo& v) { return v.word == word; });
}

std::optional<Version> version_from_name(std::string_view lower_case_name) {
  return find([lower_case_name](const VersionInfo& v) { return same_name(lower_case_name, v.name); });
}

}  // namespace tessera::d3d9
