// tests/goldens/combiners_calls.h: records of kind "call": C calls by name, their errors, and the state they leave.
#pragma once

#include "tests/goldens/golden.h"

namespace tessera::goldens {

Outcome run_call_record(const Json& record);

}  // namespace tessera::goldens
