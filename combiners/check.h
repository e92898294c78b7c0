// combiners/check.h: is a whole setup legal? The Diags name the fields.
#pragma once

#include "combiners/state.h"
#include "core/result.h"

namespace tessera::combiners {

Status check(const FragmentState& state);

}  // namespace tessera::combiners
