#include "shader/interp.h"

#include <algorithm>
#include <cstring>
#include <new>

#include "core/tasks.h"
#include "shader/trace.h"

namespace tessera::interp {
namespace {

Code run_step(Code at, uint32_t* slots, Run& run) {
  Step step;
  std::memcpy(&step, at, sizeof step);
  return step(at + kStepWords, slots, run);
}

struct Free { void operator()(uint32_t* p) const { ::operator delete[](p, std::align_val_t{64}); } };
using SlotMemory = std::unique_ptr<uint32_t[], Free>;
SlotMemory allocate_slots(uint32_t count) {
  return SlotMemory(
      static_cast<uint32_t*>(::operator new[](size_t{count} * kBlockLanes * sizeof(uint32_t), std::align_val_t{64})));
}

}  // namespace

uint32_t evaluate(ir::Op op, std::span<const uint32_t> args) {
  alignas(64) uint32_t slots[kMaxOperands + 1][kBlockLanes];
  uint32_t operands[kMaxOperands + 1];
  for (uint32_t k = 0; k <= args.size(); ++k) operands[k] = k * kBlockLanes;
  for (uint32_t k = 0; k < args.size(); ++k) std::fill_n(slots[k + 1], kBlockLanes, args[k]);
  Run run;
  step_table(best_simd_target()).op[static_cast<size_t>(op)](operands, slots[0], run);
  return slots[0][0];
}

void Run::begin(const ir::Program& of, const BlockArgs& args) {
  exec = args.exec;
  live = args.live;
  bindings = args.bindings;
  program = &of;
  vertices = args.vertices;
  emitted = args.emitted;
  budget = args.budget;
}

void Run::suspend(uint32_t position, BlockState& state) const {
  state.exec = exec;
  state.live = live;
  state.wanted = wanted;
  state.position = position;
  state.turn_bits = turns.bit;
  state.most_turns = turns.largest;
}

void Run::resume(const BlockState& state) {
  exec = state.exec;
  live = state.live;
  wanted = state.wanted;
  turns = {state.turn_bits, state.most_turns};
}

UniformSteps::UniformSteps(const ir::Program& program, const Slots& slots, const StepTable& steps) {
  listing_ = write_uniform_steps(program, slots, steps, slot_count_);
}

void UniformSteps::run(const ir::Program& program, const Bindings& bindings, std::span<uint32_t> words) const {
  if (listing_.is_empty) return;
  const FloatEnvironment environment;
  // Most draws compute a few values only: memory for them costs more than the steps.
  constexpr uint32_t kFewSlots = 32;
  alignas(64) uint32_t few[size_t{kFewSlots} * kBlockLanes];
  const SlotMemory many = slot_count_ > kFewSlots ? allocate_slots(slot_count_) : nullptr;
  uint32_t* const slots = many ? many.get() : few;
  Run run;
  run.bindings = &bindings;
  run.program = &program;
  for (Code at = listing_.code.data(); at;) at = run_step(at, slots, run);
  for (size_t k = 0; k < words.size(); ++k) words[k] = slots[k * kBlockLanes];
}

void UniformSteps::load(std::span<const uint32_t> words, uint32_t* slots) {
  for (size_t k = 0; k < words.size(); ++k) std::fill_n(slots + k * kBlockLanes, kBlockLanes, words[k]);
}

std::vector<uint32_t> output_slots(const ir::Program& program, const Slots& slots) {
  std::vector<uint32_t> of_output;
  for (const ir::Output& o : program.outputs)
    of_output.push_back(o.value == ir::kNoValue ? kNoSlot : slots.of_value[o.value]);
  return of_output;
}

}  // namespace tessera::interp

