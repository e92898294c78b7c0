// frontend/view/viewer.h: shows a subject: in a window until it is closed, or as one picture in a file.
// Errors:  what the subject cannot draw is shown over its last good frame; in a picture it is an error.
//          Exit status: 0 success, 1 a frame failed, 2 wrong use or no display.
#pragma once

#include "frontend/view/options.h"
#include "frontend/view/subject.h"

namespace tessera::view {

int show(Subject& subject, const ViewOptions& options, const DeviceOptions& device);

}  // namespace tessera::view
