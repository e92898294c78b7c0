// frontend/vtest/apply.h: hands a sub-context's bindings and state over to the Context before a draw or a clear. Only
// what has changed since the last time goes over; buffers that stand in for constants are looked at each time.
#pragma once

#include "frontend/vtest/session.h"

namespace tessera::vtest {

Status apply_framebuffer(Session& session, SubContext& sub);
// Error: something that a draw needs is missing.
Status apply_for_draw(Session& session, SubContext& sub);

}  // namespace tessera::vtest
