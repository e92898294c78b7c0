// tests/goldens/combiners_setup.h: the setups of combiner and texture environment records, made through the C calls.
#pragma once

#include <memory>

#include "combiners/context.h"
#include "combiners/evaluate.h"
#include "tests/goldens/golden.h"

namespace tessera::goldens {

using CombinersObject = std::unique_ptr<TsrCombiners, void (*)(TsrCombiners*)>;

// Current on this thread. Throws BadRecord also where a call is refused.
CombinersObject make_combiners(const Json& record);
CombinersObject make_environments(const Json& record);

combiners::Fragment parse_fragment(const Json& json);
combiners::Color parse_color(const Json& json);

}  // namespace tessera::goldens
