#include "combiners/place.h"

#include <fmt/format.h>

namespace tessera::combiners {

std::string place_name(const FragmentState& state, SourceLoc loc) {
  if (loc.line != 0 || loc.column == 0) return {};
  const uint32_t number = loc.column - 1;
  if (number == kAfterStages) return "colour sum and fog";
  if (state.combiners.enabled)
    return number == kFinalPlace ? "final combiner" : fmt::format("general combiner {}", number);
  return fmt::format("{} {}", state.ati.enabled ? "pass" : "texture unit", number);
}

}  // namespace tessera::combiners
