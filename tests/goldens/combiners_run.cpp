// tests/goldens/combiners_run.cpp: combiner and texture environment records: made by the C calls, evaluated, and lowered.
#include <fmt/format.h>

#include "tests/goldens/combiners_calls.h"
#include "tests/goldens/combiners_setup.h"
#include "tests/support/combiners_run.h"

namespace tessera::goldens {
namespace {

Outcome difference(size_t fragment, const char* way, const combiners::Color& want, const combiners::Color& got) {
  return failed(fmt::format("fragment {}, {}: expected ({}), found ({})", fragment, way, fmt::join(want, ", "), fmt::join(got, ", ")));
}

// The setup evaluated directly, and lowered and run by the interpreter; both as numbers: the sign of a zero does not count.
Outcome run_evaluation(const Json& record, const CombinersObject& object) {
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
