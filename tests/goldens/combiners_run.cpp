// tests/goldens/combiners_run.cpp: combiner and texture environment records: made by the C calls, then evaluated.
#include <fmt/format.h>

#include "tests/goldens/combiners_calls.h"
#include "tests/goldens/combiners_setup.h"

namespace tessera::goldens {
namespace {

Outcome run_evaluation(const Json& record, const CombinersObject& object) {
  const combiners::FragmentState& state = object->state;
  const Json& fragments = record.at("fr");
  for (size_t k = 0; k < fragments.size(); ++k) {
    const combiners::Color want = parse_color(fragments[k].at("out"));
    const combiners::Color got = combiners::evaluate(state, parse_fragment(fragments[k]));
    if (got != want)                     // as numbers: the sign of a zero does not count
      return failed(fmt::format("fragment {}, evaluated: expected ({}), found ({})", k, fmt::join(want, ", "), fmt::join(got, ", ")));
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
