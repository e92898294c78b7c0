// shader/jit_cache.h: compiled functions by the content of their programs, shared by all devices of the process.
//
// A function lives as long as the cache or an Executable holds it. When all code would exceed emit::kMaxCodeBytes, the
// cache lets those go that were asked for longest ago; where that does not help, the new one is refused.
// Threads: any; two that ask for one program wait for one compilation.
#pragma once

#include <memory>

#include "shader/ir.h"
#include "shader/jit_function.h"

namespace tessera::jit {

struct Compiled {
  explicit Compiled(const ir::Program& program);

  interp::Slots slots;
  interp::UniformSteps uniforms;
  Function function;             // its code is null where it is empty or was refused
};

std::shared_ptr<const Compiled> compile_once(const ir::Program& program);

// How many programs were compiled: the rest of the calls found one.
size_t compilations();

}  // namespace tessera::jit