namespace tessera {
namespace {

using interp::Code;
using interp::Listing;
using interp::Run;
using interp::run_step;

class Interpreter final : public Executable {
 public:
  Interpreter(std::shared_ptr<const ir::Program> program, SimdTarget simd)
      : slots_(interp::assign_slots(*program)),
        steps_(&interp::step_table(simd)),
        main_(interp::write_steps(*program, slots_, *steps_, interp::Fusing::On)),
        uniforms_(*program, slots_, *steps_) {
    program_ = std::move(program);
    first_mask_slot_ = slots_.count;
    slot_count_ = slots_.count + (main_.masks + interp::kMasksInSlot - 1) / interp::kMasksInSlot;
    uniform_count_ = static_cast<uint32_t>(slots_.uniforms.size());
    output_slots_ = interp::output_slots(*program_, slots_);
    is_empty_ = main_.is_empty;
  }

  void run_uniform(const Bindings& bindings, std::span<uint32_t> words) const override {
    uniforms_.run(*program_, bindings, words);
  }
  void load_uniforms(std::span<const uint32_t> words, uint32_t* slots) const override {
    interp::UniformSteps::load(words, slots);
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
    if (state.has_begun) run.resume(state);
    if (run.exec != 0)
      for (Code at = state.has_begun ? run.code + state.position : run.code; at;) at = run_step(at, slots, run);
    state.has_begun = true;
    state.is_waiting = run.waiting_at != nullptr;
    if (state.is_waiting) run.suspend(static_cast<uint32_t>(run.waiting_at - run.code), state);
    return {run.live, run.over_budget};
  }

  BlockResult run_traced(uint32_t* slots, const BlockArgs& args,
                         const std::function<void(const TraceStep&)>& report) const {
    const Listing listing = interp::write_steps(*program_, slots_, *steps_, interp::Fusing::Off);
    Run run = start(listing, slots, args);
    std::vector<const uint32_t*> results;
    OperandCopies operands;
    for (Code at = run.exec != 0 ? run.code : nullptr; at;) {
      const auto position = static_cast<uint32_t>(at - run.code);
      const auto next = std::ranges::upper_bound(listing.marks, position, {}, &interp::InstrMark::position);
      TraceStep step;
      step.exec = run.exec;
      step.live = run.live;
      if (next != listing.marks.begin()) copy_operands(program_->code[std::prev(next)->instr], slots, operands);
      at = run_until(next == listing.marks.end() ? listing.end : next->position, at, slots, run);
      if (next == listing.marks.begin() || position >= listing.end) continue;   // what belongs to no instruction
      step.instr = std::prev(next)->instr;
      const ir::Instr& i = program_->code[step.instr];
      results.clear();
      for (uint32_t k = 0; k < i.result_count; ++k) results.push_back(slots + place_of(i.result + k));
      step.results = results;
      step.operands = operands.pointers;
      report(step);
    }
    return {run.live, run.over_budget};
  }

 private:
  // What a traced instruction reads: its results may take the same slots.
  struct OperandCopies {
    std::vector<uint32_t> words;
    std::vector<const uint32_t*> pointers;
  };
  void copy_operands(const ir::Instr& i, const uint32_t* slots, OperandCopies& copies) const {
    const std::span<const ir::ValueId> args = ir::args_of(*program_, i);
    copies.words.resize(args.size() * kBlockLanes);
    copies.pointers.assign(args.size(), nullptr);
    for (size_t k = 0; k < args.size(); ++k) {
      if (args[k] == ir::kNoValue) continue;
      uint32_t* to = copies.words.data() + k * kBlockLanes;
      std::copy_n(slots + place_of(args[k]), kBlockLanes, to);
      copies.pointers[k] = to;
    }
  }

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
    run.begin(*program_, args);
    run.masks = reinterpret_cast<uint64_t*>(slots + size_t{first_mask_slot_} * kBlockLanes);
    run.code = listing.code.data();
    return run;
  }

  interp::Slots slots_;                     // for traces, as the steps
  const interp::StepTable* steps_ = nullptr;
  Listing main_;
  interp::UniformSteps uniforms_;
  uint32_t first_mask_slot_ = 0;
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
