#include "shader/jit.h"

#include "shader/jit_cache.h"

namespace tessera {
namespace {

using interp::Run;
using jit::Compiled;

class Jit final : public Executable {
 public:
  Jit(std::shared_ptr<const ir::Program> program, std::shared_ptr<const Compiled> compiled)
      : compiled_(std::move(compiled)) {
    program_ = std::move(program);
    const uint32_t masks = compiled_->function.masks;
    slot_count_ = compiled_->slots.count + (masks + interp::kMasksInSlot - 1) / interp::kMasksInSlot;
    uniform_count_ = static_cast<uint32_t>(compiled_->slots.uniforms.size());
    output_slots_ = interp::output_slots(*program_, compiled_->slots);
    is_empty_ = compiled_->function.is_empty;
  }

  void run_uniform(const Bindings& bindings, std::span<uint32_t> words) const override {
    compiled_->uniforms.run(*program_, bindings, words);
  }
  void load_uniforms(std::span<const uint32_t> words, uint32_t* slots) const override {
    interp::UniformSteps::load(words, slots);
  }

  BlockResult run(uint32_t* slots, const BlockArgs& args) const override {
    Run run = start(args);
    if (run.exec != 0) enter(slots, run, nullptr);
    return {run.live, run.over_budget};
  }

  BlockResult run_to_barrier(uint32_t* slots, const BlockArgs& args, BlockState& state) const override {
    Run run = start(args);
    run.stops_at_barriers = true;
    if (state.has_begun) run.resume(state);
    const void* resume = state.has_begun ? code() + state.position : nullptr;
    if (run.exec != 0) enter(slots, run, resume);
    state.has_begun = true;
    state.is_waiting = run.waiting_at != nullptr;
    if (state.is_waiting)
      run.suspend(static_cast<uint32_t>(reinterpret_cast<const std::byte*>(run.waiting_at) - code()), state);
    return {run.live, run.over_budget};
  }

 private:
  const std::byte* code() const { return compiled_->function.code->entry(); }

  void enter(uint32_t* slots, Run& run, const void* resume) const {
    if (!is_empty_) reinterpret_cast<jit::Entry>(reinterpret_cast<uintptr_t>(code()))(slots, &run, resume);
  }

  Run start(const BlockArgs& args) const {
    Run run;
    run.begin(*program_, args);
    return run;
  }

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace

// Highway may have been told to do with less than the processor has (hwy::DisableTargets).
std::string_view jit_refusal() {
  return best_simd_target() < SimdTarget::Avx2 ? "the processor is kept from AVX2" : emit::refusal();
}

std::shared_ptr<const Executable> make_jit(std::shared_ptr<const ir::Program> program) {
  if (!jit_refusal().empty()) return nullptr;
  std::shared_ptr<const Compiled> compiled = jit::compile_once(*program);
  if (!compiled->function.code && !compiled->function.is_empty) return nullptr;
  return std::make_shared<Jit>(std::move(program), std::move(compiled));
}

std::string jit_listing(const ir::Program& program) {
  std::string listing;
  if (jit_refusal().empty()) jit::write_function(program, interp::assign_slots(program), &listing);
  return listing;
}

}  // namespace tessera
