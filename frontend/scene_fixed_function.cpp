#include "frontend/scene_fixed_function.h"

#include <fmt/format.h>

namespace tessera::scene {
namespace {

using combiners::Fog;
using combiners::FogMode;
using combiners::FogSource;

void parse_fog(Line& line, Fog& fog) {
  fog.enabled = !line.accept("off");
  if (!fog.enabled) return;
  fog.mode = parse_token<FogMode>(line, "linear, exp, exp2, factor or off");
  if (fog.mode == FogMode::Linear) {
    fog.start = line.real("where fog starts");
    fog.end = line.real("where fog ends");
  } else if (fog.mode != FogMode::Factor) {
    const SourceLoc loc = line.loc();
    fog.density = line.real("the density");
    if (!(fog.density >= 0)) line.fail_at(loc, "a density is not below 0");
  } else {
    fog.source = FogSource::Coordinate;
  }
}

}  // namespace

combiners::Color parse_unit_color(Line& line) {
  combiners::Color color{};
  for (float& c : color) {
    const SourceLoc loc = line.loc();
    c = line.real("red, green, blue and alpha");
    if (!line.failed() && !(c >= 0 && c <= 1)) line.fail_at(loc, fmt::format("colours lie in 0 to 1, found {}", c));
  }
  return color;
}

void parse_equals(Line& line) {
  if (!line.accept("=")) line.fail_expected("'='");
}

void require(Line& line, SourceLoc loc, const std::optional<combiners::Violation>& violation) {
  if (violation && !line.failed()) line.fail_at(loc, std::string(violation->text));
}

bool parse_common_line(Line& line, combiners::FragmentState& state) {
  static constexpr Named<FogSource> kSources[] = {{"depth", FogSource::Depth}, {"coordinate", FogSource::Coordinate}};
  static constexpr Named<bool> kPlaces[] = {{"fragments", false}, {"vertices", true}};
  if (line.accept("fog")) {
    parse_fog(line, state.fog);
  } else if (line.accept("fog_color")) {
    for (float& c : state.fog.color) {
      const SourceLoc loc = line.loc();
      c = line.real("red, green and blue");
      if (!line.failed() && !(c >= 0 && c <= 1)) line.fail_at(loc, fmt::format("colours lie in 0 to 1, found {}", c));
    }
  } else if (line.accept("fog_coordinate")) {
    state.fog.source = line.one_of(kSources);
  } else if (line.accept("fog_at")) {
    state.fog.per_vertex = line.one_of(kPlaces);
  } else if (line.accept("color_sum")) {
    state.color_sum = line.on_off();
  } else {
    return false;
  }
  return true;
}

const FixedFunctionSection* accept_fixed_function(Line& line) {
  for (const FixedFunctionSection& kind : kFixedFunctionSections)
    if (line.accept_phrase(kind.words)) return &kind;
  return nullptr;
}

}  // namespace tessera::scene
