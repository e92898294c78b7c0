// tests/goldens/combiners_run.cpp: combiner and texture environment records: made by the C calls,
// written as a scene and read back, evaluated, and lowered.
#include <fmt/format.h>

#include "tests/goldens/combiners_calls.h"
#include "tests/goldens/combiners_setup.h"
#include "tests/support/combiners_run.h"
#include "tests/support/fixed_function_text.h"

namespace tessera::goldens {
namespace {

Outcome difference(size_t fragment, const char* way, const combiners::Color& want, const combiners::Color& got) {
  return failed(fmt::format("fragment {}, {}: expected ({}), found ({})", fragment, way, fmt::join(want, ", "), fmt::join(got, ", ")));
}

// The setup written as a section of a scene and read back. Where it differs, what was read.
Outcome compare_scene(const combiners::FragmentState& state) {
  const std::string section = tests::scene_section(state);
  Result<combiners::FragmentState> read = tests::read_scene_section(section);
  if (!read) return failed(format_diags(read.diags(), "scene", section));
  for (size_t u = 0; u < combiners::kTextureUnits; ++u) read->units[u].format = state.units[u].format;   // textures give them
  return tests::same_effect(*read, state) ? Outcome{} : failed("the scene's section reads back as another setup:\n" + section);
}

// The setup evaluated directly, and lowered and run by the interpreter; both as numbers: the sign of a zero does not count.
Outcome run_evaluation(const Json& record, const CombinersObject& object) {
  if (Outcome outcome = compare_scene(object->state); outcome.kind == Outcome::Kind::Failed) return outcome;
  std::vector<combiners::Fragment> fragments;
  for (const Json& json : record.at("fr")) fragments.push_back(parse_fragment(json));
  const std::vector<combiners::Color> lowered = tests::run_lowered(object->state, fragments);
  for (size_t k = 0; k < fragments.size(); ++k) {
    const combiners::Color want = parse_color(record["fr"][k].at("out")), direct = combiners::evaluate(object->state, fragments[k]);
    if (direct != want) return difference(k, "evaluated", want, direct);
    if (lowered[k] != want) return difference(k, "lowered", want, lowered[k]);
  }
  return {};
}

bool is_call(const Json& record) { return record.at("kind") == "call"; }

}  // namespace

bool is_combiners_record(const Json& record) { return record.contains("kind") && record.contains("st"); }
bool is_environments_record(const Json& record) { return record.contains("kind") && record.contains("units"); }

Outcome run_combiners_record(const Json& record) {
  return is_call(record) ? run_call_record(record) : run_evaluation(record, make_combiners(record));
}

Outcome run_environments_record(const Json& record) {
  return is_call(record) ? run_call_record(record) : run_evaluation(record, make_environments(record));
}

}  // namespace tessera::goldens
