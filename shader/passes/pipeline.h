// shader/passes/pipeline.h: the passes over the IR, by name and in order.
// Each takes a program that has passed verify() and leaves one that does; each is linear in the program's size. None
// forms or splits a fused operation, none changes a bit of an output.
#pragma once

#include <span>
#include <string_view>

#include "shader/ir.h"

namespace tessera::ir {

struct Pass {
  std::string_view name;
  std::string_view what;      // one line for people
  void (*run)(Program& program);
};

std::span<const Pass> passes();

// Runs all of them.
void optimize(Program& program);

}  // namespace tessera::ir
