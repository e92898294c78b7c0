// frontend/vtest/apply.h: hands a sub-context's bindings and state over to the Context before a draw, a clear or a grid. Only
// what has changed since the last time goes over; buffers that stand in for constants are looked at each time.
#pragma once

#include "frontend/vtest/session.h"

namespace tessera::vtest {

// Targets and the render condition.
Status apply_for_clear(Session& session, SubContext& sub);
// Error: something that a draw needs is missing.
Status apply_for_draw(Session& session, SubContext& sub);
// The same; takes the size of shared memory from the program.
Status apply_for_grid(Session& session, SubContext& sub, Grid& grid);

}  // namespace tessera::vtest
