#include "frontend/vtest/program_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tessera::vtest {
namespace {

constexpr std::string_view kConversions[] = {"D2F", "D2I", "D2U"};
constexpr std::string_view kArithmetic[] = {"DABS", "DADD", "DCEIL", "DDIV", "DFLR", "DFMA",   "DFRAC", "DLDEXP", "DMAD",
                                            "DMAX", "DMIN", "DMUL",  "DNEG", "DRCP", "DROUND", "DRSQ",  "DSQRT",  "DSSG",
                                            "DTRUNC"};

// `NUMBER: OPCODE DESTINATION, SOURCES`, with what stands before the opcode left out.
struct Line {
  std::string_view opcode, destination, sources;
};

Line split(std::string_view line) {
  const size_t colon = line.find(": "), begin = line.find_first_not_of(' ', colon == line.npos ? 0 : colon + 2);
  const size_t space = line.find(' ', begin), comma = line.find(", ", begin);
  if (begin == line.npos || comma == line.npos || space > comma) return {};
  return {line.substr(begin, space - begin), line.substr(space + 1, comma - space - 1), line.substr(comma + 2)};
}

bool is_whole_register(std::string_view source) { return source.starts_with("TEMP[") && source.ends_with(']'); }

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  return std::ranges::any_of(endings, [&](std::string_view ending) { return text.ends_with(ending); });
}

// Each source that is a whole register, with xy in both pairs.
std::string in_both_pairs(std::string_view sources) {
  std::string out;
  while (!sources.empty()) {
    const size_t comma = sources.find(", ");
    const std::string_view source = sources.substr(0, comma);
    sources.remove_prefix(comma == sources.npos ? sources.size() : comma + 2);
    out += out.empty() ? "" : ", ";
    out += source;
    if (is_whole_register(source)) out += ".xyxy";
  }
  return out;
}

std::string rewritten(std::string_view text) {
  const Line line = split(text);
  if (std::ranges::count(kConversions, line.opcode) && is_whole_register(line.sources) &&
      ends_with_any(line.destination, {"].y", "].z", "].w"}))
    return fmt::format("{} {}.x, {}\nMOV {}, {}.xxxx", line.opcode, line.sources, line.sources, line.destination,
                       line.sources);
  if (std::ranges::count(kArithmetic, line.opcode) && line.destination.ends_with("].zw"))
    return fmt::format("{} {}, {}", line.opcode, line.destination, in_both_pairs(line.sources));
  return std::string(text);
}

}  // namespace

std::string with_doubles_in_xy(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    out += rewritten(text.substr(0, end));
    out += '\n';
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
  }
  return out;
}

}  // namespace tessera::vtest
