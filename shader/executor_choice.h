// shader/executor_choice.h: which executor runs programs.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>

#include "core/simd_target.h"
#include "shader/executor.h"

namespace tessera {

// Both give the same bits.
enum class ExecutorKind : uint8_t { Interpreter, Jit };
std::string_view executor_name(ExecutorKind kind);                // "interp", "jit"
// The JIT where it is asked for, `simd` allows for its instructions and it is not refused (shader/jit.h). A refusal is
// said once, on standard error.
ExecutorKind executor_that_runs(ExecutorKind wanted, SimdTarget simd);
std::shared_ptr<const Executable> make_executable(ExecutorKind wanted, std::shared_ptr<const ir::Program> program,
                                                  SimdTarget simd);

}  // namespace tessera
