#include "shader/executor_choice.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>

#include "shader/jit.h"

namespace tessera {
namespace {

void say_once(std::string_view reason) {
  static std::once_flag said;
  std::call_once(said, [&] {
    std::fputs(fmt::format("tessera: note: shaders run in the interpreter: {}\n", reason).c_str(), stderr);
  });
}

}  // namespace

std::string_view executor_name(ExecutorKind kind) { return kind == ExecutorKind::Jit ? "jit" : "interp"; }

ExecutorKind executor_that_runs(ExecutorKind wanted, SimdTarget simd) {
  if (wanted == ExecutorKind::Interpreter) return wanted;
  if (const std::string_view reason = jit_refusal(); !reason.empty()) {
    say_once(reason);
    return ExecutorKind::Interpreter;
  }
  return simd == SimdTarget::Avx2 ? ExecutorKind::Jit : ExecutorKind::Interpreter;
}

std::shared_ptr<const Executable> make_executable(ExecutorKind wanted, std::shared_ptr<const ir::Program> program,
                                                  SimdTarget simd) {
  if (executor_that_runs(wanted, simd) == ExecutorKind::Jit) {
    if (std::shared_ptr<const Executable> jit = make_jit(program)) return jit;
    say_once("machine code has reached its limit");
  }
  return make_interpreter(std::move(program), simd);
}

}  // namespace tessera
