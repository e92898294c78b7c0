// shader/strict.h: an executor that runs one quad to completion before the next, in order. Together with one thread it
// makes repeatable what programs do to memory without order: draws and grids give the same bits in every run.
// Blocks of a larger work group (run_to_barrier) run as a whole: from barrier to barrier their order is fixed anyway.
#pragma once

#include <memory>

#include "shader/executor.h"

namespace tessera {

std::shared_ptr<const Executable> make_strict(std::shared_ptr<const Executable> executable);

}  // namespace tessera
