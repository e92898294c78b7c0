// combiners/rules.h: which combinations of choices the extension refuses, for the C entry points and for text formats.
#pragma once

#include <optional>
#include <string_view>

#include "combiners/state.h"

namespace tessera::combiners {

struct Violation {
  enum class Kind : uint8_t { Enum, Value, Operation } kind;   // the class of error the extension gives it
  std::string_view text;
};

// The first rule that is broken, in the order of Kind; nothing where the choice is legal.
std::optional<Violation> check_general_input(Portion portion, const Input& input);
std::optional<Violation> check_general_output(Portion portion, const GeneralOutput& output);
std::optional<Violation> check_final_input(Variable variable, const Input& input);
std::optional<Violation> check_stage_count(int64_t count);
std::optional<Violation> check_combine(Portion portion, const EnvCombine& combine);

}  // namespace tessera::combiners
