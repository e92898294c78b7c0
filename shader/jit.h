// shader/jit.h: the just-in-time compiler: an Executable whose blocks run as machine code, with the interpreter's bits.
// What is computed once a draw (run_uniform) is left to the interpreter.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "shader/executor.h"

namespace tessera {

// Why programs cannot run as machine code here; empty: they can.
std::string_view jit_refusal();

// `program` must have passed verify(). Null: refused, for the reason above or because all code of the process would
// exceed its limit (shader/emit.h).
std::shared_ptr<const Executable> make_jit(std::shared_ptr<const ir::Program> program);

// The machine code of a program as text, its instructions between it; empty where jit_refusal() is not.
std::string jit_listing(const ir::Program& program);

}  // namespace tessera
