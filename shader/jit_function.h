// shader/jit_function.h: a whole program as one machine function. Control flow is that of the interpreter's steps, on
// masks of a block's 64 lanes in general registers; between lie runs (jit_runs.h) and calls of the interpreter's steps.
#pragma once

#include <cstddef>
#include <memory>
#include <string>

#include "shader/emit.h"
#include "shader/interp.h"

namespace tessera::jit {

// `resume`: null, or the address at which a run stopped at a barrier (Run::waiting_at), to go on there. Run::exec, live
// and wanted are read and written; other masks lie at the end of the slot file.
using Entry = void (*)(uint32_t* slots, interp::Run* run, const void* resume);

struct Function {
  std::shared_ptr<const emit::Code> code;        // null: refused (emit.h)
  uint32_t masks = 0;                            // words of 64 bits behind Slots::count
  bool is_empty = false;                         // nothing to run
};

// With `listing`, the machine code as text, instructions of the program between it, is appended to it.
Function write_function(const ir::Program& program, const interp::Slots& slots, std::string* listing = nullptr);

}  // namespace tessera::jit
