#include "shader/interp.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/tasks.h"
#include "shader/trace.h"

namespace tessera::interp {

uint32_t evaluate(ir::Op op, std::span<const uint32_t> args) {
  alignas(64) uint32_t slots[kMaxOperands + 1][kBlockLanes];
  uint32_t operands[kMaxOperands + 1];
  for (uint32_t k = 0; k <= args.size(); ++k) operands[k] = k * kBlockLanes;
  for (uint32_t k = 0; k < args.size(); ++k) std::fill_n(slots[k + 1], kBlockLanes, args[k]);
  Run run;
  step_table(best_simd_target()).op[static_cast<size_t>(op)](operands, slots[0], run);
  return slots[0][0];
}

}  // namespace tessera::interp

namespace tessera {
namespace {

using interp::Code;
using interp::Listing;
using interp::Run;
using interp::Step;

Code run_step(Code at, uint32_t* slots, Run& run) {
  Step step;
  std::memcpy(&step, at, sizeof step);
  return step(at + interp::kStepWords, slots, run);
}

struct Free { void operator()(uint32_t* p) const { ::operator delete[](p, std::align_val_t{64}); } };
using SlotMemory = std::unique_ptr<uint32_t[], Free>;
SlotMemory allocate_slots(uint32_t count) {
  return SlotMemory(
      static_cast<uint32_t*>(::operator new[](size_t{count} * kBlockLanes * sizeof(uint32_t), std::align_val_t{64})));
}

class Interpreter final : public Executable {
 public:
  Interpreter(std::shared_ptr<const ir::Program> program, SimdTarget simd) {
    program_ = std::move(program);
    const interp::StepTable& steps = interp::step_table(simd);
    slots_ = interp::assign_slots(*program_);
    steps_ = &steps;
    main_ = interp::write_steps(*program_, slots_, steps, interp::Fusing::On);
    uniform_ = interp::write_uniform_steps(*program_, slots_, steps, uniform_slot_count_);
    first_mask_slot_ = slots_.count;
    slot_count_ = slots_.count + (main_.masks + interp::kMasksInSlot - 1) / interp::kMasksInSlot;
    uniform_count_ = static_cast<uint32_t>(slots_.uniforms.size());
    for (const ir::Output& o : program_->outputs)
      output_slots_.push_back(o.value == ir::kNoValue ? interp::kNoSlot : slots_.of_value[o.value]);
    is_empty_ = main_.is_empty;
  }

  void run_uniform(const Bindings& bindings, std::span<uint32_t> words) const override {
    if (uniform_.is_empty) return;
    const FloatEnvironment environment;
    const SlotMemory slots = allocate_slots(uniform_slot_count_);
    Run run;
    run.bindings = &bindings;
    run.program = program_.get();
    for (Code at = uniform_.code.data(); at;) at = run_step(at, slots.get(), run);
    for (uint32_t k = 0; k < uniform_count_; ++k) words[k] = slots[k * kBlockLanes];
  }

  void load_uniforms(std::span<const uint32_t> words, uint32_t* slots) const override {
    for (uint32_t k = 0; k < uniform_count_; ++k) std::fill_n(slots + k * kBlockLanes, kBlockLanes, words[k]);
  }

  BlockResult run(uint32_t* slots, const BlockArgs& args) const override {
    Run run = start(main_, slots, args);
    if (run.exec != 0)
      for (Code at = run.code; at;) at = run_step(at, slots, run);
    return {run.live, run.over_budget};
  }

  BlockResult run_to_barrier(uint32_t* slots, const BlockArgs& args, BlockState& state) const override {
    Run run = start(main_, slots, args);
    run.stops_at_barriers = true;
    if (state.has_begun) resume(state, run);
    if (run.exec != 0)
      for (Code at = state.has_begun ? run.code + state.position : run.code; at;) at = run_step(at, slots, run);
    state.has_begun = true;
    state.is_waiting = run.waiting_at != nullptr;
    if (state.is_waiting) suspend(run, state);
    return {run.live, run.over_budget};
  }

  BlockResult run_traced(uint32_t* slots, const BlockArgs& args,
                         const std::function<void(const TraceStep&)>& report) const {
    const Listing listing = interp::write_steps(*program_, slots_, *steps_, interp::Fusing::Off);
    Run run = start(listing, slots, args);
    std::vector<const uint32_t*> results;
    for (Code at = run.exec != 0 ? run.code : nullptr; at;) {
      const auto position = static_cast<uint32_t>(at - run.code);
      const auto next = std::ranges::upper_bound(listing.marks, position, {}, &interp::InstrMark::position);
      TraceStep step;
      step.exec = run.exec;
      step.live = run.live;
      at = run_until(next == listing.marks.end() ? listing.end : next->position, at, slots, run);
      if (next == listing.marks.begin() || position >= listing.end) continue;   // what belongs to no instruction
      step.instr = std::prev(next)->instr;
      const ir::Instr& i = program_->code[step.instr];
      results.clear();
      for (uint32_t k = 0; k < i.result_count; ++k) results.push_back(slots + place_of(i.result + k));
      step.results = results;
      report(step);
    }
    return {run.live, run.over_budget};
  }

 private:
  size_t place_of(ir::ValueId v) const { return size_t{slots_.of_value[v]} * kBlockLanes; }

  // The steps before position `end` that follow each other.
  static Code run_until(uint32_t end, Code at, uint32_t* slots, Run& run) {
    const Code first = at;
    do at = run_step(at, slots, run);
    while (at > first && at < run.code + end);
    return at;
  }

  Run start(const Listing& listing, uint32_t* slots, const BlockArgs& args) const {
    Run run;
    run.exec = args.exec;
    run.live = args.live;
    run.masks = reinterpret_cast<uint64_t*>(slots + size_t{first_mask_slot_} * kBlockLanes);
    run.code = listing.code.data();
    run.bindings = args.bindings;
    run.program = program_.get();
    run.vertices = args.vertices;
    run.emitted = args.emitted;
    run.budget = args.budget;
    return run;
  }

  static void suspend(const Run& run, BlockState& state) {
    state.exec = run.exec;
    state.live = run.live;
    state.wanted = run.wanted;
    state.position = static_cast<uint32_t>(run.waiting_at - run.code);
    state.turn_bits = run.turns.bit;
    state.most_turns = run.turns.largest;
  }

  static void resume(const BlockState& state, Run& run) {
    run.exec = state.exec;
    run.live = state.live;
    run.wanted = state.wanted;
    run.turns = {state.turn_bits, state.most_turns};
  }

  Listing main_, uniform_;
  uint32_t uniform_slot_count_ = 0;
  uint32_t first_mask_slot_ = 0;
  interp::Slots slots_;                     // for traces, as the steps
  const interp::StepTable* steps_ = nullptr;
};

}  // namespace

BlockResult run_traced(const Executable& executable, uint32_t* slots, const BlockArgs& args,
                       const std::function<void(const TraceStep&)>& report) {
  const auto* interpreter = dynamic_cast<const Interpreter*>(&executable);
  TESSERA_CHECK(interpreter);
  return interpreter->run_traced(slots, args, report);
}

std::shared_ptr<const Executable> make_interpreter(std::shared_ptr<const ir::Program> program, SimdTarget simd) {
  return std::make_shared<Interpreter>(std::move(program), simd);
}

}  // namespace tessera
