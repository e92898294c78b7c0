#include "core/result.h"

#include <fmt/format.h>

namespace tessera {
namespace {
std::string_view line_of(std::string_view source, uint32_t line) {
  size_t begin = 0;
  for (uint32_t i = 1; i < line && begin != std::string_view::npos; ++i) {
    begin = source.find('\n', begin);
    if (begin != std::string_view::npos) ++begin;
  }
  if (begin == std::string_view::npos) return {};
  return source.substr(begin, source.find('\n', begin) - begin);
}
}  // namespace

std::string format_diags(const std::vector<Diag>& diags, std::string_view file, std::string_view source) {
  std::string out;
  for (const Diag& d : diags) {
    if (d.loc.line == 0) {
      const std::string word = d.loc.column ? fmt::format(" word {}:", d.loc.column - 1) : "";
      out += fmt::format("{}:{} error: {}\n", file, word, d.text);
      continue;
    }
    out += fmt::format("{}:{}:{}: error: {}\n", file, d.loc.line, d.loc.column, d.text);
    const std::string_view line = line_of(source, d.loc.line);
    if (!line.empty()) out += fmt::format("  {}\n  {:>{}}\n", line, '^', d.loc.column ? d.loc.column : 1);
  }
  return out;
}
}  // namespace tessera
