// frontend/scene_fixed_function.h: what the sections of fixed-function state have in common.
#pragma once

#include <string>

#include "combiners/rules.h"
#include "frontend/scene_sections.h"

namespace tessera::scene {

// The value with this spelling in combiners/tokens.def; an error names all that there are.
template <class E>
E parse_token(Line& line, SourceLoc loc, std::string_view text) {
  if (const auto value = combiners::from_text<E>(text)) return *value;
  std::string choices;
  for (const auto& row : combiners::kTokens<E>) choices += (choices.empty() ? "" : ", ") + std::string(row.text);
  line.fail_at(loc, "expected one of " + choices + ", found '" + std::string(text) + "'");
  return combiners::kTokens<E>[0].value;
}
template <class E>
E parse_token(Line& line, std::string_view what) {
  const SourceLoc loc = line.loc();
  const std::string_view text = line.word(what);
  return line.failed() ? combiners::kTokens<E>[0].value : parse_token<E>(line, loc, text);
}

combiners::Color parse_unit_color(Line& line);       // four numbers in 0..1
void parse_equals(Line& line);
void require(Line& line, SourceLoc loc, const std::optional<combiners::Violation>& violation);
// fog, fog_color, fog_coordinate, fog_at, color_sum.
bool parse_common_line(Line& line, combiners::FragmentState& state);

}  // namespace tessera::scene
